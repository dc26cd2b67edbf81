"""The house bot's knowledge of an expansion: the questions that its file under ``expansions/`` answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from games.rules import Action, Board, State

if TYPE_CHECKING:
    from .worth import Worth

Answer = Callable[["Worth", Sequence[Action]], Action]
"""Function that chooses one of the actions by the worth of features to the seat."""


class Knowledge:
    """Knowledge of one expansion. Each method is one question; the default is no answer."""

    slice: str  # name in ``State.slices``: the expansion is in play if the state has it
    answers: ClassVar[Mapping[str, Answer]] = {}  # by the name of the step that asks

    def reserves(self, state: State) -> Mapping[str, Counter[int]]:
        """Return by kind of feature the strength that each seat may bring to it before it is scored."""
        return {}

    def claims_late(self, state: State) -> bool:
        """Return whether reserves may go to a completed feature without figures."""
        return False

    def consolation(self, worth: Worth, board: Board) -> float:
        """Return the worth, at the price of a figure in hand, of having paid only others."""
        return 0.0
