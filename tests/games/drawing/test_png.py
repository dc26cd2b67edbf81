"""Tests of PNG files with few colours, read back by Pillow."""

import io
import random
from zlib import crc32

import pytest
from PIL import Image

from games.drawing.png import png

PALETTE = bytes(random.Random(1).randbytes(3 * 122))


def noise(width: int, height: int) -> Image.Image:
    numbers = random.Random(width * height)
    image = Image.frombytes("P", (width, height), bytes(numbers.choices(range(122), k=width * height)))
    image.putpalette(PALETTE)
    return image


@pytest.mark.parametrize("size", [(1, 1), (1, 7), (7, 1), (300, 401)], ids=str)
def test_reads_back_as_it_was(size: tuple[int, int]) -> None:
    image = noise(*size)
    data = png(image, PALETTE)
    Image.open(io.BytesIO(data)).verify()
    read = Image.open(io.BytesIO(data))
    assert (read.format, read.mode, read.size) == ("PNG", "P", size)
    assert read.tobytes() == image.tobytes()
    assert bytes(read.getpalette() or [])[: len(PALETTE)] == PALETTE


def test_is_made_of_chunks_with_their_length_and_checksum() -> None:
    data = png(noise(20, 20), PALETTE)
    at, kinds = 8, []
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        named, checksum = data[at + 4 : at + 8 + length], data[at + 8 + length : at + 12 + length]
        assert int.from_bytes(checksum, "big") == crc32(named)
        kinds.append(named[:4])
        at += 12 + length
    assert (at, kinds) == (len(data), [b"IHDR", b"PLTE", b"IDAT", b"IEND"])
