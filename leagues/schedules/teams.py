"""Matches of teams: line-ups, boards, first seats and scores.

Teams meet by :func:`~leagues.schedules.round_robin.pair_round_robin` and
:class:`~leagues.schedules.knock_out.KnockOut`, of which the players are then the teams.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from leagues.schedules.rounds import Id, check_distinct
from leagues.schedules.separation import Arrangement, Pairs, differ, keep_apart
from leagues.schedules.series import Points, Series, find_decided_series


@dataclass(frozen=True, slots=True)
class TeamScore:
    """Score of a match of teams: *board_points* of both, and how many boards are not decided yet."""

    board_points: tuple[Fraction, Fraction]
    open_boards: int

    @property
    def decided(self) -> bool:
        """Return whether no board that is still open can change who wins."""
        first, second = self.board_points
        return self.open_boards == 0 or abs(first - second) > self.open_boards


def list_line_up_refusals(line_up: Sequence[Id], squad: Collection[Id], boards: int) -> Iterator[str]:
    """Yield the faults of a *line_up*, the first board first, as codes; none if it can be played.

    ``number``: not one player for each of the *boards*. ``twice``: somebody is at two of them. ``stranger``:
    somebody is not in the *squad*.

    >>> list(list_line_up_refusals("ABB", "ABC", boards=3))
    ['twice']
    """
    if len(line_up) != boards:
        yield "number"
    if len(set(line_up)) < len(line_up):
        yield "twice"
    if not set(line_up) <= set(squad):
        yield "stranger"


def build_board_matches(
    first: Sequence[Id], second: Sequence[Id], best_of: int = 1
) -> tuple[Series[Id], ...]:
    """Build the matches of two teams' line-ups, board by board, each best of *best_of*.

    At the first board, the third, and so on, the player of the *first* team begins; at the others the
    opponent does.

    >>> [board.next_game().players for board in build_board_matches("ABC", "XYZ")]
    [('A', 'X'), ('Y', 'B'), ('C', 'Z')]

    :raises ValueError: line-ups of different lengths, somebody twice, or an even number of games
    """
    if len(first) != len(second):
        raise ValueError("both teams need a player at each board")
    check_distinct([*first, *second])
    return tuple(
        Series(one, other, best_of) if board % 2 == 0 else Series(other, one, best_of)
        for board, (one, other) in enumerate(zip(first, second, strict=True))
    )


def build_board_series(number: int, best_of: int, winners: Sequence[int | None]) -> Series[int]:
    """Build the series at the board with this *number*, from 1, between side 0 (the first team) and side 1.

    *winners* are the sides that won its games in order, None for a draw. The series belongs to the board,
    also across substitutions; ``build_board_matches`` determines who begins.

    >>> build_board_series(2, 3, [0]).next_game()
    Pairing(players=(0, 1))
    """
    sides = build_board_matches(
        [(0, at) for at in range(number)], [(1, at) for at in range(number)], best_of
    )[-1]
    return find_decided_series(sides.first[0], sides.second[0], best_of, winners)


def fill_line_up(
    wanted: Sequence[Id | None], here: Collection[Id], ready: Sequence[Id], boards: int
) -> tuple[Id | None, ...]:
    """Return the line-up that is played where the captain *wanted* this one, now or in an earlier round.

    Players who are not *here* any more are replaced by the first of those who are *ready*, at the same board;
    None if nobody is left.

    >>> fill_line_up("ABC", here="ACDE", ready="DE", boards=3)
    ('A', 'D', 'C')
    >>> fill_line_up("", here="AB", ready="AB", boards=3)
    ('A', 'B', None)
    """
    places: list[Id | None] = [one if one in here else None for one in wanted[:boards]]
    places += [None] * (boards - len(places))
    spare = iter([one for one in ready if one not in places])
    return tuple(next(spare, None) if one is None else one for one in places)


def separate_boards(
    first: Sequence[Id | None], second: Sequence[Id | None], apart: Pairs[Id]
) -> tuple[Id | None, ...]:
    """Reorder the line-up of the *second* team so that no pair of *apart* meets, if possible.

    >>> separate_boards("ABC", "XYZ", [frozenset("AX"), frozenset("AY")])
    ('Z', 'X', 'Y')
    """
    fixed = [(at, one) for at, one in enumerate(first) if one is not None]
    moving = [(at, one) for at, one in enumerate(second) if one is not None]
    boards = [at for at, _one in fixed + moving]
    tiers = [*range(len(fixed)), *[-1] * len(moving)]
    arrangement = Arrangement([one for _at, one in fixed + moving], boards, differ)
    order = keep_apart(arrangement, apart, tiers)
    seated = dict(zip(boards[len(fixed) :], order[len(fixed) :], strict=True))
    return tuple(seated.get(at) for at in range(len(second)))


def count_team_score(boards: Sequence[Points | None]) -> TeamScore:
    """Add up the scores of *boards*: match points (STAND-2) of the first team's player and of the second's,
    or None for an undecided board.

    A won board is one board point, an even one half each. Where both forfeit, neither gets any (STAND-3).

    >>> count_team_score([(2, 0), (1, 1), None]).board_points
    (Fraction(3, 2), Fraction(1, 2))

    :raises ValueError: a board has points that no match has
    """
    totals = [Fraction(0), Fraction(0)]
    for points in boards:
        if points is None:
            continue
        if min(points) < 0 or sum(points) not in (0, 2):
            raise ValueError(f"{points} are not the points of a match")
        for team in (0, 1):
            totals[team] += Fraction(points[team]) / 2
    return TeamScore((totals[0], totals[1]), sum(points is None for points in boards))
