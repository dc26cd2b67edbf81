"""The palette of all PNGs, chosen once from everything that may lie on a board.

Choosing colours for each picture costs more than drawing it, and gives worse ones, as all pictures consist of
the same tiles and figures. ``python manage.py sprite`` chooses them and writes ``colours.json``; a test
compares them with the current drawing.
"""

from __future__ import annotations

import json
from math import ceil

from PIL import Image

from . import palette as p
from .board import BoardPicture, Figure, Gain, LaidTile, Outline
from .picture import COLOURS, EDGE, TABLE, build_board_image, build_tile_image
from .sprite import ON_THE_COVER, tiles

MOST = 128
EXACT = (TABLE, EDGE, p.GRASS, p.CITY, p.ROAD, *(look.colour for look in p.SEATS))
"""Colours that must not be approximated: those of large areas, and those that tell players apart."""
CELL, COLUMNS = 90, 12


def sheet() -> Image.Image:
    """Return an image with every tile once, and the figures, outlines and gains of all seats."""
    every = [tile.id for tile in tiles()]
    rows = ceil(len(every) / COLUMNS)
    image = Image.new("RGB", (COLUMNS * CELL, (rows + 1) * CELL), TABLE)
    for place, tile in enumerate(every):
        row, column = divmod(place, COLUMNS)
        image.paste(build_tile_image(tile, 0, 0, CELL), (column * CELL, row * CELL))
    for seat in range(len(p.SEATS)):
        image.paste(_draw_seat_colours(seat), (seat * CELL, rows * CELL))
    return image


def _draw_seat_colours(seat: int) -> Image.Image:
    """A tile with everything that uses the colour of *seat*."""
    tile, city = LaidTile(ON_THE_COVER, 0, 0, 0), ("city", "N")
    picture = BoardPicture(
        (tile,),
        meeples=(Figure(seat, "follower", 0, 0, *city),),
        outlines=(Outline(0, 0, seat, text="1"),),
        gains=(Gain(0, 0, *city, "+9", seat),),
    )
    return build_board_image(picture, CELL).convert("RGB")


def choose() -> tuple[str, ...]:
    """Return the colours in CSS notation: those that must be exact, and the best for the rest."""
    chosen = sheet().quantize(
        MOST - len(EXACT), method=Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE
    )
    values = chosen.getpalette() or []
    colours = ["#" + bytes(values[start : start + 3]).hex() for start in range(0, len(values), 3)]
    return tuple(dict.fromkeys([*EXACT, *colours[: MOST - len(EXACT)]]))


def write() -> None:
    """Choose the colours and keep them for :func:`games.drawing.picture.render_board_png`."""
    lines = ",\n".join(f"  {json.dumps(colour)}" for colour in choose())
    COLOURS.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
