"""The order of a turn, as a table of slots, and the steps in them.

A step either does something by itself or asks seats, in order, one decision each; these need not be the seat
whose turn it is. A seat with nothing to decide is not asked. Modules put their steps into the slots.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum, unique
from typing import TYPE_CHECKING

from .events import (
    Asked,
    Completed,
    Discarded,
    Drawn,
    Event,
    FurtherTurn,
    LastTurnPlayed,
    Returned,
    Started,
    TurnPassed,
)
from .geometry import AROUND
from .placements import is_placeable
from .scoring import pay_feature
from .state import apply_event
from .tiles import MAX_SEGMENTS, get_tile

if TYPE_CHECKING:
    from .actions import Action
    from .board import Feature
    from .state import State


@unique
class Slot(IntEnum):
    """The order of a turn (BASE-6). Drawing, placing and deploying are actions and come before all steps.

    >>> [slot.name for slot in Slot if slot <= Slot.SCORE]
    ['BEFORE_SCORING', 'FIRST_SCORING', 'SCORE']
    """

    BEFORE_SCORING = 1  # steps that may still change the majorities
    FIRST_SCORING = 2  # points paid before the features
    SCORE = 3
    AFTER_SCORING = 4  # losses of others by it
    GAIN = 5  # gains besides points
    AWARD = 6  # changes of holders
    RETURN = 7
    AFTER_RETURN = 8
    BEFORE_END = 9
    END = 10


class Step:
    """One step of a turn. A step that asks has a *name*, which becomes the kind of the game's decision.

    >>> from games.rules import RuleSet
    >>> [type(step).__name__ for step in RuleSet.of(sets=["base", "count"]).turn]
    ['TransferBeforeScoring', 'ScoreFeatures', 'ReturnMeeples', 'EnterCity', 'PassTurn']
    >>> [step.name for step in RuleSet.of(sets=["base", "count"]).turn if step.name]
    ['transfer', 'enter']
    """

    name: str = ""
    form: str = ""  # the name of the form of its answers, besides ``pass``
    slot: Slot
    rule: str = "BASE-6"  # number of the rule that an answer breaks which is not among the choices
    standing: bool = False  # whether a seat may answer once for the whole game; then ``Pass`` is a choice

    def asks(self, state: State) -> tuple[int, ...]:
        """The seats that must decide, in order; none by default."""
        return ()

    def choices(self, state: State, seat: int) -> Iterable[Action]:
        """The actions among which *seat* may choose when asked."""
        return ()

    def normalize_action(self, state: State, action: Action) -> Action:
        """*action* with its spot named as ``choices`` names it; ``KeyError`` if there is no such spot."""
        return action

    def decide(self, state: State, seat: int, action: Action) -> Iterable[Event]:
        """Return the events of *seat*'s answer, one of its choices."""
        return ()

    def asked_next(self, state: State, seat: int, action: Action) -> tuple[int, ...]:
        """Return the seats still to be asked after *seat* has given this answer; *state* already includes
        it."""
        return state.asked[1:]

    def default_answer(self, state: State, seat: int) -> Action:
        """The answer of a seat that lets its deadline pass: the first of its choices by default."""
        return next(iter(self.choices(state, seat)))

    def gaining(self, state: State, seat: int) -> Action:
        """The standing answer of a seat that wants whatever gains it points; the default answer, unless a
        step overrides it."""
        return self.default_answer(state, seat)

    def run(self, state: State) -> Iterable[Event]:
        """Do what the step does by itself, once nobody is left to ask."""
        return ()


class ScoreFeatures(Step):
    """Scoring of every feature that this placement completed, whoever owns it.

    Rules: BASE-28 to BASE-34.
    """

    slot = Slot.SCORE

    def run(self, state: State) -> Iterable[Event]:
        board = state.board
        for code in state.completed:
            yield from pay_feature(state, board.features[code], complete=True)


class ReturnMeeples(Step):
    """After all features are scored, their meeples go back to their owners (BASE-35)."""

    slot = Slot.RETURN

    def run(self, state: State) -> Iterable[Event]:
        for code in state.completed:
            for meeple in state.board.features[code].meeples:
                yield Returned(meeple.seat, meeple.figure, *state.board.spot(meeple.code))


class PassTurn(Step):
    """The next seat clockwise, or the same once more, or the end when nothing is left to place.

    Several reasons for a further turn bring one. Rules: BASE-36, BASE-38, TB-8, HR-8.
    """

    slot = Slot.END

    def run(self, state: State) -> Iterable[Event]:
        if not state.rules.drawing.lasts(state):
            yield LastTurnPlayed()
            return
        for module in state.rules.asking("further"):
            source = module.further(state)
            if source is not None:
                yield FurtherTurn(state.turn_seat, source)
                return
        yield TurnPassed((state.turn_seat + 1) % len(state.scores))


CORE_STEPS: tuple[Step, ...] = (ScoreFeatures(), ReturnMeeples(), PassTurn())


def list_completions(state: State) -> Iterable[Completed]:
    """The features that the tile just laid completes, buildings around it among them (BASE-24 to BASE-28).

    >>> from games.rules import Game, Placed, RuleSet
    >>> state = apply_event(Game.new(RuleSet.of()).state, Drawn(0, "base.E"))
    >>> list(list_completions(apply_event(state, Placed(0, "base.E", 0, -1, 180))))
    [Completed(seat=0, on='city', x=0, y=-1, side='S', tiles=2)]
    """
    board, cell = state.board, state.cell
    assert cell is not None
    done: list[Feature] = []
    for lie in board.tiles[cell].lies:
        feature = board.features[cell * MAX_SEGMENTS + lie.index]
        if feature.open_ends == 0 and feature.complete and not any(feature is other for other in done):
            done.append(feature)
    for step in AROUND:
        near = board.tiles.get(cell + step)
        if near is not None:
            for index in near.surrounded:
                feature = board.features[(cell + step) * MAX_SEGMENTS + index]
                if feature.open_ends == 0:
                    done.append(feature)
    for feature in board.in_order(done) if len(done) > 1 else done:
        spot = board.spot_of(feature)
        yield Completed(state.turn_seat, feature.kind, spot.x, spot.y, spot.side, feature.tiles)


class Course:
    """The course of events, one by one, from one state on.

    >>> from games.rules import Game, RuleSet
    >>> course = Course(Game.new(RuleSet.of()).state)
    >>> course.happen(Drawn(0, "base.E"))
    >>> course.state.decision, course.events
    (Decision(kind='place', seat=0), [Drawn(seat=0, tile='base.E')])
    """

    __slots__ = ("_reacting", "events", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []
        self._reacting = state.rules.asking("react")

    def happen(self, event: Event) -> None:
        self.events.append(event)
        self.state = apply_event(self.state, event)
        for module in self._reacting:
            self.follow(module.react(self.state, event))

    def follow(self, events: Iterable[Event]) -> None:
        """Let *events* happen one after the other, each followed by the reactions to it."""
        if self._reacting:
            for event in events:
                self.happen(event)
            return
        for event in events:
            self.events.append(event)
            self.state = apply_event(self.state, event)


def run_steps(course: Course, after: str | None = None) -> None:
    """Run the steps of the turn, or of the end, until one asks a seat or none is left.

    *after* is the name of the step that has just got its last answer.
    """
    rules, ended = course.state.rules, course.state.ended
    steps = rules.ending if ended else rules.turn
    if after is not None:
        at = [step.name for step in steps].index(after)
        course.follow(steps[at].run(course.state))
        steps = steps[at + 1 :]
    for step in steps:
        if step.name:
            asked = step.asks(course.state)
            if asked:
                course.happen(Asked(step.name, asked))
                return
        course.follow(step.run(course.state))
    if ended:
        return
    if course.state.ended:
        run_steps(course)
    else:
        rules.drawing.turn(course)


class Drawing:
    """The way in which tiles come to the seats: one at the start of each turn (BASE-7)."""

    def begin(self, state: State) -> State:
        """Prepare *state*, in which the start tiles lie, for the first draw."""
        return state

    def lasts(self, state: State) -> bool:
        """Return whether any tile is left for a next turn (BASE-36)."""
        return state.left > 0

    def draw(self, course: Course, tile: str) -> None:
        """Take *tile* out of the bag: it waits to be placed, or fits nowhere (BASE-15, BASE-37)."""
        if not course.state.board.tiles:
            course.happen(Started(tile))
            self.turn(course)
            return
        seat = course.state.turn_seat
        course.happen(Drawn(seat, tile))
        if not is_placeable(course.state, get_tile(tile)):
            self.reject(course, seat, tile)
            if not course.state.left:
                self.end(course)

    def turn(self, course: Course) -> None:
        """Begin a turn; a hook for subclasses."""

    def reject(self, course: Course, seat: int, tile: str) -> None:
        """Handle the *tile* of *seat* that fits nowhere (BASE-15)."""
        for module in course.state.rules.asking("unplaceable"):
            event = module.unplaceable(seat, tile)
            if event is not None:
                course.happen(event)
                return
        course.happen(Discarded(seat, tile))

    def end(self, course: Course) -> None:
        """End the draws: nothing is left to place."""
        course.happen(LastTurnPlayed())
        run_steps(course)
