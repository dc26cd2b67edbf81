"""Cities: their walls, worked out from the sides that they reach."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from games.rules.tiles import Segment, Tile

from .curves import SIZE, Curve, chain

INSET = 12.0
"""How far from the corner a wall crosses a side. Two cities that meet at a corner stay apart by it."""


@dataclass(frozen=True, slots=True)
class City:
    index: int  # of the segment
    walls: tuple[Curve, ...]  # clockwise, the city on the right hand; they and the sides enclose it
    corners: tuple[int, ...]  # corners that lie inside: 0 north-west, clockwise
    shields: int
    marks: tuple[str, ...]

    def turned(self, turns: int) -> City:
        return City(
            self.index,
            tuple(wall.turned(turns) for wall in self.walls),
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
    walls, corners = [], []
    for edge, following in zip(edges, (*edges[1:], edges[0]), strict=True):
        gap = (following - edge) % 4 or 4
        between = [tile.sides[(edge + step) % 4] == "c" for step in range(1, gap)]
        walls.append(_wall(gap, between, len(edges)).turned(edge))
        if gap == 1:
            corners.append((edge + 1) % 4)
    return City(segment.index, tuple(walls), tuple(sorted(corners)), segment.shields, segment.marks)


def _wall(gap: int, others: list[bool], reach: int) -> Curve:
    """The wall from the eastern end of the north side to the next side of the same city, *gap* sides on.

    :param others: on which of the sides between another city lies
    :param reach: how many sides the city reaches
    """
    near, far = INSET, SIZE - INSET
    if gap == 1:  # round the corner: the corner itself may belong to a neighbour's field
        return chain((far, 0), (far, 6.6, 93.4, near, SIZE, near))
    if gap == 2:  # along the eastern side
        bow = 60.0 if others[0] else 67.5 if reach == 2 else 63.0
        return chain((far, 0), (far, 14, bow, 30, bow, 50), (bow, 70, far, 86, far, SIZE))
    if gap == 3:  # past the eastern and the southern side
        return _corner_wall(40.0 if all(others) else 46.0 if any(others) else 49.5)
    depth = 23.0 if others[1] and (others[0] or others[2]) else 27.0 if others[0] or others[2] else 29.0
    wide = (far, 16, 73, depth, 50, depth)
    tight = (far, 7.5, 83.5, 7.5, 78, 10.5, 68, 15.5, 64, depth, 50, depth)  # keeps off a city next to it
    east = tight if others[0] else wide
    west = _mirrored(tight if others[2] else wide)
    return chain((far, 0), *_sixes(east), *_sixes(west))


def _mirrored(values: tuple[float, ...]) -> tuple[float, ...]:
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
