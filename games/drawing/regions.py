"""The part of a tile that belongs to each segment, found by flood fill on a fine raster.

It gives the outlines that highlight a segment, the spots of meeples, and the places for shields, gardens,
houses and trees. It takes a moment per tile, so it runs only when the sprite is written; see ``sprite``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from games.rules.tiles import CITY, FIELD, Tile

from .curves import SIZE, Curve, Point, rotate_point
from .layout import layout
from .roads_and_rivers import LAKE, SPRING

CELLS = 50
STEP = SIZE / CELLS

WALL_HALF, RAMPART_HALF, ROAD_HALF, RIVER_HALF = 3.0, 4.0, 5.0, 8.0
VILLAGE_RADIUS, CLOISTER_RADIUS, GATE_RADIUS, POND_RADIUS = 15.0, 25.0, 8.0, 18.0

Cell = tuple[int, int]

SLACK = 1.6
"""Maximum deviation, in units, of a simplified outline from the cells that it goes around."""

ENOUGH = 1.1
"""Clearance, as a multiple of a thing's own size, beyond which a place is no better."""

WALL, WAY, PLACE = -1, -2, -3
"""Values of cells that belong to no segment."""


@dataclass(frozen=True, slots=True)
class Regions:
    """The index of the city or field segment, or of the building, of each cell."""

    cells: Mapping[Cell, int]

    def of(self, index: int) -> frozenset[Cell]:
        return frozenset(cell for cell, owner in self.cells.items() if owner == index)


def centre(cell: Cell) -> Point:
    return (cell[0] + 0.5) * STEP, (cell[1] + 0.5) * STEP


def cell_of(point: Point) -> Cell:
    return min(int(point[0] / STEP), CELLS - 1), min(int(point[1] / STEP), CELLS - 1)


@cache
def regions(tile: Tile) -> Regions:
    """The regions of *tile* as printed (rotation 0)."""
    plan = layout(tile)
    cells: dict[Cell, int] = {}
    for wall in plan.walls:
        _stamp(cells, wall, WALL_HALF, WALL)
    for wall in plan.rampart.walls if plan.rampart else ():
        _stamp(cells, wall, RAMPART_HALF, WALL)
    for gate in plan.gates:
        _disc(cells, gate, GATE_RADIUS, PLACE)
    for segment in tile.segments:
        if segment.kind == CITY:  # before rivers, which flow under it
            for port in segment.ports:
                _flood(cells, _rim(port), segment.index)
    for corner in plan.rampart.corners if plan.rampart else ():
        _flood(cells, cell_of(rotate_point((1, 1), corner)), PLACE)
    for hedge in plan.hedges:
        _stamp(cells, hedge, WALL_HALF, WAY)
    for way in plan.rivers:
        _stamp(cells, way.curve, RIVER_HALF, WAY)
    for way in (*plan.roads, *plan.lanes):
        _stamp(cells, way.curve, ROAD_HALF, WAY)
    for pond in (way.curve.end for way in plan.rivers if way.end in (SPRING, LAKE)):
        _disc(cells, pond, POND_RADIUS, PLACE)
    if plan.village:
        _disc(cells, plan.village, VILLAGE_RADIUS, PLACE)
    if plan.cloister:
        _disc(cells, plan.cloister, CLOISTER_RADIUS, PLACE)
    for segment in tile.segments:
        if segment.kind == FIELD:
            for port in segment.ports:
                _flood(cells, _rim(port), segment.index)
    inner = [segment.index for segment in tile.segments if segment.inner]
    for index, start in zip(inner, _find_enclosed_cells(cells, len(inner)), strict=False):
        _flood(cells, start, index)
    return Regions(cells)


def _find_enclosed_cells(cells: Mapping[Cell, int], count: int) -> list[Cell]:
    """The first cell of each of the *count* largest areas that are not taken yet."""
    taken = dict(cells)
    pieces: list[tuple[int, Cell]] = []
    for start in ((x, y) for y in range(CELLS) for x in range(CELLS)):
        if start not in taken and count:
            before = len(taken)
            _flood(taken, start, PLACE)
            pieces.append((before - len(taken), start))
    return sorted((start for _, start in sorted(pieces)[:count]), key=lambda cell: (cell[1], cell[0]))


def _rim(port: int) -> Cell:
    """A cell on the rim at *port*; for a half side one well away from road and corner."""
    side, place = divmod(port, 3)
    along = (11, 25, 38)[place]
    return ((along, 0), (CELLS - 1, along), (CELLS - 1 - along, CELLS - 1), (0, CELLS - 1 - along))[side]


def _stamp(cells: dict[Cell, int], curve: Curve, half: float, value: int) -> None:
    for point in curve.samples(64):
        _disc(cells, point, half, value)


def _disc(cells: dict[Cell, int], point: Point, radius: float, value: int) -> None:
    reach = int(radius / STEP) + 1
    x0, y0 = int(point[0] / STEP), int(point[1] / STEP)
    for y in range(max(y0 - reach, 0), min(y0 + reach + 1, CELLS)):
        for x in range(max(x0 - reach, 0), min(x0 + reach + 1, CELLS)):
            cx, cy = centre((x, y))
            if (cx - point[0]) ** 2 + (cy - point[1]) ** 2 <= radius * radius:
                cells.setdefault((x, y), value)


def _flood(cells: dict[Cell, int], start: Cell, value: int) -> None:
    if start in cells:
        return
    cells[start] = value
    todo = [start]
    while todo:
        x, y = todo.pop()
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if near not in cells and 0 <= near[0] < CELLS and 0 <= near[1] < CELLS:
                cells[near] = value
                todo.append(near)


# places


def roomiest(
    free: Iterable[Cell],
    *,
    half: tuple[float, float],
    keep_from: Iterable[tuple[Point, Point]] = (),
    outwards: bool = False,
    near: Point | None = None,
) -> tuple[Point, float]:
    """Return the best point in *free* for something of the half size *half*, and by what factor it could be
    larger there (1: it just fits). It is chosen where there is enough space, and then in the middle of *free*
    or close to *near*, or with *outwards* far from the middle, to leave space for something else. *keep_from*
    are points of other things, each with the horizontal and vertical distance to keep."""
    own = frozenset(free)
    rim = {
        near for x, y in own for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if near not in own
    }
    middle = near or _middle(own)
    pull = -0.005 if outwards else 0.003
    obstacles = [((cx + 0.5) * STEP / half[0], (cy + 0.5) * STEP / half[1]) for cx, cy in rim]
    away = tuple(keep_from)
    best: tuple[float, float, Point] = (-9.0, 0.0, centre(min(own)))
    for off, point in sorted((_off(centre(cell), middle) * pull, centre(cell)) for cell in own):
        if ENOUGH - off <= best[0] + 1e-9:
            break  # nothing further on can be better
        room = 9.0
        for (ax, ay), (beside, above) in away:
            apart = max(abs(point[0] - ax) / beside, abs(point[1] - ay) / above)
            if apart < 1:
                room = min(room, apart * apart)
        if room - off <= best[0]:
            continue
        x, y = point[0] / half[0], point[1] / half[1]
        room = min(room, min(((x - ox) ** 2 + (y - oy) ** 2 for ox, oy in obstacles), default=81.0) ** 0.5)
        if min(room, ENOUGH) - off > best[0] + 1e-9:
            best = (min(room, ENOUGH) - off, room, point)
    return best[2], best[1]


def _middle(cells: frozenset[Cell]) -> Point:
    x, y = (sum(cell[axis] for cell in cells) * STEP / len(cells) + 1 for axis in (0, 1))
    return x, y


def _off(point: Point, middle: Point) -> float:
    return float(((point[0] - middle[0]) ** 2 + (point[1] - middle[1]) ** 2) ** 0.5)


# outlines


def contour(free: Iterable[Cell]) -> tuple[tuple[Point, ...], ...]:
    """Return the outlines of *free* as polygons, simplified to ``SLACK`` units; with holes (even-odd
    rule)."""
    own = frozenset(free)
    onward: dict[Cell, list[Cell]] = {}
    for x, y in own:
        for near, a, b in (
            ((x, y - 1), (x, y), (x + 1, y)),
            ((x + 1, y), (x + 1, y), (x + 1, y + 1)),
            ((x, y + 1), (x + 1, y + 1), (x, y + 1)),
            ((x - 1, y), (x, y + 1), (x, y)),
        ):
            if near not in own:
                onward.setdefault(a, []).append(b)
    loops = []
    while onward:
        start = min(onward)
        loop, here = [start], onward[start].pop()
        _drop_empty(onward, start)
        while here != start:
            loop.append(here)
            following = onward[here].pop()
            _drop_empty(onward, here)
            here = following
        points = [(x * STEP, y * STEP) for x, y in loop]
        middle = len(points) // 2
        loops.append(
            (
                *_simplify_line(points[: middle + 1])[:-1],
                *_simplify_line([*points[middle:], points[0]])[:-1],
            )
        )
    return tuple(loop for loop in loops if len(loop) > 2)


def _drop_empty(onward: dict[Cell, list[Cell]], key: Cell) -> None:
    if not onward[key]:
        del onward[key]


def _simplify_line(points: list[Point]) -> list[Point]:
    """*points* without those that a straight line comes within ``SLACK`` of (Douglas and Peucker)."""
    if len(points) < 3:
        return points
    (ax, ay), (bx, by) = points[0], points[-1]
    length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5 or 1.0
    far, index = max(
        (abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length, i) for i, (x, y) in enumerate(points)
    )
    if far <= SLACK:
        return [points[0], points[-1]]
    return [*_simplify_line(points[: index + 1])[:-1], *_simplify_line(points[index:])]
