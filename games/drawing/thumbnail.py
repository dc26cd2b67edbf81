"""A whole board as a picture of a few kilobytes, for lists: the tiles on a transparent ground.

The tiles are rendered at one of two sizes, which all boards share, and the whole is scaled down.
"""

from __future__ import annotations

import io
from dataclasses import replace

from PIL import Image, ImageDraw

from . import palette as p
from .board import BoardPicture, find_bounds
from .picture import build_board_image

WIDTH, HEIGHT = 296, 176
"""Maximum size in pixels; pages show half of it, so that it is sharp on screens with a high resolution."""
LARGEST = 44
"""Maximum width of a tile, in pixels: a game that begins is a small spot on a wide table."""
CELLS = (24, 48)
"""Widths of a tile, in pixels, at which boards are rendered."""
FRAME = 3
"""Pixels by which the frame around the last tile extends beyond it; the board has as wide a margin."""
PAPER = "#fffaf0"
"""Colour of the line around the frame, so that a dark frame is visible in the dark scheme."""
QUALITY = 78
EFFORT = 2
"""Effort of WebP packing, of 6: the default, 4, takes twice as long, half of the whole, to save 5%."""


def render_thumbnail_webp(picture: BoardPicture) -> bytes:
    """*picture* as a WebP, with a frame around its outlined tiles that can be seen at this size."""
    left, top, right, bottom = find_bounds(picture)
    wide, high = right - left, bottom - top
    size = min((WIDTH - 2 * FRAME) / wide, (HEIGHT - 2 * FRAME) / high, LARGEST)
    cell = next((cell for cell in CELLS if cell >= size), CELLS[-1])
    board = build_board_image(replace(picture, outlines=(), room=None), cell)
    board = board.resize((round(wide * size), round(high * size)), Image.Resampling.LANCZOS)
    board.putalpha(board.getchannel("A").point(lambda alpha: 255 if alpha > 127 else 0))  # packs to nothing
    small = Image.new("RGBA", (board.width + 2 * FRAME, board.height + 2 * FRAME))
    small.paste(board, (FRAME, FRAME))
    pen = ImageDraw.Draw(small)
    for outline in picture.outlines:
        x, y = FRAME + (outline.x - left) * size, FRAME + (outline.y - top) * size
        colour = p.SEATS[outline.seat].colour
        for out, ink, width in ((FRAME, PAPER, 1), (FRAME - 1, colour, FRAME), (-1, p.INK, 1)):
            around = x - out, y - out, x + size + out - 1, y + size + out - 1
            pen.rectangle(around, outline=ink, width=width)
    file = io.BytesIO()
    small.save(file, "WEBP", quality=QUALITY, method=EFFORT)
    return file.getvalue()
