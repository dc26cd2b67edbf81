"""The question that a seat is asked besides placing a tile: the choices in words, and what each would do.

What may be chosen comes from ``legal_actions()`` alone; what it does, from playing it on a game that is a
value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games import words
from games.pages.scene import Scene
from games.rules import Action, Game, Scored
from games.rules.notation import write
from games.rules.standing_answers import settle_scoring
from games.words import is_told
from games.words.decisions import DECISIONS, format_answer_label, split_answer_label
from games.words.events import ECHOED


class AnswerLine(NamedTuple):
    """One thing to choose: in notation, in words, and what comes of it. Where there are many, those that
    begin alike are a *group*, and *rest* is what is left to say of each."""

    line: str
    label: str
    effects: tuple[str, ...]
    group: str = ""
    rest: str = ""


class AnswerGroup(NamedTuple):
    """Answers that begin alike; without a heading they stand by themselves."""

    heading: str
    answers: tuple[AnswerLine, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """The question to the seat awaited, with every answer in words."""

    heading: str
    text: str
    stakes: tuple[str, ...]  # what is about to be scored, for how much, and who stands there
    answers: tuple[AnswerLine, ...]

    @property
    def example(self) -> str:
        """A line that could be typed."""
        return self.answers[-1].line

    @property
    def groups(self) -> tuple[AnswerGroup, ...]:
        """The answers in their order, those that begin alike together."""
        return tuple(
            AnswerGroup(heading, tuple(answers))
            for heading, answers in groupby(self.answers, key=lambda answer: answer.group)
        )


def call_seat_you(names: Sequence[str], seat: int | None) -> list[str]:
    """*names*, but that of *seat* is "you"."""
    return [_("you") if index == seat else name for index, name in enumerate(names)]


def build_question(game: Game, names: Sequence[str]) -> Question:
    """Return the question to the seat awaited in *game*, told to that seat."""
    state = game.state
    asking = DECISIONS[state.decision.kind]
    told = call_seat_you(names, state.decision.seat)
    actions = list(game.legal_actions())
    return Question(
        heading=str(asking.asks),
        text=str(asking.explains),
        stakes=tuple(asking.stakes(state, actions, told)),
        answers=tuple(
            AnswerLine(
                write(action),
                format_answer_label(state, action, told),
                tuple(list_effects(game, action, names)),
                *split_answer_label(action),
            )
            for action in actions
        ),
    )


def list_effects(game: Game, action: Action, names: Sequence[str]) -> Iterator[str]:
    """Yield what comes of *action* besides what it says itself; of a transfer, if all others stay. In sums
    the seat asked is "you"; sentences have the *names* of all."""
    state = game.state
    told = call_seat_you(names, state.decision.seat)
    played = game.play(action)
    if state.decision.kind in state.rules.standing:
        end = settle_scoring(played, ended=state.ended)
        events = [event for one in end.played[len(game.played) :] for event in one.events]
        if state.ended:
            gains = [
                (told[seat], after - before)
                for seat, (before, after) in enumerate(zip(state.scores, end.state.scores, strict=True))
                if after > before
            ]
        else:
            gains = [(told[event.seat], event.points) for event in events if isinstance(event, Scored)]
        sums = ", ".join(
            pgettext("who scores, points", "{player} +{n}").format(player=player, n=n) for player, n in gains
        )
        sums = sums or _("nobody scores")
        yield (
            _("At the end, if the others stay: {gains}.")
            if state.ended
            else _("If the others stay: {gains}.")
        ).format(gains=sums)
        return
    for event in played.events:
        if is_told(event) and type(event) not in ECHOED:
            yield words.tell_event(event, names)


def format_standing_answer(scene: Scene) -> str | None:
    """Return what the viewer answers by itself when figures may be moved out of Carcassonne; ``None`` where
    nobody asks."""
    me, game = scene.me, scene.game
    if me is None or me.left or not game.running or not scene.state.rules.standing:
        return None
    return str(me.transfers)


def find_notice_timing(scene: Scene) -> str | None:
    """Return when the viewer is told of this game, empty for "as everywhere"; ``None`` where nothing is."""
    me = scene.me
    return None if me is None or me.left or not scene.game.running else me.notice_timing
