"""What may be done: the one source of it, for pages, mails, bots and the check of an incoming action."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from .actions import Action, Draw, Final, Place, Placement, Recall
from .board import Feature
from .checks import FAR
from .errors import IllegalAction
from .geometry import AROUND, ROTATIONS, SIDES, STEP, cell_at, position
from .plans import PORTS_OF, POSITION, Kinds, drawable, placeable, plans, restricting, spots
from .state import State
from .tiles import FIELD, MAX_SEGMENTS, Deploy, Rotated, Tile, tile

if TYPE_CHECKING:
    from .module import Module
    from .turn import Step

__all__ = ["FAR", "LegalActions", "drawable", "placeable"]

Figure = Deploy | Recall | None

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
            if self._state.decision.kind == "place":
                self._listed = self._turns()
            else:
                self._listed = self._others()
        return self._listed

    def __contains__(self, action: object) -> bool:
        try:
            self.check(action)
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
            Placement(*position(cell), turned.rotation)
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

    def silence(self) -> Action:
        """What the seat is taken to answer that lets its time pass; ``None`` for a turn, which nobody can
        play in its stead by rule (COUNT, table of decisions; WINTER-14)."""
        step = self.step
        seat = self._state.decision.seat
        return None if step is None or seat is None else step.silence(self._state, seat)

    def check(self, action: Any) -> None:
        """Raise :class:`IllegalAction` with the rule's number if *action* is not legal."""
        kind = self._state.decision.kind
        if kind != "place":
            if kind == "draw" and isinstance(action, Draw):
                legal = action.tile in drawable(self._state)
            else:
                named = self.named(action)  # as tuples, actions without fields are all equal
                legal = any(type(one) is type(named) and one == named for one in self._list())
            if not legal:
                self._refuse_other(action)
            return
        if not isinstance(action, Place):
            raise IllegalAction("place_first", "BASE-6")
        if action.tile not in self._state.playable:
            raise IllegalAction("other_tile", "BASE-7", tile=action.tile, drawn=self._state.drawn)
        cell, turned = self._check_placement(action.tile, Placement(action.x, action.y, action.rotation))
        if action.figure is not None:
            self._check_figure(cell, turned, action.figure)

    def named(self, action: Any) -> Any:
        """The answer to a step as it is listed: its spot may have been named by another of its names."""
        step = self.step
        if step is None:
            return action
        try:
            return step.named(self._state, action)
        except (AttributeError, KeyError, TypeError, ValueError):
            return None

    @property
    def step(self) -> Step | None:
        """The step that waits, if one does."""
        kind, seat = self._state.decision
        if seat is None or kind == "place":
            return None
        (step,) = (one for one in (*self._state.rules.turn, *self._state.rules.ending) if one.name == kind)
        return step

    def _others(self) -> tuple[Action, ...]:
        state = self._state
        kind, seat = state.decision
        if kind == "draw":
            return tuple(map(_draw, drawable(state)))
        if kind == "final":
            return (Final(),)
        step = self.step
        if step is None or seat is None:
            return ()
        return tuple(step.choices(state, seat))

    def _refuse_other(self, action: Any) -> None:
        kind = self._state.decision.kind
        if kind == "over":
            raise IllegalAction("game_over", "BASE-36")
        if kind == "final":
            raise IllegalAction("final_scoring_waits", "BASE-39")
        if kind == "draw":
            if not isinstance(action, Draw):
                raise IllegalAction("draw_first", "BASE-6")
            if action.tile in self._state.remaining:
                ordering = self._state.rules.asking("bag")
                raise IllegalAction("drawn_too_early", ordering[-1].order_rule, tile=action.tile)
            raise IllegalAction("no_such_tile_left", "BASE-2", tile=action.tile)
        step = self.step
        raise IllegalAction("not_offered", step.rule if step else "BASE-6", step=kind)

    def _fitting(self, id: str) -> Iterator[tuple[int, Iterable[Rotated]]]:
        """Each cell on which the tile called *id* fits, with the rotations in which it does."""
        state = self._state
        this = tile(id)
        fits = this.fits
        forbidding = restricting(state, this)
        for cell, need in state.board.needs.items():
            fitting = fits(need)
            if fitting:
                yield cell, self._allowed(cell, fitting, forbidding) if forbidding else fitting

    def _in_hand(self, this: Tile) -> tuple[tuple[Kinds, ...], tuple[Kinds, ...]]:
        """The figures that the seat on turn may put on the tile: those that claim and those that join."""
        state, seat = self._state, self._state.decision.seat
        assert seat is not None
        rules, supply = state.rules, state.supply[seat]
        closing = rules.asking("closes")
        if closing and any(module.closes(rules, this) for module in closing):
            return (), ()
        claims = tuple([kinds for kinds in rules.claims if supply.get(kinds[0])])
        return claims, tuple([kinds for kinds in rules.joins if supply.get(kinds[0])]) if rules.joins else ()

    def _turns(self) -> list[Place]:
        """Every legal turn. The map from open ports to features tells at once which spots are taken, so all
        that is left to do for a cell is to look up what its need and its taken ports allow the tile."""
        state = self._state
        seat = state.decision.seat
        assert seat is not None
        if state.rules.asking("offers"):
            return [
                Place(drawn, *position(cell), turned.rotation, figure)
                for drawn in state.playable
                for cell, fitting in self._fitting(drawn)
                for turned in fitting
                for figure in self._figures(cell, turned)
            ]
        features, rim = state.board.features, state.board.rim
        hand = []
        for drawn in state.playable:
            this = tile(drawn)
            claims, joins = self._in_hand(this)
            hand.append((drawn, this, plans(this, claims), claims or joins, joins, restricting(state, this)))
        recalls = self._to_leave if state.rules.recalled else ()
        if len(hand) == 1 and not (recalls or hand[0][4] or hand[0][5]):
            return self._plain_turns(drawn, this, claims)
        new, found = tuple.__new__, []
        for cell, need in state.board.needs.items():
            taken = mine = -1  # not looked at yet
            for drawn, this, table, figures, joins, forbidding in hand:
                plan: Iterable[tuple[int, Figure]] = table[need << 12]
                if not plan:
                    continue
                if forbidding:
                    fitting = self._allowed(cell, this.fits(need), forbidding)
                    if not fitting:
                        continue
                if figures:
                    if taken < 0:
                        first, taken, clear = cell * 12, 0, True
                        for port in PORTS_OF[need]:
                            if features[rim[first + port]].meeples:
                                taken |= 1 << port
                        if taken:
                            free = [
                                id(features[rim[first + port]])
                                for port in PORTS_OF[need]
                                if not taken & 1 << port
                            ]
                            clear = len(set(free)) == len(free)
                    if not clear:  # a segment may join an occupied feature through a free one: look closer
                        plan = [
                            (turned.rotation, figure)
                            for turned in this.fits(need)
                            for figure in self._deploys(cell, turned)
                        ]
                    elif taken:
                        plan = table[need << 12 | taken]
                        if joins:
                            if mine < 0:
                                mine, apart = self._mine(cell, need)
                            if mine:
                                plan = [*plan, *self._joining(cell, this.fits(need), joins, mine, apart)]
                if forbidding and len(fitting) < len(this.fits(need)):
                    turns = {turned.rotation for turned in fitting}
                    plan = [way for way in plan if way[0] in turns]
                x, y = POSITION[cell]
                for rotation, figure in plan:
                    found.append(new(Place, (drawn, x, y, rotation, figure)))
                if recalls:
                    for recall in self._recalls(recalls, cell):
                        for rotation, figure in plan:
                            if figure is None:
                                found.append(new(Place, (drawn, x, y, rotation, recall)))
        return found

    def _plain_turns(self, drawn: str, this: Tile, claims: tuple[Kinds, ...]) -> list[Place]:
        """The same for one tile that nothing restricts, with figures that only claim: nearly every turn."""
        _, features, rim, needs, _ = self._state.board
        table = plans(this, claims)
        new, found = tuple.__new__, []
        for cell, need in needs.items():
            plan: Iterable[tuple[int, Figure]] = table[need << 12]
            if not plan:
                continue
            if claims:
                first, taken = cell * 12, 0
                for port in PORTS_OF[need]:
                    if features[rim[first + port]].meeples:
                        taken |= 1 << port
                if taken:
                    free = [
                        id(features[rim[first + port]]) for port in PORTS_OF[need] if not taken & 1 << port
                    ]
                    if len(set(free)) == len(free):
                        plan = table[need << 12 | taken]
                    else:
                        plan = [
                            (turned.rotation, figure)
                            for turned in this.fits(need)
                            for figure in self._deploys(cell, turned)
                        ]
            x, y = POSITION[cell]
            for rotation, figure in plan:
                found.append(new(Place, (drawn, x, y, rotation, figure)))
        return found

    def _allowed(
        self, cell: int, fitting: Iterable[Rotated], forbidding: Iterable[Module]
    ) -> tuple[Rotated, ...]:
        """Those of the *fitting* rotations that no module forbids on *cell*."""
        for module in forbidding:
            fitting = [turned for turned in fitting if not module.forbids(self._state, cell, turned)]
        return tuple(fitting)

    def _mine(self, cell: int, need: int) -> tuple[int, bool]:
        """The ports of the empty *cell* that lead to a follower of the seat on turn, and whether each of the
        other features is met but once."""
        _, features, rim, _, _ = self._state.board
        seat, strengths = self._state.decision.seat, self._state.rules.strengths
        mine, others, first = 0, [], cell * 12
        for port in PORTS_OF[need]:
            feature = features[rim[first + port]]
            for meeple in feature.meeples:
                if meeple.seat == seat and strengths[meeple.figure]:
                    mine |= 1 << port
                    break
            else:
                others.append(id(feature))
        return mine, len(set(others)) == len(others)

    def _joining(
        self, cell: int, fitting: Iterable[Rotated], joins: tuple[Kinds, ...], mine: int, apart: bool
    ) -> list[tuple[int, Figure]]:
        """What joins a follower of its owner, as pairs of rotation and figure, given ``_mine``."""
        if apart:
            return [
                (turned.rotation, deploy)
                for turned in fitting
                for _, mask, deploy in spots(turned, joins)
                if mask & mine
            ]
        return [
            (turned.rotation, deploy)
            for turned in fitting
            for deploy in self._joins(turned, self._state.board.met(cell, turned), joins)
        ]

    def _joins(
        self, turned: Rotated, met: Sequence[Sequence[Feature]], joins: tuple[Kinds, ...]
    ) -> list[Deploy]:
        """The figures of *joins* that find a follower of their owner in what their segment would *meet*."""
        seat, strengths = self._state.decision.seat, self._state.rules.strengths
        return [
            deploy
            for index, _, deploy in spots(turned, joins)
            if any(
                meeple.seat == seat and strengths[meeple.figure]
                for feature in met[index]
                for meeple in feature.meeples
            )
        ]

    def _figures(self, cell: int, turned: Rotated) -> tuple[Figure, ...]:
        state = self._state
        seat = state.decision.seat
        assert seat is not None
        figures = self._deploys(cell, turned)
        for module in state.rules.asking("offers"):
            figures += module.offers(state, seat, cell, turned)
        if state.rules.recalled:
            figures += self._recalls(self._to_leave, cell)
        return tuple(figures)

    def _deploys(self, cell: int, turned: Rotated) -> list[Figure]:
        """Nothing, then what may be put on the tile."""
        state = self._state
        figures: list[Figure] = [None]
        claims, joins = self._in_hand(turned.tile)
        if claims or joins:
            met = state.board.met(cell, turned)
            free = [not any(feature.meeples for feature in features) for features in met]
            figures += [deploy for index, _, deploy in spots(turned, claims) if free[index]]
            figures += self._joins(turned, met, joins)
        return figures

    @cached_property
    def _to_leave(self) -> tuple[Feature, ...]:
        """The buildings from which the seat on turn may take a figure back, in the order of placing."""
        state, seat = self._state, self._state.decision.seat
        assert seat is not None
        board, recalled = state.board, state.rules.recalled
        if all(state.supply[seat][figure] >= state.rules.figures[figure] for figure in recalled):
            return ()
        found = []
        for cell, turned in board.tiles.items():
            for index in turned.surrounded:
                feature = board.features[cell * MAX_SEGMENTS + index]
                for one in feature.meeples:
                    if one.seat == seat and one.figure in recalled:
                        found.append(feature)
        return tuple(found)

    def _recalls(self, buildings: Iterable[Feature], cell: int) -> Iterator[Recall]:
        """The recalls that a tile on *cell* leaves: what it completes is scored instead (ABBOT-8)."""
        beside = {cell + step for step in AROUND}
        for feature in buildings:
            there = feature.segments[0] // MAX_SEGMENTS
            if feature.open_ends > (there in beside):
                yield Recall(*position(there))

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
        for module in restricting(state, turned.tile):
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
