"""The decoration of a tile, which has no meaning: houses in cities, trees and crops in fields.

Copies of a tile differ in it, and small pictures leave it out. It keeps clear of walls, roads, towers and
shields, of the spots of meeples, and of the sides of the tile.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from games.rules.tiles import CITY, FIELD, Tile, load_tile_set

from .curves import Point
from .houses import HOUSES, put_houses
from .layout import layout
from .meadows import PLANTS, TEXTURE, put_grass, put_meadow
from .places import SIGNS, open_ground, places
from .regions import STEP, Cell
from .scene import PEN, Scenery, darts, fits
from .streets import streets
from .walls import towers

MOST_VARIANTS = 2
GREAT = 11.0
"""Half the width above which a sign is a building or a herd that needs ground of its own."""


def variants(tile: Tile) -> int:
    """Return the number of decorations of *tile*: no more than there are copies in a game."""
    editions = load_tile_set(tile.id.partition(".")[0]).editions.values()
    return min(MOST_VARIANTS, max((copies.get(tile.id, 0) for copies in editions), default=1) or 1)


def decor(tile: Tile, rotation: int, variant: int) -> str:
    """The decoration of *tile* turned by *rotation* degrees, in one of its ``variants``."""
    chance = Random(f"{tile.id}/{rotation}/{variant}")
    where = places(tile, rotation)
    cities = {city.index: city for city in layout(tile).rotate_clockwise(rotation // 90).cities}
    scene = Scenery()
    signs = [point for _, point in where.emblems.values()]
    built = _list_occupied_boxes(tile, rotation)
    for kind, index, ground in _areas(tile, rotation):
        free = frozenset(cell for cell in ground if not _is_hidden(cell, built))
        keep = [where.spots[index], *signs]
        if kind == CITY:
            put_houses(scene, chance, free, keep, streets(tile, rotation, cities[index]))
        else:
            put_meadow(scene, chance, free, keep + ([where.garden] if where.garden else []))
    return scene.draw_layers(PLANTS + HOUSES, PEN)


def texture(tile: Tile, rotation: int) -> str:
    """Tufts and flowers in the fields and paving in the cities, the same for all copies."""
    chance = Random(f"{tile.id}/{rotation}")
    scene = Scenery()
    for kind, _, free in _areas(tile, rotation):
        if kind == CITY:
            for point in darts(chance, free, len(free) // 55):
                if fits(free, point, 2, 4, 2, 2):
                    scene.put("cobble", point)
        else:
            put_grass(scene, chance, free)
    return scene.draw_layers(TEXTURE, PEN)


def _list_occupied_boxes(tile: Tile, rotation: int) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of everything on the walls and in the fields of the turned tile: nothing
    may grow in front of it."""
    plan = layout(tile).rotate_clockwise(rotation // 90)
    where = places(tile, rotation)
    boxes = [_box(point, 6, 13, 5) for city in plan.cities for point in towers(city, plan.passages)]
    boxes += [_box(point, 14, 15, 7) for point in plan.gates]
    boxes += [_box(point, 10, 13, 8) for point in (*plan.passages, *plan.water_gates)]
    boxes += [
        _box(point, SIGNS[sign][0], SIGNS[sign][1], SIGNS[sign][1])
        for sign, point in where.emblems.values()
        if SIGNS[sign][0] > GREAT
    ]
    if where.garden:
        boxes.append(_box(where.garden, 15, 15, 17))
    return boxes


def _box(point: Point, beside: float, above: float, below: float) -> tuple[float, float, float, float]:
    return point[0] - beside, point[1] - above, point[0] + beside, point[1] + below


def _is_hidden(cell: Cell, boxes: list[tuple[float, float, float, float]]) -> bool:
    x, y = cell[0] * STEP, cell[1] * STEP
    return any(left <= x <= right and top <= y <= bottom for left, top, right, bottom in boxes)


def _areas(tile: Tile, rotation: int) -> Iterator[tuple[str, int, frozenset[Cell]]]:
    """Kind, index and ground of each city and field of the turned tile."""
    for segment in tile.segments:
        if segment.kind in (CITY, FIELD) and (free := open_ground(tile, rotation, segment.index)):
            yield segment.kind, segment.index, free
