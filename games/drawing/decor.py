"""What makes a tile pretty and means nothing: houses in cities, trees and crops in fields.

Copies of a tile differ in it, and small pictures leave it out. Everything keeps clear of walls, roads and
shields, of the spots where meeples stand, and of the sides of the tile.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from games.rules.tiles import CITY, FIELD, Tile, tile_set

from . import palette as p
from .curves import Point
from .places import SIGNS, open_ground, places
from .regions import STEP, Cell

MOST_VARIANTS = 2
GREAT = 11.0
"""Half the width beyond which a sign is a building or a herd that needs ground of its own."""


def variants(tile: Tile) -> int:
    """How many ways of decorating *tile* there are: no more than copies that can meet."""
    editions = tile_set(tile.id.partition(".")[0]).editions.values()
    return min(MOST_VARIANTS, max((copies.get(tile.id, 0) for copies in editions), default=1) or 1)


_LEFT = {"wall": "v-5l3-4 3 4h5v5z", "side": "v-5h5v5z", "roof": "h6l3 5h-6z"}
_RIGHT = {"wall": "v-5l-3-4-3 4h-5v5z", "side": "v-5h-5v5z", "roof": "h-6l-3 5h6z"}
_ROWS = "q8-2 18 0m-19 3q8-2 18 0m-19 3q8-2 18 0m-19 3q8-2 18 0"

# What a layer shows, the shape at each point, and the style. Round things are dots of a wide pen, one path
# repeated in several widths and colours.
TEXTURE = (
    ("cobble", "h2", f'stroke="{p.CITY_DARK}" stroke-width=".8"'),
    ("tuft", "l-1-2m1 2l1-3", f'stroke="{p.GRASS_DARK}"'),
    ("flower", "h0", 'stroke="#f6efd6" stroke-width="1.5"'),
    ("poppy", "h0", 'stroke="#c8553d" stroke-width="1.6"'),
)
PLANTS = (
    ("crop", _ROWS, 'stroke="#c6bf63" stroke-width="2.3"'),
    ("crop", _ROWS, 'stroke="#e0d183"'),
    ("tree", "h0", f'stroke="{p.TREE_SHADE}" stroke-width="6" transform="translate(1 3.4)"'),
    ("tree", "h0", f'stroke="{p.TREE_DARK}" stroke-width="7"'),
    ("tree", "h0", f'stroke="{p.TREE}" stroke-width="5.4"'),
    ("tree", "h0", f'stroke="{p.TREE_LIGHT}" stroke-width="2.4" transform="translate(-.9-1)"'),
    ("pine", "h6", f'stroke="{p.TREE_SHADE}" stroke-width="4"'),
    ("pine", "l3-9 3 9z", 'fill="#4f7a4a" stroke="#35532f" stroke-width=".8"'),
    ("pine", "l3-9v9z", 'fill="#6f9a5c" transform="translate(.6-.4)"'),
    ("sheep", "h1", f'stroke="{p.TREE_SHADE}" stroke-width="4.6" transform="translate(.4 .6)"'),
    ("sheep", "h1", 'stroke="#fbf7ea" stroke-width="3.6"'),
    ("sheep", "h0", 'stroke="#40352b" stroke-width="1.8" transform="translate(-2-.4)"'),
)
HOUSES = (
    ("left", _LEFT["wall"], f'fill="{p.PLASTER}"'),
    ("left-side", _LEFT["side"], f'fill="{p.PLASTER_DARK}"'),
    ("right", _RIGHT["wall"], f'fill="{p.PLASTER}"'),
    ("right-side", _RIGHT["side"], f'fill="{p.PLASTER_DARK}"'),
    ("left-red", _LEFT["roof"], f'fill="{p.ROOF}"'),
    ("right-red", _RIGHT["roof"], f'fill="{p.ROOF}"'),
    ("left-blue", _LEFT["roof"], f'fill="{p.ROOF_BLUE}"'),
    ("right-blue", _RIGHT["roof"], f'fill="{p.ROOF_BLUE}"'),
)
_PEN = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
_INK = f'stroke="{p.INK}" stroke-width=".8"'


@dataclass(slots=True)
class Scene:
    """Points by the kind of thing that stands there. All things of a kind are drawn as one path a layer: a
    browser has far less to do than with one element for each."""

    things: dict[str, list[Point]] = field(default_factory=dict)

    def put(self, kind: str, point: Point) -> None:
        self.things.setdefault(kind, []).append(point)

    def drawn(self, layers: tuple[tuple[str, str, str], ...], style: str) -> str:
        paths = ""
        for kind, shape, own in layers:
            if points := sorted(self.things.get(kind, ()), key=lambda point: point[1]):
                data = "".join(f"M{x:.0f} {y:.0f}{shape}" for x, y in points)
                paths += f'<path d="{data}" {own}/>'
        return f"<g {style}>{paths}</g>" if paths else ""


def decor(tile: Tile, rotation: int, variant: int) -> str:
    """The decoration of *tile* turned by *rotation* degrees, in one of its ``variants``."""
    chance = Random(f"{tile.id}/{rotation}/{variant}")
    where = places(tile, rotation)
    scene = Scene()
    signs = [point for _, point in where.emblems.values()]
    great = [(point, SIGNS[sign]) for sign, point in where.emblems.values() if SIGNS[sign][0] > GREAT]
    for kind, index, free in _areas(tile, rotation):
        if kind == CITY:
            _houses(scene, chance, _around(free, great), [where.spots[index], *signs])
        else:
            keep = [where.spots[index], *signs] + ([where.garden] if where.garden else [])
            _meadow(scene, chance, _around(free, great), keep)
    return scene.drawn(PLANTS, _PEN) + scene.drawn(HOUSES, _INK)


def _around(free: frozenset[Cell], great: list[tuple[Point, Point]]) -> frozenset[Cell]:
    """*free* without the ground on which great buildings stand, each given with half its size."""
    return frozenset(
        cell
        for cell in free
        if all(
            abs(cell[0] * STEP - x) > across or abs(cell[1] * STEP - y) > down
            for (x, y), (across, down) in great
        )
    )


def texture(tile: Tile, rotation: int) -> str:
    """Tufts and flowers in the fields and paving in the cities, the same for all copies."""
    chance = Random(f"{tile.id}/{rotation}")
    scene = Scene()
    for kind, _, free in _areas(tile, rotation):
        size = len(free)
        if kind == CITY:
            for point in _darts(chance, free, size // 55):
                if _fits(free, point, 2, 4, 2, 2):
                    scene.put("cobble", point)
            continue
        for point in _darts(chance, free, 2 + size // 120):
            if _fits(free, point, 3, 3, 4, 2):
                scene.put("tuft", point)
        for point in _darts(chance, free, size // 220):
            if _fits(free, point, 3, 3, 3, 3):
                scene.put(chance.choice(("flower", "flower", "poppy")), point)
    return scene.drawn(TEXTURE, _PEN)


def _areas(tile: Tile, rotation: int) -> Iterator[tuple[str, int, frozenset[Cell]]]:
    """Kind, index and ground of each city and field of the tile as it lies."""
    for segment in tile.segments:
        if segment.kind in (CITY, FIELD) and (free := open_ground(tile, rotation, segment.index)):
            yield segment.kind, segment.index, free


def _fits(free: frozenset[Cell], point: Point, left: float, right: float, up: float, down: float) -> bool:
    """Whether the box around *point* lies in *free* and off the sides of the tile."""
    x, y = point
    if x - left < 2 or x + right > 98 or y - up < 2 or y + down > 98:
        return False
    columns = range(int((x - left) / STEP), int((x + right) / STEP) + 1)
    rows = range(int((y - up) / STEP), int((y + down) / STEP) + 1)
    return all((column, row) in free for column in columns for row in rows)


def _darts(chance: Random, free: frozenset[Cell], throws: int) -> Iterator[Point]:
    cells = sorted(free)
    for _ in range(throws):
        x, y = chance.choice(cells)
        yield (x + chance.random()) * STEP, (y + chance.random()) * STEP


def _clear(point: Point, others: list[Point], width: float, height: float) -> bool:
    return all(abs(point[0] - x) >= width or abs(point[1] - y) >= height for x, y in others)


# cities


def _houses(scene: Scene, chance: Random, free: frozenset[Cell], keep: list[Point]) -> None:
    standing: list[Point] = []
    around = [(x, y + 4) for x, y in keep]
    limit = 4 + len(free) // 110
    for point in _darts(chance, free, 700):
        if len(standing) == limit:
            break
        if (
            _fits(free, point, 6.5, 7, 11, 2.5)
            and _clear(point, standing, 13.5, 12)
            and _clear(point, around, 15.5, 15.5)
        ):
            standing.append(point)
            _house(scene, chance, point)


def _house(scene: Scene, chance: Random, point: Point) -> None:
    x, y = point
    way, sign = chance.choice((("left", 1), ("right", -1)))
    scene.put(way, (x - 6 * sign, y))
    scene.put(way + "-side", (x, y))
    scene.put(way + chance.choice(("-red", "-red", "-red", "-blue")), (x - 3 * sign, y - 10))


# fields


def _meadow(scene: Scene, chance: Random, free: frozenset[Cell], keep: list[Point]) -> None:
    size = len(free)
    taken: list[Point] = []
    spots = [(x, y) for x, y in keep]
    if size > 500 and chance.random() < 0.45:
        _crop(scene, chance, free, spots, taken)
    for _ in range(1 + size // 600):
        grove = next(
            (
                point
                for point in _darts(chance, free, 60)
                if _fits(free, point, 4, 4, 8, 2)
                and _clear(point, spots, 17, 14)
                and _clear(point, taken, 13, 11)
            ),
            None,
        )
        if grove is None:
            continue
        pines = chance.random() < 0.35
        trees = [grove]
        for _ in range(14):
            if len(trees) >= 2 + (chance.random() < 0.6):
                break
            near = (grove[0] + chance.uniform(-13, 13), grove[1] + chance.uniform(-8, 8))
            if (
                _fits(free, near, 4, 4, 8, 2)
                and _clear(near, spots, 16, 13)
                and _clear(near, trees, 5.5, 4.5)
                and _clear(near, taken, 13, 11)
            ):
                trees.append(near)
        for tree in sorted(trees, key=lambda point: point[1]):
            scene.put(
                "pine" if pines else "tree", (tree[0] - 3, tree[1]) if pines else (tree[0], tree[1] - 4)
            )
        taken += trees
    if size > 700 and chance.random() < 0.3:
        _sheep(scene, chance, free, spots, taken)


def _crop(scene: Scene, chance: Random, free: frozenset[Cell], keep: list[Point], taken: list[Point]) -> None:
    """A small patch of corn in rows."""
    for x, y in _darts(chance, free, 80):
        if _fits(free, (x, y), 13, 13, 9, 9) and _clear((x, y), keep, 25, 17):
            scene.put("crop", (x - 7, y - 5))
            taken += [(x + dx, y + dy) for dx in (-7, 0, 7) for dy in (-3, 5)]
            return


def _sheep(
    scene: Scene, chance: Random, free: frozenset[Cell], keep: list[Point], taken: list[Point]
) -> None:
    flock: list[Point] = []
    for point in _darts(chance, free, 60):
        if flock and (abs(point[0] - flock[0][0]) > 16 or abs(point[1] - flock[0][1]) > 10):
            continue
        if (
            _fits(free, point, 4, 4, 4, 3)
            and _clear(point, keep, 17, 12)
            and _clear(point, [*taken, *flock], 7, 6)
        ):
            flock.append(point)
            scene.put("sheep", point)
            if len(flock) == 3:
                break
    taken += flock
