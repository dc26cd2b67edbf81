"""A turn that a player composes on the page: a cell, a rotation, and a meeple or none.

The choices are in the query string, so reloading or going back loses nothing, and nothing is stored before
the turn is sent. All choices come from ``legal_actions()``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from games.rules import Deploy, Game, IllegalAction, Place, Placement, Recall, State, get_tile
from games.rules.notation import BadNotation, read
from games.rules.tiles import FOLLOWER, Rotated

NO_FIGURE = "none"
"""Value of ``on`` in an address for placing no meeple."""

Figure = Deploy | Recall | None


class TurnWish(NamedTuple):
    """The turn in an address. *decided* says whether the figure is decided; "no meeple" is a decision,
    too."""

    at: tuple[int, int] | None = None
    rotation: int | None = None
    figure: Figure = None
    decided: bool = False
    tile: str = ""  # which of a hand
    meeple: str = ""  # the figure to choose a place for


NOTHING = TurnWish()


def parse_query(query: Mapping[str, str]) -> TurnWish:
    """Parse the query of an address: ``?at=3,-1&r=90&on=city&side=N``, or ``&recall=0,2`` at its end, with
    ``tile=base.P`` if there are several to choose from. ``&meeple=large`` alone shows the places of that
    figure, and decides nothing.

    It shares the grammar of the line that is sent. Raises :class:`BadNotation`.
    """
    at, chosen = query.get("at", "").strip(), query.get("tile", "").strip()
    if not at:
        return TurnWish(tile=chosen)
    rotation = "".join(query.get("r", "").split())  # without spaces, so that no figure may follow it
    on, side = query.get("on", "").strip(), query.get("side", "").strip()
    back, meeple = query.get("recall", "").strip(), query.get("meeple", "").strip()
    figure = "" if on in ("", NO_FIGURE) else f" {meeple} {on} {side}"
    if back:
        figure = f" recall {back}"
    place = read(" ".join(f"{at} r{rotation or 0}{figure}".split()), tile=chosen)
    return TurnWish(
        (place.x, place.y),
        int(rotation) if rotation else None,
        place.figure,
        bool(on or back),
        chosen,
        meeple,
    )


def find_meant_tile(state: State) -> str | None:
    """Return the tile of a line that names none: the only playable one. ``None`` if there isn't exactly
    one."""
    tiles = state.playable
    return tiles[0] if len(tiles) == 1 else None


def parse_line(line: str) -> TurnWish:
    """Parse *line* of notation; return an empty wish if it is not a turn."""
    try:
        place = read(line, tile="")
    except BadNotation:
        return NOTHING
    return TurnWish((place.x, place.y), place.rotation, place.figure, True, place.tile)


@dataclass(frozen=True, slots=True)
class Composed:
    """A partly composed turn, with the choices for the next step."""

    tile: str  # empty while it is still to be chosen from a hand
    cells: Mapping[tuple[int, int], int]  # on which the tile may lie, row by row, and how it fits first
    hand: tuple[str, ...] = ()  # the tiles to choose from, where there is a choice
    placement: Placement | None = None
    rotations: tuple[int, ...] = ()  # legal ones on the chosen cell
    figures: tuple[Figure, ...] = ()  # offered with the placement; None comes first
    figure: Figure = None
    decided: bool = False  # about the figure
    meeple: str = ""  # the figure whose places are shown; none where there is no place for any
    refused: IllegalAction | None = None  # reason why a part of the wish was left out

    @property
    def action(self) -> Place | None:
        """The turn as it would be sent; ``None`` while something is still to be chosen."""
        return self.place if self.decided else None

    @property
    def place(self) -> Place | None:
        """The turn as it stands, without a figure if none is chosen yet."""
        if self.placement is None:
            return None
        return Place(self.tile, *self.placement, self.figure)

    @property
    def lying(self) -> Rotated | None:
        """The tile as it would lie; ``None`` while its place is still to be chosen."""
        return None if self.placement is None else get_tile(self.tile).at(self.placement.rotation)

    @property
    def next_rotation(self) -> int | None:
        """The next legal rotation clockwise; ``None`` where there is only one."""
        if self.placement is None or len(self.rotations) < 2:
            return None
        at = self.rotations.index(self.placement.rotation)
        return self.rotations[(at + 1) % len(self.rotations)]


def compose(game: Game, wanted: TurnWish) -> Composed:
    """Compose the legal part of *wanted*, for the seat that is to place its tile.

    A cell starts with its first legal rotation. If only "no meeple" is offered, or no meeple is in hand, it
    is decided; a figure may still be returned instead. With several
    tiles in hand, one is chosen first (HR-3).
    """
    legal = game.legal_actions()
    hand = legal.tiles if len(legal.tiles) > 1 else ()
    drawn = legal.tiles[0]
    if hand:
        if wanted.tile not in hand:
            return Composed("", {}, hand)
        drawn = wanted.tile
    rotations: dict[tuple[int, int], list[int]] = {}
    for x, y, rotation in legal.placements_of(drawn):
        rotations.setdefault((x, y), []).append(rotation)
    cells = {at: min(rotations[at]) for at in sorted(rotations, key=lambda cell: (cell[1], cell[0]))}
    if wanted.at is None:
        return Composed(drawn, cells, hand)
    if wanted.at not in rotations:
        return Composed(
            drawn, cells, hand, refused=_why(game, Place(drawn, *wanted.at, wanted.rotation or 0))
        )
    fitting = tuple(sorted(rotations[wanted.at]))
    refused = None
    rotation = fitting[0] if wanted.rotation is None else wanted.rotation
    if rotation not in fitting:
        refused = _why(game, Place(drawn, *wanted.at, rotation))
        rotation = fitting[0]
    placement = Placement(*wanted.at, rotation)
    figures = legal.figures(placement, drawn)
    figure, decided = wanted.figure, wanted.decided
    if refused or (decided and figure not in figures):
        named = _same(drawn, rotation, figure, figures)
        if refused is None and named is None:
            refused = _why(game, Place(drawn, *placement, figure))
        figure, decided = (None, False) if refused else (named, True)
    in_hand = any(game.state.supply[game.state.turn_seat].values())
    if len(figures) == 1 or (not decided and not in_hand):
        figure, decided = None, True
    return Composed(
        drawn,
        cells,
        hand,
        placement,
        fitting,
        figures,
        figure,
        decided,
        meeple=_choose_meeple(figures, figure, wanted.meeple),
        refused=refused,
    )


def _choose_meeple(figures: tuple[Figure, ...], figure: Figure, wanted: str) -> str:
    """The figure whose places are shown: the one that is placed, or else the one *wanted*, or the first."""
    if isinstance(figure, Deploy):
        return figure.meeple
    offered = [figure.meeple for figure in figures if isinstance(figure, Deploy)]
    return wanted if wanted in offered else offered[0] if offered else ""


def turn_figure(composed: Composed) -> Figure:
    """Return the chosen figure after the tile is turned to its next rotation."""
    figure, rotation = composed.figure, composed.next_rotation
    if isinstance(figure, Recall):
        return figure
    if not isinstance(figure, Deploy) or rotation is None or composed.placement is None:
        return None
    tile = get_tile(composed.tile)
    index = tile.at(composed.placement.rotation).spots[figure.on, figure.side]
    return figure._replace(side=tile.at(rotation).lies[index].side)


def build_turn_query(
    placement: Placement, figure: Figure, *, decided: bool, tile: str = "", meeple: str = ""
) -> str:
    """Return the query of a partly composed turn; *tile* if it is one of a hand, *meeple* if the places of
    another figure than the first are shown."""
    asked = f"?tile={tile}&" if tile else "?"
    asked += f"at={placement.x},{placement.y}&r={placement.rotation}"
    if not decided:
        return f"{asked}&meeple={meeple}" if meeple else asked
    if isinstance(figure, Recall):
        return f"{asked}&recall={figure.x},{figure.y}"
    if not isinstance(figure, Deploy):
        return f"{asked}&on={NO_FIGURE}"
    named = {
        "meeple": figure.meeple if figure.meeple != FOLLOWER else "",
        "on": figure.on,
        "side": figure.side,
    }
    for name, value in named.items():
        if value:
            asked += f"&{name}={value}"
    return asked


def _same(id: str, rotation: int, figure: Figure, figures: tuple[Figure, ...]) -> Figure:
    """Return the offered figure on the same spot, which has several names; ``None`` if there is none."""
    if not isinstance(figure, Deploy):
        return None
    spots = get_tile(id).at(rotation).spots
    index = spots.get((figure.on, figure.side), -1)
    for other in figures:
        if (
            isinstance(other, Deploy)
            and other.meeple == figure.meeple
            and spots[other.on, other.side] == index
        ):
            return other
    return None


def _why(game: Game, place: Place) -> IllegalAction | None:
    try:
        game.legal_actions().check(place)
    except IllegalAction as error:
        return error
    return None
