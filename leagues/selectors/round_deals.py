"""The draws of a round, and the games that can be compared."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Exists, OuterRef, Prefetch

from games import access
from games.access import Visitor
from games.models import Ending, Game, Seat, SeatState, Status
from leagues.models import Division, RoundDeal


def load_deals(division: Division, round: int) -> list[RoundDeal]:
    """The shared draws of a *round* of *division*: game by game, the larger tables first."""
    found = RoundDeal.objects.filter(division=division, round=round).select_related("deal")
    return list(found.order_by("number", "-seats"))


def load_comparable_games(deals: Sequence[RoundDeal], visitor: Visitor) -> list[Game]:
    """The games with these *deals* that were played to their end by all, for where somebody has left scores
    tell little; as far as *visitor* may see them, with their seats. Two queries."""
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
