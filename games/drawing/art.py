"""The art of an expansion besides its tiles, in its file under ``expansions/``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from .curves import Point

Draw = Callable[[], str]
"""Function that returns SVG around the point (0, 0)."""


class Sign(NamedTuple):
    """The drawing of a mark of the tile tables, and half its width and height."""

    draw: Draw
    half: Point


class FigureShape(NamedTuple):
    """A figure in the seat's colour: paths on top of each other, their transform, and the emblem's place."""

    paths: tuple[str, ...]
    transform: str = ""
    emblem: str = ""


@dataclass(frozen=True, kw_only=True)
class Art:
    """The art in one file."""

    signs: Mapping[str, Sign] = field(default_factory=dict)  # by the mark
    tokens: Mapping[str, Mapping[str, Draw]] = field(default_factory=dict)  # by set, then by name: no seat's
    figures: Mapping[str, FigureShape] = field(default_factory=dict)  # by kind of meeple
    pictures: Mapping[str, str] = field(default_factory=dict)  # the tile that stands for a set, by set
