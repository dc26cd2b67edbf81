"""Seats that seek a substitute, as others find them."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.access import Visitor, unsealed
from games.clocks.worst_case import TAKEOVERS
from games.conduct.blocks import among_company
from games.models import Seat, SeatState, Status, Visibility


def offered_seats(visitor: Visitor) -> QuerySet[Seat]:
    """The seats of public games that *visitor* could take over, the longest kept first: of games that they
    don't sit at. The lists' other parts of a game have still to be read."""
    offered = Seat.objects.filter(
        unsealed(visitor, "game"),
        among_company(visitor, "game"),
        state=SeatState.OFFERED,
        takeovers__lt=TAKEOVERS,
        game__status=Status.PLAYING,
        game__visibility=Visibility.PUBLIC,
    )
    if visitor.is_authenticated:
        offered = offered.filter(~Q(Exists(Seat.objects.filter(game=OuterRef("game"), player=visitor))))
    return offered.order_by("pk")
