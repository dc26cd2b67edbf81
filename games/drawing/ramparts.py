"""The wall of a city on the tiles of its block, computed from the sides that no segment reaches.

The city inside the walls spans several tiles; the art of its set is drawn over them.
"""

from __future__ import annotations

from math import dist

from games.rules.tiles import CITY, Tile

from .curves import SIZE, Curve, Point, rotate_point
from .roads_and_rivers import through
from .walls import City

HALVES = (0, 2, 3, 5, 6, 8, 9, 11)
"""The ports of half sides, clockwise from the north-west."""


def rampart(tile: Tile) -> City | None:
    """The part of the city with quarters on *tile* as printed: what no segment reaches is inside."""
    if tile.block is None:
        return None
    outside = _outside(tile)
    inside = [half not in outside for half in HALVES]
    if all(inside):
        return City(-1, (), (0, 1, 2, 3), 0, ())
    first = next(place for place in range(8) if inside[place] and not inside[place - 1])
    last = next(place for place in range(8) if inside[place] and not inside[(place + 1) % 8])
    wall = through(HALVES[last] // 3, HALVES[first] // 3)
    corners = tuple(corner for corner in range(4) if inside[2 * corner] and inside[2 * corner - 1])
    return City(-1, (wall,), corners, 0, ())


def within(city: City) -> str:
    """Path data of the ground inside the wall of *city*, the part on one tile."""
    if not city.walls:
        return "M0 0h100v100H0z"
    (wall,) = city.walls
    return wall.format_path_data() + "".join(f"L{x:g} {y:g}" for x, y in corners_within(city)) + "z"


def corners_within(city: City) -> tuple[Point, ...]:
    """The corners of the tile inside the wall, in the order in which they follow its end."""
    (wall,) = city.walls
    ordered = sorted(city.corners, key=lambda corner: (corner - _side(wall) - 1) % 4)
    return tuple(rotate_point((0, 0), corner) for corner in ordered)


def bastions(city: City, gates: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return the points of towers on the wall of *city*: on both sides of a gate, else in the middle."""
    points = (wall.at(place) for wall in city.walls for place in ((0.14, 0.86) if gates else (0.5,)))
    return tuple(point for point in points if all(dist(point, gate) > 20 for gate in gates))


def _outside(tile: Tile) -> set[int]:
    """The half sides that fields, roads and cities of the land reach."""
    ports = {port for segment in tile.segments for port in segment.ports}
    cities = {port for segment in tile.segments if segment.kind == CITY for port in segment.ports}
    return ports | {port + step for port in cities for step in (-1, 1)}


def _side(wall: Curve) -> int:
    """The side at which *wall* ends."""
    x, y = wall.end
    return 0 if y == 0 else 1 if x == SIZE else 2 if y == SIZE else 3
