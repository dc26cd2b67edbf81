"""What the viewer is asked besides placing a tile: the panel in which an answer is put together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.html import format_html, strip_tags
from django.utils.safestring import SafeString

from games import words
from games.drawing.targets import meeple_address, token_address
from games.pages.scene import Scene
from games.pages.turn.answer_draft import AnswerDraft, Step, answers, asking_for, compose_answer
from games.pages.turn.answer_targets import answer_layer, target_id
from games.pages.turn.decision import effects, told_to
from games.rules import Pass
from games.rules.notation import write
from games.words.decisions import DECISIONS, answer_sentence, choosing, sends
from games.words.expansion import Choice, Held, Number, Sentence

DIGITS = 9  # that press the choices of a step
FEW = 6  # as many features at stake are told of; of more the list of what may be chosen tells


class Link(NamedTuple):
    """Something to choose."""

    id: str
    url: str
    label: str
    chosen: bool
    key: str = ""  # that presses it
    lights: str = ""  # the id of its place on the board
    figure: str = ""  # the address of its symbol
    number: int = 0  # so many are in hand
    name: str = ""  # for those who don't see the board, where the label alone says too little


class Group(NamedTuple):
    """The choices of a step."""

    heading: str
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class AnswerPanel:
    """The panel of whoever is asked."""

    heading: str
    text: str
    stakes: tuple[str, ...]  # what is about to be scored, for how much, and who stands there
    strips: tuple[Group, ...]  # figures and numbers, and answers that are chosen as a whole
    offers: tuple[Link, ...]  # of what may be chosen besides, but need not
    lists: tuple[Group, ...]  # what may be chosen on the board
    sentence: SafeString | str  # what the answer does, or what is missing
    effects: tuple[str, ...]
    hint: str  # what is being chosen, where that need not be
    line: str  # the answer in notation; empty until it is complete
    sends: str  # on the button that sends it
    declines: str  # on the button that sends ``pass``; empty where one must answer
    example: str  # a line that could be typed
    layer: SafeString

    @property
    def said(self) -> str:
        """All that is to be read aloud when a step has been taken."""
        return self.hint or " ".join((strip_tags(self.sentence), *self.effects))


def answer_panel(scene: Scene, asking: Mapping[str, str], line: str = "") -> AnswerPanel:
    """What the viewer is asked, with as much of an answer as the query *asking*, or else the *line* that was
    refused, asks for and is legal."""
    game, state = scene.played, scene.state
    words_of_it = DECISIONS[state.decision.kind]
    told = told_to(scene.names, state.decision.seat)
    legal = answers(game, told)
    draft = compose_answer(legal, asking_for(legal, line) if line else asking)
    actions = list(game.legal_actions())
    stakes = tuple(words_of_it.stakes(state, actions, told))
    action = draft.action
    return AnswerPanel(
        heading=str(words_of_it.title or words_of_it.asks),
        text=str(words_of_it.explains),
        stakes=stakes if len(stakes) <= FEW else (),
        strips=tuple(_strips(scene, draft)),
        offers=tuple(_offers(scene, draft)),
        lists=tuple(_group(scene, draft, step) for step in draft.on_board),
        sentence=_missing(scene, draft) if action is None else _bold(answer_sentence(state, action, told)),
        effects=() if action is None else tuple(effects(game, action, scene.names)),
        hint=str(choosing(state, draft.changing).asks) if draft.changing else "",
        line="" if action is None else write(action),
        sends=sends(state, action),
        declines=str(words_of_it.declines) if any(isinstance(one, Pass) for one in actions) else "",
        example=write(actions[-1]),
        layer=answer_layer(scene, draft),
    )


def _bold(sentence: Sentence) -> SafeString:
    """*sentence* with what differs from answer to answer in bold."""
    parts = {name: format_html("<strong>{}</strong>", part) for name, part in sentence.parts.items()}
    return format_html(sentence.text, **parts)


def _missing(scene: Scene, draft: AnswerDraft) -> str:
    """What has to be chosen next; where each step has but one choice, the first one."""
    step = draft.open or draft.steps[0]
    return str(choosing(scene.state, step.name).asks)


def _strips(scene: Scene, draft: AnswerDraft) -> Iterator[Group]:
    for step in draft.steps:
        if not step.on_board and (len(step.choices) > 1 or not step.settled):
            yield _group(scene, draft, step)
        if step.chosen is None and step.on_board:
            return


def _offers(scene: Scene, draft: AnswerDraft) -> Iterator[Link]:
    for step in draft.steps:
        if step.offered and step.on_board:
            yield Link(
                f"change-{step.name}",
                scene.urls.table + draft.changed(step.name),
                str(words.TOKENS[step.moves].title),
                step.name == draft.changing,
                name=str(choosing(scene.state, step.name).offers),
                lights=f"move-{step.name}",
                figure=token_address(scene.picture, step.moves),
            )


def _group(scene: Scene, draft: AnswerDraft, step: Step) -> Group:
    keys = draft.open is step or (draft.open is None and step.on_board)
    links = tuple(
        _link(scene, draft, step, choice, str(number) if keys and number <= DIGITS else "")
        for number, choice in enumerate(step.choices, 1)
    )
    return Group(str(choosing(scene.state, step.name).asks), links)


def _link(scene: Scene, draft: AnswerDraft, step: Step, choice: Choice, key: str) -> Link:
    figure, number = "", 0
    seat = scene.state.decision.seat
    assert seat is not None
    if isinstance(choice.on, Held):
        figure = meeple_address(scene.picture, scene.looks[seat], choice.on.figure)
        number = scene.state.supply[seat].get(choice.on.figure, 0)
    elif isinstance(choice.on, Number) and draft.going:
        figure = meeple_address(scene.picture, scene.looks[seat], draft.going)
    return Link(
        f"choose-{step.name}-{step.choices.index(choice)}",
        scene.urls.table + draft.address(choice),
        choice.label,
        choice == step.chosen,
        key,
        target_id(step, choice) if step.on_board else "",
        figure,
        number,
    )
