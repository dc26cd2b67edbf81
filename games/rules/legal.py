"""What may be done: the one source of it, for pages, mails, bots and the check of an incoming action."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import accumulate
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, cast, overload

from .actions import Action, Draw, Final, Place, Placement, Recall
from .board import mark
from .checks import FAR
from .errors import IllegalAction
from .geometry import AROUND, ROTATIONS, SIDES, STEP, cell_at, coordinates
from .placements import (
    KEY,
    NO_FIGURE,
    Claiming,
    Figure,
    Joining,
    Option,
    allowed,
    bans,
    claiming,
    closely,
    deploys,
    drawable,
    free,
    in_hand,
    joining,
    lacking,
    leaving,
)
from .state import State
from .tiles import FIELD, MAX_SEGMENTS, Deploy, Rotated, Tile, tile

if TYPE_CHECKING:
    from .module import Ban
    from .turn import Step

_draw = cache(Draw)


class Held(NamedTuple):
    """A tile that waits to be placed, and what may be done with it."""

    tile: Tile
    claims: Claiming  # with every figure that claims, in hand or not
    joins: Joining  # with every figure that joins a follower of its owner
    forbidding: list[Ban]


Row = tuple[str, int, tuple[Option, ...]]
"""A tile, a cell, and some of what the tile may do there."""


class Turns(Sequence[Place]):
    """The turns of *rows*. How many there are is known, and any of them is to be had by its number, without
    making the others: with a hand of tiles and many figures there are a thousand, of which one is played."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self._ends = list(accumulate(map(len, map(itemgetter(2), rows))))

    def __iter__(self) -> Iterator[Place]:
        new = tuple.__new__  # calling Place takes three times as long
        return iter(
            [
                new(Place, (drawn, x, y, rotation, figure))
                for drawn, cell, options in self._rows
                for x, y in (coordinates(cell),)
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
        return Place(drawn, *coordinates(cell), *options[from_end])


class LegalActions(Sequence[Action]):
    """The legal actions of a state. Lazy: nothing is worked out before it is asked for.

    It is a list of every action, one name for each spot; ``in`` checks a single action, whatever legal name
    it gives to its spot, without listing. ``placements`` and ``figures(placement)`` answer a page's
    two steps.

    Rules: BASE-8 to BASE-22.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._listed: Sequence[Action] | None = None

    def __iter__(self) -> Iterator[Action]:
        return iter(self._list())

    def __len__(self) -> int:
        return len(self._list())

    @overload
    def __getitem__(self, number: int) -> Action: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Action]: ...
    def __getitem__(self, number: int | slice) -> Action | Sequence[Action]:
        return self._list()[number]

    def _list(self) -> Sequence[Action]:
        if self._listed is None:
            if self._state.decision.kind == "place":
                self._listed = Turns(self._rows())
            else:
                self._listed = tuple(self._others())
        return self._listed

    def __contains__(self, action: object) -> bool:
        try:
            self.check(cast(Action, action))  # anything may be asked for; what is no action is not legal
        except IllegalAction:
            return False
        return True

    @property
    def tiles(self) -> tuple[str, ...]:
        """The tiles of which one may be placed: the drawn one, or those of a hand (HR-3)."""
        return self._state.playable

    @property
    def placements(self) -> tuple[Placement, ...]:
        """Where the tile may lie, as triples (BASE-13): the drawn one, or the first of a hand."""
        return self.placements_of(self.tiles[0]) if self.tiles else ()

    def placements_of(self, id: str) -> tuple[Placement, ...]:
        """Where the tile called *id* may lie; none unless it waits to be placed."""
        if id not in self.tiles:
            return ()
        return tuple(
            Placement(*coordinates(cell), turned.rotation)
            for cell, fitting in self._fitting(id)
            for turned in fitting
        )

    def figures(self, placement: Placement, id: str | None = None) -> tuple[Figure, ...]:
        """What may be done with figures after *placement* of the drawn tile, or of the one called *id*;
        ``None``, to do nothing, comes first.

        Raises :class:`IllegalAction` where the tile may not lie like that.
        """
        tiles = self.tiles
        if not tiles or (id is not None and id not in tiles):
            raise IllegalAction("draw_first", "BASE-6")
        if id is None:
            id = tiles[0]
        cell, turned = self._check_placement(id, placement)
        return self._figures(cell, turned)

    def silence(self) -> Action | None:
        """What the seat is taken to answer that lets its time pass; ``None`` for a turn, which nobody can
        play in its stead by rule (COUNT, table of decisions; WINTER-14)."""
        step = self.step
        seat = self._state.decision.seat
        return None if step is None or seat is None else step.silence(self._state, seat)

    def check(self, action: Action) -> None:
        """Raise :class:`IllegalAction` with the rule's number if *action* is not legal."""
        kind = self._state.decision.kind
        if kind != "place":
            if kind == "draw" and isinstance(action, Draw):
                legal = action.tile in drawable(self._state)
            else:
                named = self.named(action)  # as tuples, actions without fields are all equal
                offered = self._others() if self._listed is None else self._listed
                legal = any(type(one) is type(named) and one == named for one in offered)
            if not legal:
                raise self._refusal(action)
            return
        if not isinstance(action, Place):
            raise IllegalAction("place_first", "BASE-6")
        if action.tile not in self._state.playable:
            raise IllegalAction("other_tile", "BASE-7", tile=action.tile, drawn=self._state.drawn)
        cell, turned = self._check_placement(action.tile, Placement(action.x, action.y, action.rotation))
        if action.figure is not None:
            self._check_figure(cell, turned, action.figure)

    def named(self, action: Action) -> Action:
        """The answer to a step as it is listed: its spot may have been named by another of its names.

        Raises :class:`IllegalAction` where it names none.
        """
        step = self.step
        if step is None:
            return action
        try:
            return step.named(self._state, action)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise self._refusal(action) from None

    @property
    def step(self) -> Step | None:
        """The step that waits, if one does."""
        kind, seat = self._state.decision
        if seat is None or kind == "place":
            return None
        (step,) = (one for one in (*self._state.rules.turn, *self._state.rules.ending) if one.name == kind)
        return step

    def _others(self) -> Iterable[Action]:
        state = self._state
        kind, seat = state.decision
        if kind == "draw":
            return tuple(map(_draw, drawable(state)))
        if kind == "final":
            return (Final(),)
        step = self.step
        if step is None or seat is None:
            return ()
        return step.choices(state, seat)

    def _refusal(self, action: Action) -> IllegalAction:
        """Why *action* is not legal where no tile waits to be placed."""
        kind = self._state.decision.kind
        if kind == "over":
            return IllegalAction("game_over", "BASE-36")
        if kind == "final":
            return IllegalAction("final_scoring_waits", "BASE-39")
        if kind == "draw":
            if not isinstance(action, Draw):
                return IllegalAction("draw_first", "BASE-6")
            if action.tile in self._state.remaining:
                ordering = self._state.rules.asking("bag")
                return IllegalAction("drawn_too_early", ordering[-1].order_rule, tile=action.tile)
            return IllegalAction("no_such_tile_left", "BASE-2", tile=action.tile)
        step = self.step
        return IllegalAction("not_offered", step.rule if step else "BASE-6", step=kind)

    def _fitting(self, id: str) -> Iterator[tuple[int, Iterable[Rotated]]]:
        """Each cell on which the tile called *id* fits, with the rotations in which it does."""
        state = self._state
        this = tile(id)
        fits = this.fits
        forbidding = bans(state, this)
        for cell, need in state.board.needs.items():
            fitting = fits(need)
            if fitting:
                yield cell, allowed(cell, fitting, forbidding)

    def _held(self, this: Tile) -> Held:
        """What is to be known of *this*, as a tile that waits to be placed."""
        rules = self._state.rules
        claims, joins = ((), ()) if this.id in rules.closed else (rules.claims, rules.joins)
        return Held(this, claiming(this, claims), joining(this, joins), bans(self._state, this))

    def _rows(self) -> Sequence[Row]:
        """The legal turns by tile and cell, in up to three rows each. The board tells at once which spots are
        taken, so all that is left to do is to look up what the need and the taken ports of a cell allow the
        tile; few cells ask for more."""
        state = self._state
        if state.rules.asking("offers"):
            return list(self._rows_one_by_one())
        seat, board = state.decision.seat, state.board
        assert seat is not None
        needs, occupied, supply = board.needs, board.occupied, state.supply[seat]
        out, alone = lacking(state.rules.claims, supply), lacking(state.rules.joins, supply)
        own = self._own if state.rules.joins else {}
        to_leave = self._to_leave if state.rules.recalled else {}
        everywhere, special = tuple(to_leave), {cell for last in to_leave.values() for cell in last}
        special.update(
            cell
            for cell, masks in board.twice.items()
            if cell in occupied and free(masks, own.get(cell, 0) or occupied[cell])
        )
        special &= needs.keys()
        cells = [(cell, need, need << KEY | occupied.get(cell, 0) | out) for cell, need in needs.items()]
        rows: list[Row] = []
        for drawn in state.playable:
            held = self._held(tile(drawn))
            claims, joins, ways = held.claims, held.joins, held.claims.ways
            apart = {
                cell: self._closely(cell, held, own.get(cell, 0), out, alone)
                for cell in (needs if held.forbidding else special)
                if ways[needs[cell]]
            }
            rows += [
                (drawn, cell, apart[cell] if cell in apart else claims[key])
                for cell, need, key in cells
                if ways[need]
            ]
            rows += [
                (drawn, cell, joins[needs[cell] << KEY | mine | alone])
                for cell, mine in own.items()
                if cell not in apart and ways[needs[cell]]
            ]
            if everywhere:
                rows += [
                    (drawn, cell, leaving(claims[need << KEY | NO_FIGURE], everywhere))
                    for cell, need, _ in cells
                    if cell not in apart and ways[need]
                ]
                rows += [
                    (drawn, cell, leaving(tuple([one for one in options if one[1] is None]), recalls))
                    for cell, options in apart.items()
                    if (recalls := self._recalls(cell))
                ]
        return rows

    def _rows_one_by_one(self) -> Iterator[Row]:
        """The same where modules offer what no table holds."""
        for drawn in self._state.playable:
            for cell, fitting in self._fitting(drawn):
                figures = [(turned.rotation, self._figures(cell, turned)) for turned in fitting]
                yield drawn, cell, tuple([(one, figure) for one, may in figures for figure in may])

    def _closely(self, cell: int, held: Held, own: int, out: int, alone: int) -> tuple[Option, ...]:
        """What may be done with a tile on *cell* where something may forbid it, or it meets a feature twice.
        *own* is the mask of the ports to a follower of the seat on turn; *out* and *alone* are the bits of
        the figures that are not in hand."""
        need, occupied = self._state.board.needs[cell], self._state.board.occupied.get(cell, 0)
        twice = free(self._state.board.twice.get(cell, ()), own or occupied) if occupied else ()
        around = taken, mine, _ = occupied | out, own | alone, twice
        fitting = held.tile.fits(need)
        may = allowed(cell, fitting, held.forbidding)
        if not twice and len(may) == len(fitting):
            options = held.claims[need << KEY | taken]
            return options + held.joins[need << KEY | mine] if own else options
        ways = zip(fitting, held.claims.ways[need], held.joins.ways[need], strict=True)
        found = [closely(turned, claims, joins, around) for turned, claims, joins in ways if turned in may]
        return tuple([option for options in found for option in options])

    @cached_property
    def _own(self) -> Mapping[int, int]:
        """The ports that lead to a follower of the seat on turn, by cell, if it has figures in hand that join
        one (TB-4)."""
        rules, board, seat = self._state.rules, self._state.board, self._state.decision.seat
        assert seat is not None
        found: dict[int, int] = {}
        joins = in_hand(rules.joins, self._state.supply[seat])
        for meeple in board.standing.get(seat, ()) if joins else ():
            if rules.strengths[meeple.figure]:
                mark(found, board.features[meeple.code].faces)
        return found

    def _figures(self, cell: int, turned: Rotated) -> tuple[Figure, ...]:
        state = self._state
        seat = state.decision.seat
        assert seat is not None
        supply, rules = state.supply[seat], state.rules
        figures: list[Figure] = [None]
        if turned.id not in rules.closed:
            taken, mine = state.board.occupied.get(cell, 0), self._own.get(cell, 0)
            around = taken, mine, free(state.board.twice.get(cell, ()), mine or taken)
            figures += deploys(turned, in_hand(rules.claims, supply), in_hand(rules.joins, supply), around)
        for module in state.rules.asking("offers"):
            figures += module.offers(state, seat, cell, turned)
        if self._to_leave:
            figures += self._recalls(cell)
        return tuple(figures)

    @cached_property
    def _to_leave(self) -> Mapping[Recall, Collection[int]]:
        """The recalls open to the seat on turn, in order of deploying, each with the cells where a tile would
        rule it out: what that completes is scored instead (ABBOT-8)."""
        state, seat = self._state, self._state.decision.seat
        assert seat is not None
        board, recalled = state.board, state.rules.recalled
        found: dict[Recall, Collection[int]] = {}
        for meeple in board.standing.get(seat, ()):
            if meeple.figure in recalled:
                feature, cell = board.features[meeple.code], meeple.code // MAX_SEGMENTS
                if feature.open_ends:
                    last = [cell + step for step in AROUND] if feature.open_ends == 1 else []
                    found[Recall(*coordinates(cell))] = last
        return found

    def _recalls(self, cell: int) -> tuple[Recall, ...]:
        """The recalls that a tile on *cell* leaves."""
        return tuple([recall for recall, last in self._to_leave.items() if cell not in last])

    def _check_placement(self, id: str, placement: Placement) -> tuple[int, Rotated]:
        state = self._state
        x, y, rotation = placement
        if type(x) is not int or type(y) is not int or max(abs(x), abs(y)) > FAR:
            raise IllegalAction("not_adjacent", "BASE-8", x=x, y=y)
        if type(rotation) is not int or rotation not in ROTATIONS:
            raise IllegalAction("no_such_rotation", "BASE-13", rotation=rotation)
        cell = cell_at(x, y)
        if cell in state.board.tiles:
            raise IllegalAction("cell_taken", "BASE-8", x=x, y=y)
        turned = tile(id).at(rotation)
        if cell in state.board.needs:
            for side, name in enumerate(SIDES):
                near = state.board.tiles.get(cell + STEP[side])
                if near is not None and near.sides[(side + 2) % 4] != turned.sides[side]:
                    raise IllegalAction("edge_differs", "BASE-9", x=x, y=y, rotation=rotation, side=name)
        elif not any(cell + step in state.board.tiles for step in STEP):
            raise IllegalAction("not_adjacent", "BASE-8", x=x, y=y)
        else:  # beyond a border that completes what reaches it
            raise IllegalAction("forbidden_placement", "HR-10", x=x, y=y, rotation=rotation)
        for ban in bans(state, turned.tile):
            rule = ban(cell, turned)
            if rule:
                raise IllegalAction("forbidden_placement", rule, x=x, y=y, rotation=rotation)
        return cell, turned

    def _check_figure(self, cell: int, turned: Rotated, figure: Any) -> None:
        state = self._state
        seat = state.decision.seat
        assert seat is not None
        if isinstance(figure, Deploy) and not all(isinstance(word, str | None) for word in figure):
            raise IllegalAction("no_such_spot", "BASE-17", on=figure.on, side=figure.side, tile=turned.id)
        if any(_same(turned, figure, offered) for offered in self._figures(cell, turned)):
            return
        if not isinstance(figure, Deploy):
            raise IllegalAction("nothing_to_recall", "ABBOT-8" if state.rules.recalled else "BASE-21")
        index = turned.spots.get((figure.on, figure.side))
        if index is None:
            raise IllegalAction("no_such_spot", "BASE-17", on=figure.on, side=figure.side, tile=turned.id)
        if not state.supply[seat].get(figure.meeple, 0):
            raise IllegalAction("none_in_supply", "BASE-20", meeple=figure.meeple)
        if figure.on == FIELD and state.rules.options["fields"] == "none":
            raise IllegalAction("no_farmers", "BASE-22")
        for module in state.rules.asking("closes"):
            rule = module.closes(state.rules, turned.tile)
            if rule:
                raise IllegalAction("no_figures_here", rule)
        if figure.on in dict(state.rules.joins).get(figure.meeple, ()):
            raise IllegalAction("no_follower_there", "TB-4", meeple=figure.meeple, on=figure.on)
        if figure.on in dict(state.rules.claims).get(figure.meeple, ()):
            raise IllegalAction("occupied", "BASE-18", on=figure.on, side=figure.side)
        raise IllegalAction("wrong_figure", "BASE-17", meeple=figure.meeple, on=figure.on)


def _same(turned: Rotated, figure: Any, offered: Figure) -> bool:
    """Whether *figure* is *offered*, perhaps by another name of the same spot."""
    if not isinstance(figure, Deploy) or not isinstance(offered, Deploy):
        return bool(figure == offered)
    return figure.meeple == offered.meeple and turned.spots.get(figure[1:], -1) == turned.spots[offered[1:]]
