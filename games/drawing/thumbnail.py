"""A whole board as a picture of a few kilobytes, for lists: the tiles as drawn, on no ground of its own.

The tiles are rendered at one of two sizes, which all boards share, and the whole is made smaller.
"""

from __future__ import annotations

import io
from dataclasses import replace

from PIL import Image, ImageDraw

from . import palette as p
from .board import BoardPicture, bounds
from .picture import board_image

WIDTH, HEIGHT = 296, 176
"""Pixels at most; pages show it at half that size, so that it is sharp on fine screens."""
LARGEST = 44
"""Pixels to a tile at most: a game that begins is a small spot on a wide table."""
CELLS = (24, 48)
"""Pixels to a tile as rendered."""
FRAME = 4
"""Pixels by which the frame around the last tile stands out; all around the board is room for it."""
QUALITY = 78


def thumbnail_webp(picture: BoardPicture) -> bytes:
    """*picture* as a WebP, with a frame around its outlined tiles that can be seen at this size."""
    left, top, right, bottom = bounds(picture)
    wide, high = right - left, bottom - top
    size = min((WIDTH - 2 * FRAME) / wide, (HEIGHT - 2 * FRAME) / high, LARGEST)
    cell = next((cell for cell in CELLS if cell >= size), CELLS[-1])
    board = board_image(replace(picture, outlines=(), room=None), cell)
    board = board.resize((round(wide * size), round(high * size)), Image.Resampling.LANCZOS)
    board.putalpha(board.getchannel("A").point(lambda alpha: 255 if alpha > 127 else 0))  # packs to nothing
    small = Image.new("RGBA", (board.width + 2 * FRAME, board.height + 2 * FRAME))
    small.paste(board, (FRAME, FRAME))
    pen = ImageDraw.Draw(small)
    for outline in picture.outlines:
        x, y = FRAME + (outline.x - left) * size, FRAME + (outline.y - top) * size
        around = x - FRAME, y - FRAME, x + size + FRAME - 1, y + size + FRAME - 1
        pen.rectangle(around, outline=p.INK, width=FRAME + 2)
        inner = around[0] + 1, around[1] + 1, around[2] - 1, around[3] - 1
        pen.rectangle(inner, outline=p.SEATS[outline.seat].colour, width=FRAME)
    file = io.BytesIO()
    small.save(file, "WEBP", quality=QUALITY, method=4)
    return file.getvalue()
