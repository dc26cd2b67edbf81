"""The places of meeples, shields and gardens on a tile, by rotation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from games.rules.tiles import CITY, FIELD, GARDEN, MONASTERY, ROAD, SHRINE, Segment, Tile

from . import expansions
from .curves import SIZE, Point, rotate_point
from .layout import Layout, layout
from .ramparts import bastions
from .regions import STEP, Cell, centre, regions, roomiest
from .roads_and_rivers import CLOISTER, GATE, VILLAGE, RoadOrRiver

STANDING: Point = (11.5, 12.5)
"""Half the width and height of a standing figure, with a small margin."""
GUEST: Point = (9.0, 11.0)
LYING: Point = (12.5, 8.5)
SIGNS: dict[str, Point] = {
    "shield": (8.0, 9.0),
    **{name: sign.half for name, sign in expansions.SIGNS.items()},
}
"""Half the width and height of each building or sign that shows the worth of a segment."""
FIRST = {name for name, sign in expansions.SIGNS.items() if sign.first}
HIDING = {name for name, sign in expansions.SIGNS.items() if sign.hides}
GARDEN_HALF: Point = (15.0, 15.0)


@dataclass(frozen=True, slots=True)
class TilePlaces:
    """The places on a turned tile. All points are of the tile after turning."""

    spots: dict[int, Point]  # index of a segment to where its meeple stands
    emblems: dict[int, tuple[str, Point]]  # index of a segment to the building or sign on it
    garden: Point | None
    guests: dict[int, Point]  # index of a city to where a figure that is no seat's stands


@cache
def places(tile: Tile, rotation: int) -> TilePlaces:
    """Return the places on *tile* turned by *rotation* degrees."""
    turns = rotation // 90
    plan = layout(tile).rotate_clockwise(turns)
    garden = (
        rotate_point(_garden(tile), turns)
        if any(segment.kind == GARDEN for segment in tile.segments)
        else None
    )
    spots: dict[int, Point] = {}
    emblems: dict[int, tuple[str, Point]] = {}
    for segment in tile.segments:
        if segment.kind == GARDEN and garden:
            spots[segment.index] = garden
        elif segment.kind in (MONASTERY, SHRINE):
            spots[segment.index] = _monk(plan)
        elif segment.kind == ROAD:
            spots[segment.index] = _highwayman(segment, plan)
        elif segment.kind == CITY:
            free = open_ground(tile, rotation, segment.index)
            sign = _sign(segment)
            if sign in FIRST:
                emblems[segment.index] = sign, roomiest(free, half=SIGNS[sign])[0]
            keep = [(point, _apart(SIGNS[name])) for name, point in emblems.values() if name in FIRST]
            spots[segment.index], _ = roomiest(free, half=STANDING, keep_from=keep)
            if sign and segment.index not in emblems:
                half = SIGNS[sign]
                keep = [(spots[segment.index], _apart(half))]
                ground = free
                if sign != "shield":
                    ground = _inside(free, half) or free
                    keep += _off_gates(plan, half)
                emblems[segment.index] = sign, roomiest(ground, half=half, keep_from=keep)[0]
    for segment in tile.segments:
        if segment.kind == ROAD and (sign := _sign(segment)):
            emblems[segment.index] = sign, _beside(segment, tile, rotation, spots, plan)
    for segment in tile.segments:
        free = open_ground(tile, rotation, segment.index) if segment.kind == FIELD else frozenset()
        if free:
            keep = [(point, _apart(LYING)) for point in spots.values()]
            keep += [
                (point, (LYING[0] + SIGNS[sign][0] - 2, LYING[1] + SIGNS[sign][1] - 2))
                for index, (sign, point) in emblems.items()
                if tile.segments[index].kind == ROAD
            ]
            spots[segment.index], _ = roomiest(free, half=LYING, keep_from=keep)
    for segment in tile.segments:
        if segment.kind == FIELD and (sign := _sign(segment, tile)):
            half, ground = SIGNS[sign], open_ground(tile, rotation, segment.index)
            keep = [(point, _apart(half)) for point in spots.values()]
            apart = sign in HIDING
            emblems[segment.index] = (
                sign,
                roomiest(
                    _inside(ground, half) or ground,
                    half=half,
                    keep_from=keep,
                    outwards=apart,
                    near=None if apart else spots[segment.index],
                )[0],
            )
    guests = {
        segment.index: _guest(tile, rotation, segment.index, spots, emblems)
        for segment in tile.segments
        if segment.kind == CITY
    }
    return TilePlaces(spots, emblems, garden, guests)


def _guest(
    tile: Tile,
    rotation: int,
    index: int,
    spots: dict[int, Point],
    emblems: dict[int, tuple[str, Point]],
) -> Point:
    """The point in a city of a figure of no seat: beside its knight and its sign."""
    keep = [(spots[index], _apart(GUEST))]
    if index in emblems:
        name, sign = emblems[index]
        keep.append((sign, (GUEST[0] + SIGNS[name][0], GUEST[1] + SIGNS[name][1])))
    return roomiest(open_ground(tile, rotation, index), half=GUEST, keep_from=keep)[0]


def _sign(segment: Segment, tile: Tile | None = None) -> str:
    """The name of the building or sign that stands on *segment*, if any."""
    if segment.shields:
        return "shield"
    marks = segment.marks
    if segment.kind == FIELD and tile:
        marks = (*sorted(tile.marks), *marks)
    return next((mark for mark in marks if mark in SIGNS), "")


def _inside(free: frozenset[Cell], half: Point) -> frozenset[Cell]:
    """The cells of *free* around which something of the half size *half* keeps off the sides of the tile."""
    across, down = half[0] + 2.5, half[1] + 2.5
    box = (across, down, SIZE - across, SIZE - down)
    return frozenset(cell for cell in free if _within(centre(cell), box))


def _beside(road: Segment, tile: Tile, rotation: int, spots: dict[int, Point], plan: Layout) -> Point:
    """The point of the sign of a *road*: in one of the fields along it, off its gates."""
    half = SIGNS[_sign(road)]
    fields = (land.index for land in tile.segments if land.kind == FIELD)
    ground = frozenset().union(*(open_ground(tile, rotation, index) for index in fields))
    keep = [(point, _apart(half)) for point in spots.values()]
    keep += _off_gates(plan, half)
    free = _inside(ground, half) or ground
    return roomiest(free, half=half, keep_from=keep, near=spots[road.index])[0]


def _off_gates(plan: Layout, half: Point) -> list[tuple[Point, Point]]:
    """Gates and villages, each with the distance that something of the half size *half* must keep, so as not
    to be hidden."""
    away = [((x, y - 3), (half[0] + 12, half[1] + 11)) for x, y in plan.gates]
    if plan.village:
        away.append((plan.village, (half[0] + 15, half[1] + 13)))
    return away


def _apart(half: Point) -> Point:
    """The distance of something of the half size *half* from a standing figure."""
    return half[0] + STANDING[0], half[1] + STANDING[1]


@cache
def open_ground(tile: Tile, rotation: int, index: int) -> frozenset[Cell]:
    """The cells of a city or field of the turned tile that no building hides."""
    turns = rotation // 90
    free = turned_cells(regions(tile).of(index), turns)
    plan = layout(tile).rotate_clockwise(turns)
    hidden = []
    if plan.cloister:
        x, y = plan.cloister
        hidden.append((x - 26, y - 46, x + 24, y + 16))
    if plan.rampart:
        hidden += [(x - 10, y - 27, x + 10, y + 9) for x, y in bastions(plan.rampart, plan.gates)]
    return frozenset(cell for cell in free if not any(_within(centre(cell), box) for box in hidden))


def _within(point: Point, box: tuple[float, float, float, float]) -> bool:
    return box[0] < point[0] < box[2] and box[1] < point[1] < box[3]


@cache
def _garden(tile: Tile) -> Point:
    """The point of the garden of *tile* as printed: where a field has most space."""
    ground = regions(tile)
    plan = layout(tile)
    candidates = []
    for segment in tile.segments:
        if segment.kind == FIELD and (free := ground.of(segment.index)):
            keep = tuple((road.curve.at(0.5), (28.0, 28.0)) for road in plan.roads)
            point, room = roomiest(free, half=GARDEN_HALF, keep_from=keep, outwards=True)
            candidates.append((room, point))
    x, y = max(candidates)[1]
    return min(max(x, 16.0), SIZE - 16), min(max(y, 16.0), SIZE - 16)  # off the sides of the tile


def _monk(plan: Layout) -> Point:
    """A point beside the church, off the figures on the roads to it."""
    assert plan.cloister is not None
    x, y = plan.cloister
    roads = [_on_road(way, plan) for way in plan.roads]
    beside = [(x + dx, y + dy) for dx, dy in ((14, 12), (17, 6), (-17, 6), (-14, 12))]
    width, height = _apart(STANDING)
    return next(
        (
            candidate
            for candidate in beside
            if all(max(abs(candidate[0] - a) / width, abs(candidate[1] - b) / height) > 0.8 for a, b in roads)
        ),
        beside[0],
    )


def _highwayman(segment: Segment, plan: Layout) -> Point:
    return _on_road(next(way for way in plan.roads if way.index == segment.index), plan)


def _on_road(way: RoadOrRiver, plan: Layout) -> Point:
    if any(way is upper for upper, _, _ in plan.overpasses):
        return way.curve.at(0.5)
    if plan.overpasses:  # beside the bridge, under which it passes
        return way.curve.at(0.17)
    return way.curve.at({None: 0.5, VILLAGE: 0.22, CLOISTER: 0.2, GATE: 0.35}[way.end])


def turned_cells(cells: frozenset[Cell], turns: int) -> frozenset[Cell]:
    """*cells* of a tile after *turns* quarter turns."""
    out = []
    for cell in cells:
        x, y = rotate_point(centre(cell), turns)
        out.append((int(x / STEP), int(y / STEP)))
    return frozenset(out)
