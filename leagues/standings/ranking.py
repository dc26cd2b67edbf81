"""Ranking by points, then by tie-breaks among players still equal (STAND-5), and promotion and relegation."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise
from typing import NamedTuple

from leagues.standings.criteria import CRITERIA, POINTS_LOST, Criterion, Value, draw_lot
from leagues.standings.tally import Tally
from leagues.standings.values import DivisionResults, Entrant, GameResult, PlayerId, Rules

POINTS = "points"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Difference that separates a player from the next in the table.

    ``own`` and ``other`` are the two values of the criterion; of head to head the results against the group
    that was equal just then, which is "3 : 1" between two. ``criterion`` is "points" where no tie-break was
    needed, and None where nothing separates them: then they share the rank, and both values are their points.
    """

    ahead_of: PlayerId
    criterion: str | None
    own: Value
    other: Value


@dataclass(frozen=True, slots=True)
class TableStanding:
    """Place of a player in the table.

    ``values`` has only the criteria that were needed, applied while somebody else was still equal.
    ``explanation`` is None for the last of the table.
    """

    player: PlayerId
    rank: int
    points: Fraction
    values: Mapping[str, Value]
    explanation: Explanation | None = None


def compute_standings(
    entrants: Sequence[Entrant],
    games: Sequence[GameResult],
    byes: Sequence[PlayerId],
    rules: Rules,
    season: str | int,
    *,
    running: bool = False,
) -> list[TableStanding]:
    """Compute the table of a division (STAND-1 to 12); *running*: of a round robin that isn't over.

    *byes* has a player once for each bye. Players who share a rank are in the order of the lot, so that the
    order of the table is deterministic.

    >>> from leagues.standings.values import SeatResult
    >>> game = GameResult(1, None, "Ann", (SeatResult("Ann", 1, 90), SeatResult("Bob", 2, 70)))
    >>> entrants = [Entrant("Bob"), Entrant("Ann"), Entrant("Cid")]
    >>> table = compute_standings(entrants, [game], ["Cid"], Rules.usual(2), season=1)
    >>> [(one.rank, one.player, str(one.points)) for one in table]
    [(1, 'Ann', '2'), (2, 'Cid', '2'), (3, 'Bob', '0')]
    >>> table[0].explanation
    Explanation(ahead_of='Cid', criterion='games_won', own=Fraction(1, 1), other=Fraction(0, 1))

    :raises ValueError: the rules are invalid, or games and byes don't fit rules and entrants
    """
    return rank_tally(Tally.of(DivisionResults(entrants, games, byes, rules, season, running)))


def rank_results(results: DivisionResults) -> list[TableStanding]:
    """Compute the table of *results*, as :func:`compute_standings` does."""
    return rank_tally(Tally.of(results))


class Movement(NamedTuple):
    up: tuple[PlayerId, ...]
    down: tuple[PlayerId, ...]


def compute_movement(order: Sequence[PlayerId], rules: Rules, leaving: Collection[PlayerId] = ()) -> Movement:
    """Return the players who move up and down from a table in this *order*, in the same order.

    Players who are *leaving* the league take no place, neither among the first nor among the last. Nobody
    moves both ways: up comes first.

    >>> compute_movement("ABCDE", Rules.usual(2, up=1, down=2), leaving={"A", "E"})
    Movement(up=('B',), down=('C', 'D'))
    """
    staying = tuple(player for player in order if player not in leaving)
    up = staying[: rules.up]
    last = staying[max(0, len(staying) - rules.down) :]
    return Movement(up, tuple(player for player in last if player not in up))


def explain_rank(
    player: Mapping[str, Value], other: Mapping[str, Value], ahead_of: PlayerId, tie_breaks: Sequence[str]
) -> Explanation:
    """Return the first criterion that separates a player from the next, *ahead_of* whom they stand.

    The mappings have the points under "points", and the values of the tie-breaks that were needed.

    >>> from fractions import Fraction
    >>> ann = {"points": Fraction(4), "head_to_head": Fraction(3)}
    >>> bob = {"points": Fraction(4), "head_to_head": Fraction(1)}
    >>> explain_rank(ann, bob, "Bob", ["head_to_head", "lot"]).criterion
    'head_to_head'
    """
    for name in (POINTS, *tie_breaks):
        if name in player and name in other and player[name] != other[name]:
            return Explanation(ahead_of, name, player[name], other[name])
    return Explanation(ahead_of, None, player[POINTS], other[POINTS])


def rank_tally(tally: Tally) -> list[TableStanding]:
    """The table of a *tally* (STAND-5)."""
    values: dict[PlayerId, dict[str, Value]] = {player: {} for player in tally.entrants}
    lost: dict[PlayerId, dict[str, Value]] = {player: {} for player in tally.entrants}
    groups = _groups(tally.entrants, tally.points, ascending=False)
    criteria = [(CRITERIA[name], values) for name in tally.rules.tie_breaks]
    if tally.running and tally.rules.counts_points:
        criteria.insert(0, (POINTS_LOST, lost))
    for criterion, kept in criteria:
        groups = [smaller for group in groups for smaller in _separate_group(tally, group, criterion, kept)]
    order: list[tuple[int, PlayerId]] = []
    for group in groups:
        by_lot = sorted(group, key=lambda player: draw_lot(tally.season, player))
        order += [(len(order) + 1, player) for player in by_lot]
    explained = {player: lost[player] | values[player] for player in values}
    names = [criterion.name for criterion, _kept in criteria]
    return [
        TableStanding(player, rank, tally.points[player], values[player], why)
        for (rank, player), why in zip(order, _explanations(tally, order, explained, names), strict=True)
    ]


def _separate_group(
    tally: Tally, group: list[PlayerId], criterion: Criterion, values: dict[PlayerId, dict[str, Value]]
) -> list[list[PlayerId]]:
    """Split *group* by *criterion*, and store its values in *values*."""
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
    tally: Tally,
    order: Sequence[tuple[int, PlayerId]],
    values: Mapping[PlayerId, Mapping[str, Value]],
    criteria: Sequence[str],
) -> list[Explanation | None]:
    known = {player: {POINTS: tally.points[player], **values[player]} for _, player in order}
    between = [
        explain_rank(known[player], known[after], after, criteria)
        for (_, player), (_, after) in pairwise(order)
    ]
    return [*between, None] if order else []
