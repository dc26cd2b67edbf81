"""A game: its state and the actions played so far.

``decide`` may refuse and changes nothing; ``apply_event`` never refuses. A stored game is rebuilt by applying
its events alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .actions import Action, Draw, Final, Place, Recall
from .board import Board
from .events import Answered, Asked, Deployed, Event, Finished, Placed, event_from_json
from .geometry import get_cell
from .legal import LegalActions
from .ruleset import RuleSet
from .scoring import recall_meeple, score_at_end
from .state import DRAW, Decision, Laid, State, apply_event, replace_slice
from .tiles import Deploy, get_tile
from .turn import Course, list_completions, run_steps


def build_initial_state(
    rules: RuleSet, start: Iterable[Laid] | None = None, *, with_removed: bool = False
) -> State:
    """The state before the first draw, with the tiles of *start*, or else the rule set's own, on the table.

    *with_removed*: a start tile that others replace may be drawn all the same.

    Rules: BASE-1, BASE-2, BASE-4.

    >>> state = build_initial_state(RuleSet.of(seats=3))
    >>> state.left, state.decision, list(state.placed)
    (71, Decision(kind='draw', seat=None), [Laid(tile='base.D', x=0, y=0, rotation=0)])
    """
    board = Board.empty()
    for module in rules.asking("board"):
        board = module.board(rules, board)
    remaining = Counter({id: count for group in rules.bag for id, count in group.items()})
    if start is None:
        start = [Laid(tile.id, x, y, 0) for tile, x, y in rules.start]
    else:
        start = list(start)
        remaining = Counter(rules.composition)
        remaining.subtract(laid.tile for laid in start)
        if not with_removed:
            remaining.subtract(rules.removed)
    for laid in start:
        printed = rules.adapt_start_tile(get_tile(laid.tile))
        board = board.lay(get_cell(laid.x, laid.y), printed.at(laid.rotation))
    remaining = +remaining
    state = State(
        rules=rules,
        board=board,
        remaining=dict(sorted(remaining.items())),
        left=remaining.total(),
        scores=(0,) * rules.seats,
        supply=(rules.figures,) * rules.seats,
        decision=DRAW,
        slices={module.name: module.initial(rules) for module in rules.asking("initial")},
    )
    for module in rules.asking("begins"):
        state = replace_slice(state, module.name, module.begins(state))
    return rules.drawing.begin(state)


def decide(state: State, action: Action) -> tuple[Event, ...]:
    """Return the events of *action* in *state*; raises :class:`IllegalAction` and changes nothing.

    >>> decide(build_initial_state(RuleSet.of()), Draw("base.E"))
    (Drawn(seat=0, tile='base.E'),)
    """
    return _resolve(state, LegalActions(state), action)[0]


def _resolve(state: State, legal: LegalActions, action: Action) -> tuple[tuple[Event, ...], State]:
    """The events of *action*, if it is *legal* in *state*, and the state after them."""
    legal.check(action)
    course = Course(state)
    if isinstance(action, Place):
        _place(course, action)
    elif isinstance(action, Draw):
        state.rules.drawing.draw(course, action.tile)
    elif isinstance(action, Final):
        course.follow(score_at_end(state))
        for module in state.rules.asking("finish"):
            course.follow(module.finish(course.state))
        course.happen(Finished(course.state.scores))
    else:
        _answer(course, legal.normalize_action(action))
    return tuple(course.events), course.state


def _place(course: Course, action: Place) -> None:
    """Lay the tile, deploy or recall a figure, and begin the steps of the turn."""
    seat = course.state.turn_seat
    course.happen(Placed(seat, action.tile, action.x, action.y, action.rotation))
    if isinstance(action.figure, Deploy):
        turned = get_tile(action.tile).at(action.rotation)
        lie = turned.lies[turned.spots[action.figure.on, action.figure.side]]
        course.happen(Deployed(seat, action.figure.meeple, action.x, action.y, lie.kind, lie.side))
    elif isinstance(action.figure, Recall):
        course.follow(recall_meeple(course.state, seat, action.figure))
    course.follow(list_completions(course.state))
    run_steps(course)


def _answer(course: Course, action: Action) -> None:
    """Apply the answer of the seat that is asked; then ask the next, or go on with the turn."""
    state = course.state
    kind, asked = state.decision
    assert asked is not None
    (step,) = (step for step in (*state.rules.turn, *state.rules.ending) if step.name == kind)
    course.follow(step.decide(state, asked, action))
    following = step.asked_next(course.state, asked, action)
    if following == course.state.asked[1:]:
        course.happen(Answered(asked))
    else:
        course.happen(Asked(kind, following))
    if not course.state.asked:
        run_steps(course, after=kind)


class Played(NamedTuple):
    """An action and its events."""

    action: Action
    events: tuple[Event, ...]


class Game:
    """A game between two actions. A value: playing gives a new one, and the old one stays good.

    >>> before = Game.new(RuleSet.of())
    >>> after = before.play(Draw("base.E"))
    >>> before.decision.kind, after.decision
    ('draw', Decision(kind='place', seat=0))
    """

    __slots__ = ("_legal", "played", "state")

    def __init__(self, state: State, played: tuple[Played, ...] = ()) -> None:
        self.state = state
        self.played = played
        self._legal = LegalActions(state)  # shared, as it caches its results

    @classmethod
    def new(cls, rules: RuleSet, *, start: Iterable[Laid] | None = None, with_removed: bool = False) -> Game:
        """The game before the first draw. *start* takes the place of the rule set's own start tiles."""
        return cls(build_initial_state(rules, start, with_removed=with_removed))

    @classmethod
    def rebuild(cls, rules: RuleSet, stored: Iterable[Sequence[Mapping[str, Any]]]) -> Game:
        """The game after the *stored* events, one list for each action, as ``event_to_json`` wrote them.

        Events can't be refused, so a game that was once played can always be rebuilt. The actions are not
        needed for it; ``played`` stays empty.

        >>> from games.rules import event_to_json
        >>> game = Game.new(RuleSet.of()).play(Draw("base.E"))
        >>> stored = [[event_to_json(event) for event in played.events] for played in game.played]
        >>> stored
        [[{'type': 'drawn', 'seat': 0, 'tile': 'base.E'}]]
        >>> Game.rebuild(game.rules, stored).state == game.state
        True
        """
        return cls(build_initial_state(rules)).following(stored)

    def following(self, stored: Iterable[Sequence[Mapping[str, Any]]]) -> Game:
        """Return the game after the *stored* events of later actions."""
        state = self.state
        draft = state.but(board=state.board.draft())
        for events in stored:
            for event in events:
                draft = apply_event(draft, event_from_json(event))
        return Game(draft.but(board=Board(*draft.board)))

    @property
    def rules(self) -> RuleSet:
        return self.state.rules

    @property
    def decision(self) -> Decision:
        """The decision that the game waits for, and the seat that must make it."""
        return self.state.decision

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of the last action."""
        return self.played[-1].events if self.played else ()

    def legal_actions(self) -> LegalActions:
        """Return the actions that are legal now."""
        return self._legal

    def play(self, action: Action) -> Game:
        """The game after *action*. Raises :class:`IllegalAction` with the number of the rule that refuses.

        >>> Game.new(RuleSet.of()).play(Draw("base.E")).play(Place("base.E", 3, 3, 0))
        Traceback (most recent call last):
            ...
        games.rules.errors.IllegalAction: not_adjacent (BASE-8) {'x': 3, 'y': 3}
        """
        events, state = _resolve(self.state, self._legal, action)
        return Game(state, (*self.played, Played(action, events)))

    def cut_short(self) -> Game:
        """The game as if its last turn had been played, though tiles may be left: it waits for the final
        scoring (for records that end early). ``ValueError`` in the middle of a turn.

        >>> Game.new(RuleSet.of()).cut_short().decision.kind
        'final'
        """
        if self.decision.kind not in ("draw", "place") or self.state.cell is not None:
            raise ValueError(self.decision.kind)
        course = Course(self.state)
        self.rules.drawing.end(course)
        return Game(course.state, self.played)
