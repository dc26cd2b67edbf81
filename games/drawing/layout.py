"""Where everything on a tile lies, worked out from its segments alone.

Walls cross a side of the tile at right angles and always at the same two places, roads and rivers in the
middle: so any two tiles that may lie side by side join. Between two places a wall takes the form that the
sides between them ask for; nothing here knows a tile by its name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from games.rules.tiles import CITY, FIELD, MONASTERY, RIVER, ROAD, SHRINE, Segment, Tile

from .curves import SIZE, Curve, Point, chain, line, turned

INSET = 12.0
"""How far from the corner a wall crosses a side. Two cities that meet at a corner stay apart by it."""

CENTRE: Point = (50.0, 50.0)

VILLAGE, GATE, CLOISTER, SPRING = "village", "gate", "cloister", "spring"


@dataclass(frozen=True, slots=True)
class City:
    index: int  # of the segment
    walls: tuple[Curve, ...]  # clockwise, the city on the right hand; they and the sides enclose it
    corners: tuple[int, ...]  # corners that lie inside: 0 north-west, clockwise
    shields: int
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """A road or a river: from side to side, or from a side to where it ends."""

    index: int
    curve: Curve
    end: str | None  # what stands at the end of the curve; None where it leaves the tile
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    tile: Tile
    cities: tuple[City, ...]
    roads: tuple[Way, ...]
    rivers: tuple[Way, ...]
    village: Point | None
    cloister: Point | None  # monastery or shrine

    @property
    def gates(self) -> tuple[Point, ...]:
        return tuple(road.curve.end for road in self.roads if road.end == GATE)

    @property
    def walls(self) -> tuple[Curve, ...]:
        return tuple(wall for city in self.cities for wall in city.walls)

    def turned(self, turns: int) -> Layout:
        """The same after *turns* clockwise quarter turns."""
        return Layout(
            self.tile,
            tuple(
                City(
                    city.index,
                    tuple(wall.turned(turns) for wall in city.walls),
                    tuple(sorted((corner + turns) % 4 for corner in city.corners)),
                    city.shields,
                    city.marks,
                )
                for city in self.cities
            ),
            tuple(Way(way.index, way.curve.turned(turns), way.end, way.marks) for way in self.roads),
            tuple(Way(way.index, way.curve.turned(turns), way.end, way.marks) for way in self.rivers),
            turned(self.village, turns) if self.village else None,
            turned(self.cloister, turns) if self.cloister else None,
        )


@cache
def layout(tile: Tile) -> Layout:
    """Everything on *tile* as printed (rotation 0)."""
    kinds = {segment.kind for segment in tile.segments}
    cities = tuple(_city(segment, tile) for segment in _of(tile, CITY))
    cloister = _free_centre(tile, 12) if kinds & {MONASTERY, SHRINE} else None
    ending = [segment for segment in _of(tile, ROAD) if len(segment.ports) == 1]
    gated = {segment.index: city for segment in ending if (city := _city_ahead(segment, tile, cities))}
    village = None
    if cloister is None and len(ending) > len(gated):
        village = _free_centre(tile, 4)
    roads = tuple(_road(segment, gated.get(segment.index), cloister, village) for segment in _of(tile, ROAD))
    return Layout(tile, cities, roads, _rivers(tile), village, cloister)


def _of(tile: Tile, kind: str) -> tuple[Segment, ...]:
    return tuple(segment for segment in tile.segments if segment.kind == kind)


def _edges(segment: Segment) -> tuple[int, ...]:
    """The sides that a city, road or river reaches, 0 for north, clockwise."""
    return tuple(port // 3 for port in segment.ports)


def _free_centre(tile: Tile, away: float) -> Point:
    """The middle, drawn *away* from each side with a city."""
    x, y = CENTRE
    for side, kind in enumerate(tile.sides):
        if kind == "c":
            x, y = x - (0, away, 0, -away)[side], y - (-away, 0, away, 0)[side]
    return x, y


# cities


def _city(segment: Segment, tile: Tile) -> City:
    edges = _edges(segment)
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
        pull = 10.0 if any(others) else 24.0
        return _corner_wall(pull)
    depth = 23.0 if others[1] and (others[0] or others[2]) else 27.0 if others[0] or others[2] else 29.0
    wide = (far, 16, 73, depth, 50, depth)
    tight = (
        far,
        7.5,
        83.5,
        7.5,
        78,
        10.5,
        68,
        15.5,
        64,
        depth,
        50,
        depth,
    )  # keeps off a city on the side next to it
    east = tight if others[0] else wide
    west = _mirrored(tight if others[2] else wide)
    return chain((far, 0), *_sixes(east), *_sixes(west))


def _mirrored(values: tuple[float, ...]) -> tuple[float, ...]:
    """The pieces of a curve from (88, 0) to the middle of the tile, as pieces from there to (12, 0)."""
    points = [(SIZE - INSET, 0.0), *zip(values[::2], values[1::2], strict=True)]
    return tuple(value for x, y in reversed(points[:-1]) for value in (SIZE - x, y))


def _corner_wall(pull: float) -> Curve:
    far = SIZE - INSET
    middle = 46.0 + (pull - 10) / 4
    return chain(
        (far, 0),
        (far, 14, middle + 13, middle - 13, middle, middle),
        (middle - 13, middle + 13, 14, far, 0, far),
    )


def _sixes(values: tuple[float, ...]) -> Iterable[tuple[float, ...]]:
    return (values[start : start + 6] for start in range(0, len(values), 6))


# roads and rivers


def _middle(side: int) -> Point:
    return turned((50.0, 0.0), side)


def _inward(side: int, far: float) -> Point:
    return turned((50.0, far), side)


def _through(a: int, b: int) -> Curve:
    """From the middle of side *a* to the middle of side *b*, leaving both at right angles."""
    start, end = _middle(a), _middle(b)
    if (a - b) % 2 == 0:
        return line(start, end)
    return Curve((start, _inward(a, 27.6), _inward(b, 27.6), end))


def _road(segment: Segment, city: City | None, cloister: Point | None, village: Point | None) -> Way:
    edges = _edges(segment)
    if len(edges) == 2:
        return Way(segment.index, _through(*edges), None, segment.marks)
    (side,) = edges
    if city is not None:
        gate, control = _gate(side, city)
        return Way(
            segment.index, Curve((_middle(side), _inward(side, 18), control, gate)), GATE, segment.marks
        )
    end = cloister or village or CENTRE
    curve = Curve((_middle(side), _inward(side, 18), _inward(side, 32), end))
    return Way(segment.index, curve, CLOISTER if cloister else VILLAGE, segment.marks)


def _gate(side: int, city: City) -> tuple[Point, Point]:
    """Where a road from *side* best meets the wall of *city*, and the control point before it."""
    x, y = _inward(side, 30)
    spots = [
        (point, before, after)
        for wall in city.walls
        for before, point, after in zip(
            wall.samples()[4:], wall.samples()[6:], wall.samples()[8:], strict=False
        )
        if len(wall.points) > 4
    ]
    point, before, after = min(spots, key=lambda spot: (spot[0][0] - x) ** 2 + (spot[0][1] - y) ** 2)
    dx, dy = after[0] - before[0], after[1] - before[1]
    length = (dx * dx + dy * dy) ** 0.5
    return point, (point[0] + dy / length * 12, point[1] - dx / length * 12)


def _city_ahead(road: Segment, tile: Tile, cities: tuple[City, ...]) -> City | None:
    """The city at whose gate *road* ends: the one that two different fields beside the road both touch."""
    middle = road.ports[0]
    left = _field_at(tile, middle - 1)
    right = _field_at(tile, middle + 1)
    if left is None or right is None or left is right:
        return None
    both = set(left.touches) & set(right.touches)
    if not both or any(segment.kind in (MONASTERY, SHRINE) for segment in tile.segments):
        return None
    return cities[min(both)]


def _field_at(tile: Tile, port: int) -> Segment | None:
    return next((land for land in _of(tile, FIELD) if port % 12 in land.ports), None)


def _rivers(tile: Tile) -> tuple[Way, ...]:
    ways = []
    for river in _of(tile, RIVER):
        edges = _edges(river)
        if len(edges) == 1:
            side = edges[0]
            ways.append(Way(river.index, line(_middle(side), CENTRE), SPRING))
        else:
            first = edges[0]
            ways += [Way(river.index, _through(first, other), None) for other in edges[1:]]
    return tuple(ways)
