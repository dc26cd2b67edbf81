"""Total points of each player after each round (STAND-1, 2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate

from leagues.standings.matches import list_contests
from leagues.standings.values import GameResult, PlayerId, Rules

NO_PENALTIES: Mapping[PlayerId, Fraction] = {}


def count_points_by_round(
    players: Iterable[PlayerId],
    games: Sequence[tuple[int, GameResult]],
    byes: Iterable[tuple[int, PlayerId]],
    rules: Rules,
    penalties: Mapping[PlayerId, Fraction] = NO_PENALTIES,
) -> Mapping[PlayerId, Sequence[Fraction]]:
    """Return each player's points after round 1, 2 and so on, up to the last round that has brought any.

    *games* and *byes* have their rounds, from 1. Struck games and unfinished matches don't count. *penalties*
    are as in ``sum_by_round``.

    >>> from leagues.standings.values import SeatResult
    >>> def game(n, first, second):
    ...     return GameResult(n, n, first, (SeatResult(first, 1, 90), SeatResult(second, 2, 70)))
    >>> games = [(1, game(1, "a", "b")), (3, game(2, "b", "a"))]
    >>> found = count_points_by_round("ab", games, [], Rules.usual(2))
    >>> [[int(points) for points in found[player]] for player in "ab"]
    [[2, 2, 2], [0, 0, 2]]
    """
    round_of = {game.id: number for number, game in games}
    won = [
        (round_of[contest.games[0].id], player, points)
        for contest in list_contests([game for _, game in games], rules)
        for player, points in zip(contest.players, contest.points, strict=True)
    ]
    won += [(number, player, Fraction(rules.bye)) for number, player in byes]
    return sum_by_round(players, won, penalties)


def sum_by_round(
    players: Iterable[PlayerId],
    won: Sequence[tuple[int, PlayerId, Fraction]],
    penalties: Mapping[PlayerId, Fraction] = NO_PENALTIES,
) -> Mapping[PlayerId, Sequence[Fraction]]:
    """Return each player's sum of points *won* up to round 1, 2 and so on, from rounds, players and points.

    *penalties* belong to no round, so they are taken from the latest total, which is that of the table.

    >>> found = sum_by_round("ab", [(1, "a", Fraction(2)), (3, "a", Fraction(1)), (3, "b", Fraction(1))])
    >>> [[int(points) for points in found[player]] for player in "ab"]
    [[2, 2, 3], [0, 0, 1]]
    >>> sum_by_round("a", [(1, "a", Fraction(2)), (2, "a", Fraction(1))], {"a": Fraction(1, 2)})
    {'a': [Fraction(2, 1), Fraction(5, 2)]}
    """
    last = max((number for number, _, _ in won), default=0)
    each = {player: [Fraction()] * last for player in players}
    for number, player, points in won:
        if player in each:
            each[player][number - 1] += points
    if last:
        for player in each.keys() & penalties.keys():
            each[player][-1] -= penalties[player]
    return {player: list(accumulate(points)) for player, points in each.items()}
