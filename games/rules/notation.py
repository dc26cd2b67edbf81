"""A turn as one line that a person can type, read aloud and find in a mail.

    3,-1 r90                       place the drawn tile, turned 90° clockwise, no figure
    3,-1 r90 city N                … and deploy a follower in the city that touches the north side
    3,-1 r90 field ENE             … a farmer; monastery, shrine and garden need no side
    3,-1 r90 large road W          another figure than a follower is named first
    3,-1 r90 recall 0,2            … and take the abbot back
    base.P@3,-1 r90 city N         with the tile, as in a history
    pass                           decline what is asked

Answers to the steps of an expansion have lines of their own: ``enter castle count market``,
``move 2 castle city 2,0 N``, ``gingerbread 2,0 N``.

One parser and one writer serve records' text form, page, text board and mail. The reader ignores case and
extra spaces, and a missing ``r``; the writer is strict. The words are the same in every language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from .actions import FORMS, Action, Place, Recall, get_form
from .geometry import HALF_SIDES, ROTATIONS, SIDES
from .modules import MODULES
from .tiles import (
    CITY,
    FIELD,
    FOLLOWER,
    GARDEN,
    MONASTERY,
    ROAD,
    SHRINE,
    Deploy,
    list_sets_with_tiles,
    load_tile_set,
)

MAX_LINE = 200
"""Maximum number of characters in a line that is parsed; no line that is written comes near."""

MAX_TYPED_LINE = 80
"""Maximum number of characters in a field for a line, and in a quoted line that was sent or brought along."""

FIGURES = frozenset({FOLLOWER, *(figure for module in MODULES.values() for figure in module.figures)})
_KINDS = (CITY, ROAD, FIELD, MONASTERY, SHRINE, GARDEN)
_SIDES = {side.lower(): side for side in (*SIDES, *HALF_SIDES, "I", "II")}
_SIDES_OF: Mapping[str, tuple[str | None, ...]] = {
    CITY: SIDES,
    ROAD: SIDES,
    FIELD: (*HALF_SIDES, "I", "II"),
    **dict.fromkeys((MONASTERY, SHRINE, GARDEN), (None,)),
}
_ANY_TILE = "?"  # stands for a tile that only the position knows
_LINE = re.compile(
    r"(?:(?P<tile>[a-z0-9-]+\.[a-z0-9-]+)\s*@\s*)?"
    r"(?P<x>[+-]?\d{1,4})\s*,\s*(?P<y>[+-]?\d{1,4})"
    r"\s+(?:r\s*)?(?P<rotation>\d{1,3})"
    r"(?:\s+recall\s+(?P<rx>[+-]?\d{1,4})\s*,\s*(?P<ry>[+-]?\d{1,4})"
    r"|(?:\s+(?P<meeple>[a-z]+))??\s+(?P<on>[a-z]+)(?:\s+(?P<side>[a-z]{1,3}))?)?",
    re.IGNORECASE,
)


class BadNotation(ValueError):
    """A line that can't be read. *code* is the reason, *params* the faulty part."""

    def __init__(self, code: str, **params: str) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


def write(action: Action, *, with_tile: bool = False) -> str:
    """*action* as a line. ``ValueError`` for actions without notation: a draw, the final scoring.

    >>> write(Place("base.P", 3, -1, 90, Deploy("large", "road", "W")))
    '3,-1 r90 large road W'
    >>> write(Place("base.P", 3, -1, 90), with_tile=True)
    'base.P@3,-1 r90'
    """
    form = get_form(action)
    if form is not None:
        return form.write(action)
    if not isinstance(action, Place):
        raise ValueError(action)
    line = f"{action.x},{action.y} r{action.rotation}"
    if with_tile:
        line = f"{action.tile}@{line}"
    figure = action.figure
    if isinstance(figure, Recall):
        return f"{line} recall {figure.x},{figure.y}"
    if isinstance(figure, Deploy):
        return f"{line} {write_figure(figure)}"
    return line


def write_figure(figure: Deploy) -> str:
    """The end of a line: ``city N``, ``large road W``, ``monastery``.

    >>> write_figure(Deploy("follower", "monastery"))
    'monastery'
    """
    words = [figure.on] if figure.side is None else [figure.on, figure.side]
    if figure.meeple != FOLLOWER:
        words.insert(0, figure.meeple)
    return " ".join(words)


def read_any(line: str, *, tile: str | None = None) -> Action:
    """The action written in *line*, a turn or the answer to a step. Raises :class:`BadNotation`.

    >>> read_any("move 2 castle city 2,0 N")
    Transfer(quarter='castle', meeple='follower', followers=2, x=2, y=0, on='city', side='N')
    """
    line = _strip_line(line)
    words = " ".join(line.lower().split())
    for form in FORMS.values():
        match = form.pattern.fullmatch(words)
        if match is not None:
            action: Action = form.read(match)
            return action
    return read(line, tile=tile)


def read(line: str, *, tile: str | None = None) -> Place:
    """The turn written in *line*; *tile* is the drawn one, for lines that name none.

    Raises :class:`BadNotation`. Only ``legal_actions()`` checks whether the action is legal.

    >>> read("BASE.P @ 3, -1  90 city n")
    Place(tile='base.P', x=3, y=-1, rotation=90, figure=Deploy(meeple='follower', on='city', side='N'))
    >>> read("3,-1 r45", tile="base.P")
    Traceback (most recent call last):
        ...
    games.rules.notation.BadNotation: no_such_rotation
    """
    line = _strip_line(line)
    match = _LINE.fullmatch(line)
    if match is None:
        raise BadNotation("no_turn", line=line[:MAX_TYPED_LINE])
    named = match["tile"]
    if named is not None:
        tile = _tile_id(named)
    if tile is None:
        raise BadNotation("no_tile")
    rotation = int(match["rotation"])
    if rotation not in ROTATIONS:
        raise BadNotation("no_such_rotation", rotation=match["rotation"])
    figure: Deploy | Recall | None = None
    if match["rx"] is not None:
        figure = Recall(int(match["rx"]), int(match["ry"]))
    elif match["on"] is not None:
        figure = _figure(match["meeple"], match["on"], match["side"])
    return Place(tile, int(match["x"]), int(match["y"]), rotation, figure)


def respell(line: str) -> str:
    """*line* as the writer spells it, without knowing the game. Raises :class:`BadNotation`.

    Only the grammar is checked, so a spot must be named as the writer names it; the tile in hand may be any.

    >>> respell("2 , -3  180   CITY e")
    '2,-3 r180 city E'
    >>> respell("base.p @ 3,-1 90"), respell("ENTER  castle")
    ('base.P@3,-1 r90', 'enter castle')
    """
    if not line.isascii():  # other digits match \d, and the long s an s
        raise BadNotation("no_turn", line=line[:MAX_TYPED_LINE])
    action = read_any(line, tile=_ANY_TILE)
    spot = action.figure if isinstance(action, Place) else action
    on, side = getattr(spot, "on", None), getattr(spot, "side", None)
    if on is not None and side not in _SIDES_OF[on]:
        raise BadNotation("no_such_side", word=str(side or ""))
    return write(action, with_tile=isinstance(action, Place) and action.tile != _ANY_TILE)


def _strip_line(line: str) -> str:
    """*line* without the spaces around it. Raises :class:`BadNotation` if it is too long to be one."""
    line = line.strip()
    if len(line) > MAX_LINE:
        raise BadNotation("no_turn", line=line[:MAX_TYPED_LINE])
    return line


def _figure(meeple: str | None, on: str, side: str | None) -> Deploy:
    words = [word.lower() for word in (meeple, on, side) if word]
    name = FOLLOWER
    if words[0] in FIGURES:
        name = words.pop(0)
    elif meeple:
        raise BadNotation("no_such_figure", word=meeple)
    if not words or words[0] not in _KINDS:
        raise BadNotation("no_such_feature", word=words[0] if words else on)
    kind, *rest = words
    if rest and rest[0] not in _SIDES:
        raise BadNotation("no_such_side", word=rest[0])
    return Deploy(name, kind, _SIDES[rest[0]] if rest else None)


def _tile_id(name: str) -> str:
    try:
        return _tile_ids()[name.lower()]
    except KeyError:
        raise BadNotation("no_such_tile", tile=name) from None


@cache
def _tile_ids() -> Mapping[str, str]:
    """The id of every tile by its lower-case form."""
    return {
        tile.id.lower(): tile.id for group in list_sets_with_tiles() for tile in load_tile_set(group).tiles
    }
