"""What to answer when asked for something else than a tile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from games.rules import Action, LegalActions, Pass, State
from games.rules.modules.count import Enter, Transfer
from games.rules.modules.winter import Walk
from games.rules.scoring import strength

from .quarters import Residents, joined, share
from .worth import Worth


def answer(state: State, seat: int) -> Action:
    """The answer of *seat*, which is asked. The same state gives the same answer."""
    legal = LegalActions(state)
    actions = tuple(legal)
    if state.decision.kind in state.rules.standing:
        return _moving(state, seat, actions)
    if any(isinstance(action, Enter) for action in actions):
        return _entering(state, seat, actions)
    if any(isinstance(action, Walk) for action in actions):
        return _walking(state, seat, actions)
    silence = legal.silence()
    assert silence is not None, "a seat that is asked has an answer"
    return silence


def _entering(state: State, seat: int, actions: Iterable[Action]) -> Action:
    """The quarter that is worth most, if it is worth a figure; the Count goes where he hurts others."""
    worth = Worth(state, seat)
    there = Residents(worth, state.board)
    cost = worth.hand(worth.held) - worth.hand(worth.held - 1)
    best: Action = Pass()
    most = 0.0
    for action in actions:
        if isinstance(action, Enter):
            value = there.after(action.quarter, action.count_to, state.rules.strengths[action.meeple]) - cost
            if value > most:
                best, most = action, value
    return best


def _moving(state: State, seat: int, actions: Iterable[Action]) -> Action:
    """The move to what is about to be scored that brings most, as those who decide later may answer it.

    Before the end a figure that moves comes home, and is missing in its quarter (COUNT-19)."""
    worth = Worth(state, seat)
    there = Residents(worth, state.board)
    best: Action = Pass()
    most = 0.0
    for action in actions:
        if isinstance(action, Transfer):
            value = _gain(state, worth, action)
            if not state.ended:
                value += worth.hand(worth.held + action.followers) - worth.hand(worth.held)
                value -= there.leaving(action.quarter, action.followers)
            if value > most:
                best, most = action, value
    return best


def _gain(state: State, worth: Worth, action: Transfer) -> float:
    """What *action* changes for the seat on the feature to which it moves."""
    feature = state.board.feature_at(action.x, action.y, action.on, action.side)
    points, _chance = worth.prospect(state.board, feature, 1)
    reserve = worth.reserves.get(feature.kind, Counter())

    def result(strengths: Counter[int]) -> float:
        later = joined(strengths, reserve, state.asked[1:], worth.against)
        return points * share(worth.seat, later, worth.against)

    held = strength(feature.meeples, state.rules.strengths)
    moved = Counter({worth.seat: action.followers * state.rules.strengths[action.meeple]})
    return result(held + moved) - result(held)


def _walking(state: State, seat: int, actions: Iterable[Action]) -> Action:
    """The city whose knights the seat would most like to see paid."""

    def value(action: Walk) -> float:
        city = state.feature_at(action.x, action.y, "city", action.side)
        knights = strength(city.meeples, state.rules.strengths)
        others = sum(count for owner, count in knights.items() if owner != seat)
        return city.tiles * (knights[seat] - others / max(1, len(state.scores) - 1))

    return max((action for action in actions if isinstance(action, Walk)), key=value)
