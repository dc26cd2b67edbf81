"""The panel in which the viewer composes an answer to a decision other than placing a tile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.html import format_html, strip_tags
from django.utils.safestring import SafeString

from games import words
from games.drawing.targets import build_meeple_address, build_token_address
from games.pages.scene import Scene
from games.pages.turn.answer_draft import (
    AnswerDraft,
    AnswerStep,
    build_answer_query,
    compose_answer,
    list_answers,
)
from games.pages.turn.answer_targets import build_target_id, draw_answer_layer
from games.pages.turn.decision import call_seat_you, list_effects
from games.rules import Pass
from games.rules.notation import write
from games.words.decisions import DECISIONS, build_answer_sentence, find_step_words, format_send_label
from games.words.expansion import Choice, Held, Number, Sentence

DIGITS = 9  # number of digits that serve as keys for the choices of a step
FEW = 6  # maximum number of features at stake that are described; more are only listed as choices


class ChoiceLink(NamedTuple):
    """A link that makes a choice."""

    id: str
    url: str
    label: str
    chosen: bool
    key: str = ""  # keyboard shortcut
    lights: str = ""  # the id of its place on the board
    figure: str = ""  # the address of its symbol
    number: int = 0  # number in hand
    name: str = ""  # accessible name, where the label alone says too little without the board


class ChoiceGroup(NamedTuple):
    """The choices of a step."""

    heading: str
    links: tuple[ChoiceLink, ...]


@dataclass(frozen=True, slots=True)
class AnswerPanel:
    """The panel of the seat that must answer."""

    heading: str
    text: str
    stakes: tuple[str, ...]  # features about to be scored, with points and figures
    strips: tuple[ChoiceGroup, ...]  # figures and numbers, and answers that are chosen as a whole
    offers: tuple[ChoiceLink, ...]  # links to optional steps
    lists: tuple[ChoiceGroup, ...]  # choices on the board
    sentence: SafeString | str  # effect of the answer, or the part that is missing
    effects: tuple[str, ...]
    hint: str  # name of the step being chosen, if it is optional
    line: str  # the answer in notation; empty until it is complete
    sends: str  # label of the button that sends it
    declines: str  # label of the button that sends ``pass``; empty where one must answer
    example: str  # a line that could be typed
    layer: SafeString

    @property
    def said(self) -> str:
        """The text that screen readers read after each step."""
        return self.hint or " ".join((strip_tags(self.sentence), *self.effects))


def build_answer_panel(scene: Scene, asking: Mapping[str, str], line: str = "") -> AnswerPanel:
    """Build the panel of the viewer's decision, with the legal part of the answer in the query *asking*, or
    of the refused *line*."""
    game, state = scene.played, scene.state
    words_of_it = DECISIONS[state.decision.kind]
    seat_names = call_seat_you(scene.names, state.decision.seat)
    legal = list_answers(game, seat_names)
    draft = compose_answer(legal, build_answer_query(legal, line) if line else asking)
    actions = list(game.legal_actions())
    stakes = tuple(words_of_it.stakes(state, actions, seat_names))
    action = draft.action
    return AnswerPanel(
        heading=str(words_of_it.title or words_of_it.asks),
        text=str(words_of_it.explains),
        stakes=stakes if len(stakes) <= FEW else (),
        strips=tuple(_strips(scene, draft)),
        offers=tuple(_offers(scene, draft)),
        lists=tuple(_group(scene, draft, step) for step in draft.on_board),
        sentence=_missing(scene, draft)
        if action is None
        else _bold(build_answer_sentence(state, action, seat_names)),
        effects=() if action is None else tuple(list_effects(game, action, scene.names)),
        hint=str(find_step_words(state, draft.changing).asks) if draft.changing else "",
        line="" if action is None else write(action),
        sends=format_send_label(state, action),
        declines=str(words_of_it.declines) if any(isinstance(action, Pass) for action in actions) else "",
        example=write(actions[-1]),
        layer=draw_answer_layer(scene, draft),
    )


def _bold(sentence: Sentence) -> SafeString:
    parts = {name: format_html("<strong>{}</strong>", part) for name, part in sentence.parts.items()}
    return format_html(sentence.text, **parts)


def _missing(scene: Scene, draft: AnswerDraft) -> str:
    """Say what to choose next; if each step has only one choice, the first."""
    step = draft.open or draft.steps[0]
    return str(find_step_words(scene.state, step.name).asks)


def _strips(scene: Scene, draft: AnswerDraft) -> Iterator[ChoiceGroup]:
    for step in draft.steps:
        if not step.on_board and (len(step.choices) > 1 or not step.settled):
            yield _group(scene, draft, step)
        if step.chosen is None and step.on_board:
            return


def _offers(scene: Scene, draft: AnswerDraft) -> Iterator[ChoiceLink]:
    for step in draft.steps:
        if step.offered and step.on_board:
            yield ChoiceLink(
                f"change-{step.name}",
                scene.urls.table + draft.build_change_query(step.name),
                str(words.TOKENS[step.moves].title),
                step.name == draft.changing,
                name=str(find_step_words(scene.state, step.name).offers),
                lights=f"move-{step.name}",
                figure=build_token_address(scene.picture, step.moves),
            )


def _group(scene: Scene, draft: AnswerDraft, step: AnswerStep) -> ChoiceGroup:
    keys = draft.open is step or (draft.open is None and step.on_board)
    links = tuple(
        _link(scene, draft, step, choice, str(number) if keys and number <= DIGITS else "")
        for number, choice in enumerate(step.choices, 1)
    )
    return ChoiceGroup(str(find_step_words(scene.state, step.name).asks), links)


def _link(scene: Scene, draft: AnswerDraft, step: AnswerStep, choice: Choice, key: str) -> ChoiceLink:
    figure, number = "", 0
    seat = scene.state.decision.seat
    assert seat is not None
    if isinstance(choice.on, Held):
        figure = build_meeple_address(scene.picture, scene.looks[seat], choice.on.figure)
        number = scene.state.supply[seat].get(choice.on.figure, 0)
    elif isinstance(choice.on, Number) and draft.going:
        figure = build_meeple_address(scene.picture, scene.looks[seat], draft.going)
    return ChoiceLink(
        f"choose-{step.name}-{step.choices.index(choice)}",
        scene.urls.table + draft.address(choice),
        choice.label,
        choice == step.chosen,
        key,
        build_target_id(step, choice) if step.on_board else "",
        figure,
        number,
    )
