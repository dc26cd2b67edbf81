"""The Cult: shrines, and duels between them and the monasteries beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ..board import Board, Feature
from ..events import Event, Returned, register_event
from ..geometry import AROUND
from ..module import Ban, Module, Option
from ..state import State
from ..tiles import MAX_SEGMENTS, MONASTERY, SHRINE, Tile, load_tile_set
from ..turn import Slot, Step

if TYPE_CHECKING:
    from ..ruleset import RuleSet

OPPOSITE = {SHRINE: MONASTERY, MONASTERY: SHRINE}


@register_event
class DuelLost(NamedTuple):
    """The building at *x*, *y* has lost a duel: its figures go home without points (CULT-7)."""

    on: str
    x: int
    y: int


def beside(board: Board, cell: int, kind: str) -> Iterator[int]:
    """The codes of the buildings of *kind* on the eight spaces around *cell*."""
    for step in AROUND:
        near = board.tiles.get(cell + step)
        if near is not None:
            for index in near.surrounded:
                if near.lies[index].kind == kind:
                    yield (cell + step) * MAX_SEGMENTS + index


@cache
def list_contested_kinds(tile: Tile) -> tuple[str, ...]:
    """The kinds of the buildings on *tile* that may take part in a duel."""
    return tuple(segment.kind for segment in tile.segments if segment.kind in OPPOSITE)


def closed_to(board: Board, kind: str) -> dict[int, str]:
    """The spaces that no building of *kind* may take, each with the rule: no shrine beside two monasteries
    and no monastery beside two shrines, whichever is new (CULT-2, CULT-3)."""
    closed: dict[int, str] = {}
    once: set[int] = set()
    own = {cell for cell in board.buildings if kind in list_contested_kinds(board.tiles[cell].tile)}
    for cell in board.buildings:
        if OPPOSITE[kind] in list_contested_kinds(board.tiles[cell].tile):
            around = {cell + step for step in AROUND}
            if not own.isdisjoint(around):
                closed = dict.fromkeys(around, "CULT-3") | closed
            closed |= dict.fromkeys(around & once, "CULT-2")
            once |= around
    return closed


def find_challenged_building(state: State, feature: Feature) -> Feature | None:
    """The occupied, incomplete building of the other kind beside *feature*; by CULT-3 there is but one."""
    if feature.kind in OPPOSITE:
        for code in beside(state.board, feature.segments[0] // MAX_SEGMENTS, OPPOSITE[feature.kind]):
            other = state.board.features[code]
            if other.meeples and not other.complete:
                return other
    return None


class Duels(Step):
    """Duels: an occupied building completed first beats the one it challenges, whose figures go home.

    Rules: CULT-6 to CULT-11, CULT-14, CULT-15.
    """

    slot = Slot.AFTER_SCORING

    def run(self, state: State) -> Iterable[Event]:
        if not state.rules.options["cult_duels"]:
            return
        for code in state.completed:
            feature = state.board.features[code]
            loser = find_challenged_building(state, feature) if feature.meeples else None
            if loser is not None:
                spot = state.board.spot_of(loser)
                yield DuelLost(spot.on, spot.x, spot.y)
                for meeple in loser.meeples:
                    yield Returned(meeple.seat, meeple.figure, *state.board.spot(meeple.code))


class Cult(Module):
    """The Cult. The core claims and scores shrines like monasteries (CULT-1)."""

    name = "cult"
    options = (Option("cult_tiles", (5, 6), "CULT-1"), Option("cult_duels", (True, False), "CULT-16"))
    changes = {DuelLost: lambda state, event: state}

    def copies(self, rules: RuleSet, copies: Mapping[str, int]) -> Mapping[str, int]:
        if rules.options["cult_tiles"] == 6:
            return {**copies, **load_tile_set(self.name).editions["RGG"]}
        return copies

    def forbids(self, state: State, tile: Tile) -> Ban | None:
        closed: dict[int, str] = {}
        for kind in list_contested_kinds(tile):
            closed |= closed_to(state.board, kind)
        if closed.keys().isdisjoint(state.board.needs.keys()):
            return None
        return lambda cell, turned: closed.get(cell)

    def steps(self) -> Iterable[Step]:
        return (Duels(),)
