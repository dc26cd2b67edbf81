"""The pieces of a picture of a board. They depend neither on Django nor on the state of a game: a page, a
mail and a thumbnail can be made from the same picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class LaidTile:
    tile: str
    x: int
    y: int
    rotation: int
    copy: int = 0  # which copy of its kind it is: copies differ a little
    css: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A meeple on the board."""

    seat: int  # index of the seat's colour
    meeple: str
    x: int
    y: int
    on: str
    side: str | None
    title: str = ""
    css: str = ""


@dataclass(frozen=True, slots=True)
class Outline:
    """A cell outlined in a seat's colour, as its last move."""

    x: int
    y: int
    seat: int
    title: str = ""
    css: str = ""
    text: str = ""  # small in a corner, such as which one it is of several


@dataclass(frozen=True, slots=True)
class Mark:
    """An open cell that can be chosen."""

    x: int
    y: int
    href: str
    label: str
    text: str = ""  # shown in the cell, such as its number
    attributes: Mapping[str, str] = field(default_factory=dict)
    css: str = ""
    ghost: tuple[str, int] | None = None  # a tile and its rotation, shown there when it is pointed at


@dataclass(frozen=True, slots=True)
class CandidateSpot:
    """A place on the candidate tile where a meeple may go."""

    on: str
    side: str | None
    href: str
    label: str
    meeple: str = "follower"
    chosen: bool = False
    text: str = ""  # shown on the spot instead of a figure, such as its number
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CandidateTile:
    """The tile in hand as it would lie, with the spots where a meeple may go."""

    tile: str
    x: int
    y: int
    rotation: int
    seat: int
    copy: int = 0
    spots: tuple[CandidateSpot, ...] = ()
    href: str = ""  # a tap on the tile itself, to turn it
    label: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    scale: float = 1.0  # 1.6 shows it enlarged, over its neighbours
    light: str = ""  # SVG between the tile and its spots: the feature of the chosen one
    by_finger: bool = (
        False  # spots as large as a finger and clear of each other, and a button that turns the tile
    )


@dataclass(frozen=True, slots=True)
class Highlight:
    """A highlighted segment, in the colour of the seat that owns its feature; ``None`` for nobody's."""

    x: int
    y: int
    on: str
    side: str | None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class TokenFigure:
    """A figure that belongs to no seat, beside a meeple: a symbol of its set."""

    name: str
    x: int
    y: int
    on: str
    side: str | None
    title: str = ""


@dataclass(frozen=True, slots=True)
class QuarterToken:
    """A figure that belongs to no seat, in a quarter of a city."""

    name: str
    quarter: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Resident:
    """A meeple in a quarter of a city."""

    seat: int  # index of the seat's colour
    meeple: str
    quarter: str
    title: str = ""
    css: str = ""


@dataclass(frozen=True, slots=True)
class MarkedQuarter:
    """A quarter of a city that can be chosen, or, without an address, that is lit up."""

    name: str
    href: str = ""
    label: str = ""
    text: str = ""  # shown in it, such as its number
    chosen: bool = False
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Label:
    """Text in the middle of a cell."""

    x: int
    y: int
    text: str
    css: str = ""


@dataclass(frozen=True, slots=True)
class Gain:
    """The points that a feature brought a seat, such as "+8", over the spot of the meeple that earned it."""

    x: int
    y: int
    on: str
    side: str | None
    text: str
    seat: int  # index of the seat's colour
    row: int = 0  # number of others over the same spot, below this one
    title: str = ""


@dataclass(frozen=True, slots=True)
class BoardPicture:
    laid: tuple[LaidTile, ...]
    meeples: tuple[Figure, ...] = ()
    outlines: tuple[Outline, ...] = ()
    marks: tuple[Mark, ...] = ()
    candidate: CandidateTile | None = None
    highlights: tuple[Highlight, ...] = ()
    labels: tuple[Label, ...] = ()
    gains: tuple[Gain, ...] = ()
    tokens: tuple[TokenFigure, ...] = ()
    residents: tuple[Resident, ...] = ()
    quarters: tuple[MarkedQuarter, ...] = ()
    room: tuple[int, int, int, int] | None = None  # a table's last cells: west, east, north, south
    quarter_token: QuarterToken | None = None
    title: str = ""
    description: str = ""
    sprite: str = ""  # the address of the base set, static(find_sprite_name()); it holds the meeples
    sprites: Mapping[str, str] = field(default_factory=dict)  # those of other sets, by set
    margin: float = 1.1  # around the tiles, in cells; room for open cells, so that the view never jumps
    window: tuple[float, float, float, float] | None = (
        None  # left, top, right, bottom in cells, not all of it
    )
    id: str = "board-map"
    css: str = ""

    def file(self, tile: str) -> str:
        """Return the address of the sprite that shows *tile*, or a token whose name begins with its set."""
        return self.sprites.get(tile.partition(".")[0], self.sprite)
