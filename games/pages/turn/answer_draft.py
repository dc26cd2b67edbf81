"""An answer as a player puts it together on the page, choice by choice.

What has been chosen stands in the address of the page, each step by its name:
``?figure=large&quarter=market&count=castle``; ``&step=count`` besides says that this step is to be chosen
now. So reloading or going back loses nothing, and nothing is stored before the answer is sent. What may be
chosen comes from ``legal_actions()`` alone: each choice leaves those actions that it is a part of.
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
"""In an address, before the name of the step that is to be chosen now."""


class Whole(NamedTuple):
    """An answer and what it is made of."""

    action: Action
    choices: tuple[Choice, ...]


class AnswerStep(NamedTuple):
    """A step of an answer: what may be chosen with what is chosen in the steps before it."""

    name: str
    choices: tuple[Choice, ...]
    chosen: Choice | None

    @property
    def on_board(self) -> bool:
        return not isinstance(self.choices[0].on, Held | Number | None)

    @property
    def settled(self) -> bool:
        """Return whether something holds here if nobody chooses."""
        return any(choice.usual for choice in self.choices)

    @property
    def offered(self) -> bool:
        """Return whether one may choose here, but need not."""
        return self.settled and self.chosen is not None and len(self.choices) > 1

    @property
    def moves(self) -> str:
        """The figure, no seat's, that is moved here."""
        return next((choice.moves for choice in self.choices if choice.moves), "")


@dataclass(frozen=True, slots=True)
class AnswerDraft:
    """An answer so far."""

    steps: tuple[AnswerStep, ...]
    asked: Mapping[str, str]  # what the address says of it, as far as it is legal
    changing: str  # the optional step that is to be chosen now
    action: Action | None  # the answer, once it is complete

    @property
    def open(self) -> AnswerStep | None:
        """The first step in which something has to be chosen yet."""
        return next((step for step in self.steps if step.chosen is None), None)

    @property
    def on_board(self) -> tuple[AnswerStep, ...]:
        """The steps whose choices stand on the board: what has to be chosen, up to the first that is open; or
        the one that is to be changed."""
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
        """The kind of the figure, or figures, that are chosen to go."""
        for step in self.steps:
            on = step.chosen.on if step.chosen else None
            if isinstance(on, Held | InQuarter) and on.figure:
                return on.figure
        return ""

    @property
    def number(self) -> int:
        """Return how many go."""
        chosen = [step.chosen.on for step in self.steps if step.chosen]
        return next((on.number for on in chosen if isinstance(on, Number)), 1)

    def address(self, choice: Choice) -> str:
        """The query that asks for this much of an answer and for *choice*."""
        return query({**self.asked, choice.step: choice.value})

    def build_change_query(self, step: str) -> str:
        """The query that asks for this much of an answer, and to choose in *step*, or, where that is being
        done, no more."""
        return query(self.asked if step == self.changing else {**self.asked, CHANGING: step})


def query(asked: Mapping[str, str]) -> str:
    return "?" + "&".join(f"{name}={value}" for name, value in asked.items()) if asked else ""


def list_answers(game: Game, names: Sequence[str]) -> tuple[Whole, ...]:
    """All answers to what *game* asks, but to decline."""
    return tuple(
        Whole(action, list_answer_choices(game.state, action, names))
        for action in game.legal_actions()
        if not isinstance(action, Pass)
    )


def build_answer_query(legal: Sequence[Whole], line: str) -> dict[str, str]:
    """The query that asks for the answer *line*; nothing where it is none."""
    for one in legal:
        if write(one.action) == line:
            return {choice.step: choice.value for choice in one.choices}
    return {}


def compose_answer(legal: Sequence[Whole], asking: Mapping[str, str]) -> AnswerDraft:
    """Compose as much of the answer that the query *asking* asks for as is *legal*.

    What is not chosen is as usual, or the only thing that there is; but nothing is answered before something
    has been chosen, and nothing is chosen on the board by itself before that.
    """
    left, steps, said, complete = list(legal), [], {}, True
    for name in [choice.step for choice in legal[0].choices] if legal else ():
        options = {choice.value: choice for one in left for choice in one.choices if choice.step == name}
        choices = tuple(options.values())
        chosen = options.get(asking.get(name, ""))
        if chosen is not None:
            said[name] = chosen.value
        elif complete:
            chosen = _by_itself(choices, anything_said=bool(said))
        if chosen is None:
            complete = False
        else:
            left = [one for one in left if chosen in one.choices]
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
