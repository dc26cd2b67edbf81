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
    first: bool = False  # it takes the best place in a city, before a figure; others take what is left
    hides: bool = False  # it would hide a farmer in front of it, and is drawn far from there


CLOAK = (
    "M0-12.5c2.9 0 4.9 2.1 4.9 4.8 0 1.9-.8 3.2-1.8 4.1 4.2 1 6.6 4.4 7.9 9.8l1 3.9c.3 1.3-.4 2-1.7 2"
    "h-20.6c-1.3 0-2-.7-1.7-2l1-3.9c1.3-5.4 3.7-8.8 7.9-9.8-1-.9-1.8-2.2-1.8-4.1 0-2.7 2-4.8 4.9-4.8z"
)
"""The outline of a follower, of which other figures may be made."""
ON_CLOAK = "translate(0 4.6)"
"""The emblem's place on it."""


class FigureShape(NamedTuple):
    """A figure in the seat's colour: paths on top of each other, their transform, and the emblem's place."""

    paths: tuple[str, ...]
    transform: str = ""
    emblem: str = ""
    lying: FigureShape | None = None  # in a field, if it looks different there


class CityArt(NamedTuple):
    """A city with quarters, drawn over the block of its set's tiles. All points are the block's: its
    north-western tile at (0, 0), 100 units to a tile. ``KeyError`` for an unknown quarter."""

    draw: Draw  # everything inside the walls
    size: tuple[int, int]  # columns and rows of the block
    middle: Point
    outlines: Mapping[str, str]  # path data of the ground of each quarter
    place: Callable[[str, int], Point]  # of the n-th meeple in a quarter, from 0
    token_place: Callable[[str], Point]  # of the figure in a quarter that belongs to no seat


@dataclass(frozen=True, kw_only=True)
class Art:
    """The art in one file."""

    signs: Mapping[str, Sign] = field(default_factory=dict)  # by the mark
    tokens: Mapping[str, Mapping[str, Draw]] = field(default_factory=dict)  # by set, then by name: no seat's
    figures: Mapping[str, FigureShape] = field(default_factory=dict)  # by kind of meeple
    cities: Mapping[str, CityArt] = field(default_factory=dict)  # by set
    pictures: Mapping[str, str] = field(default_factory=dict)  # the tile that stands for a set, by set
