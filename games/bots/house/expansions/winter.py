"""The house bot's moves of the Gingerbread Man."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from games.rules import Action
from games.rules.modules.winter import NAME, ON, Walk
from games.rules.scoring import count_strength

from ..knowledge import Knowledge

if TYPE_CHECKING:
    from ..worth import Worth


def _walking(worth: Worth, actions: Sequence[Action]) -> Action:
    """The city whose knights the seat would most like to see paid."""
    state = worth.state

    def value(action: Walk) -> float:
        city = state.feature_at(action.x, action.y, "city", action.side)
        knights = count_strength(city.meeples, state.rules.strengths)
        others = sum(count for owner, count in knights.items() if owner != worth.seat)
        return city.tiles * (knights[worth.seat] - others / max(1, len(state.scores) - 1))

    return max((action for action in actions if isinstance(action, Walk)), key=value)


class WinterKnowledge(Knowledge):
    slice = NAME
    answers = {ON: _walking}


KNOWLEDGE = WinterKnowledge()
