"""A seat that seeks a substitute, with all that one must know before taking it over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from accounts.models import Player
from games.access import Visitor
from games.models import Game, Seat, Status
from games.play.substitutes import compute_bank_when_taken, find_refusal_to_come_back
from games.selectors.lists import GameLine, list_unmet_requirements, load_game_lines
from games.words.tables import format_time_at_hand


@dataclass(frozen=True, slots=True)
class OfferedSeat:
    """A seat on offer, for one viewer."""

    line: GameLine  # its game
    seat: Seat
    clock: str  # the clock that a substitute would take over, in words
    barred: str  # reason why the viewer may not take it over, in words; empty if they may


def describe_way_back(game: Game, seat: Seat, player: Player, now: datetime) -> str | None:
    """Return why *player* can't come back now to *seat*, their own: empty if they can, ``None`` where no bot
    stands in. One query at most."""
    if not seat.offered or game.status != Status.PLAYING:
        return None
    refused = find_refusal_to_come_back(game, seat, player, now)
    return refused.message if refused else ""


def list_offered_seats(offered: Iterable[Seat], visitor: Visitor, now: datetime) -> list[OfferedSeat]:
    """The seats *offered*, for *visitor*; one query besides theirs and that of their requirements."""
    seats = list(offered)
    games = {seat.game_id: seat.game for seat in seats}
    lines = load_game_lines(games.values(), visitor, now)
    of = {
        line.game.pk: (line, why)
        for line, why in zip(lines, list_unmet_requirements(visitor, lines), strict=True)
    }
    return [_offer(*of[seat.game_id], seat) for seat in seats]


def _offer(line: GameLine, barred: str, seat: Seat) -> OfferedSeat:
    clock = line.game.clock
    return OfferedSeat(
        line=line,
        seat=line.seats[seat.index],
        clock=format_time_at_hand(compute_bank_when_taken(seat, clock), clock.gain),
        barred=barred,
    )
