"""The podium of a game that is over: a figure of each seat on a tower as high as its rank, as an SVG.

The hills reach far beyond the drawing on both sides, so that it may stand in a wider box. Colours are those
of the map, which pages change by night.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from html import escape
from math import cos, radians, sin
from typing import NamedTuple

from .figures import draw_figure
from .palette import (
    CITY_LIGHT,
    GRASS,
    GRASS_DARK,
    GRASS_LIGHT,
    INK,
    PINE,
    PINE_DARK,
    PINE_LIGHT,
    SEATS,
    STONE,
    STONE_DARK,
    STONE_FACE,
    TREE,
    TREE_DARK,
    TREE_LIGHT,
    variable,
)

WIDTH, HEIGHT = 424, 150
BEYOND = 900
"""Units that the hills reach beyond the drawing on each side."""
HEIGHTS = (74, 56, 46, 38, 32, 28)
"""Heights of the towers, by rank from 1."""
WIDEST, ROOM = 72, 412
"""Maximum width of a tower, and of all together."""
LARGE, SMALL = 1.75, 1.4
"""Scales of a winner's figure and of the others."""
FEET = 12.0
"""Distance of a figure's feet from its middle, unscaled."""
HEDGES = ((-1, 6), (26, 1), (74, 3), (48, 0), (100, 5), (326, 5), (352, 2), (384, 0), (408, 4))
"""Trees on the nearer hill: the place along it, and how far down; odd ones are round."""


class PodiumPlace(NamedTuple):
    """The colour of a seat and its rank, if the game has a result."""

    look: int
    rank: int | None


def draw_podium(places: Sequence[PodiumPlace], *, title: str) -> str:
    """*places* from the best to the last as an ``<svg>`` element, the best in the middle; *title* says the
    same in words. Without ranks, all stand on the ground."""
    row: deque[PodiumPlace] = deque()
    for number, place in enumerate(places):
        (row.appendleft if number % 2 else row.append)(place)
    width = min(WIDEST, ROOM / len(row))
    left = (WIDTH - width * len(row)) / 2
    towers = "".join(_draw_place(place, left + width * (at + 0.5), width) for at, place in enumerate(row))
    named = f' role="img" aria-label="{escape(title)}"' if title else ' aria-hidden="true"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="podium" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' preserveAspectRatio="xMidYMax meet"{named}>{variable(_draw_hills())}{towers}</svg>'
    )


def _draw_hills() -> str:
    """Two rows of hills, with trees on the nearer one."""
    end = WIDTH + BEYOND
    far = f'<path d="M{-BEYOND} {HEIGHT}V98{_waves(-BEYOND, end, 212, 22)}V{HEIGHT}z" fill="{GRASS_LIGHT}"/>'
    near = f'<path d="M{-BEYOND} {HEIGHT}V124{_waves(-BEYOND, end, 106, -9)}V{HEIGHT}z" fill="{GRASS}"/>'
    trees = "".join(
        _draw_tree(x + repeat * WIDTH, 128 + down, round=bool(down % 2))
        for repeat in (-2, -1, 0, 1, 2)
        for x, down in HEDGES
    )
    return f'{far}{near}<path d="M{-BEYOND} 146H{end}V150H{-BEYOND}z" fill="{GRASS_DARK}"/>{trees}'


def _waves(start: int, end: int, length: int, height: int) -> str:
    """Path data of waves from *start* at least to *end*."""
    found = ""
    for _at in range(start, end, 2 * length):
        found += f"q{length / 2:g} {-height} {length} 0t{length} 0"
    return found


def _draw_tree(x: float, y: float, *, round: bool) -> str:
    """A round tree or a pine that stands at the point."""
    if round:
        return (
            f'<path d="M{x} {y}v-5" stroke="{TREE_DARK}" stroke-width="2"/>'
            f'<circle cx="{x}" cy="{y - 9}" r="6.5" fill="{TREE}" stroke="{TREE_DARK}" stroke-width="1.2"/>'
            f'<circle cx="{x - 2}" cy="{y - 11}" r="2.6" fill="{TREE_LIGHT}"/>'
        )
    return (
        f'<path d="M{x} {y}v-4" stroke="{PINE_DARK}" stroke-width="2"/>'
        f'<path d="M{x} {y - 27}l6 10h-3.500l5.500 8h-3l4 7h-18l4-7h-3l5.500-8h-3.500z" fill="{PINE}"'
        f' stroke="{PINE_DARK}" stroke-width="1.2" stroke-linejoin="round"/>'
        f'<path d="M{x - 1} {y - 22}l-3 5M{x - 2} {y - 14}l-3 4.500" stroke="{PINE_LIGHT}"'
        ' stroke-width="1.4"/>'
    )


def _draw_place(place: PodiumPlace, x: float, width: float) -> str:
    """The tower around *x*, with the figure, its rank and a winner's laurel."""
    won = place.rank == 1
    scale = min(LARGE if won else SMALL, width / 30)
    top = HEIGHT - (HEIGHTS[place.rank - 1] if place.rank else 3)
    tower = variable("".join(_draw_tower(x, top, width))) if place.rank else ""
    middle = top - scale * FEET + (2 if place.rank else 0)
    figure = draw_figure(SEATS[place.look], "m")
    laurel = _draw_laurel(x, middle - 2, 16.5 * scale) if won else ""
    number = (
        f'<circle cx="{x:.1f}" cy="{top + 18}" r="9.500" fill="#fffaf0" stroke="{INK}" stroke-width="1.4"/>'
        f'<text x="{x:.1f}" y="{top + 22.5}">{place.rank}</text>'
        if place.rank
        else ""
    )
    at = f"translate({x:.1f} {middle:.1f})scale({scale:.3f})"
    return f'{tower}{laurel}<g transform="{at}">{figure}</g>{number}'


def _draw_tower(x: float, top: float, width: float) -> Iterator[str]:
    """A wall with merlons, its shaded side on the right, and a few stones that show."""
    left, right, side = x - width / 2 + 1, x + width / 2 - 1, width * 0.16
    line = f'stroke="{STONE_DARK}" stroke-width="1.6" stroke-linejoin="round"'
    yield f'<path d="M{left:.1f} {HEIGHT + 2}V{top}H{right:.1f}V{HEIGHT + 2}z" fill="{STONE}" {line}/>'
    yield f'<path d="M{right - side:.1f} {HEIGHT + 2}V{top}H{right:.1f}V{HEIGHT + 2}z" fill="{STONE_FACE}"/>'
    step = (right - left) / 7
    merlons = "".join(f"M{left + 2 * step * at:.1f} {top}v-7h{step:.1f}v7z" for at in range(4))
    yield f'<path d="{merlons}" fill="{STONE}" {line}/>'
    yield f'<path d="M{left:.1f} {top}H{right:.1f}" {line}/>'
    stones = ((0.1, 12), (0.62, 12), (0.22, 34), (0.5, 42), (0.12, 52), (0.56, 60))
    laid = "".join(
        f"M{left + share * (right - left):.1f} {top + down}h{width * 0.15:.1f}"
        for share, down in stones
        if top + down < HEIGHT - 6
    )
    yield f'<path d="{laid}" stroke="{STONE_FACE}" stroke-width="2.4" stroke-linecap="round" fill="none"/>'


def _draw_laurel(x: float, y: float, radius: float) -> str:
    """Two twigs around the point, open above, as green by night."""
    leaves = ""
    for side in (-1, 1):
        for at in range(7):
            angle = 152 - 19.5 * at  # from below upwards, clockwise from above
            px = x + side * radius * sin(radians(angle))
            py = y - radius * cos(radians(angle))
            for outer in (-1, 1):
                turn = side * (angle - 90 + 34 * outer) - 90
                leaves += (
                    f'<ellipse rx="{0.21 * radius:.1f}" ry="{0.085 * radius:.1f}" cx="{0.19 * radius:.1f}"'
                    f' transform="translate({px:.1f} {py:.1f})rotate({turn:.0f})"/>'
                )
    glow = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{CITY_LIGHT}" fill-opacity=".35"/>'
    return f'{glow}<g fill="{TREE_LIGHT}" stroke="{TREE_DARK}" stroke-width="1">{leaves}</g>'
