"""PNG files (ISO/IEC 15948) of images in few colours.

Pillow's own compression takes five times as long for the same size: a third of the time that a mail with a
board takes (``python -m benchmarks.mails``).
"""

from __future__ import annotations

from struct import pack

from isal import isal_zlib
from PIL import Image

LEVEL = 2
"""Compression level of ISA-L; its highest, 3, takes five times as long and makes these pictures larger."""
BITS, PALETTE = 8, 3  # bits of a pixel; colour type of indexed colours
NO_FILTER = 0  # first byte of each row: its numbers are stored unchanged


def png(image: Image.Image, palette: bytes) -> bytes:
    """Encode *image*, whose pixels are indexes into *palette*, three bytes to a colour."""
    width, height = image.size
    rows = Image.new("P", (width + 1, height), NO_FILTER)
    rows.paste(image, (1, 0))
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", pack(">IIBBBBB", width, height, BITS, PALETTE, 0, 0, 0)),
            _chunk(b"PLTE", palette),
            _chunk(b"IDAT", isal_zlib.compress(rows.tobytes(), LEVEL)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", isal_zlib.crc32(data, isal_zlib.crc32(kind)))
