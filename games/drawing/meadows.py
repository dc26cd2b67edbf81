"""Decoration of a field: woods and groves, ploughland, sheep."""

from __future__ import annotations

from itertools import islice
from random import Random

from . import palette as p
from .curves import Point
from .regions import Cell
from .scene import Scenery, clear, darts, fits

_PLOT = "q11-3 23-.6 1.4 7-.9 13.9-11-2.4-21.9.6-1.6-7-.2-13.9z"
_ROWS = "m2 3.5q9-2 18 0m-18 3.1q9-2 18 0m-18.4 3.1q9-2 18.5 0m-20.1-9.7z"
_PATCHES = (
    "c4-5 14-6 18-1c7 0 8 8 2 10c-5 4-17 4-21-1c-4-1-4-7 1-8z",
    "c2-5 11-7 15-3c6-3 12 2 9 7c-1 6-9 7-14 5c-7 2-15-3-10-9z",
)
_HEDGE = f'stroke="{p.GRASS_DARK}" stroke-width="1.4"'

# Layer, path of the shape at each point, and style. Round things are dots of a wide pen, one path
# repeated in several widths and colours.
TEXTURE = (
    ("dip", "", f'fill="{p.GRASS_DEEP}"'),
    ("meadow", "", f'fill="{p.GRASS_LIGHT}"'),
    ("cobble", "h2z", f'stroke="{p.CITY_DARK}" stroke-width=".8"'),
    ("tuft", "l-1-2 1 2 1-3z", f'stroke="{p.GRASS_DARK}"'),
    ("flower", "h0", f'stroke="{p.BLOSSOM}" stroke-width="1.5"'),
)
PLANTS = (
    ("corn", _PLOT, f'fill="{p.CORN}" {_HEDGE}'),
    ("plough", _PLOT, f'fill="{p.PLOUGH}" {_HEDGE}'),
    ("leaf", _PLOT, f'fill="{p.LEAF}" {_HEDGE}'),
    ("row", _ROWS, f'stroke="{p.CORN_ROW}" stroke-width="1.1"'),
    ("tree", "h0", f'stroke="{p.TREE_DARK}" stroke-width="6.6" transform="translate(.5 1)"'),
    ("tree", "h0", f'stroke="{p.TREE}" stroke-width="6"'),
    ("tree", "h0", f'stroke="{p.TREE_LIGHT}" stroke-width="2.8" transform="translate(-.9 -1)"'),
    ("pine", "l3-9 3 9z", f'fill="{p.PINE}" stroke="{p.PINE_DARK}" stroke-width=".8"'),
    ("pine", "l3-9v9z", f'fill="{p.PINE_LIGHT}" transform="translate(.6 -.4)"'),
    ("sheep", "h1z", f'stroke="{p.WOOL}" stroke-width="3.6"'),
    ("sheep", "h0", 'stroke="#40352b" stroke-width="1.8" transform="translate(-2 -.4)"'),
)
CROPS = ("corn", "corn", "plough", "leaf")


def put_grass(scene: Scenery, chance: Random, free: frozenset[Cell]) -> None:
    """Put lighter and deeper grass, tufts and flowers, which all copies of a tile share."""
    size = len(free)
    for layer in ("dip", "meadow"):
        room = (dart for dart in darts(chance, free, 30) if fits(free, dart, 14, 15, 8, 10))
        for x, y in islice(room, 1 + size // 600):
            scene.put(layer, (x - 10, y - 3), chance.choice(_PATCHES))
    for point in darts(chance, free, 2 + size // 180):
        if fits(free, point, 3, 3, 4, 2):
            scene.put("tuft", point)
    for point in darts(chance, free, size // 300):
        if fits(free, point, 3, 3, 3, 3):
            scene.put("flower", point)


def put_meadow(scene: Scenery, chance: Random, free: frozenset[Cell], keep: list[Point]) -> None:
    """Put woods, ploughland and sheep on *free*, away from the points to *keep* clear."""
    size = len(free)
    taken: list[Point] = []
    if size > 400 and chance.random() < 0.6:
        _plough(scene, chance, free, keep, taken)
    for number in range(1 + size // 550):
        _grove(scene, chance, free, keep, taken, 6 if number == 0 and size > 600 else 2)
    if size > 700 and chance.random() < 0.3:
        _sheep(scene, chance, free, keep, taken)


def _plough(
    scene: Scenery, chance: Random, free: frozenset[Cell], keep: list[Point], taken: list[Point]
) -> None:
    """Put one or two plots of ploughland, one below the other."""
    for below in (15.0, 0.0):
        for x, y in darts(chance, free, 60):
            if fits(free, (x, y), 14, 14, 11, 9 + below) and all(
                clear((x, y + down), keep, 26, 17.5) for down in (0.0, below)
            ):
                first, second = chance.sample(CROPS, 2)
                plots = {first: (x - 11, y - 8), second: (x - 9, y - 8 + below)}
                for crop in (first, second) if below else (first,):
                    scene.put(crop, plots[crop])
                    scene.put("row", plots[crop])
                taken += [(x + dx, y + dy) for dx in (-7, 0, 7) for dy in (-3, 5, 5 + below)]
                return


def _grove(
    scene: Scenery, chance: Random, free: frozenset[Cell], keep: list[Point], taken: list[Point], most: int
) -> None:
    """Put a few trees close together, of one kind."""

    def room(point: Point, others: list[Point]) -> bool:
        return (
            fits(free, point, 4, 4, 8, 2)
            and clear(point, keep, 16, 13)
            and clear(point, others, 4.8, 4)
            and clear(point, taken, 12, 10)
        )

    grove = next((point for point in darts(chance, free, 60) if room(point, [])), None)
    if grove is None:
        return
    pines = chance.random() < 0.35
    trees = [grove]
    wanted = chance.randint(2, most)
    for _ in range(30):
        if len(trees) < wanted:
            x, y = chance.choice(trees)
            near = (x + chance.uniform(-8, 8), y + chance.uniform(-6, 6))
            if room(near, trees):
                trees.append(near)
    for x, y in trees:
        scene.put("pine" if pines else "tree", (x - 3, y) if pines else (x, y - 4))
    taken += trees


def _sheep(
    scene: Scenery, chance: Random, free: frozenset[Cell], keep: list[Point], taken: list[Point]
) -> None:
    flock: list[Point] = []
    for point in darts(chance, free, 60):
        if flock and (abs(point[0] - flock[0][0]) > 16 or abs(point[1] - flock[0][1]) > 10):
            continue
        if (
            fits(free, point, 4, 4, 4, 3)
            and clear(point, keep, 17, 12)
            and clear(point, [*taken, *flock], 7, 6)
        ):
            flock.append(point)
            scene.put("sheep", point)
            if len(flock) == 3:
                break
    taken += flock
