"""The order of a turn, as a table of slots, and the steps that stand in them.

A step either does something by itself or asks seats, in order, one decision each; these need not be the
seat whose turn it is. A seat with nothing to decide is not asked. Modules put their steps into the slots.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from .geometry import AROUND
from .state import Asked, Completed, Event, LastTurnPlayed, Returned, TurnPassed, apply
from .tiles import MAX_SEGMENTS

if TYPE_CHECKING:
    from .board import Feature
    from .state import State


class Slot(IntEnum):
    """The order of a turn (BASE-6). Drawing, placing and deploying are actions and come before all steps."""

    BEFORE_SCORING = 1
    SCORE = 2
    AFTER_SCORING = 3
    RETURN = 4
    AFTER_RETURN = 5
    END = 6


class Step:
    """One step of a turn. A step that asks has a *name*, by which the game tells what it waits for."""

    name: str = ""
    slot: Slot

    def asks(self, state: State) -> tuple[int, ...]:
        """The seats that must decide, in order; none by default."""
        return ()

    def choices(self, state: State, seat: int) -> Iterable[Any]:
        """The actions among which *seat* may choose when asked."""
        return ()

    def decide(self, state: State, seat: int, action: Any) -> Iterable[Event]:
        """What comes of *seat*'s answer, one of its choices."""
        return ()

    def run(self, state: State) -> Iterable[Event]:
        """What the step does by itself, once nobody is left to ask."""
        return ()


class ScoreFeatures(Step):
    """Every feature that this placement completed is scored, whoever completed it.

    Rules: BASE-28 to BASE-34.
    """

    slot = Slot.SCORE

    def run(self, state: State) -> Iterable[Event]:
        from .scoring import pay

        board = state.board
        for code in state.completed:
            yield from pay(state, board.features[code], complete=True)


class ReturnMeeples(Step):
    """After all features are scored, their meeples go back to their owners (BASE-35)."""

    slot = Slot.RETURN

    def run(self, state: State) -> Iterable[Event]:
        for code in state.completed:
            for meeple in state.board.features[code].meeples:
                yield Returned(meeple.seat, meeple.figure, *state.board.spot(meeple.code))


class PassTurn(Step):
    """The next seat clockwise, or the end when nothing is left to draw (BASE-36, BASE-38)."""

    slot = Slot.END

    def run(self, state: State) -> Iterable[Event]:
        if state.left:
            yield TurnPassed((state.turn_seat + 1) % len(state.scores))
        else:
            yield LastTurnPlayed()


CORE_STEPS: tuple[Step, ...] = (ScoreFeatures(), ReturnMeeples(), PassTurn())
CORE_ENDING: tuple[Step, ...] = ()


def completions(state: State) -> Iterable[Completed]:
    """The features that the tile just laid completes, buildings around it among them (BASE-24 to BASE-28)."""
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


def proceed(state: State, events: list[Event], after: str | None = None) -> State:
    """Run the steps of the turn, or of the end, until one asks somebody or none is left.

    *after* is the name of the step that has just got its last answer. Appends what happens to *events*.
    """
    steps = state.rules.ending if state.ended else state.rules.turn
    if after is not None:
        names = [step.name for step in steps]
        at = names.index(after)
        state = _all(state, events, steps[at].run(state))
        steps = steps[at + 1 :]
    ended = state.ended
    for step in steps:
        if step.name:
            asked = step.asks(state)
            if asked:
                return _all(state, events, (Asked(step.name, asked),))
        state = _all(state, events, step.run(state))
    if state.ended and not ended:
        return proceed(state, events)
    return state


def _all(state: State, events: list[Event], more: Iterable[Event]) -> State:
    reacting = state.rules.asking("react")
    for event in more:
        events.append(event)
        state = apply(state, event)
        for module in reacting:
            state = _all(state, events, module.react(state, event))
    return state
