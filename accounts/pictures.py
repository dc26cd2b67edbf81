"""Pictures of players: a coat of arms, a meeple, or a photo of their own."""

from __future__ import annotations

import hashlib
from io import BytesIO
from typing import IO, NamedTuple

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from PIL import Image, ImageOps

PHOTO_SIDE = 256
"""Width and height of a stored photo in pixels."""

MOST_PIXELS = 12_000_000
"""Pixels of the largest picture that is decoded; a small file can claim to have billions."""

FORMATS = ("JPEG", "PNG", "WEBP", "GIF")


class Picture(models.TextChoices):
    """Pictures of our own; those of coats of arms are symbols of ``static/img/arms.svg``."""

    CHEVRON = "chevron", gettext_lazy("Chevron on blue")
    TOWER = "tower", gettext_lazy("Tower on red and gold")
    WHEAT = "wheat", gettext_lazy("Wheat on green and white")
    LILY = "lily", gettext_lazy("Lily on black and white")
    BEND = "bend", gettext_lazy("Blue bend on gold")
    CROSS = "cross", gettext_lazy("Red cross on white")
    KEY = "key", gettext_lazy("Key on purple")
    SUN = "sun", gettext_lazy("Sun on blue and white")
    RED_LILY = "red-lily", gettext_lazy("Lily on red")
    GREEN_TOWER = "green-tower", gettext_lazy("Tower on green")
    BARS = "bars", gettext_lazy("Red bars on gold")
    BLACK_KEY = "black-key", gettext_lazy("Key on black and gold")
    BLUE_MEEPLE = "meeple0", gettext_lazy("Blue meeple")
    RED_MEEPLE = "meeple1", gettext_lazy("Red meeple")
    YELLOW_MEEPLE = "meeple2", gettext_lazy("Yellow meeple")
    BLACK_MEEPLE = "meeple3", gettext_lazy("Black meeple")
    WHITE_MEEPLE = "meeple4", gettext_lazy("White meeple")
    PINK_MEEPLE = "meeple5", gettext_lazy("Pink meeple")


ARMS = tuple(picture for picture in Picture if not picture.startswith("meeple"))
MEEPLES = tuple(picture for picture in Picture if picture.startswith("meeple"))
KNOWN = frozenset(Picture.values)


class EncodedPhoto(NamedTuple):
    """A photo as it is stored, with the digest by which browsers cache it."""

    jpeg: bytes
    digest: str


def encode_photo(file: IO[bytes]) -> EncodedPhoto:
    """Cut the picture in *file* to a square and encode it anew, without its metadata.

    :raises ValidationError: no picture, or one of too many pixels
    """
    try:
        with Image.open(file, formats=FORMATS) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise ValidationError(
                    _("This picture has too many pixels. Choose a smaller one."), code="size"
                )
            turned = ImageOps.exif_transpose(picture).convert("RGBA")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as unreadable:
        raise ValidationError(
            _("We can't read this file. Choose a picture in JPEG, PNG, WebP or GIF."), code="format"
        ) from unreadable
    square = ImageOps.fit(turned, (PHOTO_SIDE, PHOTO_SIDE))
    ground = Image.new("RGB", square.size, "white")
    ground.paste(square, mask=square.getchannel("A"))
    written = BytesIO()
    ground.save(written, "JPEG", quality=85, optimize=True)
    jpeg = written.getvalue()
    return EncodedPhoto(jpeg, hashlib.sha256(jpeg).hexdigest()[:16])


def choose_default(pk: int) -> Picture:
    """Return the coat of arms of the player *pk*, who has chosen no picture."""
    return ARMS[pk % len(ARMS)]
