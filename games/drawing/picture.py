"""Boards and tiles as PNG and as self-contained SVG files, for mails and downloads.

resvg takes a second for a whole board, so each tile, and each thing on one, is rendered once per size and
cached, and Pillow pastes them together. All pictures have the same palette: tiles are cached in it, and on a
board only what lies on them is quantized again.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from html import escape
from itertools import product
from math import ceil
from pathlib import Path
from typing import Any

import resvg_py
from PIL import Image, ImageColor, ImageDraw

from games.rules.tiles import get_tile

from . import palette as p
from .board import (
    BoardPicture,
    CandidateTile,
    compute_view,
    draw_above_tiles,
    find_bounds,
    squares,
    standing,
    tiles_drawn,
)
from .png import png
from .quarters import get_block
from .sprite import build_symbol_name, decor_symbol, load_generated

STATIC = Path(__file__).resolve().parents[2] / "static"
COLOURS = Path(__file__).with_name("colours.json")
"""File with the colours of all PNGs, which ``colours.py`` chooses."""
FONT = Path(__file__).with_name("fonts") / "DejaVuSans-Bold.ttf"
TABLE, UNDER, EDGE = "#efe6d2", "#b9b873", "#8b7c58"
PREVIEW_SIZE = 1200, 630
"""Width and height, in pixels, of pictures that other sites show beside a link (Open Graph)."""
DETAIL_FROM = 56
"""Minimum width of a tile, in pixels, for houses and trees to be drawn."""

TOO_WIDE = 11
"""Maximum width, in cells, of a board shown whole; tiles of a wider one are too small for a phone."""
CLOSE = 6
"""Size, in cells, of the area within which placements are shown together."""
STYLE = "".join(
    (
        "text{font-family:'DejaVu Sans',sans-serif;font-weight:700;font-size:34px}",
        "text{text-anchor:middle;fill:#3d3226}",
        f".under{{fill:{UNDER}}}.edges{{fill:none;stroke:#2e2410;stroke-opacity:.2;stroke-width:.7}}",
        f".room{{fill:none;stroke:{EDGE};stroke-width:7}}",
        ".last rect{fill:none;stroke-width:4}",
        ".last circle{fill:#fffaf0;stroke:#2e2410;stroke-width:2.5}",
        ".last text{font-size:23px;fill:#2e2410}.last .long{font-size:19px}",
        ".mark rect{fill:#6b5a3a;fill-opacity:.1;stroke:#6b5a3a;stroke-width:2.5;stroke-dasharray:7 6}",
        ".frame{fill:none;stroke-width:5}",
        ".spot circle{fill:#fffaf0;fill-opacity:.85;stroke:#3d3226;stroke-width:1.5}",
        ".spot text{font-size:18px}",
        ".lit{fill-opacity:.5;stroke-opacity:.8}",
        ".lit.nobody{fill:#fff3b8;stroke:#c79a1b}",
        *(
            f".seat{seat} rect,.frame.seat{seat}{{stroke:{look.colour}}}"
            f".lit.seat{seat}{{fill:{look.colour};stroke:{look.colour}}}"
            f".gain.seat{seat} rect{{fill:{look.colour}}}.gain.seat{seat} text{{fill:{look.ink}}}"
            for seat, look in enumerate(p.SEATS)
        ),
        ".last .edge{stroke:#2e2410;stroke-width:6.5}",
        ".gain rect{stroke:#2e2410;stroke-width:2.5}.gain text{font-size:25px}",
    )
)
"""Style sheet of the board for files and for resvg, which supports no variables; pages use
``static/css/board.css``."""


def render_standalone_svg(picture: BoardPicture) -> str:
    """*picture* as a self-contained SVG document: it holds the symbols it shows and its own styles, in the
    colours of the light scheme. It shows the area of ``compute_view``, 100 units to a cell, without links."""
    plain = replace(picture, sprite="", sprites={})
    left, top, right, bottom = (round(100 * edge) for edge in compute_view(plain))
    width, height = right - left, bottom - top
    drawn = (
        f"<title>{escape(plain.title)}</title>"
        + (f"<desc>{escape(plain.description)}</desc>" if plain.description else "")
        + f"<style>{STYLE}</style>"
        + f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="{TABLE}"/>'
        + tiles_drawn(plain)
        + draw_above_tiles(plain, links=False)
    )
    return _complete(
        drawn, f"{left} {top} {width} {height}", f' width="{width}" height="{height}" role="img"'
    )


Window = tuple[int, int, int, int]
"""Part of a board, in cells: left, top, right, bottom; right and bottom are exclusive."""


def render_board_png(
    picture: BoardPicture,
    *,
    width: int,
    height: int | None = None,
    margin: float = 0.35,
    largest: int | None = None,
    window: Window | None = None,
) -> bytes:
    """*picture* as a PNG *width* pixels wide, with *margin* cells around everything that is drawn, or around
    the *window*; of this *height*, or as high as that needs.

    Tiles are a whole number of pixels wide, so that they join, and no wider than *largest*.
    """
    left, top, right, bottom = window = window or _reach(picture)
    cell = min(max(int(width / (right - left + 2 * margin)), 8), largest or width)
    height = height or round((bottom - top + 2 * margin) * cell)
    image = Image.new("P", (width, height), _number(TABLE))
    image.putpalette(_palette())
    corner = (width - (right - left) * cell) // 2, (height - (bottom - top) * cell) // 2
    _draw(image, picture, cell, corner, window)
    return png(image, _palette())


def build_board_image(picture: BoardPicture, cell: int) -> Image.Image:
    """*picture* as an image with tiles *cell* pixels wide, transparent where there is no tile."""
    left, top, right, bottom = reach = _reach(picture)
    image = Image.new("RGBA", ((right - left) * cell, (bottom - top) * cell))
    _draw(image, picture, cell, (0, 0), reach)
    return image


def choose_close_up(picture: BoardPicture, last: Sequence[tuple[int, int, int]]) -> Window | None:
    """Choose a close-up of a board that is too wide for a mail on a phone: the surroundings of the *last*
    placements (column, row, seat; the newest at the end), of as many as lie within CLOSE cells."""
    left, top, right, bottom = _reach(picture)
    if not last or right - left <= TOO_WIDE:
        return None
    x, y, _seat = last[-1]
    west, north, east, south = x, y, x, y
    for x, y, _seat in reversed(last):
        wider = min(west, x), min(north, y), max(east, x), max(south, y)
        if wider[2] - wider[0] >= CLOSE or wider[3] - wider[1] >= CLOSE:
            break
        west, north, east, south = wider
    return max(left, west - 2), max(top, north - 2), min(right, east + 3), min(bottom, south + 3)


def _draw(image: Image.Image, picture: BoardPicture, cell: int, at: tuple[int, int], window: Window) -> None:
    """Draw the *window* of *picture* on *image*, with its north-western corner *at* this point. An image in
    mode "P" uses the common palette."""
    left, top, right, bottom = window

    def is_visible(x: float, y: float) -> bool:
        return left - 2 < x < right + 1 and top - 2 < y < bottom + 1  # figures stand out of their cells

    few = image.mode == "P"
    tile_as_needed = _tile_in_few if few else build_tile_image

    def corner(x: float, y: float) -> tuple[int, int]:
        return at[0] + round((x - left) * cell), at[1] + round((y - top) * cell)

    if picture.room:
        west, east, north, south = picture.room
        (x, y), (right_x, bottom_y), line = (
            corner(west, north),
            corner(east + 1, south + 1),
            max(cell // 14, 1),
        )
        around = x - line, y - line, right_x + line - 1, bottom_y + line - 1
        ImageDraw.Draw(image).rectangle(around, outline=_number(EDGE) if few else EDGE, width=line)
    for tile in picture.laid:
        if not is_visible(tile.x, tile.y):
            continue
        image.paste(tile_as_needed(tile.tile, tile.rotation, tile.copy, cell), corner(tile.x, tile.y))
    for column, row, svg in _pieces(picture):
        if not is_visible(column, row):
            continue
        piece, rightwards, down = _piece(svg, cell)
        west, north = corner(column, row)
        _lay(image, piece, west + rightwards, north + down)


def _lay(image: Image.Image, piece: Image.Image, x: int, y: int) -> None:
    """Paste *piece*, which may be transparent, on *image*."""
    if image.mode != "P":
        image.paste(piece, (x, y), piece)
        return
    below = image.crop((x, y, x + piece.width, y + piece.height)).convert("RGB")
    below.paste(piece, (0, 0), piece)
    image.paste(_in_few(below), (x, y))


def _pieces(picture: BoardPicture) -> Iterator[tuple[float, float, str]]:
    """Yield the pieces above the tiles: the place of each in cells, and its SVG in cell (0, 0), so that a
    piece that occurs again, on any board, is rendered only once."""
    lying = {(tile.x, tile.y): replace(tile, x=0, y=0) for tile in picture.laid}

    def alone(**pieces: Any) -> str:
        return draw_above_tiles(BoardPicture(**{"laid": (), **pieces}), links=False)

    for x, y in squares(picture.laid):
        yield x, y, '<use href="#square"/>'
    for light in picture.highlights:
        tile = lying[light.x, light.y]
        yield light.x, light.y, alone(laid=(tile,), highlights=(replace(light, x=0, y=0),))
    for outline in picture.outlines:
        yield outline.x, outline.y, alone(outlines=(replace(outline, x=0, y=0, title=""),))
    for quarter in picture.quarters:
        yield from _cut(alone(laid=picture.laid, quarters=(quarter,)), picture)
    for figure in standing(replace(picture, sprite="", sprites={})):
        yield figure.x / 100, figure.y / 100, f'<use href="{figure.symbol}"/>'
    for mark in picture.marks:
        yield mark.x, mark.y, alone(marks=(replace(mark, x=0, y=0),))
    if picture.candidate:
        candidate = picture.candidate
        yield candidate.x, candidate.y, alone(candidate=replace(candidate, x=0, y=0))
    for label in picture.labels:
        yield label.x, label.y, alone(labels=(replace(label, x=0, y=0),))
    for gain in picture.gains:
        tile = lying[gain.x, gain.y]
        yield gain.x, gain.y, alone(laid=(tile,), gains=(replace(gain, x=0, y=0, title=""),))


def _cut(svg: str, picture: BoardPicture) -> Iterator[tuple[int, int, str]]:
    """*svg*, which lies on the block of a city, cut into the cells of the block."""
    block = get_block(picture.laid)
    columns, rows = block.city.size
    for x, y in product(range(block.x, block.x + columns), range(block.y, block.y + rows)):
        box = f"{100 * x} {100 * y} 100 100"
        yield x, y, f'<svg width="100" height="100" viewBox="{box}">{svg}</svg>'


@lru_cache(maxsize=512)
def _piece(svg: str, cell: int) -> tuple[Image.Image, int, int]:
    """The visible part of *svg* in and around cell (0, 0), *cell* pixels wide, and its offset in pixels to
    the right of and below the cell's corner."""
    pad = ceil(cell * 0.35)
    edge = pad * 100 / cell
    image = render_svg(
        _complete(svg, f"{-edge:g} {-edge:g} {100 + 2 * edge:g} {100 + 2 * edge:g}"), cell + 2 * pad
    )
    left, top, right, bottom = image.getbbox() or (0, 0, 1, 1)
    return image.crop((left, top, right, bottom)), left - pad, top - pad


def _reach(picture: BoardPicture) -> tuple[int, int, int, int]:
    """The bounds of the tiles and of everything marked beside them."""
    left, top, right, bottom = find_bounds(picture)
    beside = [(mark.x, mark.y) for mark in picture.marks] + [(label.x, label.y) for label in picture.labels]
    if picture.candidate:
        beside.append((picture.candidate.x, picture.candidate.y))
    for x, y in beside:
        left, top, right, bottom = min(left, x), min(top, y), max(right, x + 1), max(bottom, y + 1)
    return left, top, right, bottom


def render_tile_png(
    tile: str, rotation: int = 0, *, width: int, candidate: CandidateTile | None = None
) -> bytes:
    """One tile as PNG; with *candidate* also the spots on it, for the drawn tile in a mail."""
    if candidate is None:
        return _bare_tile_png(tile, rotation, width)
    image = build_tile_image(tile, rotation, 0, width).copy()
    svg = draw_above_tiles(BoardPicture((), candidate=candidate), links=False)
    layer = render_svg(_complete(svg, f"{candidate.x * 100} {candidate.y * 100} 100 100"), width)
    image.paste(layer, (0, 0), layer)
    return encode_png(image)


@lru_cache(maxsize=256)
def _bare_tile_png(tile: str, rotation: int, width: int) -> bytes:
    return encode_png(build_tile_image(tile, rotation, 0, width))


def encode_png(image: Image.Image) -> bytes:
    """*image* as PNG in the common palette."""
    return png(_in_few(image), _palette())


def _in_few(image: Image.Image) -> Image.Image:
    """*image* in the common palette."""
    return image.quantize(palette=_colours(), dither=Image.Dither.NONE)


@cache
def _number(colour: str) -> int:
    """The index of *colour*, or of the nearest one, in the common palette."""
    number = _in_few(Image.new("RGB", (1, 1), colour)).getpixel((0, 0))
    assert isinstance(number, int)
    return number


@cache
def _colours() -> Image.Image:
    image = Image.new("P", (1, 1))
    image.putpalette(_palette())
    return image


@cache
def _palette() -> bytes:
    return bytes(value for name in json.loads(COLOURS.read_text()) for value in ImageColor.getrgb(name))


@cache
def _symbols() -> dict[str, str]:
    """The symbols of all sprites by name; a symbol in several of them is the same in each."""
    files = load_generated()["sprites"].values()
    svg = p.plain("".join((STATIC / name).read_text(encoding="utf-8") for name in files))
    symbols = re.findall(r'<(g|path) id="([^"]+)"(.*?)(?=<(?:g|path) id="|</defs>)', svg, re.DOTALL)
    return {name: f'<{kind} id="{name}"{rest}' for kind, name, rest in symbols}


def _complete(svg: str, box: str, attributes: str = "") -> str:
    """*svg* as a whole document, with every symbol that it refers to."""
    needed: dict[str, str] = {}
    todo = [svg]
    while todo:
        for name in re.findall(r'href="#([^"]+)"', todo.pop()):
            if name not in needed:
                needed[name] = _symbols()[name]
                todo.append(needed[name])
    defs = "".join(needed.values())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"{attributes}><defs>{defs}</defs>{svg}</svg>'
    )


def render_svg(svg: str, width: int) -> Image.Image:
    """A whole SVG document as an image *width* pixels wide."""
    fonts = [str(FONT)] if "<text" in svg else None
    data = resvg_py.svg_to_bytes(
        svg_string=svg, width=width, style_sheet=STYLE, skip_system_fonts=True, font_files=fonts
    )
    return Image.open(io.BytesIO(bytes(data))).convert("RGBA")


def build_tile_image(tile: str, rotation: int, copy: int, width: int) -> Image.Image:
    """A tile as an image *width* pixels wide. Cached, as boards are drawn again and again."""
    return _tile_image(tile, rotation, copy if width >= DETAIL_FROM else None, width)


def _tile_in_few(tile: str, rotation: int, copy: int, width: int) -> Image.Image:
    """A tile in the common palette. Cached, too."""
    return _tile_in_few_kept(tile, rotation, copy if width >= DETAIL_FROM else None, width)


@lru_cache(maxsize=3072)  # some 20 MB, and all that boards of the base game ask for
def _tile_in_few_kept(tile: str, rotation: int, copy: int | None, width: int) -> Image.Image:
    return _in_few(_rendered_tile(tile, rotation, copy, width))


@lru_cache(maxsize=1024)
def _tile_image(tile: str, rotation: int, copy: int | None, width: int) -> Image.Image:
    return _rendered_tile(tile, rotation, copy, width)


def _rendered_tile(tile: str, rotation: int, copy: int | None, width: int) -> Image.Image:
    """The tile with the decoration of its *copy*, or without decoration."""
    svg = f'<use href="#{build_symbol_name(tile, rotation)}"/>'
    if copy is not None:
        svg += f'<use href="#{decor_symbol(tile, rotation, copy)}"/>'
    if block := get_tile(tile).block:
        svg += f'<use href="#carcassonne" x="{-100 * block[0]}" y="{-100 * block[1]}"/>'
    return render_svg(_complete(svg, "0 0 100 100"), width).convert("RGB")
