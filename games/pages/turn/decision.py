"""What a seat is asked besides placing a tile: the choices in words, and what each would do.

What may be chosen comes from ``legal_actions()`` alone; what it does, from playing it on a game that is a
value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import words
from games.pages.scene import Scene
from games.rules import Action, Deployed, Game, Pass, Returned, Scored, State
from games.rules.modules.count import CountMoved, Enter, Entered, Transfer, Transferred
from games.rules.modules.winter import GingerbreadMoved, Walk, home
from games.rules.notation import write
from games.rules.standing_answers import settled
from games.rules.tiles import FOLLOWER
from games.words import tells
from games.words.decisions import ASKS, EXPLAINS

ECHO = (CountMoved, Entered, Transferred, GingerbreadMoved, Deployed, Returned)
"""Events that an answer's own words tell."""


class Answer(NamedTuple):
    """One thing to choose: in notation, in words, and what comes of it. Where there are many, those that
    begin alike are a *group*, and *rest* is what is left to say of each."""

    line: str
    label: str
    effects: tuple[str, ...]
    chosen: bool
    group: str = ""
    rest: str = ""


class Group(NamedTuple):
    """Answers that begin alike; without a heading they stand by themselves."""

    heading: str
    answers: tuple[Answer, ...]

    @property
    def chosen(self) -> bool:
        return any(answer.chosen for answer in self.answers)


@dataclass(frozen=True, slots=True)
class Question:
    """What the seat awaited is asked."""

    heading: str
    text: str
    stakes: tuple[str, ...]  # what is about to be scored, for how much, and who stands there
    answers: tuple[Answer, ...]

    @property
    def example(self) -> str:
        """A line that could be typed."""
        return self.answers[-1].line

    @property
    def groups(self) -> tuple[Group, ...]:
        """The answers in their order, those that begin alike together."""
        return tuple(
            Group(heading, tuple(answers))
            for heading, answers in groupby(self.answers, key=lambda answer: answer.group)
        )


def question(game: Game, names: Sequence[str], *, line: str = "") -> Question:
    """What the seat awaited in *game* is asked, told to that seat. *line*: what it chose before."""
    state = game.state
    kind, seat = state.decision
    assert seat is not None
    told = [*names]
    told[seat] = _("you")
    actions = list(game.legal_actions())
    lines = [write(action) for action in actions]
    chosen = line if line in lines else lines[0] if isinstance(actions[0], Pass) else ""
    return Question(
        heading=str(ASKS[kind]),
        text=str(EXPLAINS[kind]),
        stakes=tuple(_stakes(state, actions, told)),
        answers=tuple(
            Answer(
                said,
                _label(state, action, told),
                tuple(_effects(game, action, told, names)),
                said == chosen,
                *_split(action),
            )
            for action, said in zip(actions, lines, strict=True)
        ),
    )


def _stakes(state: State, actions: Iterable[Action], names: Sequence[str]) -> Iterator[str]:
    """What is at stake: the features to which figures may move, completed ones first of all (COUNT-28)."""
    if state.decision.kind == "gingerbread":
        city = home(state)
        if city is not None:
            yield _("He stands here: {feature}").format(feature=words.feature_words(state, city, names))
        return
    if state.decision.kind == "enter":
        here = state.supply[state.turn_seat].get(FOLLOWER, 0)
        yield ngettext("You have {n} meeple in hand.", "You have {n} meeples in hand.", here).format(n=here)
    features = [state.board.features[code] for code in state.completed] if not state.ended else []
    for action in actions:
        if isinstance(action, Transfer):
            feature = state.feature_at(*action[3:])
            if not any(feature is one for one in features):
                features.append(feature)
    if state.decision.kind in state.rules.standing:
        for feature in features:
            yield _capital(words.feature_words(state, feature, names))


def _label(state: State, action: Action, names: Sequence[str]) -> str:
    return _LABELS[type(action)](state, action, names)


def _pass(state: State, action: Pass, names: Sequence[str]) -> str:
    return _("Stay where they are") if state.decision.kind in state.rules.standing else _("Send nobody")


def _going(action: Enter) -> str:
    return _("{figure} to the {quarter}").format(
        figure=_capital(str(words.FIGURES[action.meeple])), quarter=words.QUARTERS[action.quarter]
    )


def _split(action: Action) -> tuple[str, str]:
    """The group of *action*, and what it says besides; both empty where it stands by itself."""
    if not isinstance(action, Enter):
        return "", ""
    if action.count_to is None:
        return _going(action), _("The Count stays")
    return _going(action), _("The Count goes to the {quarter}").format(
        quarter=words.QUARTERS[action.count_to]
    )


def _enter(state: State, action: Enter, names: Sequence[str]) -> str:
    going = _going(action)
    if action.count_to is None:
        return _("{going}; the Count stays").format(going=going)
    return _("{going}; the Count goes to the {quarter}").format(
        going=going, quarter=words.QUARTERS[action.count_to]
    )


def _transfer(state: State, action: Transfer, names: Sequence[str]) -> str:
    figures = pgettext("number and figure", "{n} × {figure}").format(
        n=action.followers, figure=words.FIGURES[action.meeple]
    )
    if action.followers == 1:
        figures = _capital(str(words.FIGURES[action.meeple]))
    return _("{figures} from the {quarter} to the {kind} at {place}").format(
        figures=figures,
        quarter=words.QUARTERS[action.quarter],
        kind=words.kind(action.on),
        place=words.cell(action.x, action.y),
    )


def _walk(state: State, action: Walk, names: Sequence[str]) -> str:
    city = state.feature_at(action.x, action.y, "city", action.side)
    return _capital(words.feature_words(state, city, names))


_LABELS: Mapping[type, Callable[[State, Any, Sequence[str]], str]] = {
    Pass: _pass,
    Enter: _enter,
    Transfer: _transfer,
    Walk: _walk,
}


def _effects(game: Game, action: Action, told: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    """What comes of *action* besides what it says itself; of a transfer, if all others stay. Sums are *told*
    to the seat asked, who is "you" there; sentences have the *names* of all."""
    state = game.state
    played = game.play(action)
    if state.decision.kind in state.rules.standing:
        end = settled(played, ended=state.ended)
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
        if tells(event) and not isinstance(event, ECHO):
            yield words.event_sentence(event, names)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def standing_answer(scene: Scene) -> str | None:
    """What the viewer answers by itself when figures may be moved out of Carcassonne; ``None`` where nobody
    asks."""
    me, game = scene.me, scene.game
    if me is None or me.left or not game.running or not scene.state.rules.standing:
        return None
    return str(me.transfers)
