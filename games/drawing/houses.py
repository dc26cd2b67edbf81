"""Houses of a city, most of them by a street: cottages, long and tall houses, in larger cities a church."""

from __future__ import annotations

from math import dist
from random import Random

from . import palette as p
from .curves import Curve, Point, numbers
from .regions import Cell
from .scene import Scenery, clear, darts, fits

_INK = f'stroke="{p.INK}" stroke-width=".8"'
HOUSES = (
    ("wall", "", f'fill="{p.PLASTER}" {_INK}'),
    ("red", "", f'fill="{p.ROOF}" {_INK}'),
    ("blue", "", f'fill="{p.ROOF_BLUE}" {_INK}'),
    ("door", "", f'stroke="{p.WINDOW}" stroke-width="1.4"'),
)

COTTAGE, LONG, TALL, HUT = (6, 6, 5, 4), (6, 10, 5, 4), (6, 4, 8, 4), (4, 4, 4, 4)
"""Width of the gable, length, height of the wall and of the roof; whole and even, for short paths."""
KINDS = (COTTAGE, COTTAGE, LONG, TALL, HUT)
CHURCH = (6, 10, 6, 5)
ROOFS = ("red", "red", "red", "blue")
LARGE = 900
"""Number of cells, of 2500 on a tile, above which a city has a church."""


def put_houses(
    scene: Scenery, chance: Random, free: frozenset[Cell], keep: list[Point], streets: tuple[Curve, ...]
) -> None:
    """Put houses in the city on the ground *free*, away from the points to *keep* clear and off *streets*."""
    along = [point for street in streets for point in street.samples(12)]
    standing: list[Point] = []
    around = [(x, y + 4) for x, y in keep]
    limit = 4 + len(free) // 95
    places = sorted(
        darts(chance, free, 500), key=lambda place: _by_a_street(place, along) + 7 * chance.random()
    )
    church = len(free) > LARGE
    for point in places:
        if len(standing) == limit:
            break
        kind = CHURCH if church else chance.choice(KINDS)
        gable, length, wall, roof = kind
        half, high = (gable + length) / 2 + 0.8, wall + roof + (10 if church else 1)
        if (
            fits(free, point, half, half, high, 2)
            and clear(point, standing, half + 6, high + 1.5)
            and clear(point, around, half + 8.5, 15.5)
            and not any(abs(x - point[0]) < half + 1 and -high + 1 < y - point[1] < 3 for x, y in along)
        ):
            standing.append(point)
            _house(scene, chance, point, kind, church)
            church = False
    for point in darts(chance, free, 60 if len(free) > 500 else 0):
        if (
            fits(free, point, 4.5, 4.5, 9, 2)
            and clear(point, standing, 10, 9)
            and clear(point, around, 13, 13)
        ):
            scene.put("tree", (point[0], point[1] - 4))
            standing.append(point)
            if len(standing) > limit + 3:
                break


def _by_a_street(point: Point, along: list[Point]) -> float:
    return min((dist(point, street) for street in along), default=0.0)


def _house(
    scene: Scenery, chance: Random, point: Point, kind: tuple[int, int, int, int], church: bool
) -> None:
    """A house seen from the gable, its roof to the left or to the right."""
    gable, length, wall, roof = kind
    way = chance.choice((1, -1))
    x, y = round(point[0]) - way * (gable + length) // 2, round(point[1])
    across, half = way * gable, way * gable // 2
    colour = "red" if church else chance.choice(ROOFS)
    up = f"v{-wall}"
    scene.put(
        "wall", (x, y), f"{up}l{numbers((half, -roof, half, roof))}v{wall}v{-wall}h{way * length}v{wall}z"
    )
    eaves = f"h{way * length}l{numbers((half, roof))}h{-way * length}z"
    scene.put(colour, (x + half, y - wall - roof), eaves)
    scene.put("door", (x + half, y), "v-2.5z")
    if church:
        scene.put("wall", (x, y), f"v-13h{across}v13z")
        scene.put("blue", (x - way, y - 13), f"l{numbers((4 * way, -7, 4 * way, 7))}z")
        scene.put("door", (x + half, y - 9), "v-1.5z")
    elif kind is TALL:
        scene.put("door", (x + half, y - 6), "v-1z")
