"""The River and the River II: laid first of all, from a spring to a lake; the second one forks once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ..errors import InvalidRuleSet
from ..geometry import STEP
from ..module import Ban, Chosen, Meeting, Module, Option
from ..state import State
from ..tiles import FIELD, RIVER, Rotated, Segment, Tile, get_tile
from .house_rules import start_is_taken

if TYPE_CHECKING:
    from ..board import Board
    from ..ruleset import RuleSet

Start = tuple[Tile, int, int]
Groups = Sequence[Mapping[str, int]]


class End(NamedTuple):
    """An open end of the river, and the course of the water to it."""

    side: int  # of the tile upstream, by which the water leaves it
    turned: str  # R, L or S: how it turned on that tile
    bent: str  # R or L: its last bend, however far upstream; empty if it never turned


def exits(turned: Rotated, entry: int) -> Iterator[tuple[int, str]]:
    """The sides by which water leaves the tile that it enters by side *entry*, each with its turn."""
    for side, kind in enumerate(turned.sides):
        if kind == "v" and side != entry:
            yield side, {1: "L", 2: "S", 3: "R"}[(side - entry) % 4]


def ends(board: Board) -> dict[int, End]:
    """The open ends of the river, by the empty space that each faces (RIVER-5 to RIVER-8)."""
    ends_by_cell: dict[int, End] = {}
    flowing = [
        (cell, End(turned.sides.index("v"), "S", ""))
        for cell, turned in board.tiles.items()
        if turned.tile.start and "v" in turned.sides
    ]
    while flowing:
        cell, end = flowing.pop()
        beyond, entry = cell + STEP[end.side], (end.side + 2) % 4
        near = board.tiles.get(beyond)
        if near is None:
            ends_by_cell[beyond] = end
        elif near.sides[entry] == "v":
            for side, turn in exits(near, entry):
                flowing.append((beyond, End(side, turn, end.bent if turn == "S" else turn)))
    return ends_by_cell


@cache
def divide_spring_field(spring: Tile) -> Tile:
    """The spring as a tile with a field on each bank; the edge behind it belongs to the northern one."""
    banks = ((0, 2, 3, 9, 11), (5, 6, 8))
    segments = [Segment(index, FIELD, ports) for index, ports in enumerate(banks)]
    river = [segment for segment in spring.segments if segment.kind == RIVER]
    return replace(spring, segments=(*segments, *(replace(segment, index=len(banks)) for segment in river)))


class River(Module):
    """The rules of either river."""

    order_rule = "RIVER-2"
    options: tuple[Option, ...] = (
        Option("river_start_tile", ("removed", "in_bag"), "RIVER-1"),
        Option("river_uturn", ("immediate", "last_bend"), "RIVER-6"),
        Option("river_source_divides_field", (False, True), "RIVER-13"),
    )
    first: tuple[str, ...] = ()  # tiles that come before all others of the river, one after the other
    last: tuple[str, ...] = ()  # … and after them

    def refuses(self, chosen: Chosen) -> InvalidRuleSet | None:
        return start_is_taken(chosen, self.name)

    def start(self, rules: RuleSet, start: Sequence[Start]) -> Sequence[Start]:
        """Replace the start tile by the spring (RIVER-1)."""
        return ((get_tile(f"{self.name}.spring"), 0, 0),)

    def keeps_start_tile(self, rules: RuleSet) -> bool:
        return bool(rules.options["river_start_tile"] == "in_bag")

    def prints(self, rules: RuleSet, tile: Tile) -> Tile:
        spring = tile.start and any(segment.kind == RIVER for segment in tile.segments)
        return divide_spring_field(tile) if spring and rules.options["river_source_divides_field"] else tile

    def bag(self, rules: RuleSet, groups: Groups) -> Groups:
        """The first tiles, the middle ones shuffled, the last ones, and then the rest (RIVER-2, RIVER-3)."""
        river = {id: n for group in groups for id, n in group.items() if self.mine(id)}
        apart = {*self.first, *self.last}
        return [
            *({id: river[id]} for id in self.first if id in river),
            {id: n for id, n in river.items() if id not in apart},
            *({id: river[id]} for id in self.last if id in river),
            *({id: n for id, n in group.items() if id not in river} for group in groups),
        ]

    def mine(self, id: str) -> bool:
        """Return whether the tile called *id* is of this river."""
        return id.startswith(f"{self.name}.")

    def forbids(self, state: State, tile: Tile) -> Ban | None:
        """Make a river tile join exactly one open end, without a U-turn, and keep clear of the other ends."""
        if "v" not in tile.sides or not self.mine(tile.id):
            return None
        tiles, open_ends = state.board.tiles, ends(state.board)
        which = 1 if state.rules.options["river_uturn"] == "immediate" else 2

        def dry(cell: int, turned: Rotated) -> str | None:
            wet = [
                side for side, kind in enumerate(turned.sides) if kind == "v" and cell + STEP[side] in tiles
            ]
            if len(wet) != 1:
                return "RIVER-8" if wet else "RIVER-5"
            before = open_ends.get(cell)
            for side, turn in exits(turned, wet[0]):
                if before is not None and turn != "S" and turn == before[which]:
                    return "RIVER-6"
                if cell + STEP[side] in open_ends:
                    return "RIVER-8"
            return None

        return dry


class River1(River):
    """The river from the spring over ten tiles to the lake."""

    name = "river1"
    last = ("river1.lake",)


class River2(River):
    """A fork first, and at one of the ends a lake with a volcano."""

    name = "river2"
    options = (*River.options, Option("river2_volcano", ("extra_turn", "plain"), "RIVER-15"))
    first = ("river2.fork",)
    last = ("river2.lake-volcano",)

    def closes(self, rules: RuleSet, tile: Tile) -> str | None:
        return "RIVER-15" if self.erupts(rules, tile) else None

    def further(self, state: State) -> str | None:
        """Let the seat that placed the volcano play on (RIVER-15, RIVER-16)."""
        assert state.cell is not None
        return "volcano" if self.erupts(state.rules, state.board.tiles[state.cell].tile) else None

    def erupts(self, rules: RuleSet, tile: Tile) -> bool:
        return "volcano" in tile.marks and rules.options["river2_volcano"] == "extra_turn"


class BothRivers(River, Meeting):
    """One spring, all middle tiles together, and no lake but the volcano's (RIVER-4)."""

    name = "both-rivers"
    sets = ("river1", "river2")
    options = ()
    first = River2.first
    last = River2.last

    def copies(self, rules: RuleSet, copies: Mapping[str, int]) -> Mapping[str, int]:
        return {**copies, "river1.lake": 0, "river2.spring": 0}

    def start(self, rules: RuleSet, start: Sequence[Start]) -> Sequence[Start]:
        return ((get_tile("river1.spring"), 0, 0),)

    def mine(self, id: str) -> bool:
        return id.startswith(("river1.", "river2."))

    def forbids(self, state: State, tile: Tile) -> Ban | None:
        """Forbid nothing more: each river checks its own tiles."""
        return None

    def bag(self, rules: RuleSet, groups: Groups) -> Groups:
        return [group for group in super().bag(rules, groups) if group]
