"""Seats that seek a substitute, as others find them."""

from __future__ import annotations

from django.db.models import BooleanField, Exists, OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL

from games.access import Visitor, build_unsealed_filter
from games.clocks.worst_case import TAKEOVERS
from games.conduct.blocks import build_unblocked_filter
from games.models import Seat, Status, Visibility

OFFERED = RawSQL("games_seat.state = 'offered'", (), output_field=BooleanField())
"""Written out: SQLite takes a partial index only if the query itself says that it is of these rows."""


def find_offered_seats(visitor: Visitor) -> QuerySet[Seat]:
    """The seats of public games that *visitor* could take over, the longest kept first: of games that they
    don't sit at. The lists' other parts of a game have still to be read."""
    offered = Seat.objects.filter(
        OFFERED,
        build_unsealed_filter(visitor, "game"),
        build_unblocked_filter(visitor, "game"),
        takeovers__lt=TAKEOVERS,
        game__status=Status.PLAYING,
        game__visibility=Visibility.PUBLIC,
    )
    if visitor.is_authenticated:
        offered = offered.filter(~Q(Exists(Seat.objects.filter(game=OuterRef("game"), player=visitor))))
    return offered.order_by("pk")
