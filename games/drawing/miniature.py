"""A whole board the size of a stamp, for lists: a few flat paths, complete in itself, 10 units to a tile."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from html import escape

from games.rules.tiles import tile as tile_called

from . import palette as p
from .board import BoardPicture, LaidTile, bounds, spot_point
from .curves import Curve, Point
from .layout import layout

TILE = 10


def miniature_svg(picture: BoardPicture, *, css: str = "miniature") -> str:
    """The tiles, meeples and last moves of *picture* as an ``<svg>`` element of a few kilobytes. Without a
    title it is hidden from screen readers."""
    left, top, right, bottom = bounds(picture)
    box = f"{left * TILE - 4} {top * TILE - 4} {(right - left) * TILE + 8} {(bottom - top) * TILE + 8}"
    label = f'role="img" aria-label="{escape(picture.title)}"' if picture.title else 'aria-hidden="true"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{escape(css)}" viewBox="{box}" {label}>',
        f'<path fill="{p.GRASS}" d="{_land(picture.laid)}"/>',
        _path(picture.laid, "city", f'fill="{p.CITY_DARK}"'),
        _path(picture.laid, "road", f'fill="none" stroke="{p.ROAD}" stroke-width="1.3"'),
        _path(picture.laid, "cloister", f'fill="{p.ROOF_DARK}"'),
    ]
    for outline in picture.outlines:
        parts.append(
            f'<rect x="{outline.x * TILE}" y="{outline.y * TILE}" width="{TILE}" height="{TILE}" fill="none"'
            f' stroke="{p.SEATS[outline.seat].colour}" stroke-width="1.2"/>'
        )
    lying = {(tile.x, tile.y): tile for tile in picture.laid}
    seats: dict[int, list[str]] = {}
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


def _land(laid: Iterable[LaidTile]) -> str:
    """The ground of all tiles, neighbours in a row in one piece."""
    cells = {(tile.x, tile.y) for tile in laid}
    data = ""
    for x, y in sorted(cells, key=lambda cell: (cell[1], cell[0])):
        if (x - 1, y) in cells:
            continue
        width = 1
        while (x + width, y) in cells:
            width += 1
        data += f"M{x * TILE} {y * TILE}h{width * TILE}v{TILE}h-{width * TILE}z"
    return data


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
    shapes += [("road", _small(road.curve.start), _bent(road.curve)) for road in plan.roads]
    if plan.cloister:
        x, y = _small(plan.cloister)
        shapes.append(("cloister", (x - 2, y + 2), "v-3l2-2 2 2v3z"))
    return tuple(shapes)


def _small(point: Point) -> tuple[int, int]:
    return round(point[0] / 10), round(point[1] / 10)


def _bent(curve: Curve) -> str:
    """*curve* as one quadratic piece through its middle."""
    (ax, ay), (bx, by), (mx, my) = _small(curve.start), _small(curve.end), curve.at(0.5)
    cx, cy = round(mx / 5 - (ax + bx) / 2) - ax, round(my / 5 - (ay + by) / 2) - ay
    return f"q{cx} {cy} {bx - ax} {by - ay}"
