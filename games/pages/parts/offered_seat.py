"""A seat that seeks a substitute, with all that one must know before taking it over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.urls import reverse

from accounts.models import Player
from games.access import Visitor
from games.models import Game, Seat, Status
from games.pages.parts.thumbnails import build_thumbnail_url
from games.play.substitutes import compute_bank_when_taken, find_refusal_to_come_back
from games.selectors.lists import GameLine, SeatLine, list_unmet_requirements, load_game_lines
from games.words.tables import format_time_at_hand


@dataclass(frozen=True, slots=True)
class OfferedSeat:
    """A seat on offer, for one viewer."""

    line: GameLine  # its game
    seat: SeatLine
    board: str  # address of the picture of the board
    clock: str  # the clock that a substitute would take over, in words
    barred: str  # reason why the viewer may not take it over, in words; empty if they may

    @property
    def url(self) -> str:
        return reverse("games:take_over", args=[self.line.game.code, self.seat.seat.index])


class WayBack(NamedTuple):
    """The way by which a player comes back to a seat for which the bot stands in."""

    url: str  # the address that a button posts to
    refusal: str  # reason why they can't now, in words; empty if they can


def find_way_back(game: Game, seat: Seat, player: Player, now: datetime) -> WayBack | None:
    """Return how *player* comes back to *seat*, their own; ``None`` where no bot stands in. One query at
    most."""
    if not seat.offered or game.status != Status.PLAYING:
        return None
    refused = find_refusal_to_come_back(game, seat, player, now)
    return WayBack(reverse("games:come_back", args=[game.code]), refused.message if refused else "")


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
        board=build_thumbnail_url(line.game, [one.seat for one in line.seats]),
        clock=format_time_at_hand(compute_bank_when_taken(seat, clock), clock.gain),
        barred=barred,
    )
