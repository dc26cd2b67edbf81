"""The list of all turns with a tile: the options for each tile on each cell.

Callers use it through ``LegalActions``. Hardly any cell needs computation: the board knows which of its ports
lead to occupied features, and the options there depend on these, on the needs of the cell and on the figures
in hand, so one look-up in a table of ``placements.py`` is enough.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, overload

from .actions import Place, Recall
from .board import mark_feature
from .geometry import AROUND, get_coordinates
from .placements import (
    NEED_SHIFT,
    NO_FIGURE_IN_HAND,
    Around,
    ClaimTable,
    Figure,
    JoinTable,
    Option,
    add_recalls,
    claim_table,
    find_bits_not_in_hand,
    find_undecided,
    join_table,
    list_allowed,
    list_bans,
    list_deployments,
    list_in_hand,
    list_options_of_rotation,
)
from .state import State
from .tiles import MAX_SEGMENTS, Rotated, Tile, get_tile

if TYPE_CHECKING:
    from .module import Ban


Row = tuple[str, int, tuple[Option, ...]]
"""A tile, a cell, and some of the options for the tile there."""


class Turns(Sequence[Place]):
    """The turns of *rows*, each made only when it is needed: with a hand of tiles and many figures there
    are a thousand, of which one is played.

    >>> turns = Turns([("base.E", 0, ((0, None), (90, None))), ("base.E", 1, ((0, None),))])
    >>> len(turns), turns[2]
    (3, Place(tile='base.E', x=0, y=1, rotation=0, figure=None))
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self._ends = list(accumulate(map(len, map(itemgetter(2), rows))))

    def __iter__(self) -> Iterator[Place]:
        new = tuple.__new__  # calling Place takes three times as long
        return iter(
            [
                new(Place, (drawn, x, y, rotation, figure))
                for drawn, cell, options in self._rows
                for x, y in (get_coordinates(cell),)
                for rotation, figure in options
            ]
        )

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, number: int) -> Place: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Place]: ...
    def __getitem__(self, number: int | slice) -> Place | Sequence[Place]:
        if isinstance(number, slice):
            return list(self)[number]
        number = range(len(self))[number]
        at = bisect_right(self._ends, number)
        drawn, cell, options = self._rows[at]
        from_end = number - self._ends[at]
        return Place(drawn, *get_coordinates(cell), *options[from_end])


def fitting_cells(state: State, this: Tile) -> Iterator[tuple[int, Sequence[Rotated]]]:
    """Each cell on which *this* tile fits, with the rotations in which it may lie there, perhaps none."""
    forbidding = list_bans(state, this)
    for cell, need in state.board.needs.items():
        fitting = this.fits(need)
        if fitting:
            yield cell, list_allowed(cell, fitting, forbidding)


class FigureChoices:
    """The choices of figures of the seat that is to place a tile."""

    def __init__(self, state: State) -> None:
        seat = state.decision.seat
        assert seat is not None
        self._state, self._seat = state, seat
        self.own_ports = _own_ports(state, seat)
        self.recalls = _recalls(state, seat)

    def on(self, cell: int, turned: Rotated) -> tuple[Figure, ...]:
        """Return the choices of figures with *turned* on *cell*; ``None``, to do nothing, comes first."""
        state, seat = self._state, self._seat
        rules, board, supply = state.rules, state.board, state.supply[seat]
        figures: list[Figure] = [None]
        if turned.id not in rules.closed:
            occupied, own = board.occupied.get(cell, 0), self.own_ports.get(cell, 0)
            around = Around(occupied, own, find_undecided(board.twice.get(cell, ()), own or occupied))
            figures += list_deployments(
                turned, list_in_hand(rules.claims, supply), list_in_hand(rules.joins, supply), around
            )
        for module in rules.asking("offers"):
            figures += module.offers(state, seat, cell, turned)
        if self.recalls:
            figures += self.recalls_beside(cell)
        return tuple(figures)

    def recalls_beside(self, cell: int) -> tuple[Recall, ...]:
        """The recalls that a tile on *cell* leaves open."""
        return tuple([recall for recall, last in self.recalls.items() if cell not in last])


def _own_ports(state: State, seat: int) -> Mapping[int, int]:
    """By cell, the ports that lead to a follower of *seat*, if it has figures to join one in hand (TB-4)."""
    rules, board = state.rules, state.board
    ports: dict[int, int] = {}
    if rules.joins and list_in_hand(rules.joins, state.supply[seat]):
        for meeple in board.standing.get(seat, ()):
            if rules.strengths[meeple.figure]:
                mark_feature(ports, board.features[meeple.code].faces)
    return ports


def _recalls(state: State, seat: int) -> Mapping[Recall, Collection[int]]:
    """The recalls open to *seat*, in order of deploying, each with the cells where a tile would rule it out:
    what that completes is scored instead (ABBOT-8)."""
    board, figures = state.board, state.rules.recalled
    recalls: dict[Recall, Collection[int]] = {}
    for meeple in board.standing.get(seat, ()) if figures else ():
        if meeple.figure in figures:
            feature, cell = board.features[meeple.code], meeple.code // MAX_SEGMENTS
            if feature.open_ends:
                last = [cell + step for step in AROUND] if feature.open_ends == 1 else []
                recalls[Recall(*get_coordinates(cell))] = last
    return recalls


class TileTables(NamedTuple):
    """A tile that waits to be placed, and the tables of its options."""

    tile: Tile
    claims: ClaimTable  # with every figure that claims, in hand or not
    joins: JoinTable  # with every figure that joins a follower of its owner
    bans: list[Ban]


class Listing:
    """The legal turns of *state* by tile and cell, in up to three rows each: bare or with a figure that
    claims, with a figure that joins, with a recall.

    A cell is an *exception*, and computed rotation by rotation, where a module may forbid the tile, where
    the tile would meet an occupied feature twice, or where it would rule out a recall.

    >>> from games.rules import Draw, Game, RuleSet
    >>> state = Game.new(RuleSet.of()).play(Draw("base.X")).state
    >>> rows = Listing(state, FigureChoices(state)).rows()
    >>> [(id, get_coordinates(cell), len(options)) for id, cell, options in rows]
    [('base.X', (1, 0), 36), ('base.X', (-1, 0), 36)]
    """

    def __init__(self, state: State, choices: FigureChoices) -> None:
        assert state.decision.seat is not None
        board, rules, supply = state.board, state.rules, state.supply[state.decision.seat]
        self._state, self._choices = state, choices
        self._needs, self._occupied, self._own = board.needs, board.occupied, choices.own_ports
        self._claimers_not_in_hand = missing = find_bits_not_in_hand(rules.claims, supply)
        self._joiners_not_in_hand = find_bits_not_in_hand(rules.joins, supply) if rules.joins else 0
        occupied = board.occupied
        self._claim_keys = [
            (cell, need, need << NEED_SHIFT | occupied.get(cell, 0) | missing)
            for cell, need in board.needs.items()
        ]

    def rows(self) -> Sequence[Row]:
        """All legal turns."""
        if self._state.rules.asking("offers"):
            return list(self._one_by_one())
        rows: list[Row] = []
        suspects = self._suspects()
        for id in self._state.playable:
            tables = self._tables(get_tile(id))
            exceptions = self._exceptions(tables, suspects)
            rows += self._claiming(tables, exceptions)
            if self._own:
                rows += self._joining(tables, exceptions)
            if self._choices.recalls:
                rows += self._recalling(tables, exceptions)
        return rows

    def _one_by_one(self) -> Iterator[Row]:
        """The legal turns where modules offer figures that the tables don't hold."""
        for id in self._state.playable:
            for cell, fitting in fitting_cells(self._state, get_tile(id)):
                figures = [(turned.rotation, self._choices.on(cell, turned)) for turned in fitting]
                yield id, cell, tuple([(rotation, figure) for rotation, may in figures for figure in may])

    def _tables(self, this: Tile) -> TileTables:
        rules = self._state.rules
        claims, joins = ((), ()) if this.id in rules.closed else (rules.claims, rules.joins)
        return TileTables(
            this, claim_table(this, claims), join_table(this, joins), list_bans(self._state, this)
        )

    def _claiming(self, tables: TileTables, exceptions: Mapping[int, tuple[Option, ...]]) -> list[Row]:
        """The options bare or with a figure that claims; on exceptions, all options but recalls."""
        id, claims, fitting = tables.tile.id, tables.claims, tables.claims.fitting
        return [
            (id, cell, exceptions[cell] if cell in exceptions else claims[key])
            for cell, need, key in self._claim_keys
            if fitting[need]
        ]

    def _joining(self, tables: TileTables, exceptions: Collection[int]) -> list[Row]:
        """The options with a figure that joins a follower of its owner."""
        id, joins, fitting = tables.tile.id, tables.joins, tables.claims.fitting
        needs, not_in_hand = self._needs, self._joiners_not_in_hand
        return [
            (id, cell, joins[needs[cell] << NEED_SHIFT | own | not_in_hand])
            for cell, own in self._own.items()
            if cell not in exceptions and fitting[needs[cell]]
        ]

    def _recalling(self, tables: TileTables, exceptions: Mapping[int, tuple[Option, ...]]) -> list[Row]:
        """The options with a recall."""
        id, claims, fitting, choices = tables.tile.id, tables.claims, tables.claims.fitting, self._choices
        every = tuple(choices.recalls)
        rows: list[Row] = [
            (id, cell, add_recalls(claims[need << NEED_SHIFT | NO_FIGURE_IN_HAND], every))
            for cell, need, _ in self._claim_keys
            if cell not in exceptions and fitting[need]
        ]
        for cell, options in exceptions.items():
            left = choices.recalls_beside(cell)
            if left:
                bare = tuple([option for option in options if option[1] is None])
                rows.append((id, cell, add_recalls(bare, left)))
        return rows

    def _suspects(self) -> set[int]:
        """The cells that are exceptions whatever the tile: a recall ends there, or a feature is met twice."""
        occupied, own = self._occupied, self._own
        cells = {cell for last in self._choices.recalls.values() for cell in last}
        cells.update(
            cell
            for cell, masks in self._state.board.twice.items()
            if cell in occupied and find_undecided(masks, own.get(cell, 0) or occupied[cell])
        )
        cells &= self._needs.keys()
        return cells

    def _exceptions(self, tables: TileTables, suspects: Iterable[int]) -> dict[int, tuple[Option, ...]]:
        """The options, except recalls, on each cell that is an exception for the tile."""
        needs, fitting = self._needs, tables.claims.fitting
        cells = needs if tables.bans else suspects
        return {cell: self._options(cell, tables) for cell in cells if fitting[needs[cell]]}

    def _options(self, cell: int, tables: TileTables) -> tuple[Option, ...]:
        """The options of a tile on *cell*, except recalls."""
        need, occupied, own = self._needs[cell], self._occupied.get(cell, 0), self._own.get(cell, 0)
        twice = find_undecided(self._state.board.twice.get(cell, ()), own or occupied) if occupied else ()
        fitting = tables.tile.fits(need)
        may = list_allowed(cell, fitting, tables.bans)
        taken, joined = occupied | self._claimers_not_in_hand, own | self._joiners_not_in_hand
        if not twice and len(may) == len(fitting):
            options = tables.claims[need << NEED_SHIFT | taken]
            return options + tables.joins[need << NEED_SHIFT | joined] if own else options
        around = Around(taken, joined, twice)
        offered: list[Option] = []
        rotations = zip(fitting, tables.claims.fitting[need], tables.joins.fitting[need], strict=True)
        for turned, claims, joins in rotations:
            if turned in may:
                offered += list_options_of_rotation(turned, claims, joins, around)
        return tuple(offered)
