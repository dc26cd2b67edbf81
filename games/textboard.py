"""The board in words, for those who can't see it or would rather read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from games import words
from games.rules import Placement, Standing, State, tile
from games.rules.geometry import SIDES
from games.rules.tiles import FIELD

STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))  # by side, clockwise from north
SIGNS = {
    "inn": gettext_lazy("an inn"),
    "cathedral": gettext_lazy("a cathedral"),
    "wine": gettext_lazy("wine"),
    "grain": gettext_lazy("grain"),
    "cloth": gettext_lazy("cloth"),
    "pig_herd": gettext_lazy("a pig herd"),
}
"""What else is drawn on a feature of a tile."""
KIND_OF_SIDE = {"c": "city", "r": "road", "f": "field", "v": "river"}


class OpenCell(NamedTuple):
    """A space beside a placed tile: where, what its neighbours ask for, and how the tile in hand may lie."""

    place: str
    asks: str
    fits: str


def tile_words(id: str, rotation: int = 0) -> str:
    """What is printed on a tile, by the sides it is turned to; fields only where there is nothing else."""
    parts, shields = [], 0
    for lie in tile(id).at(rotation).lies:
        signs = [str(SIGNS[mark]) for mark in lie.segment.marks if mark in SIGNS]
        if lie.kind == FIELD and not signs:
            continue
        sides = ", ".join(str(words.SIDES[side]) for side in lie.sides)
        part = words.kind(lie.kind)
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
    if "volcano" in tile(id).marks:
        parts.append(_("volcano"))
    return "; ".join(parts) or words.kind(FIELD)


def standing_words(standing: Standing, names: Sequence[str]) -> str:
    """Who stands where: "Anna's knight on city (north)"."""
    return _("{figure} of {player} on {spot}").format(
        figure=words.figure(standing.meeple, standing.on),
        player=names[standing.seat],
        spot=words.spot(standing.on, standing.side),
    )


def tiles(state: State, names: Sequence[str]) -> list[str]:
    """Each tile on the board, row by row, with who stands on it."""
    standing: dict[tuple[int, int], list[str]] = {}
    for one in state.meeples():
        standing.setdefault((one.x, one.y), []).append(standing_words(one, names))
    return [
        ". ".join(
            [
                _("{place}: {tile}").format(
                    place=words.cell(laid.x, laid.y), tile=tile_words(laid.tile, laid.rotation)
                ),
                *standing.get((laid.x, laid.y), ()),
            ]
        )
        for laid in sorted(state.placed, key=lambda laid: (laid.y, laid.x))
    ]


def open_cells(state: State, placements: Sequence[Placement] = ()) -> list[OpenCell]:
    """Each open cell, row by row; with *placements* of the tile in hand also how it may lie there."""
    laid = {(one.x, one.y): one for one in state.placed}
    fitting: dict[tuple[int, int], list[int]] = {}
    for x, y, rotation in placements:
        fitting.setdefault((x, y), []).append(rotation)
    cells = {(x + dx, y + dy) for x, y in laid for dx, dy in STEPS} - set(laid)
    found = []
    for x, y in sorted(cells, key=lambda cell: (cell[1], cell[0])):
        asks = []
        for side, (dx, dy) in enumerate(STEPS):
            near = laid.get((x + dx, y + dy))
            if near is not None:
                kind = tile(near.tile).at(near.rotation).sides[(side + 2) % 4]
                asks.append(f"{words.SIDES[SIDES[side]]} {words.kind(KIND_OF_SIDE[kind])}")
        turns = ", ".join(f"r{rotation}" for rotation in sorted(fitting.get((x, y), ())))
        found.append(OpenCell(words.cell(x, y), ", ".join(asks), turns))
    return found
