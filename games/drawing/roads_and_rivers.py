"""Roads and rivers: from side to side, or from a side to their end on the tile."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import dist

from games.rules.tiles import FIELD, MONASTERY, RIVER, ROAD, SHRINE, Segment, Tile

from .curves import Curve, Point, between, chain, line, rotate_point
from .walls import City, sides_of

CENTRE: Point = (50.0, 50.0)

VILLAGE, GATE, CLOISTER, SPRING, LAKE, MOUTH = "village", "gate", "cloister", "spring", "lake", "mouth"
"""Ends of roads and rivers."""


@dataclass(frozen=True, slots=True)
class RoadOrRiver:
    index: int  # of the segment
    curve: Curve
    end: str | None  # the thing at the end of the curve; None where it leaves the tile
    marks: tuple[str, ...] = ()

    def rotate_clockwise(self, turns: int) -> RoadOrRiver:
        return RoadOrRiver(self.index, self.curve.rotate_clockwise(turns), self.end, self.marks)


def segments_of(tile: Tile, kind: str) -> tuple[Segment, ...]:
    return tuple(segment for segment in tile.segments if segment.kind == kind)


def roads(
    tile: Tile, gated: dict[int, City], cloister: Point | None, village: Point | None
) -> tuple[RoadOrRiver, ...]:
    """The roads of *tile*; *gated* holds the city at whose gate a road ends, by index of the road."""
    return tuple(
        _road(segment, gated.get(segment.index), cloister, village) for segment in segments_of(tile, ROAD)
    )


def city_ahead(
    road: Segment, tile: Tile, cities: tuple[City, ...], rampart: City | None = None
) -> City | None:
    """The city at whose gate *road* ends: the one that two different fields beside the road both touch,
    including Carcassonne with its *rampart*; or, behind a river, where the fields differ, the opposite
    one."""
    if any(segment.kind in (MONASTERY, SHRINE) for segment in tile.segments):
        return None
    left, right = (_field_at(tile, road.ports[0] + step) for step in (-1, 1))
    if left is None or right is None or left is right:
        return None
    if rampart and all("carcassonne" in field.marks for field in (left, right)):
        return rampart
    if both := set(left.touches) & set(right.touches):
        return cities[min(both)]
    if segments_of(tile, RIVER):
        opposite = (sides_of(road)[0] + 2) % 4
        return next((city for city in cities if opposite in sides_of(tile.segments[city.index])), None)
    return None


def _middle(side: int) -> Point:
    return rotate_point((50.0, 0.0), side)


def _inward(side: int, far: float) -> Point:
    return rotate_point((50.0, far), side)


def through(a: int, b: int) -> Curve:
    """Return the curve from the middle of side *a* to the middle of side *b*, leaving both at right
    angles."""
    start, end = _middle(a), _middle(b)
    if (a - b) % 2 == 0:
        return line(start, end)
    return Curve((start, _inward(a, 27.6), _inward(b, 27.6), end))


def winding(a: int, b: int) -> Curve:
    """Return a curve like ``through`` for a road or a river, but winding where it goes straight."""
    if (a - b) % 2:
        return through(a, b)
    bend = chain((50.0, 0.0), (50.0, 20.0, 42.5, 32.0, 50.0, 50.0), (57.5, 68.0, 50.0, 80.0, 50.0, 100.0))
    return bend.rotate_clockwise(a)


def _road(segment: Segment, city: City | None, cloister: Point | None, village: Point | None) -> RoadOrRiver:
    edges = sides_of(segment)
    if len(edges) == 2:
        return RoadOrRiver(segment.index, winding(*edges), None, segment.marks)
    (side,) = edges
    if city is not None:
        gate, control = _gate(side, city)
        return RoadOrRiver(
            segment.index, Curve((_middle(side), _inward(side, 18), control, gate)), GATE, segment.marks
        )
    end = cloister or village or CENTRE
    curve = Curve((_middle(side), _inward(side, 18), rotate_point((46.0, 32.0), side), end))
    return RoadOrRiver(segment.index, curve, CLOISTER if cloister else VILLAGE, segment.marks)


def _gate(side: int, city: City) -> tuple[Point, Point]:
    """The point where a road from *side* best meets the wall of *city*, and the control point before it."""
    x, y = _inward(side, 30)
    walls = [wall for wall in city.walls if len(wall.points) > 4] or city.walls
    spots = [
        (point, before, after)
        for wall in walls
        for before, point, after in zip(
            wall.samples()[4:], wall.samples()[6:], wall.samples()[8:], strict=False
        )
    ]
    point, before, after = min(spots, key=lambda spot: (spot[0][0] - x) ** 2 + (spot[0][1] - y) ** 2)
    dx, dy = after[0] - before[0], after[1] - before[1]
    length = (dx * dx + dy * dy) ** 0.5
    return point, (point[0] + dy / length * 12, point[1] - dx / length * 12)


def _field_at(tile: Tile, port: int) -> Segment | None:
    return next((land for land in segments_of(tile, FIELD) if port % 12 in land.ports), None)


def rivers(tile: Tile, cities: tuple[City, ...], cloister: Point | None) -> tuple[RoadOrRiver, ...]:
    """The river of *tile*, one curve for each pair of sides if it forks."""
    ways = []
    for river in segments_of(tile, RIVER):
        first, *others = sides_of(river)
        if not others:
            ways.append(_river_end(river, first, tile, cities))
        for other in others:
            curve = winding(first, other)
            if cloister and (first - other) % 2 == 0:
                curve = _bend_curve(curve, cloister)
            ways.append(RoadOrRiver(river.index, curve, None))
    return tuple(ways)


def _river_end(river: Segment, side: int, tile: Tile, cities: tuple[City, ...]) -> RoadOrRiver:
    if cities:
        wall, _ = _gate((side + 2) % 4, cities[0])
        return RoadOrRiver(river.index, line(_middle(side), wall), MOUTH)
    if "volcano" in tile.marks:  # which needs room
        return RoadOrRiver(river.index, line(_middle(side), _inward(side, 34)), LAKE)
    return RoadOrRiver(river.index, line(_middle(side), CENTRE), SPRING if tile.start else LAKE)


def _bend_curve(curve: Curve, away_from: Point) -> Curve:
    """A straight curve from side to side, led around *away_from*, leaving both sides at right angles."""
    (ax, ay), (bx, by) = curve.start, curve.end
    dx, dy = CENTRE[0] - away_from[0], CENTRE[1] - away_from[1]
    far = dist(CENTRE, away_from)
    mx, my = CENTRE[0] + dx / far * 27, CENTRE[1] + dy / far * 27
    ux, uy = (bx - ax) / 100, (by - ay) / 100
    return Curve(
        (
            (ax, ay),
            (ax + 18 * ux, ay + 18 * uy),
            (mx - 24 * ux, my - 24 * uy),
            (mx, my),
            (mx + 24 * ux, my + 24 * uy),
            (bx - 18 * ux, by - 18 * uy),
            (bx, by),
        )
    )


def bridges(over: Iterable[RoadOrRiver], under: Iterable[RoadOrRiver]) -> tuple[tuple[Point, Point], ...]:
    """Return the points where one way crosses another, each with one just behind it along the upper way."""
    bridged = []
    for upper in over:
        points = upper.curve.samples(60)
        for lower in under:
            beneath = lower.curve.samples(60)
            gap, place = min((min(dist(a, b) for b in beneath), i) for i, a in enumerate(points[3:-3], 3))
            if gap < 1.5:
                bridged.append((points[place], points[place + 1]))
    return tuple(bridged)


def lanes(tile: Tile, cities: tuple[City, ...], village: Point | None) -> tuple[RoadOrRiver, ...]:
    """Return lanes from the *village* to each city that two different fields touch with no road between
    them."""
    roads = []
    for city in cities if village else ():
        sides = sides_of(tile.segments[city.index])
        before, after = _field_at(tile, 3 * sides[0] - 1), _field_at(tile, 3 * sides[-1] + 3)
        if before and after and before is not after:
            gate, control = _gate((sides[0] + 2) % 4, city)
            roads.append(RoadOrRiver(-1, Curve((village or CENTRE, village or CENTRE, control, gate)), GATE))
    return tuple(roads)


def hedges(tile: Tile, cities: tuple[City, ...]) -> tuple[Curve, ...]:
    """Return hedges where two different fields meet at a corner of *tile*, from the nearest wall to the
    corner."""
    curves = []
    walls = [point for city in cities for wall in city.walls for point in wall.samples()]
    for side in range(4):
        before, after = (_field_at(tile, 3 * side + step) for step in (2, 3))
        if before and after and before is not after and walls:
            corner = rotate_point((100.0, 0.0), side)
            start = min(walls, key=lambda point: dist(point, corner))
            before_it = between(corner, CENTRE, 0.5)  # so that it comes to the corner between both sides
            curves.append(Curve((start, between(start, before_it, 0.6), before_it, corner)))
    return tuple(curves)
