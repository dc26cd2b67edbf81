"""Answers of the bot when asked for something else than a tile."""

from __future__ import annotations

from games.rules import Action, LegalActions, State

from .expansions import ANSWERS
from .worth import Worth


def answer(state: State, seat: int) -> Action:
    """The answer of *seat*, which is asked. The same state gives the same answer."""
    legal = LegalActions(state)
    choose = ANSWERS.get(state.decision.kind)
    if choose is not None:
        return choose(Worth(state, seat), tuple(legal))
    default = legal.default_answer()
    assert default is not None, "a seat that is asked has an answer"
    return default
