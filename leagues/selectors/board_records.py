"""Results of players at the boards of teams."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from accounts.models import Player
from leagues.models import Board, Team, TeamMatch


@dataclass(slots=True)
class BoardRecord:
    """Record of a player at boards; an even board or game is half a win."""

    boards: int = 0
    won: Fraction = Fraction()
    games: int = 0
    games_won: Fraction = Fraction()

    @property
    def games_lost(self) -> Fraction:
        return self.games - self.games_won


def count_records(matches: Iterable[TeamMatch]) -> dict[int, BoardRecord]:
    """Count the results of each player at the boards of *matches*, by primary key. The win of a board with a
    substitution goes to the player who ended it; a player who left it without a game is not counted."""
    kept: dict[int, BoardRecord] = {}
    for match in matches:
        for board in match.boards.all():
            for side in (0, 1):
                for player in _count_board(kept, board, side):
                    kept[player].boards += 1
    return kept


def _count_board(kept: dict[int, BoardRecord], board: Board, side: int) -> set[int]:
    """Count games, and the win, of those who played at *side* of *board*; return their primary keys."""
    there = set()
    pairings = list(board.players.all())
    for players in pairings:
        player = (players.first_id, players.second_id)[side]
        if player is None or players.match is None:
            continue
        games = [fixture for fixture in players.match.fixtures.all() if fixture.seats is not None]
        if not games and players != pairings[-1]:
            continue
        there.add(player)
        record = kept.setdefault(player, BoardRecord())
        record.games += len(games)
        for game in games:
            first = [seat["player"] for seat in game.seats or () if seat["rank"] == 1]
            record.games_won += Fraction(player in first, len(first) or 1)
        points = (board.first_points, board.second_points)[side]
        if points is not None and players == pairings[-1]:
            record.won += Fraction(points, 2)
    return there


RankedPlayer = tuple[Player, Team, BoardRecord]


def rank_players(matches: Sequence[TeamMatch]) -> list[RankedPlayer]:
    """Return the players of *matches* with their teams and records, the most boards won first."""
    people: dict[int, tuple[Player, Team]] = {}
    for match in matches:
        for board in match.boards.all():
            for players in board.players.all():
                for player, team in ((players.first, match.first), (players.second, match.second)):
                    if player is not None:
                        people[player.pk] = player, team
    kept = count_records(matches)
    order = sorted(
        kept, key=lambda pk: (-kept[pk].won, kept[pk].boards, -kept[pk].games_won, str(people[pk][0]))
    )
    return [(*people[pk], kept[pk]) for pk in order]
