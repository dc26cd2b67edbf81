"""The board in words, for those who can't see it or would rather read it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.numerals import format_minus
from games import words
from games.rules import Feature, LegalActions, Place, Standing, State, get_tile
from games.rules.geometry import SIDES, get_coordinates, sort_in_reading_order
from games.rules.notation import write
from games.rules.short_form import ShortForm
from games.rules.tiles import CITY, FIELD, RIVER, ROAD, SURROUNDED, Rotated
from games.words import describe_feature

STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))  # by side, clockwise from north
KIND_OF_SIDE = {"c": "city", "r": "road", "f": "field", "v": "river"}


class OpenCell(NamedTuple):
    """A space beside a placed tile: its place, its neighbours' sides, and the rotations that fit."""

    place: str
    asks: str
    fits: str
    dead: bool = False  # none of the tiles left fits


class BoardRow(NamedTuple):
    """The tiles of one row of the board, in words."""

    heading: str
    tiles: tuple[str, ...]


class FeatureGroup(NamedTuple):
    """Features of some kinds that are incomplete or occupied, in words, and the number of the others."""

    heading: str
    features: tuple[str, ...]
    complete: str


class LegalTurn(NamedTuple):
    """A legal turn: in notation, in the short form if there is one, and its figure in words."""

    line: str
    short: str
    words: str


class Turned(NamedTuple):
    """The legal turns on a cell with the tile turned one way."""

    heading: str
    ways: tuple[LegalTurn, ...]


class CellTurns(NamedTuple):
    """The legal turns on one cell, which has a *number* in the short form."""

    number: int
    place: str
    tile: str  # its name and words, where there is a choice of several
    ways: str  # number of ways, in words
    turned: tuple[Turned, ...]


GROUPS = (
    (gettext_lazy("Cities"), (CITY,)),
    (gettext_lazy("Roads"), (ROAD,)),
    (gettext_lazy("Monasteries, shrines and gardens"), tuple(SURROUNDED)),
    (gettext_lazy("Fields"), (FIELD,)),
)
"""Kinds of features by heading."""


def name_tile(id: str) -> str:
    """A tile of a hand: what a line calls it, and what is printed on it."""
    return f"{id} ({words.describe_tile(id)})"


def standing_words(standing: Standing, names: Sequence[str], lying: Rotated) -> str:
    """Say who stands where on the tile *lying* there: "Anna's knight on city (north)"."""
    return _("{figure} of {player} on {spot}").format(
        figure=words.name_figure(standing.meeple, standing.on),
        player=names[standing.seat],
        spot=words.name_spot(standing.on, standing.side, lying),
    )


def build_board_rows(state: State, names: Sequence[str]) -> list[BoardRow]:
    """Each tile on the board with who stands on it, row by row."""
    by_row: dict[int, list[str]] = {}
    for y, said in list_tiles(state, names):
        by_row.setdefault(y, []).append(said)
    return [BoardRow(_("Row {y}").format(y=format_minus(y)), tuple(said)) for y, said in by_row.items()]


def list_tiles(state: State, names: Sequence[str]) -> list[tuple[int, str]]:
    """Each tile on the board with who stands on it, from north to south, and in which row it lies."""
    standing: dict[tuple[int, int], list[Standing]] = {}
    for meeple in state.meeples():
        standing.setdefault((meeple.x, meeple.y), []).append(meeple)
    lines = []
    for laid in sorted(state.placed, key=lambda laid: (laid.y, laid.x)):
        lying = get_tile(laid.tile).at(laid.rotation)
        said = _("{place}: {tile}").format(
            place=words.name_cell(laid.x, laid.y), tile=words.describe_tile(laid.tile, laid.rotation)
        )
        on_it = [standing_words(figure, names, lying) for figure in standing.get((laid.x, laid.y), ())]
        lines.append((laid.y, ". ".join([said, *on_it])))
    return lines


def group_features(state: State, names: Sequence[str]) -> list[FeatureGroup]:
    """Group the features on the board by kind; complete ones without figures are only counted."""
    every = [feature for feature in state.board.all_features() if feature.kind != RIVER]
    groups = []
    for heading, kinds in GROUPS:
        mine = [feature for feature in every if feature.kind in kinds]
        done = sum(feature.complete and not feature.meeples for feature in mine)
        if mine:
            groups.append(
                FeatureGroup(
                    str(heading),
                    tuple(
                        format_feature(state, feature, names)
                        for feature in mine
                        if feature.meeples or not feature.complete
                    ),
                    ngettext("{n} more complete.", "{n} more complete.", done).format(n=done) if done else "",
                )
            )
    return groups


def format_feature(state: State, feature: Feature, names: Sequence[str]) -> str:
    """A feature: size, place, worth, who stands on it, and what it still waits for."""
    said = describe_feature(state, feature, names, exact=True)
    said = said[:1].upper() + said[1:]
    for token in state.tokens():
        if token.code in feature.segments:
            said = " ".join((said, str(words.TOKENS[token.name].here)))
    if feature.kind == FIELD:
        return said
    if feature.complete:
        return " ".join((said, _("Complete.")))
    if feature.kind in SURROUNDED:
        waits = ngettext(
            "{n} space around it is empty.", "{n} spaces around it are empty.", feature.open_ends
        )
    else:
        waits = ngettext("{n} end is open.", "{n} ends are open.", feature.open_ends)
    return f"{said} {waits.format(n=feature.open_ends)}"


def list_features_on(state: State, x: int, y: int, names: Sequence[str]) -> list[str]:
    """The features of the tile at a cell, each once; none where no tile lies."""
    laid = next((tile for tile in state.placed if (tile.x, tile.y) == (x, y)), None)
    if laid is None:
        return []
    board_features: list[Feature] = []
    for lie in get_tile(laid.tile).at(laid.rotation).lies:
        feature = state.feature_at(x, y, lie.kind, lie.side)
        if lie.kind != RIVER and not any(feature is other for other in board_features):
            board_features.append(feature)
    return [format_feature(state, feature, names) for feature in board_features]


def group_turns_by_cell(state: State, legal: LegalActions) -> list[CellTurns]:
    """Every turn that is *legal* in *state*, by cell, row by row, and by how the tile is turned; of a hand,
    tile by tile."""
    several, short = len(legal.tiles) > 1, ShortForm(legal)
    grouped: dict[tuple[int, int, int], dict[int, list[Place]]] = {}
    for action in legal:
        assert isinstance(action, Place)
        at = (legal.tiles.index(action.tile), action.y, action.x)
        grouped.setdefault(at, {}).setdefault(action.rotation, []).append(action)
    cells = []
    for number, ((index, y, x), by_rotation) in enumerate(sorted(grouped.items()), start=1):
        count = sum(map(len, by_rotation.values()))
        cells.append(
            CellTurns(
                number,
                words.name_cell(x, y),
                name_tile(legal.tiles[index]) if several else "",
                ngettext("{n} way", "{n} ways", count).format(n=count),
                tuple(
                    Turned(
                        format_rotation(rotation),
                        tuple(_way(state, action, short, several) for action in actions),
                    )
                    for rotation, actions in sorted(by_rotation.items())
                ),
            )
        )
    return cells


def _way(state: State, action: Place, short: ShortForm, several: bool) -> LegalTurn:
    lying = get_tile(action.tile).at(action.rotation)
    line = write(action, with_tile=several)
    return LegalTurn(line, short.write(action) or "", words.label_figure(state, action.figure, lying))


def format_rotation(rotation: int) -> str:
    if not rotation:
        return _("as shown")
    return _("turned {n}° clockwise").format(n=rotation)


def list_open_cells(
    state: State, legal: LegalActions | None = None, *, dead: Collection[tuple[int, int]] = ()
) -> list[OpenCell]:
    """Each open cell, row by row; with the *legal* turns also how the tiles in hand may lie there, and which
    are *dead*."""
    laid = {(tile.x, tile.y): tile for tile in state.placed}
    fitting = {} if legal is None else _fitting(legal)
    cells = []
    for x, y in map(get_coordinates, sorted(state.board.needs, key=sort_in_reading_order)):
        if state.beyond_edges(x, y):
            continue
        asks = []
        for side, (dx, dy) in enumerate(STEPS):
            near = laid.get((x + dx, y + dy))
            if near is not None:
                kind = get_tile(near.tile).at(near.rotation).sides[(side + 2) % 4]
                asks.append(f"{words.SIDES[SIDES[side]]} {words.name_kind(KIND_OF_SIDE[kind])}")
        turns = "; ".join(fitting.get((x, y), ()))
        cells.append(OpenCell(words.name_cell(x, y), ", ".join(asks), turns, (x, y) in dead))
    return cells


def _fitting(legal: LegalActions) -> dict[tuple[int, int], list[str]]:
    """Return the rotations that fit each cell; with several tiles in hand, each with the tile's name."""
    fitting: dict[tuple[int, int], list[str]] = {}
    for id in legal.tiles:
        turns: dict[tuple[int, int], list[int]] = {}
        for x, y, rotation in legal.placements_of(id):
            turns.setdefault((x, y), []).append(rotation)
        name = f"{id} " if len(legal.tiles) > 1 else ""
        for cell, rotations in turns.items():
            said = ", ".join(f"r{rotation}" for rotation in sorted(rotations))
            fitting.setdefault(cell, []).append(name + said)
    return fitting
