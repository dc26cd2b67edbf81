"""Rings around points of a tile as touch targets, so far apart that no two overlap."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import cos, hypot, sin

from .curves import Point

RADIUS = 20.0
"""Radius of a ring, in hundredths of a tile: 44 pixels across where the tile is 112 pixels wide."""
APART = 2 * RADIUS + 1
"""Minimum distance between the centres of two rings."""
BUTTON: Point = (121.0, -21.0)
"""Position of the button that turns the tile, beside its north-eastern corner. Rings keep clear of it."""
_ROUNDS = 400
_MORE = 0.5  # excess, so that a ring pushed from two sides comes to rest
_GOLDEN = 2.4  # radians; no two of its multiples point the same way


def spread(points: Sequence[Point], *, kept: Sequence[Point] = ()) -> list[Point]:
    """Return *points* moved apart until the distance between any two of them, and to each of those *kept*, is
    :data:`APART` or more, by as little as pairwise pushing finds. The same points give the same rings.

    >>> spread([(20, 50), (80, 50)])
    [(20.0, 50.0), (80.0, 50.0)]
    >>> [(round(x), round(y)) for x, y in spread([(45, 50), (55, 50)])]
    [(29, 50), (71, 50)]
    """
    rings = [[float(x), float(y)] for x, y in points]
    fixed = [[float(x), float(y)] for x, y in kept]
    for _round in range(_ROUNDS):
        moved = False
        for number, (one, other) in enumerate(combinations([*rings, *fixed], 2)):
            if one in fixed:
                continue
            dx, dy = other[0] - one[0], other[1] - one[1]
            distance = hypot(dx, dy)
            if distance >= APART:
                continue
            moved = True
            if not distance:
                dx, dy, distance = cos(_GOLDEN * number), sin(_GOLDEN * number), 1.0
            missing = APART + _MORE - distance
            share = 1.0 if other in fixed else 0.5
            one[0] -= dx / distance * missing * share
            one[1] -= dy / distance * missing * share
            if other not in fixed:
                other[0] += dx / distance * missing * share
                other[1] += dy / distance * missing * share
        if not moved:
            return [(x, y) for x, y in rings]
    raise ValueError(points)
