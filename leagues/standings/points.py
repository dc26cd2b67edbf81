"""What the ranks of a game are worth (STAND-1)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def shared_points(ranks: Sequence[int], points: Sequence[int]) -> tuple[Fraction, ...]:
    """What each seat gets, in the order of *ranks*; *points* has what the first, the second and so on are
    worth.

    Seats that share a rank share the points of the ranks that they take up, equally. Ranks beyond the list
    are worth nothing (STAND-1).

    >>> [str(share) for share in shared_points([1, 3, 1], [4, 2, 0])]
    ['3', '0', '3']
    >>> [str(share) for share in shared_points([2, 2], [2, 0])]  # both stayed away
    ['0', '0']
    """
    return tuple(_share(rank, ranks.count(rank), points) for rank in ranks)


def _share(rank: int, sharing: int, points: Sequence[int]) -> Fraction:
    return Fraction(sum(points[rank - 1 : rank - 1 + sharing]), sharing)


def pair_points(own: int, other: int) -> int:
    """What the order of two seats at a larger table is worth to the one with the rank *own* (STAND-6).

    >>> pair_points(1, 3), pair_points(2, 2), pair_points(3, 1)
    (2, 1, 0)
    """
    return 2 if own < other else 1 if own == other else 0
