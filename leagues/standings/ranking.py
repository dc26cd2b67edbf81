"""The order of a division: by points, then by the league's tie-breaks among those still equal (STAND-5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise

from leagues.standings.criteria import CRITERIA, Criterion, Value, drawn_lot
from leagues.standings.explanation import POINTS, Explanation, explanation
from leagues.standings.tally import Tally
from leagues.standings.values import Division, Entrant, GameResult, PlayerId, Rules


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a player stands.

    ``values`` has the criteria that were needed for the player, those that were applied while somebody else
    was still equal. ``explanation`` is None for the last of the table.
    """

    player: PlayerId
    rank: int
    points: Fraction
    values: Mapping[str, Value]
    explanation: Explanation | None = None


def standings(
    entrants: Sequence[Entrant],
    games: Sequence[GameResult],
    byes: Sequence[PlayerId],
    rules: Rules,
    season: str | int,
) -> list[Standing]:
    """The table of a division, the first of it first (STAND-1 to 12).

    *byes* has a player once for each bye. Whoever shares a rank stands in the order of the lot, so that the
    order of the table is the same wherever it is worked out.

    >>> from leagues.standings.values import SeatResult
    >>> game = GameResult(1, None, "Ann", (SeatResult("Ann", 1, 90), SeatResult("Bob", 2, 70)))
    >>> entrants = [Entrant("Bob"), Entrant("Ann"), Entrant("Cid")]
    >>> table = standings(entrants, [game], ["Cid"], Rules.usual(2), season=1)
    >>> [(one.rank, one.player, str(one.points)) for one in table]
    [(1, 'Ann', '2'), (2, 'Cid', '2'), (3, 'Bob', '0')]
    >>> table[0].explanation
    Explanation(ahead_of='Cid', criterion='games_won', own=Fraction(1, 1), other=Fraction(0, 1))

    :raises ValueError: no league may have such rules, or games and byes don't fit rules and entrants
    """
    return ranked(Tally.of(Division(entrants, games, byes, rules, season)))


def ranked(tally: Tally) -> list[Standing]:
    """The table of a *tally* (STAND-5)."""
    values: dict[PlayerId, dict[str, Value]] = {player: {} for player in tally.entrants}
    groups = _groups(tally.entrants, tally.points, ascending=False)
    for name in tally.rules.tie_breaks:
        groups = [smaller for group in groups for smaller in _separated(tally, group, CRITERIA[name], values)]
    order: list[tuple[int, PlayerId]] = []
    for group in groups:
        by_lot = sorted(group, key=lambda player: drawn_lot(tally.season, player))
        order += [(len(order) + 1, player) for player in by_lot]
    return [
        Standing(player, rank, tally.points[player], values[player], why)
        for (rank, player), why in zip(order, _explanations(tally, order, values), strict=True)
    ]


def _separated(
    tally: Tally, group: list[PlayerId], criterion: Criterion, values: dict[PlayerId, dict[str, Value]]
) -> list[list[PlayerId]]:
    """The *group* as far as the *criterion* separates it; its values are noted in *values*."""
    if len(group) == 1:
        return [group]
    equal = frozenset(group)
    found = {player: criterion.function(tally, player, equal) for player in group}
    for player, value in found.items():
        values[player][criterion.name] = value
    return _groups(group, found, ascending=criterion.ascending)


def _groups(
    players: Iterable[PlayerId], values: Mapping[PlayerId, Value], *, ascending: bool
) -> list[list[PlayerId]]:
    """The *players* in groups of equal values, the best first."""
    in_order = sorted(players, key=values.__getitem__, reverse=not ascending)
    return [list(group) for _, group in groupby(in_order, key=values.__getitem__)]


def _explanations(
    tally: Tally, order: Sequence[tuple[int, PlayerId]], values: Mapping[PlayerId, Mapping[str, Value]]
) -> list[Explanation | None]:
    """What separates each from the next; nothing for the last."""
    known = {player: {POINTS: tally.points[player], **values[player]} for _, player in order}
    between = [
        explanation(known[player], known[after], after, tally.rules.tie_breaks)
        for (_, player), (_, after) in pairwise(order)
    ]
    return [*between, None] if order else []
