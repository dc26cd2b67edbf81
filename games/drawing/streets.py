"""The streets of a city, which lead from each of its sides and gates to the place where its knight stands."""

from __future__ import annotations

from games.rules.tiles import Tile

from .curves import SIZE, Curve, Point, between, line, rotate_point
from .layout import layout
from .places import open_ground, places
from .regions import cell_of
from .walls import City, sides_of

SQUARE = 7.5
"""Radius of the place where streets meet."""
STUB = 13.0
"""Length of a street from a side where it can't go on to the middle."""


def streets(tile: Tile, rotation: int, city: City) -> tuple[Curve, ...]:
    """The streets of *city* on *tile* turned by *rotation* degrees. They cross a side in its middle and at a
    right angle, and keep to the ground of the city."""
    turns = rotation // 90
    free = open_ground(tile, rotation, city.index)
    hub = square(tile, rotation, city.index)
    curves = []
    for side in sides_of(tile.segments[city.index]):
        start, within, inward = (rotate_point((50.0, far), side + turns) for far in (0.0, 4.0, 16.0))
        street = Curve((*line(start, within).points, inward, between(inward, hub, 0.5), hub))
        inside = all(cell_of(point) in free for point in street.samples()[:-1])
        curves.append(street if inside else line(start, rotate_point((50.0, STUB), side + turns)))
    for gate in layout(tile).rotate_clockwise(turns).gates:
        street = line(gate, hub)
        if all(cell_of(point) in free for point in street.samples()[:-1] if _apart(point, gate) > 9):
            curves.append(street)
    return tuple(curves)


def square(tile: Tile, rotation: int, index: int) -> Point:
    """Return the point where the streets of a city meet, where its knight stands."""
    x, y = places(tile, rotation).spots[index]
    near, far = SQUARE + 2.5, SIZE - SQUARE - 2.5
    return min(max(x, near), far), min(max(y + 4, near), far)


def _apart(a: Point, b: Point) -> float:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))
