"""Where meeples stand and shields and gardens lie on a tile, by rotation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from games.rules.tiles import CITY, FIELD, GARDEN, MONASTERY, ROAD, SHRINE, Segment, Tile

from .curves import Point, turned
from .layout import Layout, layout
from .regions import STEP, Cell, centre, regions, roomiest

STANDING: Point = (11.5, 12.5)
"""Half the width and height of a standing figure, with a little air."""
LYING: Point = (13.5, 8.5)
EMBLEM: Point = (8.0, 9.0)
GARDEN_HALF: Point = (11.5, 11.5)


@dataclass(frozen=True, slots=True)
class Places:
    """All points are those of the tile as it lies, after turning."""

    spots: dict[int, Point]  # index of a segment to where its meeple stands
    emblems: dict[int, Point]  # index of a city to its shield
    garden: Point | None


@cache
def places(tile: Tile, rotation: int) -> Places:
    """Where things lie on *tile* turned by *rotation* degrees.

    A tile and the same tile upside down have their places opposite each other: figures are as wide lying as
    they are after half a turn. So only two rotations are worked out.
    """
    turns = rotation // 90
    if turns > 1:
        half = places(tile, rotation - 180)
        opposite = {index: turned(point, 2) for index, point in half.spots.items()}
        for segment in tile.segments:
            if segment.kind in (MONASTERY, SHRINE):
                opposite[segment.index] = _monk(layout(tile).turned(turns))
        return Places(
            opposite,
            {index: turned(point, 2) for index, point in half.emblems.items()},
            turned(half.garden, 2) if half.garden else None,
        )
    return _worked_out(tile, turns)


def _worked_out(tile: Tile, turns: int) -> Places:
    plan = layout(tile).turned(turns)
    ground = regions(tile)
    garden = None
    spots: dict[int, Point] = {}
    emblems: dict[int, Point] = {}
    for segment in tile.segments:
        if segment.kind == GARDEN:
            garden = turned(_garden(tile), turns)
            spots[segment.index] = garden
        elif segment.kind in (MONASTERY, SHRINE):
            spots[segment.index] = _monk(plan)
    for segment in tile.segments:
        if segment.kind == CITY:
            free = turned_cells(ground.of(segment.index), turns)
            spots[segment.index], _ = roomiest(free, half=STANDING)
            if segment.shields or segment.marks:
                emblems[segment.index], _ = roomiest(free, half=EMBLEM, keep_from=((spots[segment.index], 27),))
        elif segment.kind == ROAD:
            spots[segment.index] = _highwayman(segment, plan)
        elif segment.kind == FIELD:
            free = turned_cells(ground.of(segment.index), turns)
            if not free:
                continue
            keep = [(garden, 26.0)] if garden else []
            keep += [(point, 26.0) for point in spots.values()]
            spots[segment.index], _ = roomiest(free, half=LYING, keep_from=keep)
    return Places(spots, emblems, garden)


@cache
def _garden(tile: Tile) -> Point:
    """Where the garden of *tile* lies as printed: where a field has most room."""
    ground = regions(tile)
    plan = layout(tile)
    found = []
    for segment in tile.segments:
        if segment.kind == FIELD and (free := ground.of(segment.index)):
            keep = tuple((road.curve.at(0.5), 30.0) for road in plan.roads)
            point, room = roomiest(free, half=GARDEN_HALF, keep_from=keep, outwards=True)
            found.append((room, point))
    return max(found)[1]


def _monk(plan: Layout) -> Point:
    assert plan.cloister is not None
    return plan.cloister[0] + 14, plan.cloister[1] + 12


def _highwayman(segment: Segment, plan: Layout) -> Point:
    way = next(way for way in plan.roads if way.index == segment.index)
    return way.curve.at({None: 0.5, "village": 0.22, "cloister": 0.2, "gate": 0.35}[way.end])


def turned_cells(cells: frozenset[Cell], turns: int) -> frozenset[Cell]:
    """*cells* of a tile after *turns* quarter turns."""
    out = []
    for cell in cells:
        x, y = turned(centre(cell), turns)
        out.append((int(x / STEP), int(y / STEP)))
    return frozenset(out)
