"""A turn in a few letters, for mails: ``14b k`` is space 14, the tile turned once, a follower on spot k.

Spaces are numbered in reading order, row by row; with several tiles in hand the numbers run on from one tile
to the next. The letters *a* to *d* turn the tile by quarters, *a* not at all. A spot has the letter that it
has on the printed tile, however it is turned. Actions without a short form (other figures than followers,
answers to an expansion) are written in the full notation, which :func:`read_line` reads as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from .actions import Action, Place
from .geometry import ROTATIONS
from .legal import LegalActions
from .notation import BadNotation, read_any
from .tiles import FOLLOWER, RIVER, Deploy, get_tile

ROTATION_LETTERS = "abcd"
SPOT_LETTERS = "klmnopqrstuvwxyz"
"""Letters for spots; none of them turns the tile."""

_SHORT = re.compile(r"(?P<number>\d{1,3}) ?(?P<rotation>[a-d])(?: ?(?P<spot>[a-z]))?", re.ASCII)


class NumberedSpace(NamedTuple):
    """A space on which a tile in hand fits, and the rotations in which it does."""

    number: int
    tile: str
    x: int
    y: int
    rotations: tuple[int, ...]

    @property
    def letters(self) -> str:
        return "".join(map(get_rotation_letter, self.rotations))


class LetteredSpot(NamedTuple):
    """A spot of a tile as it is printed, and its letter."""

    letter: str
    on: str
    side: str | None


def get_rotation_letter(rotation: int) -> str:
    return ROTATION_LETTERS[rotation // 90]


def list_spots(id: str) -> tuple[LetteredSpot, ...]:
    """List the spots of a tile as it is printed; rivers, where no figure stands, have no letter.

    >>> [(spot.letter, spot.on, spot.side) for spot in list_spots("base.D")]
    [('k', 'city', 'N'), ('l', 'road', 'E'), ('m', 'field', 'ENE'), ('n', 'field', 'ESE')]
    """
    lies = [lie for lie in get_tile(id).at(0).lies if lie.kind != RIVER]
    return tuple(
        LetteredSpot(letter, lie.kind, lie.side) for letter, lie in zip(SPOT_LETTERS, lies, strict=False)
    )


class ShortForm:
    """The numbers and letters of the *legal* turns.

    >>> from games.rules import Draw, Game, RuleSet
    >>> short = ShortForm(Game.new(RuleSet.of()).play(Draw("base.E")).legal_actions())
    >>> [(one.number, one.x, one.y, one.letters) for one in short.spaces]
    [(1, 0, -1, 'c'), (2, 0, 1, 'bcd')]
    >>> short.read("1C k")
    Place(tile='base.E', x=0, y=-1, rotation=180, figure=Deploy(meeple='follower', on='city', side='S'))
    """

    def __init__(self, legal: LegalActions) -> None:
        self._legal = legal

    @cached_property
    def spaces(self) -> tuple[NumberedSpace, ...]:
        return tuple(
            NumberedSpace(number, *space) for number, space in enumerate(self._list_spaces(), start=1)
        )

    @cached_property
    def _by_place(self) -> dict[tuple[str, int, int], NumberedSpace]:
        return {(space.tile, space.x, space.y): space for space in self.spaces}

    def _list_spaces(self) -> Iterator[tuple[str, int, int, tuple[int, ...]]]:
        for id in dict.fromkeys(self._legal.tiles):
            fitting: dict[tuple[int, int], list[int]] = {}
            for x, y, rotation in self._legal.placements_of(id):
                fitting.setdefault((y, x), []).append(rotation)
            for (y, x), rotations in sorted(fitting.items()):
                yield id, x, y, tuple(sorted(rotations))

    def read(self, line: str) -> Place:
        """The turn written in *line*. Raises :class:`BadNotation`. Like other lines it may not be legal,
        which ``legal_actions()`` checks."""
        match = _SHORT.fullmatch(" ".join(line.lower().split()))
        if match is None or not self.spaces:
            raise BadNotation("no_turn", line=line)
        number = int(match["number"])
        if not 1 <= number <= len(self.spaces):
            raise BadNotation("no_such_space", number=str(number))
        space = self.spaces[number - 1]
        rotation = ROTATIONS[ROTATION_LETTERS.index(match["rotation"])]
        figure = None if match["spot"] is None else self._read_spot(space.tile, rotation, match["spot"])
        return Place(space.tile, space.x, space.y, rotation, figure)

    def write(self, place: Place) -> str | None:
        """*place* as a short line; ``None`` if it has no short form."""
        space = self._by_place.get((place.tile, place.x, place.y))
        if space is None:
            return None
        line = f"{space.number}{get_rotation_letter(place.rotation)}"
        if place.figure is None:
            return line
        if not isinstance(place.figure, Deploy) or place.figure.meeple != FOLLOWER:
            return None
        for spot in list_spots(place.tile):
            if self._read_spot(place.tile, place.rotation, spot.letter) == place.figure:
                return f"{line} {spot.letter}"
        return None

    @staticmethod
    def _read_spot(id: str, rotation: int, letter: str) -> Deploy:
        """The follower on the spot with *letter*, with the side's name on the turned tile."""
        spots = {spot.letter: (spot.on, spot.side) for spot in list_spots(id)}
        if letter not in spots:
            raise BadNotation("no_such_spot", letter=letter)
        this = get_tile(id)
        lie = this.at(rotation).lies[this.at(0).spots[spots[letter]]]
        return Deploy(FOLLOWER, lie.kind, lie.side)


def is_short(line: str) -> bool:
    """Return whether *line* has the short form.

    >>> is_short("14b k"), is_short("3,-1 r90")
    (True, False)
    """
    return _SHORT.fullmatch(" ".join(line.lower().split())) is not None


def respell_short(line: str) -> str | None:
    """*line* as the writer spells it, without knowing the game; ``None`` if it has not the short form.

    >>> respell_short("14BK"), respell_short("9  c"), respell_short("0a")
    ('14b k', '9c', None)
    """
    match = _SHORT.fullmatch(" ".join(line.lower().split()))
    if match is None or match["number"].startswith("0") or not line.isascii():
        return None  # in small letters the sign of kelvins is a k
    return f"{match['number']}{match['rotation']} {match['spot'] or ''}".strip()


def read_line(line: str, legal: LegalActions) -> Action:
    """The action written in *line*, given the *legal* ones, in the short form or in full notation. Raises
    :class:`BadNotation`."""
    if is_short(line):
        return ShortForm(legal).read(line)
    if len(legal.tiles) == 1:
        return read_any(line, tile=legal.tiles[0])
    return read_any(line, tile=None if legal.tiles else "")
