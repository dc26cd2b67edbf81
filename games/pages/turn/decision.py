"""Decisions besides placing a tile: the choices in words, and the effects of each.

The choices come from ``legal_actions()``; the effects from playing each on an immutable game.
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
    """An answer in notation, in words, and its effects. If there are many, answers that begin alike share a
    *group*, and *rest* is the remaining words of each."""

    line: str
    label: str
    effects: tuple[str, ...]
    group: str = ""
    rest: str = ""


class AnswerGroup(NamedTuple):
    """Answers that begin alike; those without a heading stand alone."""

    heading: str
    answers: tuple[AnswerLine, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """The decision of the seat awaited, with every answer in words."""

    heading: str
    text: str
    stakes: tuple[str, ...]  # features about to be scored, with points and figures
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
    """Build the decision of the seat awaited in *game*, addressed to that seat."""
    state = game.state
    asking = DECISIONS[state.decision.kind]
    seat_names = call_seat_you(names, state.decision.seat)
    actions = list(game.legal_actions())
    return Question(
        heading=str(asking.asks),
        text=str(asking.explains),
        stakes=tuple(asking.stakes(state, actions, seat_names)),
        answers=tuple(
            AnswerLine(
                write(action),
                format_answer_label(state, action, seat_names),
                tuple(list_effects(game, action, names)),
                *split_answer_label(action),
            )
            for action in actions
        ),
    )


def list_effects(game: Game, action: Action, names: Sequence[str]) -> Iterator[str]:
    """Yield the effects of *action* that it doesn't state itself; of a transfer, assuming that all others
    stay. In sums the deciding seat is "you"; sentences use the *names* of all."""
    state = game.state
    seat_names = call_seat_you(names, state.decision.seat)
    played = game.play(action)
    if state.decision.kind in state.rules.standing:
        end = settle_scoring(played, ended=state.ended)
        events = [event for ply in end.played[len(game.played) :] for event in ply.events]
        if state.ended:
            gains = [
                (seat_names[seat], after - before)
                for seat, (before, after) in enumerate(zip(state.scores, end.state.scores, strict=True))
                if after > before
            ]
        else:
            gains = [(seat_names[event.seat], event.points) for event in events if isinstance(event, Scored)]
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
    """Return the viewer's standing answer to moving figures out of Carcassonne; ``None`` where there is no
    such decision."""
    me, game = scene.me, scene.game
    if me is None or me.left or not game.running or not scene.state.rules.standing:
        return None
    return str(me.transfers)


def find_notice_timing(scene: Scene) -> str | None:
    """Return when the viewer is notified of this game, empty for their general setting; ``None`` if never, as
    for a guest without an address."""
    me, viewer = scene.me, scene.viewer
    if me is None or me.left or not scene.game.running or not viewer.is_authenticated:
        return None
    return None if viewer.provisional and not viewer.email else me.notice_timing
