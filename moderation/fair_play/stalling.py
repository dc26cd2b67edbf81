"""Test for slowing down when behind.

Of each game of somebody the ratio of turn times in its second half to those in its first is taken: clock,
habits and the length of turns cancel out. Games in which they were clearly behind at half-time are compared
with their other games by a rank test. A game counts once, as its turns are not independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from statistics import median

from moderation.fair_play import chance
from moderation.fair_play.sheet import SeatSheet

LEAST_GAMES = 5  # Minimum number of games when behind, and of others
BEHIND_SHARE, BEHIND_POINTS = 0.75, 10
"""Limits of being behind: maximum share of the best other's points, and minimum difference in points."""

LEAST_FACTOR = 2.0
"""Minimum factor by which turns slow down; less is no burden for the table."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Pace of a game: the ratio of turn times in the second half, as a power of two, and whether the seat was
    behind."""

    code: str
    slowed: float
    behind: bool


@dataclass(frozen=True, slots=True)
class Stalling:
    """Results of somebody's paces: median ratios of turn times."""

    behind: int  # games
    others: int
    factor_behind: float
    factor_otherwise: float
    p: float

    @property
    def factor(self) -> float:
        return self.factor_behind / self.factor_otherwise


def measure_pace(code: str, seat: SeatSheet) -> Pace | None:
    """Return the pace of *seat* in the game *code*; ``None`` if it is unknown."""
    if seat.early is None or seat.late is None or not seat.same:
        return None
    own = seat.best + seat.half
    behind = own <= BEHIND_SHARE * seat.best and seat.half <= -BEHIND_POINTS
    return Pace(code, log2(seat.late / seat.early), behind)


def measure_stalling(paces: Sequence[Pace]) -> Stalling | None:
    """Test *paces*; ``None`` if they are too few."""
    behind = [pace.slowed for pace in paces if pace.behind]
    others = [pace.slowed for pace in paces if not pace.behind]
    if min(len(behind), len(others)) < LEAST_GAMES:
        return None
    return Stalling(
        behind=len(behind),
        others=len(others),
        factor_behind=2 ** median(behind),
        factor_otherwise=2 ** median(others),
        p=chance.ranks_above(behind, others),
    )


def is_significant(measured: Stalling, tested: int) -> bool:
    """Return whether to show *measured*, if so many people are *tested*."""
    return measured.p <= chance.threshold(tested) and measured.factor >= LEAST_FACTOR
