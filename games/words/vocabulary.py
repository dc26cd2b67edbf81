"""The vocabulary of the game: features, figures, sides, places, tiles. Expansions add theirs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from django.utils.translation import get_language, gettext_lazy, ngettext, pgettext
from django.utils.translation import gettext as _

from core.numerals import MINUS, format_minus
from games.rules import Holding
from games.rules.tiles import FIELD, get_tile

from .expansion import ReturnWords, TokenWords

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from games.rules.tiles import Rotated

KINDS: dict[str, StrOrPromise] = {
    "city": gettext_lazy("city"),
    "road": gettext_lazy("road"),
    "field": gettext_lazy("field"),
    "monastery": gettext_lazy("monastery"),
    "garden": gettext_lazy("garden"),
    "shrine": gettext_lazy("shrine"),
    "river": gettext_lazy("river"),
}
FIGURES: dict[str, StrOrPromise] = {
    "follower": gettext_lazy("follower"),
}
ROLES = {
    "city": gettext_lazy("knight"),
    "road": gettext_lazy("highwayman"),
    "field": gettext_lazy("farmer"),
    "monastery": gettext_lazy("monk"),
    "shrine": gettext_lazy("heretic"),
}
NUMBER = re.compile(rf"{MINUS}?\d{{1,4}}")
SIDES = {
    "N": gettext_lazy("north"),
    "E": gettext_lazy("east"),
    "S": gettext_lazy("south"),
    "W": gettext_lazy("west"),
    "NNW": gettext_lazy("north, western half"),
    "NNE": gettext_lazy("north, eastern half"),
    "ENE": gettext_lazy("east, northern half"),
    "ESE": gettext_lazy("east, southern half"),
    "SSE": gettext_lazy("south, eastern half"),
    "SSW": gettext_lazy("south, western half"),
    "WSW": gettext_lazy("west, southern half"),
    "WNW": gettext_lazy("west, northern half"),
    "I": gettext_lazy("enclosed, first"),
    "II": gettext_lazy("enclosed, second"),
}
EDGES = {"N": {"NNW", "NNE"}, "E": {"ENE", "ESE"}, "S": {"SSE", "SSW"}, "W": {"WSW", "WNW"}}
"""Halves of each edge, by which fields are named."""
RETURNS: dict[str, ReturnWords] = {}
"""Figures that their owner may take back."""
QUARTERS: dict[str, StrOrPromise] = {}
TOKENS: dict[str, TokenWords] = {}
"""Figures that belong to no seat."""
SIGNS: dict[str, StrOrPromise] = {}
"""Marks, besides shields, that are drawn on a feature of a tile."""
TILE_SIGNS: dict[str, StrOrPromise] = {}
"""Marks that are drawn on a tile as a whole."""
HOLDINGS: dict[str, Callable[[Holding], str]] = {}
"""Possessions of a seat besides figures and tiles."""


def name_kind(on: str) -> str:
    """Return the name of a kind of feature, such as ``city``, in the reader's language."""
    return str(KINDS[on])


def name_side(on: str, side: str, lying: Rotated | None = None) -> str:
    """Return the name of a spot's side. Fields are named by half an edge, or by a whole edge of the tile,
    *lying* so, if they fill it."""
    if lying is not None and on == FIELD:
        filled = {*lying.lies[lying.spots[on, side]].sides}
        side = next((edge for edge, halves in EDGES.items() if halves <= filled), side)
    return str(SIDES[side])


def name_spot(on: str, side: str | None, lying: Rotated | None = None) -> str:
    """A spot of a tile: "city (north)", "monastery"."""
    if side is None:
        return name_kind(on)
    return pgettext("a spot of a tile: kind of feature (side)", "{kind} ({side})").format(
        kind=name_kind(on), side=name_side(on, side, lying)
    )


def name_holding(held: Holding) -> str:
    """Say what a seat holds, and how much of it: a card with its tiles, or a number of goods."""
    return HOLDINGS[held.name](held)


def name_figure(meeple: str, on: str) -> str:
    """Return the name of a meeple where it stands: a follower is a knight, a highwayman, a monk or a
    farmer."""
    if meeple == "follower":
        return str(ROLES[on])
    return str(FIGURES[meeple])


def name_cell(x: int, y: int) -> str:
    """A place on the board: "column 3, row −1"."""
    return _("column {x}, row {y}").format(x=format_minus(x), y=format_minus(y))


def split_at_cells(text: str) -> Iterator[tuple[str, tuple[int, int] | None]]:
    """Split *text* at places as :func:`name_cell` formats them; yield pieces with column and row, and the
    others."""
    begin = 0
    numbers = list(NUMBER.finditer(text))
    for column, row in pairwise(numbers):
        at = _number(column), _number(row)
        said = name_cell(*at)
        place = text.find(said, begin)
        if place < 0 or not place <= column.start() < row.start() < place + len(said):
            continue
        yield text[begin:place], None
        yield said, at
        begin = place + len(said)
    yield text[begin:], None


def _number(match: re.Match[str]) -> int:
    return int(match[0].replace(MINUS, "-"))


def describe_tile(id: str, rotation: int = 0) -> str:
    """Say what is printed on a tile, by the sides it is turned to; fields only where there is nothing
    else."""
    return _tile_words(id, rotation, get_language())


@lru_cache(maxsize=8192)
def _tile_words(id: str, rotation: int, _language: str | None) -> str:
    """Cached per process and language, as every page has hundreds of them."""
    parts, shields = [], 0
    lies = get_tile(id).at(rotation).lies
    for lie in lies:
        signs = [str(SIGNS[mark]) for mark in lie.segment.marks if mark in SIGNS]
        if lie.kind == FIELD and not signs:
            continue
        sides = ", ".join(str(SIDES[side]) for side in lie.sides)
        part = name_kind(lie.kind)
        if sides:
            part = pgettext("a feature of a tile and its sides", "{kind} {sides}").format(
                kind=part, sides=sides
            )
        if lie.segment.shields:
            shields = lie.segment.shields
            part = ngettext("{city} with {n} shield", "{city} with {n} shields", shields).format(
                city=part, n=shields
            )
        if signs:
            part = pgettext("a feature of a tile and what is drawn on it", "{part} with {signs}").format(
                part=part, signs=", ".join(signs)
            )
        parts.append(part)
    parts += [str(words) for mark, words in TILE_SIGNS.items() if mark in get_tile(id).marks]
    return "; ".join(parts) or (name_kind(FIELD) if lies else _("The city of Carcassonne"))
