"""An answer that a player composes on the page, choice by choice.

The choices are in the query string, each step by its name: ``?figure=large&quarter=market&count=castle``;
``&step=count`` selects the step to choose next. So reloading or going back loses nothing, and nothing is
stored before the answer is sent. All choices come from ``legal_actions()``: each choice leaves the actions
that contain it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.rules import Action, Game, Pass
from games.rules.notation import write
from games.words.decisions import list_answer_choices
from games.words.expansion import Choice, Held, InQuarter, Number

CHANGING = "step"
"""Parameter of an address with the name of the step that is to be chosen now."""


class Whole(NamedTuple):
    """An answer and its choices."""

    action: Action
    choices: tuple[Choice, ...]


class AnswerStep(NamedTuple):
    """A step of an answer, with the choices that those of earlier steps leave."""

    name: str
    choices: tuple[Choice, ...]
    chosen: Choice | None

    @property
    def on_board(self) -> bool:
        return not isinstance(self.choices[0].on, Held | Number | None)

    @property
    def settled(self) -> bool:
        """Return whether the step has a default choice."""
        return any(choice.usual for choice in self.choices)

    @property
    def offered(self) -> bool:
        """Return whether one may choose here, but need not."""
        return self.settled and self.chosen is not None and len(self.choices) > 1

    @property
    def moves(self) -> str:
        """The name of the neutral figure that is moved here."""
        return next((choice.moves for choice in self.choices if choice.moves), "")


@dataclass(frozen=True, slots=True)
class AnswerDraft:
    """An answer so far."""

    steps: tuple[AnswerStep, ...]
    asked: Mapping[str, str]  # the steps in the address, as far as they are legal
    changing: str  # the optional step that is to be chosen now
    action: Action | None  # the answer, once it is complete

    @property
    def open(self) -> AnswerStep | None:
        """The first step without a choice."""
        return next((step for step in self.steps if step.chosen is None), None)

    @property
    def on_board(self) -> tuple[AnswerStep, ...]:
        """The steps whose choices are shown on the board: the required ones up to the first open one, or the
        one being changed."""
        shown = []
        for step in self.steps:
            if step.on_board and step.name == self.changing:
                return (step,)
            if step.on_board and not step.settled:
                shown.append(step)
            if step.on_board and step.chosen is None:
                break
        return tuple(shown)

    @property
    def going(self) -> str:
        """The kind of figure that is chosen to move."""
        for step in self.steps:
            on = step.chosen.on if step.chosen else None
            if isinstance(on, Held | InQuarter) and on.figure:
                return on.figure
        return ""

    @property
    def number(self) -> int:
        """The number of figures that move."""
        chosen = [step.chosen.on for step in self.steps if step.chosen]
        return next((on.number for on in chosen if isinstance(on, Number)), 1)

    def address(self, choice: Choice) -> str:
        """Return the query string of this draft with *choice*."""
        return query({**self.asked, choice.step: choice.value})

    def build_change_query(self, step: str) -> str:
        """Return the query string of this draft that starts changing *step* or, if it is being changed, stops
        that."""
        return query(self.asked if step == self.changing else {**self.asked, CHANGING: step})


def query(asked: Mapping[str, str]) -> str:
    return "?" + "&".join(f"{name}={value}" for name, value in asked.items()) if asked else ""


def list_answers(game: Game, names: Sequence[str]) -> tuple[Whole, ...]:
    """List all answers to the decision of *game*, except declining."""
    return tuple(
        Whole(action, list_answer_choices(game.state, action, names))
        for action in game.legal_actions()
        if not isinstance(action, Pass)
    )


def build_answer_query(legal: Sequence[Whole], line: str) -> dict[str, str]:
    """Return the query of the answer *line*; empty if it is not legal."""
    for action in legal:
        if write(action.action) == line:
            return {choice.step: choice.value for choice in action.choices}
    return {}


def compose_answer(legal: Sequence[Whole], asking: Mapping[str, str]) -> AnswerDraft:
    """Compose the legal part of the answer in the query *asking*.

    Steps without a choice get the default, or the only option; but no answer is complete before something was
    chosen, and nothing on the board is chosen automatically before that.
    """
    left, steps, said, complete = list(legal), [], {}, True
    for name in [choice.step for choice in legal[0].choices] if legal else ():
        options = {
            choice.value: choice for answer in left for choice in answer.choices if choice.step == name
        }
        choices = tuple(options.values())
        chosen = options.get(asking.get(name, ""))
        if chosen is not None:
            said[name] = chosen.value
        elif complete:
            chosen = _by_itself(choices, anything_said=bool(said))
        if chosen is None:
            complete = False
        else:
            left = [answer for answer in left if chosen in answer.choices]
        steps.append(AnswerStep(name, choices, chosen))
    changing = asking.get(CHANGING, "")
    return AnswerDraft(
        steps=tuple(steps),
        asked=said,
        changing=changing if any(step.name == changing and step.offered for step in steps) else "",
        action=left[0].action if complete and said else None,
    )


def _by_itself(choices: Sequence[Choice], *, anything_said: bool) -> Choice | None:
    usual = next((choice for choice in choices if choice.usual), None)
    if usual is not None or len(choices) > 1:
        return usual
    (only,) = choices
    return only if anything_said or isinstance(only.on, Held | Number) else None
