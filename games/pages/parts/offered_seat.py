"""Seats in which the house bot stands in: who may take them over, or come back to them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from accounts.models import Player
from games.access import Visitor
from games.models import Game, Seat, Status
from games.play.substitutes import find_refusal_to_come_back
from games.selectors.lists import list_unmet_requirements, seat_players


def describe_way_back(game: Game, seat: Seat, player: Player, now: datetime) -> str | None:
    """Return why *player* can't come back now to *seat*, their own: empty if they can, ``None`` where no bot
    stands in. One query at most."""
    if not seat.offered or game.status != Status.PLAYING:
        return None
    refused = find_refusal_to_come_back(game, seat, player, now)
    return refused.message if refused else ""


def list_offered_seats(offered: Iterable[Seat], visitor: Visitor) -> list[tuple[Seat, str]]:
    """Return the seats *offered*, in games of a list, each with why *visitor* may not take it over: empty if
    they may. One query besides theirs and that of their requirements."""
    seats = list(offered)
    games = seat_players([seat.game for seat in seats], visitor)
    for seat, game in zip(seats, games, strict=True):
        seat.name = game.seated[seat.index].name
    return list(zip(seats, list_unmet_requirements(visitor, games), strict=True))
