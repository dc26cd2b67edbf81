"""A whole board the size of a stamp, for lists: a few flat paths, complete in itself, 10 units to a tile."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from html import escape

from games.rules.tiles import SHRINE
from games.rules.tiles import tile as tile_called

from . import palette as p
from .board import BoardPicture, LaidTile, block_corner, bounds, land, quarter_points, spot_point
from .curves import Curve, Point
from .layout import layout
from .ramparts import corners_within
from .walls import City

TILE = 10
LEAST = 4
"""So many tiles a miniature is wide and high at least: a game that begins is a small spot on a wide table."""


def miniature_svg(picture: BoardPicture, *, css: str = "miniature") -> str:
    """The tiles, meeples and last moves of *picture* as an ``<svg>`` element of a few kilobytes. Without a
    title it is hidden from screen readers."""
    left, top, right, bottom = bounds(picture)
    wide, high = max(right - left, LEAST), max(bottom - top, LEAST)
    corner = (left + right - wide) / 2 * TILE - 4, (top + bottom - high) / 2 * TILE - 4
    box = f"{corner[0]:g} {corner[1]:g} {wide * TILE + 8} {high * TILE + 8}"
    label = f'role="img" aria-label="{escape(picture.title)}"' if picture.title else 'aria-hidden="true"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{escape(css)}" viewBox="{box}" {label}>',
        f'<path fill="{p.GRASS}" d="{land(picture.laid, TILE)}"/>',
        _path(picture.laid, "river", f'fill="none" stroke="{p.WATER}" stroke-width="1.6"'),
        _path(picture.laid, "city", f'fill="{p.CITY_DARK}"'),
        _path(picture.laid, "rampart", f'fill="{p.STONE_FACE}"'),
        _path(picture.laid, "road", f'fill="none" stroke="{p.ROAD}" stroke-width="1.3"'),
        _path(picture.laid, "cloister", f'fill="{p.ROOF_DARK}"'),
        _path(picture.laid, "shrine", f'fill="{p.SHRINE}"'),
    ]
    for outline in picture.outlines:
        parts.append(
            f'<rect x="{outline.x * TILE}" y="{outline.y * TILE}" width="{TILE}" height="{TILE}" fill="none"'
            f' stroke="{p.SEATS[outline.seat].colour}" stroke-width="1.2"/>'
        )
    lying = {(tile.x, tile.y): tile for tile in picture.laid}
    seats: dict[int, list[str]] = {}
    if block := block_corner(picture.laid):
        for one, (x, y) in quarter_points(picture.residents):
            at = f"M{block[0] * TILE + round(x / 10)} {block[1] * TILE + round(y / 10)}h0"
            seats.setdefault(one.seat, []).append(at)
    for figure in picture.meeples:
        tile = lying[figure.x, figure.y]
        x, y = spot_point(tile.tile, tile.rotation, figure.on, figure.side)
        seats.setdefault(figure.seat, []).append(
            f"M{figure.x * TILE + x // 10} {figure.y * TILE + y // 10}h0"
        )
    for seat, dots in sorted(seats.items()):
        data = "".join(dots)
        for ink, width in ((p.INK, 4.4), (p.SEATS[seat].colour, 3)):
            parts.append(f'<path d="{data}" stroke="{ink}" stroke-width="{width}" stroke-linecap="round"/>')
    return "".join((*parts, "</svg>"))


def _path(laid: Iterable[LaidTile], kind: str, style: str) -> str:
    data = "".join(
        f"M{tile.x * TILE + x} {tile.y * TILE + y}{rest}"
        for tile in laid
        for what, (x, y), rest in _shapes(tile.tile, tile.rotation)
        if what == kind
    )
    return f'<path {style} d="{data}"/>' if data else ""


@cache
def _shapes(tile: str, rotation: int) -> tuple[tuple[str, tuple[int, int], str], ...]:
    """Kind, start and relative path data of what is on the tile as it lies."""
    plan = layout(tile_called(tile)).turned(rotation // 90)
    shapes: list[tuple[str, tuple[int, int], str]] = []
    for city in plan.cities:
        if not city.walls:
            continue
        data, here = "", _small(city.walls[0].start)
        for wall in city.walls:
            start = _small(wall.start)
            if start != here:
                data += f"l{start[0] - here[0]} {start[1] - here[1]}"
            data += _bent(wall)
            here = _small(wall.end)
        shapes.append(("city", _small(city.walls[0].start), data + "z"))
    if plan.rampart:
        shapes.append(("rampart", *_town(plan.rampart)))
    shapes += [("river", _small(river.curve.start), _bent(river.curve)) for river in plan.rivers]
    shapes += [("road", _small(road.curve.start), _bent(road.curve)) for road in plan.roads]
    if plan.cloister:
        x, y = _small(plan.cloister)
        if any(segment.kind == SHRINE for segment in plan.tile.segments):
            shapes.append(("shrine", (x - 2, y + 2), "v-2q2-4 4 0v2z"))
        else:
            shapes.append(("cloister", (x - 2, y + 2), "v-3l2-2 2 2v3z"))
    return tuple(shapes)


def _town(rampart: City) -> tuple[tuple[int, int], str]:
    """Start and path data of what is inside the wall of Carcassonne on one tile."""
    if not rampart.walls:
        return (0, 0), f"h{TILE}v{TILE}h-{TILE}z"
    (wall,) = rampart.walls
    here, data = _small(wall.end), _bent(wall)
    for x, y in map(_small, corners_within(rampart)):
        data += f"l{x - here[0]} {y - here[1]}"
        here = x, y
    return _small(wall.start), data + "z"


def _small(point: Point) -> tuple[int, int]:
    return round(point[0] / 10), round(point[1] / 10)


def _bent(curve: Curve) -> str:
    """*curve* as one quadratic piece through its middle."""
    (ax, ay), (bx, by), (mx, my) = _small(curve.start), _small(curve.end), curve.at(0.5)
    cx, cy = round(mx / 5 - (ax + bx) / 2) - ax, round(my / 5 - (ay + by) / 2) - ay
    return f"q{cx} {cy} {bx - ax} {by - ay}"
