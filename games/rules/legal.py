"""What may be done: the one source of it, for pages, mails, bots and the check of an incoming action."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, cached_property
from typing import Any

from .actions import Action, Draw, Final, Place, Placement, Recall
from .errors import IllegalAction
from .geometry import ROTATIONS, SIDES, STEP, cell_at, position
from .ruleset import FOLLOWER
from .state import State
from .tiles import FIELD, GARDEN, RIVER, Deploy, Rotated, Tile, tile

_CLOSED = frozenset({GARDEN, RIVER})  # to followers (BASE-17)


@cache
def _spots(turned: Rotated, farmers: bool) -> tuple[tuple[int, int, Deploy], ...]:
    """Where a follower may ever stand on *turned*: index and mask of the segment, and how it is said."""
    return tuple(
        (lie.index, lie.mask, Deploy(FOLLOWER, lie.kind, lie.side))
        for lie in turned.lies
        if lie.kind not in _CLOSED and (farmers or lie.kind != FIELD)
    )


class _Plans(dict[int, tuple[tuple[int, Deploy | None], ...]]):
    """What one tile may do on a cell, as pairs of rotation and figure, by the cell's need and taken ports.

    The key is ``need << 12 | taken``; empty where the tile does not fit. Holds where no feature beside the
    cell meets it twice.
    """

    def __init__(self, this: Tile, farmers: bool, hand: bool) -> None:
        self._of = this, farmers, hand

    def __missing__(self, key: int) -> tuple[tuple[int, Deploy | None], ...]:
        this, farmers, hand = self._of
        plan: list[tuple[int, Deploy | None]] = []
        for turned in this.fits(key >> 12):
            plan.append((turned.rotation, None))
            if hand:
                plan += [
                    (turned.rotation, deploy) for _, mask, deploy in _spots(turned, farmers) if not mask & key
                ]
        self[key] = tuple(plan)
        return self[key]


_plans = cache(_Plans)
_draw = cache(Draw)


class LegalActions(Collection[Action]):
    """The legal actions of a state. Lazy: nothing is worked out before it is asked for.

    Iterating lists every action, one name for each spot; ``in`` checks a single action, whatever legal name
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

    def _list(self) -> Sequence[Action]:
        if self._listed is None:
            self._listed = self._turns() if self._state.decision.kind == "place" else self._others()
        return self._listed

    def __contains__(self, action: object) -> bool:
        try:
            self.check(action)
        except IllegalAction:
            return False
        return True

    @cached_property
    def placements(self) -> tuple[Placement, ...]:
        """Where the drawn tile may lie, as triples (BASE-13); none unless a tile waits to be placed."""
        return tuple(
            Placement(*position(cell), turned.rotation)
            for cell, fitting in self._fitting()
            for turned in fitting
        )

    def figures(self, placement: Placement) -> tuple[Deploy | Recall | None, ...]:
        """What may be done with figures after *placement*; ``None``, to do nothing, comes first.

        Raises :class:`IllegalAction` where the tile may not lie like that.
        """
        cell, turned = self._check_placement(placement)
        return self._figures(cell, turned)

    def check(self, action: Any) -> None:
        """Raise :class:`IllegalAction` with the rule's number if *action* is not legal."""
        kind = self._state.decision.kind
        if kind != "place":
            if kind == "draw" and isinstance(action, Draw):
                legal = action.tile in drawable(self._state)
            else:
                legal = action in self._others()
            if not legal:
                self._refuse_other(action)
            return
        if not isinstance(action, Place):
            raise IllegalAction("place_first", "BASE-6")
        if action.tile != self._state.drawn:
            raise IllegalAction("other_tile", "BASE-7", tile=action.tile, drawn=self._state.drawn)
        cell, turned = self._check_placement(Placement(action.x, action.y, action.rotation))
        if action.figure is not None:
            self._check_figure(cell, turned, action.figure)

    def _others(self) -> tuple[Action, ...]:
        state = self._state
        kind, seat = state.decision
        if kind == "draw":
            return tuple(map(_draw, drawable(state)))
        if kind == "final":
            return (Final(),)
        if kind == "over":
            return ()
        (step,) = (step for step in (*state.rules.turn, *state.rules.ending) if step.name == kind)
        assert seat is not None
        return tuple(step.choices(state, seat))

    def _refuse_other(self, action: Any) -> None:
        kind = self._state.decision.kind
        if kind == "over":
            raise IllegalAction("game_over", "BASE-36")
        if kind == "final":
            raise IllegalAction("final_scoring_waits", "BASE-39")
        if kind == "draw":
            if isinstance(action, Draw):
                raise IllegalAction("no_such_tile_left", "BASE-2", tile=action.tile)
            raise IllegalAction("draw_first", "BASE-6")
        raise IllegalAction("not_offered", "BASE-6", step=kind)

    def _fitting(self) -> Iterator[tuple[int, Iterable[Rotated]]]:
        """Each cell on which the drawn tile fits, with the rotations in which it does."""
        state = self._state
        if state.drawn is None:
            return
        fits = tile(state.drawn).fits
        forbidding = state.rules.asking("forbids")
        for cell, need in state.board.needs.items():
            fitting = fits(need)
            if fitting:
                if forbidding:
                    fitting = tuple(
                        turned
                        for turned in fitting
                        if not any(module.forbids(state, cell, turned) for module in forbidding)
                    )
                yield cell, fitting

    def _turns(self) -> list[Place]:
        """Every legal turn. The map from open ports to features tells at once which spots are taken, so all
        that is left to do for a cell is to look up what its need and its taken ports allow the tile."""
        state = self._state
        seat, drawn = state.decision.seat, state.drawn
        assert seat is not None and drawn is not None
        if state.rules.asking("forbids") or state.rules.asking("offers"):
            return [
                Place(drawn, *position(cell), turned.rotation, figure)
                for cell, fitting in self._fitting()
                for turned in fitting
                for figure in self._figures(cell, turned)
            ]
        _, features, rim, needs = state.board
        hand = state.supply[seat].get(FOLLOWER, 0) > 0
        farmers = state.rules.options["fields"] != "none"
        plans = _plans(tile(drawn), farmers, hand)
        new, found = tuple.__new__, []
        for cell, need in needs.items():
            plan: Iterable[tuple[int, Deploy | Recall | None]] = plans[need << 12]
            if not plan:
                continue
            if hand:
                first, taken = cell * 12, 0
                for port in _PORTS[need]:
                    if features[rim[first + port]].meeples:
                        taken |= 1 << port
                if taken:
                    met = [id(features[rim[first + port]]) for port in _PORTS[need]]
                    if len(set(met)) == len(met):
                        plan = plans[need << 12 | taken]
                    else:  # two segments of the tile might be joined through a feature: look closer
                        plan = tuple(
                            (turned.rotation, figure)
                            for turned in tile(drawn).fits(need)
                            for figure in self._figures(cell, turned)
                        )
            x, y = _POSITIONS[cell]
            for rotation, figure in plan:
                found.append(new(Place, (drawn, x, y, rotation, figure)))
        return found

    def _figures(self, cell: int, turned: Rotated) -> tuple[Deploy | Recall | None, ...]:
        state = self._state
        seat = state.decision.seat
        assert seat is not None
        figures: list[Deploy | Recall | None] = [None]
        if state.supply[seat].get(FOLLOWER, 0) > 0:
            free = state.board.free(cell, turned)
            farmers = state.rules.options["fields"] != "none"
            figures += [deploy for index, _, deploy in _spots(turned, farmers) if index in free]
        for module in state.rules.asking("offers"):
            figures += module.offers(state, seat, cell, turned)
        return tuple(figures)

    def _check_placement(self, placement: Placement) -> tuple[int, Rotated]:
        state = self._state
        if state.drawn is None:
            raise IllegalAction("draw_first", "BASE-6")
        x, y, rotation = placement
        if type(x) is not int or type(y) is not int or max(abs(x), abs(y)) > FAR:
            raise IllegalAction("not_adjacent", "BASE-8", x=x, y=y)
        if type(rotation) is not int or rotation not in ROTATIONS:
            raise IllegalAction("no_such_rotation", "BASE-13", rotation=rotation)
        cell = cell_at(x, y)
        if cell in state.board.tiles:
            raise IllegalAction("cell_taken", "BASE-8", x=x, y=y)
        if cell not in state.board.needs:
            raise IllegalAction("not_adjacent", "BASE-8", x=x, y=y)
        turned = tile(state.drawn).at(rotation)
        for side, name in enumerate(SIDES):
            near = state.board.tiles.get(cell + STEP[side])
            if near is not None and near.sides[(side + 2) % 4] != turned.sides[side]:
                raise IllegalAction("edge_differs", "BASE-9", x=x, y=y, rotation=rotation, side=name)
        for module in state.rules.asking("forbids"):
            rule = module.forbids(state, cell, turned)
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
            raise IllegalAction("nothing_to_recall", "BASE-21")
        index = turned.spots.get((figure.on, figure.side))
        if index is None:
            raise IllegalAction("no_such_spot", "BASE-17", on=figure.on, side=figure.side, tile=turned.id)
        if not state.supply[seat].get(figure.meeple, 0):
            raise IllegalAction("none_in_supply", "BASE-20", meeple=figure.meeple)
        if figure.on == FIELD and state.rules.options["fields"] == "none":
            raise IllegalAction("no_farmers", "BASE-22")
        if index not in state.board.free(cell, turned):
            raise IllegalAction("occupied", "BASE-18", on=figure.on, side=figure.side)
        raise IllegalAction("wrong_figure", "BASE-17", meeple=figure.meeple, on=figure.on)


FAR = 1000
"""No coordinate is larger; what comes from outside is held to it before it becomes a cell."""


def _same(turned: Rotated, figure: Any, offered: Deploy | Recall | None) -> bool:
    """Whether *figure* is *offered*, perhaps by another name of the same spot."""
    if not isinstance(figure, Deploy) or not isinstance(offered, Deploy):
        return bool(figure == offered)
    return figure.meeple == offered.meeple and turned.spots.get(figure[1:], -1) == turned.spots[offered[1:]]


def drawable(state: State) -> Collection[str]:
    """The ids that may be drawn next, in order: those of the first group of the bag that is not used up."""
    remaining, bag = state.remaining, state.rules.bag
    if len(bag) > 1:
        for group in bag:
            left = [id for id in group if id in remaining]
            if left:
                return left
    return remaining.keys()


def placeable(state: State, drawn: Tile) -> bool:
    """Whether *drawn* has any legal placement (BASE-15)."""
    forbidding = state.rules.asking("forbids")
    if not forbidding:
        return any(map(drawn.fits, state.board.needs.values()))
    for cell, need in state.board.needs.items():
        for turned in drawn.fits(need):
            if not any(module.forbids(state, cell, turned) for module in forbidding):
                return True
    return False


class _Ports(dict[int, tuple[int, ...]]):
    """The ports through which an empty cell with a need meets its neighbours' segments."""

    def __missing__(self, need: int) -> tuple[int, ...]:
        ports: list[int] = []
        for side in range(4):
            kind = need >> 3 * side & 7
            first, middle, last = range(3 * side, 3 * side + 3)
            if kind == 1:
                ports.append(middle)
            elif kind in (2, 4):
                ports += [first, middle, last]
            elif kind == 3:
                ports.append(first if side in (0, 1) else last)
        self[need] = tuple(ports)
        return self[need]


class _Positions(dict[int, tuple[int, int]]):
    """``position`` of each cell that was ever asked for."""

    def __missing__(self, cell: int) -> tuple[int, int]:
        self[cell] = position(cell)
        return self[cell]


_PORTS = _Ports()
_POSITIONS = _Positions()
