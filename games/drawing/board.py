"""A board as one inline SVG that refers to the symbols of the sprite.

Cell (x, y) is the square from (100 x, 100 y), 100 units to a side. Its input is a ``BoardPicture``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from html import escape
from typing import NamedTuple, TypeAlias

from games.rules.tiles import CITY, get_tile

from .candidate import draw_candidate
from .curves import Point
from .expansions import TOKENS
from .figures import get_figure_symbol
from .layout import layout
from .links import link
from .pieces import (
    BoardPicture,
    CandidateSpot,
    CandidateTile,
    Figure,
    Gain,
    Highlight,
    Label,
    LaidTile,
    Mark,
    MarkedQuarter,
    Outline,
    QuarterToken,
    Resident,
    TokenFigure,
)
from .quarters import CityBlock, find_block, get_block
from .spots import guest_point, segment_index, spot_point
from .sprite import (
    BASE,
    CITY_SYMBOL,
    OF_SETS,
    build_symbol_name,
    decor_symbol,
    load_generated,
    quarter_symbol,
    segment_symbol,
)

__all__ = [
    "BoardPicture",
    "CandidateSpot",
    "CandidateTile",
    "Figure",
    "Gain",
    "Highlight",
    "Label",
    "LaidTile",
    "Mark",
    "MarkedQuarter",
    "Outline",
    "QuarterToken",
    "Resident",
    "Stands",
    "TokenFigure",
    "compute_view",
    "draw_above_tiles",
    "draw_board",
    "draw_overlay",
    "draw_quarter",
    "find_bounds",
    "find_set_pictures",
    "find_sprite_name",
    "inner_corners",
    "land",
    "quarter_points",
    "squares",
    "standing",
    "tiles_drawn",
    "token_symbol",
]

PointOn: TypeAlias = Callable[[str, int, str, str | None], tuple[int, int]]
"""Function from a tile, its rotation, a kind of feature and a side to a point of the tile as it lies."""


def find_sprite_name(set_name: str = BASE) -> str:
    """The name of a set's sprite under ``static/``; ``KeyError`` for a set without tiles."""
    name: str = load_generated()["sprites"][set_name]
    return name


def find_set_pictures() -> str:
    """Return the name under ``static/`` of the file with a picture of each set, under the set's name."""
    name: str = load_generated()["pictures"][OF_SETS]
    return name


def find_bounds(picture: BoardPicture) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the laid tiles; right and bottom are beyond the last one."""
    columns, rows = [tile.x for tile in picture.laid], [tile.y for tile in picture.laid]
    if not columns:
        return 0, 0, 1, 1
    return min(columns), min(rows), max(columns) + 1, max(rows) + 1


def compute_view(picture: BoardPicture) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the view, in cells: the window, or all tiles with the margin."""
    if picture.window:
        return picture.window
    left, top, right, bottom = find_bounds(picture)
    margin = picture.margin
    return left - margin, top - margin, right + margin, bottom + margin


def squares(laid: Iterable[LaidTile]) -> tuple[tuple[int, int], ...]:
    """The corners at which four tiles of one city meet, in cells; the square there is drawn over all four, as
    no single tile can know of it."""
    inside: dict[tuple[int, int], int] = {}
    for tile in laid:
        for corner in inner_corners(tile.tile, tile.rotation):
            at = tile.x + (corner in (1, 2)), tile.y + (corner in (2, 3))
            inside[at] = inside.get(at, 0) + 1
    return tuple(sorted(at for at, count in inside.items() if count == 4))


def land(laid: Iterable[LaidTile], size: int) -> str:
    """Path data of the ground of all tiles, *size* units each, neighbours in a row in one piece."""
    cells = {(tile.x, tile.y) for tile in laid}
    data = ""
    for x, y in sorted(cells, key=lambda cell: (cell[1], cell[0])):
        if (x - 1, y) in cells:
            continue
        width = 1
        while (x + width, y) in cells:
            width += 1
        data += f"M{x * size} {y * size}h{width * size}v{size}h-{width * size}z"
    return data


@cache
def inner_corners(tile: str, rotation: int) -> tuple[int, ...]:
    """The corners of the tile as it lies that are inside a city, 0 for the north-western, clockwise."""
    cities = layout(get_tile(tile)).rotate_clockwise(rotation // 90).cities
    return tuple(sorted(corner for city in cities for corner in city.corners))


def draw_board(picture: BoardPicture) -> str:
    """*picture* as an ``<svg>`` element for a page. Its tiles come first; everything that changes while a
    turn is composed is in a second ``<svg>`` inside it, which ``draw_overlay`` draws alone."""
    name, label = escape(picture.id), f"{escape(picture.id)}-title"
    left, top, right, bottom = compute_view(picture)
    x, y, width, height = (round(100 * edge) for edge in (left, top, right - left, bottom - top))
    css = f"board {size(picture)} {escape(picture.css)}".strip()
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" id="{name}" class="{css}"',
            f' viewBox="{x} {y} {width} {height}" width="{width}" height="{height}"',
            f' role="group" aria-labelledby="{label}">',
            f'<title id="{label}">{escape(picture.title)}</title>',
            f"<desc>{escape(picture.description)}</desc>" if picture.description else "",
            tiles_drawn(picture),
            draw_overlay(picture),
            "</svg>",
        )
    )


def draw_overlay(picture: BoardPicture) -> str:
    """Draw everything above the tiles as an ``<svg>`` element, which may replace the one in the board on the
    page as long as the tiles are the same."""
    above = draw_above_tiles(picture, links=True)
    return f'<svg id="{escape(picture.id)}-over" overflow="visible">{above}</svg>'


def size(picture: BoardPicture) -> str:
    """Return a CSS class by the number of columns, so that style sheets can drop detail from small tiles."""
    west, _, east, _ = find_bounds(picture)
    columns = east - west
    return "small" if columns <= 8 else "middling" if columns <= 14 else "wide"


def tiles_drawn(picture: BoardPicture) -> str:
    """The laid tiles with their decoration, their edges, and what spans several of them."""
    areas, ground, detail = [], [], []
    for tile in picture.laid:
        sprite = picture.file(tile.tile)
        x, y = tile.x * 100, tile.y * 100
        css = f' class="{escape(tile.css)}"' if tile.css else ""
        areas.append(f"M{x} {y}h100v100h-100z")
        ground.append(
            f'<use href="{sprite}#{build_symbol_name(tile.tile, tile.rotation)}" x="{x}" y="{y}"{css}/>'
        )
        detail.append(
            f'<use href="{sprite}#{decor_symbol(tile.tile, tile.rotation, tile.copy)}" x="{x}" y="{y}"/>'
        )
    area = "".join(areas)
    over = "".join(
        f'<use href="{picture.sprite}#square" x="{x * 100}" y="{y * 100}"/>' for x, y in squares(picture.laid)
    )
    if block := find_block(picture.laid):
        over += _use_of_block(block, CITY_SYMBOL, picture)
    return (
        f'<g class="tiles">{_edges_of_table(picture)}'
        f'<path class="under" d="{land(picture.laid, 100)}"/>{"".join(ground)}'
        f'<g class="decor">{"".join(detail)}</g>{over}<path class="edges" d="{area}"/></g>'
    )


def draw_quarter(name: str, picture: BoardPicture, *, css: str = "") -> str:
    """The ground of a quarter. ``KeyError`` if its city is not on the board."""
    return _use_of_block(get_block(picture.laid), quarter_symbol(name), picture, css)


def _use_of_block(block: CityBlock, symbol: str, picture: BoardPicture, css: str = "") -> str:
    look = f'class="{css}" ' if css else ""
    return (
        f'<use {look}href="{picture.file(block.set_name)}#{symbol}" x="{block.x * 100}" y="{block.y * 100}"/>'
    )


def _edges_of_table(picture: BoardPicture) -> str:
    if picture.room is None:
        return ""
    west, east, north, south = picture.room
    x, y, width, height = 100 * west, 100 * north, 100 * (east + 1 - west), 100 * (south + 1 - north)
    return f'<rect class="room" x="{x - 6}" y="{y - 6}" width="{width + 12}" height="{height + 12}"/>'


def draw_above_tiles(picture: BoardPicture, *, links: bool) -> str:
    """Draw everything above the tiles. *links* is False for a picture without interaction."""
    lying = _lying(picture)
    parts = []
    for light in picture.highlights:
        tile = lying[light.x, light.y]
        parts.append(_highlight(light, tile, picture.file(tile.tile)))
    parts += [_quarter(quarter, picture, links) for quarter in picture.quarters]
    parts += [_outline(outline) for outline in picture.outlines]
    if figures := "".join(_figure(standing_figure) for standing_figure in standing(picture)):
        parts.append(f'<g class="meeples">{figures}</g>')
    parts.append(_ghosts(picture))
    parts += [_mark(mark, links) for mark in picture.marks]
    if picture.candidate:
        parts.append(draw_candidate(picture.candidate, picture, links))
    parts += [
        f'<text class="label {escape(label.css)}" x="{label.x * 100 + 50}" y="{label.y * 100 + 62}">'
        f"{escape(label.text)}</text>"
        for label in picture.labels
    ]
    parts += [_gain(gain, lying[gain.x, gain.y]) for gain in picture.gains]
    return "".join(parts)


def _lying(picture: BoardPicture) -> dict[tuple[int, int], LaidTile]:
    """The tiles by cell, the one in hand among them."""
    lying = {(tile.x, tile.y): tile for tile in picture.laid}
    if hand := picture.candidate:
        lying[hand.x, hand.y] = LaidTile(hand.tile, hand.x, hand.y, hand.rotation)
    return lying


def _highlight(highlight: Highlight, tile: LaidTile, sprite: str) -> str:
    index = segment_index(tile.tile, tile.rotation, highlight.on, highlight.side)
    place = f"translate({tile.x * 100} {tile.y * 100})"
    if tile.rotation:
        place += f"rotate({tile.rotation} 50 50)"
    owner = "nobody" if highlight.seat is None else f"seat{highlight.seat}"
    return (
        f'<use class="lit {owner}" href="{sprite}#{segment_symbol(tile.tile, index)}" transform="{place}"/>'
    )


def _outline(outline: Outline) -> str:
    title = f"<title>{escape(outline.title)}</title>" if outline.title else ""
    css = f"last seat{outline.seat} {escape(outline.css)}".strip()
    box = f'x="{outline.x * 100 + 3}" y="{outline.y * 100 + 3}" width="94" height="94" rx="4"'
    number = ""
    if outline.text:
        x, y = outline.x * 100 + 13, outline.y * 100 + 13
        size = ' class="long"' if len(outline.text) > 1 else ""
        number = (
            f'<circle cx="{x}" cy="{y}" r="16"/><text x="{x}" y="{y + 8}"{size}>{escape(outline.text)}</text>'
        )
    return f'<g class="{css}">{title}<rect class="edge" {box}/><rect {box}/>{number}</g>'


def _gain(gain: Gain, tile: LaidTile) -> str:
    x, y = _place(tile, gain.on, gain.side, spot_point)
    y -= 33 + 34 * gain.row
    width = 18 + 16 * len(gain.text)
    title = f"<title>{escape(gain.title)}</title>" if gain.title else ""
    return (
        f'<g class="gain seat{gain.seat}" transform="translate({x:g} {y:g})">{title}'
        f'<rect x="{-width / 2:g}" y="-16" width="{width}" height="32" rx="16"/>'
        f'<text y="9">{escape(gain.text)}</text></g>'
    )


BESIDE = ((0, 0), (11, -5), (-11, -5), (5, -11), (-6, -11), (14, 4), (-14, 4))
"""Offsets, in units, of the figures that share a segment; the first one is not moved."""


class Stands(NamedTuple):
    """A figure with its position on the board; in sorted order those in front come last."""

    y: float
    x: float
    symbol: str
    title: str = ""
    css: str = ""


def standing(picture: BoardPicture) -> list[Stands]:
    """All figures: meeples and tokens on segments, and the residents of quarters."""
    return sorted([*_on_segments(picture), *_in_quarters(picture)])


def _on_segments(picture: BoardPicture) -> Iterator[Stands]:
    lying = _lying(picture)
    taken: Counter[tuple[int, int]] = Counter()
    for figure in picture.meeples:
        x, y = _place(lying[figure.x, figure.y], figure.on, figure.side, spot_point)
        shift = BESIDE[taken[x, y] % len(BESIDE)]
        taken[x, y] += 1
        x, y = x + shift[0], y + shift[1]
        name = f"{picture.sprite}#{get_figure_symbol(figure.seat, figure.meeple, figure.on)}"
        yield Stands(y, x, name, figure.title, figure.css)
    for token in picture.tokens:
        x, y = _place(lying[token.x, token.y], token.on, token.side, guest_point)
        yield Stands(y, x, token_symbol(picture, token.name), token.title)


def _place(tile: LaidTile, on: str, side: str | None, point: PointOn) -> tuple[int, int]:
    x, y = point(tile.tile, tile.rotation, on, side)
    return tile.x * 100 + x, tile.y * 100 + y


def _in_quarters(picture: BoardPicture) -> Iterator[Stands]:
    block = find_block(picture.laid)
    if block is None:
        return
    for resident, (x, y) in quarter_points(picture.residents, block):
        name = f"{picture.sprite}#{get_figure_symbol(resident.seat, resident.meeple, CITY)}"
        yield Stands(y, x, name, resident.title, resident.css)
    if token := picture.quarter_token:
        x, y = block.move(block.city.token_place(token.quarter))
        yield Stands(y, x, token_symbol(picture, token.name), token.title)


def quarter_points(residents: Iterable[Resident], block: CityBlock) -> Iterator[tuple[Resident, Point]]:
    """Yield the residents of the quarters of the city on *block*, each with its point on the board."""
    inside: Counter[str] = Counter()
    for resident in residents:
        yield resident, block.move(block.city.place(resident.quarter, inside[resident.quarter]))
        inside[resident.quarter] += 1


def token_symbol(picture: BoardPicture, name: str) -> str:
    """The address of a token's symbol, in the sprite of its set."""
    owner = next(set_name for set_name, tokens in TOKENS.items() if name in tokens)
    return f"{picture.file(owner)}#{name}"


def _figure(figure: Stands) -> str:
    title = f"<title>{escape(figure.title)}</title>" if figure.title else ""
    css = f' class="{escape(figure.css)}"' if figure.css else ""
    place = f"translate({figure.x:g} {figure.y:g})"  # not x and y, so that it can be scaled where it stands
    return f'<g transform="{place}"{css}>{title}<use href="{figure.symbol}"/></g>'


def _quarter(quarter: MarkedQuarter, picture: BoardPicture, links: bool) -> str:
    """A highlighted quarter, as a link if it has an address."""
    block = get_block(picture.laid)
    body = draw_quarter(quarter.name, picture, css="lit nobody")
    if quarter.text:
        x, y = block.move(block.city.token_place(quarter.name))
        body += f'<text x="{x:g}" y="{y + 12:g}">{escape(quarter.text)}</text>'
    css = "quarter chosen" if quarter.chosen else "quarter"
    return link(quarter.href, quarter.label, css, quarter.attributes, body, links)


def _ghost_name(tile: str, rotation: int) -> str:
    return f"ghost-{tile}-{rotation}"


def _ghosts(picture: BoardPicture) -> str:
    """The tiles that marks show on hover, each once."""
    ghosts = sorted({mark.ghost for mark in picture.marks if mark.ghost})
    drawn = "".join(
        f'<use id="{_ghost_name(*ghost)}" href="{picture.file(ghost[0])}#{build_symbol_name(*ghost)}"/>'
        for ghost in ghosts
    )
    return f"<defs>{drawn}</defs>" if drawn else ""


def _mark(mark: Mark, links: bool) -> str:
    x, y = mark.x * 100, mark.y * 100
    body = f'<rect x="{x + 4}" y="{y + 4}" width="92" height="92" rx="8"/>'
    if mark.ghost:
        body += f'<use class="ghost" href="#{_ghost_name(*mark.ghost)}" x="{x}" y="{y}"/>'
    if mark.text:
        body += f'<text x="{x + 50}" y="{y + 62}">{escape(mark.text)}</text>'
    css = f"mark {escape(mark.css)}".strip()
    return link(mark.href, mark.label, css, {"data-at": f"{mark.x},{mark.y}", **mark.attributes}, body, links)
