"""Series of games between the same two players, and what counts in a division (STAND-2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from leagues.standings.points import shared_points
from leagues.standings.values import (
    MATCH_EVEN,
    MATCH_LOSS,
    MATCH_WIN,
    GameResult,
    PlayerId,
    Rules,
)


@dataclass(frozen=True, slots=True)
class Contest:
    """What brings points once it is over: a match where matches are played, else a game.

    Of a match the winner has rank 1 and the loser 2; both have 1 if it ended even.
    """

    players: tuple[PlayerId, ...]
    ranks: tuple[int, ...]
    points: tuple[Fraction, ...]
    games: tuple[GameResult, ...]

    def seat(self, player: PlayerId) -> int:
        return self.players.index(player)


def wins(games: Iterable[GameResult], player: PlayerId) -> int:
    """In how many *games* the *player* alone was first."""
    return sum(1 for game in games if game.winners == (player,))


def decided(games: Sequence[GameResult], best_of: int) -> bool:
    """Whether a match of these *games* so far is over: somebody has won more games than can be made up, or
    none is left (STAND-2)."""
    first, second = games[0].players
    lead = abs(wins(games, first) - wins(games, second))
    left = best_of - len(games)
    return left == 0 or lead > left


def match_result(games: Sequence[GameResult], best_of: int) -> Contest:
    """What a match that is over came to, its players in the order of the first game's seats (STAND-2).

    Drawn games are won by nobody, but they are played, so there are fewer left to make up for a loss.

    >>> from leagues.standings.values import SeatResult
    >>> def game(number, rank, other):
    ...     return GameResult(number, "m", "Ann", (SeatResult("Ann", rank, 50), SeatResult("Bob", other, 50)))
    >>> match_result([game(1, 1, 2), game(2, 1, 1), game(3, 1, 1)], best_of=3).ranks
    (1, 2)
    """
    first, second = games[0].players
    lead = wins(games, first) - wins(games, second)
    if lead == 0:
        return Contest((first, second), (1, 1), (MATCH_EVEN, MATCH_EVEN), tuple(games))
    if lead > 0:
        return Contest((first, second), (1, 2), (MATCH_WIN, MATCH_LOSS), tuple(games))
    return Contest((first, second), (2, 1), (MATCH_LOSS, MATCH_WIN), tuple(games))


def series(games: Iterable[GameResult], rules: Rules) -> list[list[GameResult]]:
    """The *games* that are not struck, by match, in the order of each first game.

    :raises ValueError: a match has no name, more games than it may, or other players in one than in another
    """
    matches: dict[object, list[GameResult]] = {}
    for game in games:
        if game.match is None:
            raise ValueError(f"game {game.id!r} is of no match")
        if not game.struck:
            matches.setdefault(game.match, []).append(game)
    for match, its_games in matches.items():
        if len({frozenset(game.players) for game in its_games}) > 1:
            raise ValueError(f"match {match!r} is not of the same players throughout")
        if len(its_games) > rules.best_of:
            raise ValueError(f"match {match!r} has more games than best of {rules.best_of}")
    return list(matches.values())


def contests(games: Iterable[GameResult], rules: Rules) -> list[Contest]:
    """All that brings points: matches that are over, or the games themselves; nothing that is struck
    (STAND-1, 2).

    :raises ValueError: as ``series``, or a game has too few seats or too many
    """
    games = list(games)
    for game in games:
        if not 2 <= len(game.seats) <= rules.seats:
            raise ValueError(f"game {game.id!r} has {len(game.seats)} seats")
    if rules.series:
        matches = series(games, rules)
        return [match_result(match, rules.best_of) for match in matches if decided(match, rules.best_of)]
    return [
        Contest(game.players, game.ranks, shared_points(game.ranks, rules.points), (game,))
        for game in games
        if not game.struck
    ]
