"""The Cult: shrines, and duels between them and the monasteries beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..board import Board, Feature
from ..geometry import AROUND
from ..module import Module, Option
from ..state import Event, Returned, State, register_event
from ..tiles import MAX_SEGMENTS, MONASTERY, SHRINE, Rotated, Tile, tile_set
from ..turn import Slot, Step

if TYPE_CHECKING:
    from ..ruleset import RuleSet

OPPOSITE = {SHRINE: MONASTERY, MONASTERY: SHRINE}


class DuelLost(NamedTuple):
    """The building at *x*, *y* is beaten: its figures go home without points (CULT-7)."""

    on: str
    x: int
    y: int


register_event(DuelLost)


def beside(board: Board, cell: int, kind: str) -> Iterator[int]:
    """The codes of the buildings of *kind* on the eight spaces around *cell*."""
    for step in AROUND:
        near = board.tiles.get(cell + step)
        if near is not None:
            for index in near.surrounded:
                if near.lies[index].kind == kind:
                    yield (cell + step) * MAX_SEGMENTS + index


def challenged(state: State, feature: Feature) -> Feature | None:
    """The occupied, incomplete building of the other kind beside *feature*; by CULT-3 there is but one."""
    if feature.kind in OPPOSITE:
        for code in beside(state.board, feature.segments[0] // MAX_SEGMENTS, OPPOSITE[feature.kind]):
            other = state.board.features[code]
            if other.meeples and not other.complete:
                return other
    return None


class Duels(Step):
    """What an occupied building completed now beats goes home at once.

    Rules: CULT-6 to CULT-11, CULT-14, CULT-15.
    """

    slot = Slot.AFTER_SCORING

    def run(self, state: State) -> Iterable[Event]:
        if not state.rules.options["cult_duels"]:
            return
        for code in state.completed:
            feature = state.board.features[code]
            loser = challenged(state, feature) if feature.meeples else None
            if loser is not None:
                spot = state.board.spot_of(loser)
                yield DuelLost(spot.on, spot.x, spot.y)
                for meeple in loser.meeples:
                    yield Returned(meeple.seat, meeple.figure, *state.board.spot(meeple.code))


class Cult(Module):
    """Shrines are claimed and scored like monasteries, by the core (CULT-1)."""

    name = "cult"
    options = (Option("cult_tiles", (5, 6), "CULT-1"), Option("cult_duels", (True, False), "CULT-16"))
    changes = {DuelLost: lambda state, event: state}

    def copies(self, rules: RuleSet, copies: Mapping[str, int]) -> Mapping[str, int]:
        if rules.options["cult_tiles"] == 6:
            return {**copies, **tile_set(self.name).editions["RGG"]}
        return copies

    def restricts(self, state: State, tile: Tile) -> bool:
        return any(segment.kind in OPPOSITE for segment in tile.segments)

    def forbids(self, state: State, cell: int, tile: Rotated) -> str | None:
        """No shrine beside two monasteries and no monastery beside two shrines, whichever is new (CULT-2,
        CULT-3)."""
        for index in tile.surrounded:
            kind = tile.lies[index].kind
            if kind not in OPPOSITE:
                continue
            opponents = list(beside(state.board, cell, OPPOSITE[kind]))
            if len(opponents) > 1:
                return "CULT-2"
            for code in opponents:
                if any(True for _ in beside(state.board, code // MAX_SEGMENTS, kind)):
                    return "CULT-3"
        return None

    def steps(self) -> Iterable[Step]:
        return (Duels(),)
