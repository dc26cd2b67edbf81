"""The legal actions, computed in one place for pages, mails, bots and the check of an incoming action."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, cast, overload

from .actions import Action, Draw, Final, Place, Placement
from .checks import FAR
from .errors import IllegalAction
from .geometry import ROTATIONS, SIDES, STEP, get_cell, get_coordinates
from .listing import FigureChoices, Listing, Turns, fitting_cells
from .placements import Figure, list_bans, list_drawable
from .state import State
from .tiles import FIELD, Deploy, Rotated, get_tile

if TYPE_CHECKING:
    from .turn import Step

_draw = cache(Draw)


class LegalActions(Sequence[Action]):
    """The legal actions of a state, computed lazily.

    It is a list of every action, one name for each spot; ``in`` checks a single action, whatever legal name
    it gives to its spot, without listing. ``placements`` and ``figures(placement)`` answer a page's
    two steps.

    Rules: BASE-8 to BASE-22.

    >>> from games.rules import Game, RuleSet
    >>> legal = Game.new(RuleSet.of()).play(Draw("base.E")).legal_actions()
    >>> len(legal), legal[1]
    (12, Place(tile='base.E', x=0, y=-1, rotation=180, figure=Deploy(meeple='follower', on='city', side='S')))
    >>> Place("base.E", 0, -1, 0) in legal
    False
    >>> legal.tiles, len(legal.placements)
    (('base.E',), 4)
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._listed: Sequence[Action] | None = None
        self._figures: FigureChoices | None = None

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
                self._listed = Turns(Listing(self._state, self._choices()).rows())
            else:
                self._listed = tuple(self._others())
        return self._listed

    def __contains__(self, action: object) -> bool:
        try:
            self.check(cast(Action, action))  # any object may be tested; one that is no action is not legal
        except IllegalAction:
            return False
        return True

    @property
    def tiles(self) -> tuple[str, ...]:
        """The tiles of which one may be placed: the drawn one, or those of a hand (HR-3)."""
        return self._state.playable

    @property
    def placements(self) -> tuple[Placement, ...]:
        """The placements of the tile (BASE-13): of the drawn one, or of the first of a hand."""
        return self.placements_of(self.tiles[0]) if self.tiles else ()

    def placements_of(self, id: str) -> tuple[Placement, ...]:
        """Return the placements of the tile called *id*; none unless it waits to be placed."""
        if id not in self.tiles:
            return ()
        return tuple(
            Placement(*get_coordinates(cell), turned.rotation)
            for cell, fitting in fitting_cells(self._state, get_tile(id))
            for turned in fitting
        )

    def figures(self, placement: Placement, id: str | None = None) -> tuple[Figure, ...]:
        """Return the choices of figures after *placement* of the drawn tile, or of the one called *id*;
        ``None``, to do nothing, comes first.

        Raises :class:`IllegalAction` where the tile may not lie like that.

        >>> from games.rules import Game, RuleSet
        >>> Game.new(RuleSet.of()).play(Draw("base.E")).legal_actions().figures(Placement(0, -1, 180))[:2]
        (None, Deploy(meeple='follower', on='city', side='S'))
        """
        tiles = self.tiles
        if not tiles or (id is not None and id not in tiles):
            raise IllegalAction("draw_first", "BASE-6")
        if id is None:
            id = tiles[0]
        cell, turned = self._check_placement(id, placement)
        return self._choices().on(cell, turned)

    def default_answer(self) -> Action | None:
        """Return the answer of a seat that lets its deadline pass; ``None`` for a turn, for which the rules
        have none (COUNT, table of decisions; WINTER-14)."""
        step = self.step
        seat = self._state.decision.seat
        return None if step is None or seat is None else step.default_answer(self._state, seat)

    def check(self, action: Action) -> None:
        """Raise :class:`IllegalAction` with the rule's number if *action* is not legal.

        >>> from games.rules import Game, RuleSet
        >>> Game.new(RuleSet.of()).play(Draw("base.E")).legal_actions().check(Place("base.E", 0, -1, 0))
        Traceback (most recent call last):
            ...
        games.rules.errors.IllegalAction: edge_differs (BASE-9) {'x': 0, 'y': -1, 'rotation': 0, 'side': 'S'}
        """
        kind = self._state.decision.kind
        if kind != "place":
            if kind == "draw" and isinstance(action, Draw):
                legal = action.tile in list_drawable(self._state)
            else:
                named = self.normalize_action(action)  # as tuples, actions without fields are all equal
                offered = self._others() if self._listed is None else self._listed
                legal = any(type(action) is type(named) and action == named for action in offered)
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

    def normalize_action(self, action: Action) -> Action:
        """The answer to a step with its spot named as in the list of legal actions.

        Raises :class:`IllegalAction` if there is no such spot.
        """
        step = self.step
        if step is None:
            return action
        try:
            return step.normalize_action(self._state, action)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise self._refusal(action) from None

    @property
    def step(self) -> Step | None:
        """The step that waits, if one does."""
        kind, seat = self._state.decision
        if seat is None or kind == "place":
            return None
        (step,) = (step for step in (*self._state.rules.turn, *self._state.rules.ending) if step.name == kind)
        return step

    def _others(self) -> Iterable[Action]:
        state = self._state
        kind, seat = state.decision
        if kind == "draw":
            return tuple(map(_draw, list_drawable(state)))
        if kind == "final":
            return (Final(),)
        step = self.step
        if step is None or seat is None:
            return ()
        return step.choices(state, seat)

    def _refusal(self, action: Action) -> IllegalAction:
        """The refusal of *action* where no tile waits to be placed."""
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

    def _choices(self) -> FigureChoices:
        if self._figures is None:
            self._figures = FigureChoices(self._state)
        return self._figures

    def _check_placement(self, id: str, placement: Placement) -> tuple[int, Rotated]:
        state = self._state
        x, y, rotation = placement
        if type(x) is not int or type(y) is not int or max(abs(x), abs(y)) > FAR:
            raise IllegalAction("not_adjacent", "BASE-8", x=x, y=y)
        if type(rotation) is not int or rotation not in ROTATIONS:
            raise IllegalAction("no_such_rotation", "BASE-13", rotation=rotation)
        cell = get_cell(x, y)
        if cell in state.board.tiles:
            raise IllegalAction("cell_taken", "BASE-8", x=x, y=y)
        turned = get_tile(id).at(rotation)
        if cell in state.board.needs:
            for side, name in enumerate(SIDES):
                near = state.board.tiles.get(cell + STEP[side])
                if near is not None and near.sides[(side + 2) % 4] != turned.sides[side]:
                    raise IllegalAction("edge_differs", "BASE-9", x=x, y=y, rotation=rotation, side=name)
        elif not any(cell + step in state.board.tiles for step in STEP):
            raise IllegalAction("not_adjacent", "BASE-8", x=x, y=y)
        else:  # beyond a border that completes what reaches it
            raise IllegalAction("forbidden_placement", "HR-10", x=x, y=y, rotation=rotation)
        for ban in list_bans(state, turned.tile):
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
        if any(_same(turned, figure, offered) for offered in self._choices().on(cell, turned)):
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
    """Return whether *figure* is *offered*, perhaps by another name of the same spot."""
    if not isinstance(figure, Deploy) or not isinstance(offered, Deploy):
        return bool(figure == offered)
    return figure.meeple == offered.meeple and turned.spots.get(figure[1:], -1) == turned.spots[offered[1:]]
