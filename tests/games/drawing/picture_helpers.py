"""Comparison of pictures by their pixels."""

from __future__ import annotations

import io

from PIL import Image, ImageChops


def open_picture(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def count_changed_pixels(one: bytes, other: bytes) -> int:
    """Count the pixels in which two pictures of one size differ."""
    difference = ImageChops.difference(open_picture(one), open_picture(other)).convert("L")
    return difference.width * difference.height - difference.histogram()[0]
