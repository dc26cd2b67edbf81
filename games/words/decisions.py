"""What a seat is asked besides placing a tile, and what it may answer. All of it is said by expansions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from games.rules import Action, Pass, State

from .expansion import Answering, Asking

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

DECISIONS: dict[str, Asking] = {}
"""By the name of the step that asks."""

ANSWERS: dict[type, Answering] = {}
"""Besides declining, which each step words for itself."""

OVERDUE: dict[str, StrOrPromise] = {}
STANDING: dict[str, StrOrPromise] = {}
"""By the form of an answer: why it came by itself, in time or out of it."""


def waiting_for(state: State, player: str) -> str:
    """That *player* is asked, told to the others; empty while a tile is to be placed."""
    asking = DECISIONS.get(state.decision.kind)
    return "" if asking is None else str(asking.waits).format(player=player)


def asked(state: State) -> str:
    """What the seat awaited is asked, told to it; empty while a tile is to be placed."""
    asking = DECISIONS.get(state.decision.kind)
    return "" if asking is None else str(asking.asks)


def answer_label(state: State, action: Action, names: Sequence[str]) -> str:
    """*action* in words, as one of the answers to what *state* asks."""
    if isinstance(action, Pass):
        return str(DECISIONS[state.decision.kind].declines)
    return ANSWERS[type(action)].label(state, action, names)


def answer_parts(action: Action) -> tuple[str, str]:
    """How *action* begins where many begin alike, and what it says besides; both empty where it stands by
    itself."""
    return ("", "") if isinstance(action, Pass) else ANSWERS[type(action)].parts(action)
