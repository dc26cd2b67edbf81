"""The layers over a board for inspection: highlighted features, fields by owner, empty spaces.

Each is a separate ``<svg>`` with the window of the board below, so that a page can swap it alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from math import ceil, floor, sqrt
from typing import NamedTuple

from core.numerals import format_minus
from games.rules.tiles import GARDEN, ROAD, get_tile

from .board import BoardPicture, draw_above_tiles, draw_quarter, size
from .layout import layout
from .pieces import Figure
from .spots import segment_index
from .sprite import segment_symbol

TEXTURES = (
    "M-5 5L5-5M0 20L20 0M15 25L25 15",
    "M4 10a6 6 0 1 0 12 0a6 6 0 1 0-12 0z",
    "M0 5h20M0 15h20",
    "M0 10h20M10 0v20",
    "M5 0v20M15 0v20",
    "M0 14l10-8 10 8",
)
"""Patterns that tell the seats apart without colour, on a square of 20 units that repeats."""


class SegmentShape(NamedTuple):
    """One segment as it lies."""

    tile: str
    index: int  # type: ignore[assignment]  # nobody searches in this tuple
    x: int
    y: int
    rotation: int


class Area(NamedTuple):
    """A feature to highlight in the colours of *looks*, one or several; pale if it belongs to nobody."""

    shapes: tuple[SegmentShape, ...]
    looks: tuple[int, ...] = ()
    href: str = ""
    label: str = ""
    quarter: str = ""  # of a city, in place of segments


class SpaceNumber(NamedTuple):
    """An empty space, with its number; crossed out if it is dead."""

    x: int
    y: int
    href: str
    label: str
    text: str = ""
    dead: bool = False


def draw_layer(
    id: str, picture: BoardPicture, body: str, *, css: str = "", attributes: Mapping[str, str] | None = None
) -> str:
    """*body* as an ``<svg>`` over the board of *picture*; hidden if it is empty."""
    assert picture.window is not None
    more = "".join(f' {name}="{escape(value)}"' for name, value in (attributes or {}).items())
    if not body:
        return f'<svg id="{id}" hidden{more}></svg>'
    left, top, right, bottom = (round(100 * edge) for edge in picture.window)
    box = f"{left} {top} {right - left} {bottom - top}"
    css = f"board layer {size(picture)} {css}".strip()
    return f'<svg id="{id}" class="{css}" viewBox="{box}"{more}>{body}</svg>'


def draw_axes(window: tuple[float, float, float, float]) -> str:
    """The numbers of the columns and rows along the northern and western edge of *window*, in cells."""
    left, top, right, bottom = (round(100 * edge) for edge in window)
    columns = "".join(
        f'<text x="{100 * x + 50}" y="{top + 34}">{format_minus(x)}</text>'
        for x in range(ceil(window[0]), floor(window[2]))
    )
    rows = "".join(
        f'<text x="{left + 34}" y="{100 * y + 62}">{format_minus(y)}</text>'
        for y in range(ceil(window[1]), floor(window[3]))
    )
    box = f"{left} {top} {right - left} {bottom - top}"
    return f'<svg class="board axes" viewBox="{box}" aria-hidden="true">{columns}{rows}</svg>'


def draw_features(
    areas: Sequence[Area], cells: Iterable[SpaceNumber], picture: BoardPicture, *, by_keyboard: bool
) -> str:
    """Links that highlight their features on hover, or on focus with *by_keyboard*."""
    tabindex = "" if by_keyboard else ' tabindex="-1"'
    first = ' id="first"' if by_keyboard else ""
    parts = [_tints({area.looks for area in areas if len(area.looks) > 1}, prefix="shared")]
    for area in areas:
        parts.append(
            f'<a class="feature" href="{escape(area.href)}" hx-get="{escape(area.href)}"'
            f' aria-label="{escape(area.label)}"{tabindex}{first}>{_light(area, picture, hit=True)}</a>'
        )
        first = ""
    parts += [_cell(cell, tabindex) for cell in cells]
    return "".join(parts)


def draw_lit_feature(area: Area, picture: BoardPicture) -> str:
    """One feature that stays highlighted, with the figures on it."""
    if len(area.looks) < 2:
        lit = f'<g class="stays">{_light(area, picture)}</g>'
    else:
        lit = _tints({area.looks}, prefix="lit") + _draw_masked_areas(
            [area], area.looks, picture, prefix="lit"
        )
    return lit + _figures([area], picture)


def draw_fields(areas: Sequence[Area], picture: BoardPicture) -> str:
    """All owned fields in colour and texture, and above them the figures on the board, which are larger than
    their place beside a field."""
    owned = sorted({area.looks for area in areas if area.looks})
    gardens = _gardens(picture)
    tinted = [
        _draw_masked_areas(
            [area for area in areas if area.looks == looks], looks, picture, prefix="field", but=gardens
        )
        for looks in owned
    ]
    fields = f'<g class="fields">{_tints(owned, prefix="field")}{"".join(tinted)}</g>'
    return fields + _above(picture.meeples, picture)


def _gardens(picture: BoardPicture) -> tuple[SegmentShape, ...]:
    """The gardens, which lie in fields and are no part of them."""
    return tuple(
        SegmentShape(laid.tile, lie.index, laid.x, laid.y, laid.rotation)
        for laid in picture.laid
        for lie in get_tile(laid.tile).at(laid.rotation).lies
        if lie.kind == GARDEN
    )


def draw_recent_moves(picture: BoardPicture) -> str:
    """The tiles placed last, with their numbers, and the points scored, above all other layers."""
    above = BoardPicture(
        laid=picture.laid,
        outlines=picture.outlines,
        gains=picture.gains,
        sprite=picture.sprite,
        sprites=picture.sprites,
    )
    return draw_above_tiles(above, links=False)


def _figures(areas: Iterable[Area], picture: BoardPicture) -> str:
    """The figures on *areas* once more, above the highlight."""
    shapes = {(shape.x, shape.y, shape.index): shape for area in areas for shape in area.shapes}
    lying = {(shape.x, shape.y): shape for shape in shapes.values()}
    there = []
    for figure in picture.meeples:
        laid = lying.get((figure.x, figure.y))
        if laid and (*laid[2:4], segment_index(laid.tile, laid.rotation, figure.on, figure.side)) in shapes:
            there.append(figure)
    return _above(there, picture)


def _above(figures: Iterable[Figure], picture: BoardPicture) -> str:
    above = BoardPicture(
        laid=picture.laid, meeples=tuple(figures), sprite=picture.sprite, sprites=picture.sprites
    )
    return draw_above_tiles(above, links=False)


def draw_cell(cell: SpaceNumber) -> str:
    """One empty space that stays marked."""
    return f'<g class="stays"><rect class="here" {_box(cell)}/></g>'


def draw_spaces(cells: Iterable[SpaceNumber]) -> str:
    """Every empty space with its number."""
    return "".join(_cell(cell, "") for cell in cells)


def draw_dead_spaces(cells: Iterable[tuple[int, int]]) -> str:
    """Crosses on the spaces that nothing fits."""
    crosses = "".join(_cross(x, y) for x, y in cells)
    return f'<path class="dead" d="{crosses}"/>' if crosses else ""


def _cross(x: int, y: int) -> str:
    return f"M{x * 100 + 36} {y * 100 + 36}l28 28m0-28l-28 28"


def _box(cell: SpaceNumber) -> str:
    return f'x="{cell.x * 100 + 4}" y="{cell.y * 100 + 4}" width="92" height="92" rx="8"'


def _cell(cell: SpaceNumber, tabindex: str) -> str:
    body = f"<rect {_box(cell)}/>"
    if cell.text:
        body += f'<text x="{cell.x * 100 + 50}" y="{cell.y * 100 + 62}">{escape(cell.text)}</text>'
    css = "space none" if cell.dead else "space"
    return (
        f'<a class="{css}" href="{escape(cell.href)}" hx-get="{escape(cell.href)}"'
        f' aria-label="{escape(cell.label)}"{tabindex}>{body}</a>'
    )


def _name(prefix: str, looks: Iterable[int]) -> str:
    return "-".join([prefix, *map(str, looks)])


def _light(area: Area, picture: BoardPicture, *, hit: bool = False) -> str:
    """The shapes of *area*; *hit* adds a wide strip along each road as a touch target."""
    seat = "nobody" if not area.looks else f"seat{area.looks[0]}" if len(area.looks) == 1 else "shared"
    body = "".join(segment_light(shape, picture, area.looks) for shape in area.shapes)
    if area.quarter:
        body += draw_quarter(area.quarter, picture)
    ways = "".join(road_strip(shape) for shape in area.shapes) if hit else ""
    return f'<g class="light {seat}">{body}</g>{ways}'


def _format_transform(shape: SegmentShape) -> str:
    turned = f"rotate({shape.rotation} 50 50)" if shape.rotation else ""
    return f'transform="translate({shape.x * 100} {shape.y * 100}){turned}"'


def segment_light(shape: SegmentShape, picture: BoardPicture, looks: Sequence[int] = ()) -> str:
    """The ground of one segment; the element around it sets the colour, unless *looks* gives stripes."""
    paint = ""
    if len(looks) > 1:  # stripes that don't turn with the tile; where they fail, the first one's colour
        url = f"url(#{_name('shared', looks)}-{shape.rotation})"
        paint = f' fill="{url}" stroke="{url}"'
    name = segment_symbol(shape.tile, shape.index)
    return f'<use href="{picture.file(shape.tile)}#{name}" {_format_transform(shape)}{paint}/>'


def road_strip(shape: SegmentShape) -> str:
    """A wide strip along a road as a touch target; empty for other segments."""
    drawn = _roads(shape.tile).get(shape.index)
    return f'<path class="way" d="{drawn}" {_format_transform(shape)}/>' if drawn else ""


@cache
def _roads(tile: str) -> Mapping[int, str]:
    """The middle line of each road of a tile as printed, by index of its segment."""
    this = get_tile(tile)
    if not any(segment.kind == ROAD for segment in this.segments):
        return {}
    return {way.index: way.curve.format_path_data() for way in layout(this).roads}


def _draw_masked_areas(
    areas: Iterable[Area],
    looks: Sequence[int],
    picture: BoardPicture,
    *,
    prefix: str,
    but: Iterable[SegmentShape] = (),
) -> str:
    """The shapes of *areas* without those of *but*, cut out of the pattern of *looks*, which thus continues
    from tile to tile."""
    assert picture.window is not None
    left, top, right, bottom = (round(100 * edge) for edge in picture.window)
    box = f'x="{left}" y="{top}" width="{right - left}" height="{bottom - top}"'
    name = _name(prefix, looks)
    shapes = "".join(segment_light(shape, picture) for area in areas for shape in area.shapes)
    left_out = "".join(segment_light(shape, picture) for shape in but)
    if left_out:
        left_out = f'<g fill="#000" stroke="#000">{left_out}</g>'
    return (
        f'<mask id="{name}-mask" maskUnits="userSpaceOnUse" {box}>'
        f'<g fill="#fff" stroke="#fff">{shapes}</g>{left_out}</mask>'
        f'<rect class="tinted" {box} fill="url(#{name}-0)" mask="url(#{name}-mask)"/>'
    )


def _lean(bands: int) -> str:
    """The transform of several bands: slanted, and so wide that they meet again on the next tile."""
    if bands < 2:
        return ""
    slant = 100 / sqrt(2)
    return f"rotate(45)scale({slant / (20 * bands * max(1, round(slant / (20 * bands)))):.4f})"


def _tints(groups: Iterable[tuple[int, ...]], *, prefix: str) -> str:
    """A pattern for each group of colours, one or several side by side, also rotated back for shapes that
    turn with their tile."""
    parts = []
    for looks in sorted(groups):
        name, width = _name(prefix, looks), 20 * len(looks)
        bands = "".join(
            f'<g class="seat{look}" transform="translate({20 * at} 0)"><rect width="20" height="20"/>'
            f'<path d="{TEXTURES[look]}"/></g>'
            for at, look in enumerate(looks)
        )
        lean = _lean(len(looks))
        parts.append(
            f'<pattern id="{name}-0" class="tint" width="{width}" height="20" patternUnits="userSpaceOnUse"'
            f' patternTransform="{lean}">{bands}</pattern>'
        )
        if prefix == "shared":
            parts += [
                f'<pattern id="{name}-{turn}" href="#{name}-0"'
                f' patternTransform="rotate({-turn} 50 50){lean}"/>'
                for turn in (90, 180, 270)
            ]
    return f"<defs>{''.join(parts)}</defs>" if parts else ""
