"""Cities and their walls, computed from the sides that they reach."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from games.rules.tiles import CITY, Segment, Tile

from .curves import SIZE, Curve, Point, chain, line

INSET = 12.0
"""Distance from the corner at which a wall crosses a side; it keeps cities apart that meet at a corner."""


@dataclass(frozen=True, slots=True)
class City:
    index: int  # of the segment
    walls: tuple[Curve, ...]  # clockwise, the city on the right hand; they and the sides enclose it
    corners: tuple[int, ...]  # corners that lie inside: 0 north-west, clockwise
    shields: int
    marks: tuple[str, ...]

    def rotate_clockwise(self, turns: int) -> City:
        return City(
            self.index,
            tuple(wall.rotate_clockwise(turns) for wall in self.walls),
            tuple(sorted((corner + turns) % 4 for corner in self.corners)),
            self.shields,
            self.marks,
        )


def sides_of(segment: Segment) -> tuple[int, ...]:
    """The sides that a city, road or river reaches, 0 for north, clockwise."""
    return tuple(port // 3 for port in segment.ports)


def city(segment: Segment, tile: Tile) -> City:
    """The city *segment* of *tile* as printed."""
    edges = sides_of(segment)
    if other := _find_crossing_city(segment, tile):
        crossing = _OVER if segment.index < other.index else _UNDER
        turns = edges[0] - 1 if crossing is _OVER else edges[0]
        walls = [wall.rotate_clockwise(turns + half) for half in (0, 2) for wall in crossing]
        return City(segment.index, tuple(walls), (), segment.shields, segment.marks)
    walls, corners = [], []
    for edge, following in zip(edges, (*edges[1:], edges[0]), strict=True):
        gap = (following - edge) % 4 or 4
        between = [tile.sides[(edge + step) % 4] == "c" for step in range(1, gap)]
        across = (len(edges) == gap == 2 and tile.sides[edge - 1] == "c") or _across(edge, tile)
        walls.append(_wall(gap, between, len(edges), across).rotate_clockwise(edge))
        if gap == 1:
            corners.append((edge + 1) % 4)
    return City(segment.index, tuple(walls), tuple(sorted(corners)), segment.shields, segment.marks)


_OVER = (chain((0, 12), (12, 12, 12, 37, 30, 37), (44, 37, 54, 35, 62, 32), (74, 28, 84, 12, 100, 12)),)
_UNDER = (chain((88, 0), (88, 10, 70, 22, 64, 31)), chain((63, 64), (63, 86, 88, 84, 88, 100)))
"""Walls of two cities that cross: the northern one of the upper city, which runs from west to east, and the
eastern ones of the other; half a turn gives the rest. They leave room for a field in the north-west."""


def _find_crossing_city(segment: Segment, tile: Tile) -> Segment | None:
    """The city that crosses *segment*, if both reach opposite sides."""
    straight = [segment for segment in tile.segments if segment.kind == CITY and _opposite(sides_of(segment))]
    return next(
        (other for other in straight if other is not segment and segment in straight),
        None,
    )


def _opposite(sides: tuple[int, ...]) -> bool:
    return len(sides) == 2 and sides[1] - sides[0] == 2


def towers(city: City, passages: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return the points of towers on the walls, well away from the sides of the tile and from *passages*."""
    points = []
    for wall in city.walls:
        if wall.at(0.5) in passages:
            points += [wall.at(0.3), wall.at(0.7)]
        elif len(wall.points) > 4:
            points += [wall.at(0.3), wall.at(0.7)] if len(wall.points) == 7 else [wall.at(0.5)]
    return tuple(points)


def thickets(cities: tuple[City, ...], tile: Tile) -> tuple[Curve, ...]:
    """Bushes in the corners between two cities that cross, where there is no room for a field."""
    walls = [wall for crossing in _crossing(cities, tile) for wall in crossing.walls]
    return tuple(line(wall.at(0.7), _next_corner(wall)) for wall in walls)


def crossings(cities: tuple[City, ...], tile: Tile) -> tuple[Point, ...]:
    """Return the points where the walls of a city cross another city."""
    return tuple(wall.at(0.5) for crossing in _crossing(cities, tile) for wall in crossing.walls)


def _crossing(cities: tuple[City, ...], tile: Tile) -> list[City]:
    """The city that crosses above another, if there is one."""
    crossed = [city for city in cities if _find_crossing_city(tile.segments[city.index], tile)]
    return crossed[:1]


def _next_corner(wall: Curve) -> Point:
    """The corner of the tile close to the end of *wall*."""
    x, y = wall.end
    return (0.0 if x < 50 else SIZE), (0.0 if y < 50 else SIZE)


def _across(edge: int, tile: Tile) -> bool:
    """Return whether one city reaches both sides next to *edge*."""
    beside = {(edge - 1) % 4, (edge + 1) % 4}
    return any(segment.kind == CITY and set(sides_of(segment)) == beside for segment in tile.segments)


def _wall(gap: int, others: list[bool], reach: int, across: bool = False) -> Curve:
    """The wall from the eastern end of the north side to the next side of the same city, *gap* sides on.

    :param others: on which of the sides between another city lies
    :param reach: how many sides the city reaches
    :param across: whether it is squeezed by a city that lies across the tile, or lies across and is squeezed
    """
    near, far = INSET, SIZE - INSET
    if gap == 1:  # round the corner: the corner itself may belong to a neighbour's field
        return chain((far, 0), (far, 6.6, 93.4, near, SIZE, near))
    if gap == 2:  # along the eastern side
        bow = 54.0 if others[0] else 77.0 if across else 67.5 if reach == 2 else 63.0
        return chain((far, 0), (far, 14, bow, 30, bow, 50), (bow, 70, far, 86, far, SIZE))
    if gap == 3:  # past the eastern and the southern side
        return _corner_wall(40.0 if all(others) else 46.0 if any(others) else 49.5)
    depth = 27.0 if others[0] or others[2] else 29.0
    if others[1] and (others[0] or others[2]):
        depth = 23.0
    if across:
        depth = 22.0
    wide = (far, 16, 73, depth, 50, depth)
    tight = (far, 7.5, 83.5, 7.5, 78, 10.5, 68, 15.5, 64, depth, 50, depth)  # keeps off a city next to it
    east = tight if others[0] else wide
    west = _mirror_curve(tight if others[2] else wide)
    return chain((far, 0), *_sixes(east), *_sixes(west))


def _mirror_curve(values: tuple[float, ...]) -> tuple[float, ...]:
    """The pieces of a curve from (88, 0) to the middle of the tile, as pieces from there to (12, 0)."""
    points = [(SIZE - INSET, 0.0), *zip(values[::2], values[1::2], strict=True)]
    return tuple(value for x, y in reversed(points[:-1]) for value in (SIZE - x, y))


def _corner_wall(middle: float) -> Curve:
    """From the north side to the west side through (*middle*, *middle*)."""
    far = SIZE - INSET
    return chain(
        (far, 0),
        (far, 14, middle + 13, middle - 13, middle, middle),
        (middle - 13, middle + 13, 14, far, 0, far),
    )


def _sixes(values: tuple[float, ...]) -> Iterable[tuple[float, ...]]:
    return (values[start : start + 6] for start in range(0, len(values), 6))
