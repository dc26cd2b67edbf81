"""The last measured games of a player."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from games.models import Seat
from moderation.fair_play import helping
from moderation.fair_play.sheet import SeatSheet
from moderation.models import GameSheet

WINDOW = 200
"""Maximum number of games of a player that are examined, the latest."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat of a measured game: its player, place and sheet."""

    player: int | None  # none for bots
    rank: int | None
    sheet: SeatSheet


@dataclass(frozen=True, slots=True)
class Read:
    """A measured game, with all of its seats in order."""

    code: str
    chairs: tuple[Chair, ...]

    def index(self, player: int) -> int | None:
        """Return the seat of *player*, if nobody else had it meanwhile."""
        for index, chair in enumerate(self.chairs):
            if chair.player == player and chair.sheet.same:
                return index
        return None


def load_last_games(player: int) -> list[Read]:
    """Load the last measured games of *player*, the latest first; two queries."""
    mine = GameSheet.objects.filter(game__seats__player=player).select_related("game")
    sheets = list(mine.order_by("-game__finished", "-pk")[:WINDOW])
    seats: dict[int, list[Seat]] = defaultdict(list)
    for seat in Seat.objects.filter(game__in=[sheet.pk for sheet in sheets]).order_by("index"):
        seats[seat.game_id].append(seat)
    return [
        Read(
            sheet.game.code,
            tuple(
                Chair(None if seat.bot else seat.player_id, seat.rank, SeatSheet.from_json(outcome))
                for seat, outcome in zip(seats[sheet.pk], sheet.seats, strict=True)
            ),
        )
        for sheet in sheets
    ]


def list_opponents(player: int, games: Sequence[Read]) -> list[int]:
    """Return the people whom *player* has met in *games*."""
    met = {chair.player for game in games for chair in game.chairs if chair.player is not None}
    return sorted(met - {player})


def list_games_together(giver: int, receiver: int, games: Sequence[Read]) -> list[helping.Together]:
    """Return those of *games* that *giver* and *receiver* played with others."""
    together = []
    for game in games:
        at, to = game.index(giver), game.index(receiver)
        if at is None or to is None or len(game.chairs) < 3:
            continue
        given = game.chairs[at].sheet.given
        others = tuple(points for seat, points in enumerate(given) if seat not in (at, to))
        together.append(helping.Together(game.code, given[to], others))
    return together


def measure_popularity(receiver: int, giver: int) -> float:
    """Return the points a game that people other than *giver* give *receiver* above others; two queries."""
    games = load_last_games(receiver)
    from_others = [
        game
        for other in list_opponents(receiver, games)
        if other != giver
        for game in list_games_together(other, receiver, games)
    ]
    return helping.measure_popularity(from_others)
