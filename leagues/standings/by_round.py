"""How a table came about: the points of everybody after each round (STAND-1, 2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate

from leagues.standings.matches import contests
from leagues.standings.values import GameResult, PlayerId, Rules


def points_by_round(
    players: Iterable[PlayerId],
    games: Sequence[tuple[int, GameResult]],
    byes: Iterable[tuple[int, PlayerId]],
    rules: Rules,
) -> Mapping[PlayerId, Sequence[Fraction]]:
    """By player the points after round 1, 2 and so on, up to the last one that has brought any; *games* and
    *byes* with their rounds, from 1. What is struck, or of a match that is not over, counts for nobody.

    >>> from leagues.standings.values import SeatResult
    >>> def game(n, first, second):
    ...     return GameResult(n, n, first, (SeatResult(first, 1, 90), SeatResult(second, 2, 70)))
    >>> found = points_by_round("ab", [(1, game(1, "a", "b")), (3, game(2, "b", "a"))], [], Rules.usual(2))
    >>> [[int(points) for points in found[player]] for player in "ab"]
    [[2, 2, 2], [0, 0, 2]]
    """
    round_of = {game.id: number for number, game in games}
    won = [
        (round_of[contest.games[0].id], player, points)
        for contest in contests([game for _, game in games], rules)
        for player, points in zip(contest.players, contest.points, strict=True)
    ]
    won += [(number, player, Fraction(rules.bye)) for number, player in byes]
    return running_totals(players, won)


def running_totals(
    players: Iterable[PlayerId], won: Sequence[tuple[int, PlayerId, Fraction]]
) -> Mapping[PlayerId, Sequence[Fraction]]:
    """By player what was *won* up to round 1, 2 and so on: rounds, who, and how many points.

    >>> found = running_totals("ab", [(1, "a", Fraction(2)), (3, "a", Fraction(1)), (3, "b", Fraction(1))])
    >>> [[int(points) for points in found[player]] for player in "ab"]
    [[2, 2, 3], [0, 0, 1]]
    """
    last = max((number for number, _, _ in won), default=0)
    each = {player: [Fraction()] * last for player in players}
    for number, player, points in won:
        if player in each:
            each[player][number - 1] += points
    return {player: list(accumulate(points)) for player, points in each.items()}
