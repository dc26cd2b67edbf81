"""House rules that need more than a line in the core: the start tile, unplaceable tiles, holes, the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InvalidRuleSet
from ..events import Event, Placed, PutAside, PutBack, Started
from ..geometry import STEP, get_cell, get_coordinates
from ..module import Ban, Chosen, HouseRule, Option
from ..state import State, replace_slice
from ..tiles import Tile

if TYPE_CHECKING:
    from ..board import Board
    from ..ruleset import RuleSet


class StartInBag(HouseRule):
    """The start tile is shuffled with the others; the first one drawn begins (HR-4)."""

    name = "start_in_bag"
    options = (Option("start_tile", ("fixed", "in_bag"), "HR-4"),)

    def plays(self, options: Mapping[str, Any]) -> bool:
        return bool(options["start_tile"] == "in_bag")

    def start(
        self, rules: RuleSet, start: Sequence[tuple[Tile, int, int]]
    ) -> Sequence[tuple[Tile, int, int]]:
        return ()

    def keeps_start_tile(self, rules: RuleSet) -> bool:
        return True


def start_is_taken(chosen: Chosen, name: str) -> InvalidRuleSet | None:
    """The refusal to put the start tile into the bag if the set called *name* brings its own start (HR-4)."""
    if name in chosen.sets and chosen.options["start_tile"] == "in_bag":
        return InvalidRuleSet("start_is_taken", "HR-4", set=name)
    return None


class BackInBag(HouseRule):
    """A tile that fits nowhere waits until another is placed, and then may come again (HR-6)."""

    name = "back_in_bag"
    options = (Option("unplaceable", ("discard", "back_in_bag"), "HR-6"),)

    def plays(self, options: Mapping[str, Any]) -> bool:
        return bool(options["unplaceable"] == "back_in_bag")

    def unplaceable(self, seat: int, tile: str) -> Event | None:
        return PutAside(seat, tile)

    def react(self, state: State, event: Event) -> Iterable[Event]:
        if isinstance(event, Placed) and state.aside:
            yield PutBack(tuple(sorted(state.aside)))


class HoleBonus(HouseRule):
    """A tile that meets others on all four sides brings one more turn (HR-8)."""

    name = "hole_bonus"
    options = (Option("hole_bonus", (False, True), "HR-8"),)

    def plays(self, options: Mapping[str, Any]) -> bool:
        return bool(options["hole_bonus"])

    def further(self, state: State) -> str | None:
        assert state.cell is not None
        return "hole" if all(state.cell + step in state.board.tiles for step in STEP) else None


LENGTHS = range(9, 32, 2)
SIZES = tuple(f"{width}x{height}" for width in LENGTHS for height in LENGTHS)


class Box(NamedTuple):
    """The columns and rows that tiles lie in, both ends included."""

    west: int
    east: int
    north: int
    south: int

    def within(self, room: Box) -> bool:
        """Return whether there is space all around it in *room*."""
        return (
            room.west < self.west
            and self.east < room.east
            and room.north < self.north
            and self.south < room.south
        )

    def with_cell(self, x: int, y: int) -> Box:
        return Box(min(self.west, x), max(self.east, x), min(self.north, y), max(self.south, y))


class Table(NamedTuple):
    """The tiles that lie, and the cells where tiles may lie."""

    lying: Box
    room: Box

    @classmethod
    def of(cls, options: Mapping[str, Any], lying: Box) -> Table:
        kind, width, height = limit(options["board_limit"])
        if kind == "fixed":
            return cls(lying, fixed_box(width, height))
        west, east, north, south = lying
        return cls(lying, Box(east - width + 1, west + width - 1, south - height + 1, north + height - 1))


@cache
def limit(value: str) -> tuple[str, int, int]:
    """Split a value of ``board_limit`` into kind, width and height."""
    kind, _, size = value.partition(" ")
    width, _, height = size.partition("x")
    return kind, int(width), int(height)


def fixed_box(width: int, height: int) -> Box:
    """The table of a fixed limit, round the start tile."""
    return Box(-(width // 2), width // 2, -(height // 2), height // 2)


class BoardLimit(HouseRule):
    """The table has edges, which may move with the placed tiles, or complete what reaches them (HR-10,
    HR-11)."""

    name = "board_limit"
    options = (
        Option(
            "board_limit",
            ("none", *(f"{kind} {size}" for kind in ("fixed", "shifting") for size in SIZES)),
            "HR-10",
        ),
        Option("border_completes", (False, True), "HR-11"),
    )
    tracks = {
        kind: lambda state, event: replace_slice(state, "board_limit", _extend_table(state))
        for kind in (Placed, Started)
    }

    def plays(self, options: Mapping[str, Any]) -> bool:
        return bool(options["board_limit"] != "none")

    def refuses(self, chosen: Chosen) -> InvalidRuleSet | None:
        options = chosen.options
        if options["border_completes"] and not options["board_limit"].startswith("fixed"):
            return InvalidRuleSet("border_needs_fixed_limit", "HR-11")
        return None

    def board(self, rules: RuleSet, board: Board) -> Board:
        """Let the cells just beyond the border complete features, if the option says so (HR-11)."""
        if not rules.options["border_completes"]:
            return board
        west, east, north, south = fixed_box(*limit(rules.options["board_limit"])[1:])
        ring = {(x, y) for x in range(west - 1, east + 2) for y in (north - 1, south + 1)}
        ring |= {(x, y) for x in (west - 1, east + 1) for y in range(north - 1, south + 2)}
        return board._replace(beyond=frozenset(get_cell(x, y) for x, y in ring))

    def begins(self, state: State) -> Table:
        places = [get_coordinates(cell) for cell in state.board.tiles] or [(0, 0)]
        columns, rows = [x for x, _ in places], [y for _, y in places]
        lying = Box(min(columns), max(columns), min(rows), max(rows))
        return Table.of(state.rules.options, lying)

    def edges(self, state: State) -> Box:
        table: Table = state.slices[self.name]
        return table.room

    def forbids(self, state: State, tile: Tile) -> Ban | None:
        """Forbid nothing, as long as no edge is near."""
        lying, room = state.slices[self.name]
        if lying.within(room):
            return None
        west, east, north, south = room
        closed = set()
        for cell in state.board.needs:
            x, y = get_coordinates(cell)
            if not (west <= x <= east and north <= y <= south):
                closed.add(cell)
        return (lambda cell, turned: "HR-10" if cell in closed else None) if closed else None


def _extend_table(state: State) -> Table:
    table: Table = state.slices["board_limit"]
    lying = table.lying.with_cell(*get_coordinates(next(reversed(state.board.tiles))))
    return table if lying == table.lying else Table.of(state.rules.options, lying)
