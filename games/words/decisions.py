"""Decisions of a seat besides placing a tile, and the answers to them, all worded by expansions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from games.rules import Action, Pass, State
from games.rules.notation import write

from .expansion import Answering, Asking, Choice, Sentence, StepWords

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

WHOLE = "answer"
"""Name of the only step of an answer that is chosen as a whole."""

DECISIONS: dict[str, Asking] = {}
"""Words of decisions, by the name of the step that asks."""

ANSWERS: dict[type, Answering] = {}
"""Words of answers by the type of the action, without declining, which each step words for itself."""

OVERDUE: dict[str, StrOrPromise] = {}
STANDING: dict[str, StrOrPromise] = {}
"""Sentences about answers that time-outs or standing answers gave, by the form of the answer."""


def format_waiting(state: State, player: str) -> str:
    """Say what *player* decides, for the others; empty while a tile is to be placed."""
    asking = DECISIONS.get(state.decision.kind)
    return "" if asking is None else str(asking.waits).format(player=player)


def format_question(state: State) -> str:
    """Say what the awaited seat decides, for that seat; empty while a tile is to be placed."""
    asking = DECISIONS.get(state.decision.kind)
    return "" if asking is None else str(asking.asks)


def format_answer_label(state: State, action: Action, names: Sequence[str]) -> str:
    """Return the label of *action* among the answers to the decision of *state*."""
    if isinstance(action, Pass):
        return str(DECISIONS[state.decision.kind].declines)
    return ANSWERS[type(action)].label(state, action, names)


def split_answer_label(action: Action) -> tuple[str, str]:
    """Split the label of *action* where many answers begin alike; both parts are empty if it stands alone."""
    parts = None if isinstance(action, Pass) else ANSWERS[type(action)].parts
    return ("", "") if parts is None else parts(action)


def list_answer_choices(state: State, action: Action, names: Sequence[str]) -> tuple[Choice, ...]:
    """Return the choices that make up *action*, which must not be a pass."""
    choices = ANSWERS[type(action)].choices
    if choices is None:
        return (Choice(WHOLE, write(action), format_answer_label(state, action, names)),)
    return tuple(choices(state, action, names))


def build_answer_sentence(state: State, action: Action, names: Sequence[str]) -> Sentence:
    """Say what *action* does, for the seat that would answer so."""
    says = ANSWERS[type(action)].says
    if says is None:
        return Sentence("{answer}.", {"answer": format_answer_label(state, action, names).rstrip(".")})
    return says(state, action)


def format_send_label(state: State, action: Action | None) -> str:
    """Return the label of the button that sends *action*; ``None`` stands for an incomplete answer."""
    own = None if action is None else ANSWERS[type(action)].sends
    return str(DECISIONS[state.decision.kind].sends or _("Send")) if own is None else own(action)


def find_step_words(state: State, step: str) -> StepWords:
    """Return the words of a *step* in composing an answer to the decision of *state*."""
    return DECISIONS[state.decision.kind].steps.get(step) or StepWords(_("Choose an answer."))
