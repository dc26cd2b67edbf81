"""Pictures of players and of sets as PNG, for mails; pages use the same drawings as SVG."""

from __future__ import annotations

import io

from PIL import Image

from accounts.pictures import MEEPLES

from . import palette as p
from .board import find_set_pictures
from .figures import draw_figure
from .picture import STATIC, encode_png, render_svg

ARMS = STATIC / "img" / "arms.svg"
COLOURS = 64


def render_set_png(name: str, width: int) -> bytes:
    """Render the tile that represents the set *name*, *width* pixels wide."""
    svg = p.plain((STATIC / find_set_pictures()).read_text(encoding="utf-8"))
    return encode_png(render_svg(_show_symbol(svg, name, "0 0 100 100"), width).convert("RGB"))


def render_portrait_png(picture: str, width: int) -> bytes:
    """Render one of the pictures of ``accounts.pictures``, *width* pixels wide, on a transparent ground."""
    if picture in MEEPLES:
        figure = draw_figure(p.SEATS[int(picture.removeprefix("meeple"))], "m")
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-13 -14 26 28">{figure}</svg>'
    else:
        svg = _show_symbol(ARMS.read_text(encoding="utf-8"), picture, "0 0 40 48")
    return _encode(render_svg(svg, width))


def render_photo_png(jpeg: bytes, width: int) -> bytes:
    """Render the photo of a player as PNG, *width* pixels wide: every mail program shows that."""
    with Image.open(io.BytesIO(jpeg)) as photo:
        return _encode(photo.resize((width, width)).convert("RGBA"))


def _show_symbol(svg: str, name: str, box: str) -> str:
    """Return the document *svg*, which only defines symbols, with the symbol *name* drawn in *box*."""
    width, height = box.split()[2:]
    used = f'<use href="#{name}" width="{width}" height="{height}"/></svg>'
    return svg.replace("<svg ", f'<svg viewBox="{box}" ', 1).replace("</svg>", used)


def _encode(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.quantize(COLOURS, Image.Quantize.FASTOCTREE).save(file, "PNG", optimize=True)
    return file.getvalue()
