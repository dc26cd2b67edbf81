"""What to answer when asked for something else than a tile: short rules of thumb."""

from __future__ import annotations

from collections.abc import Iterable

from games.rules import Action, LegalActions, Pass, State
from games.rules.modules.count import BLACKSMITH, CASTLE, CATHEDRAL, MARKET, Enter, paying_transfer
from games.rules.modules.count import NAME as COUNT
from games.rules.modules.winter import Walk
from games.rules.scoring import strength
from games.standing import STEPS

from .worth import Worth

QUARTERS = {CASTLE: 3.0, BLACKSMITH: 2.0, MARKET: 2.5, CATHEDRAL: 1.5}
"""What a follower in a quarter is worth as long as it can leave it again."""

HELD = 0.2
"""The share of that worth where the Count stands."""


def answer(state: State, seat: int) -> Action:
    """The answer of *seat*, which is asked. The same state gives the same answer."""
    if state.decision.kind in STEPS:
        return paying_transfer(state, seat)
    legal = LegalActions(state)
    actions = tuple(legal)
    if any(isinstance(action, Enter) for action in actions):
        return _entering(state, seat, actions)
    if any(isinstance(action, Walk) for action in actions):
        return _walking(state, seat, actions)
    return legal.silence()


def _entering(state: State, seat: int, actions: Iterable[Action]) -> Action:
    """A quarter that the Count does not hold, if a figure can be spared; he goes where he hurts others."""
    city = state.slices[COUNT]
    worth = Worth(state, seat)
    cost = worth.hand(worth.held) - worth.hand(worth.held - 1)
    best: Action = Pass()
    most = 0.0
    for action in actions:
        if not isinstance(action, Enter):
            continue
        count = action.count_to or city.stands
        value = worth.urgency * QUARTERS[action.quarter] * (HELD if count == action.quarter else 1.0) - cost
        for owner, _figure in city.quarters[count]:
            value += -1.0 if owner == seat else 0.5
        if value > most:
            best, most = action, value
    return best


def _walking(state: State, seat: int, actions: Iterable[Action]) -> Action:
    """The city whose knights the seat would most like to see paid."""

    def value(action: Walk) -> float:
        city = state.feature_at(action.x, action.y, "city", action.side)
        knights = strength(city.meeples, state.rules.strengths)
        others = sum(count for owner, count in knights.items() if owner != seat)
        return city.tiles * (knights[seat] - others / max(1, len(state.scores) - 1))

    return max((action for action in actions if isinstance(action, Walk)), key=value)
