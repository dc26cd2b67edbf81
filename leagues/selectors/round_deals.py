"""Shared draws of a round, and the games that can be compared."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Exists, OuterRef, Prefetch

from games import access
from games.access import Visitor
from games.models import Ending, Game, Seat, SeatState, Status
from leagues.models import Division, RoundDeal


def load_deals(division: Division, round: int) -> list[RoundDeal]:
    """Return the shared draws of a *round* of *division*, by game number, the larger tables first."""
    found = RoundDeal.objects.filter(division=division, round=round).select_related("deal")
    return list(found.order_by("number", "-seats"))


def load_comparable_games(deals: Sequence[RoundDeal], visitor: Visitor) -> list[Game]:
    """Return the games with these *deals* that *visitor* may see, with their seats. Only games that all have
    played to the end, as scores tell little where somebody has left. Two queries."""
    left = Seat.objects.filter(game=OuterRef("pk"), state__in=[SeatState.RESIGNED, SeatState.TIMED_OUT])
    played = Game.objects.filter(
        access.build_unsealed_filter(visitor),
        ~Exists(left),
        deal__in=[one.deal_id for one in deals],
        status=Status.FINISHED,
        ending=Ending.PLAYED,
    )
    seats = Seat.objects.select_related("player").order_by("index")
    return list(played.order_by("pk").prefetch_related(Prefetch("seats", seats)))
