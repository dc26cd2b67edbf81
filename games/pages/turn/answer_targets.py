"""The places on the board that can be chosen for an answer: quarters, figures in them, and features, as links
over the board, with the figures that would stand there and their paths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games import words
from games.drawing.layers import draw_layer
from games.drawing.targets import (
    FigurePath,
    Ghost,
    Target,
    build_meeple_address,
    build_token_address,
    draw_targets,
    find_place_in_quarter,
    find_place_of_guest,
    find_place_of_quarter_token,
    find_place_of_token,
    find_place_on_feature,
    find_target_bounds,
    list_places_of_figures,
    spread_targets,
)
from games.pages.parts.seats import list_served
from games.pages.scene import Scene
from games.pages.scene.picture import EMPTY_LAYER, LAYER, build_shapes
from games.pages.turn.answer_draft import AnswerDraft, AnswerStep
from games.rules import Spot
from games.words.decisions import find_step_words
from games.words.expansion import Choice, InQuarter, Number

AROUND = 16  # units, where columns and rows are numbered
NARROW = 300  # units; no question is shown larger than so much


def build_target_id(step: AnswerStep, choice: Choice) -> str:
    """The id of the place on the board that *choice* means."""
    return f"at-{step.name}-{step.choices.index(choice)}"


def draw_answer_layer(scene: Scene, draft: AnswerDraft) -> SafeString:
    """The layer over the board while the answer *draft* is put together."""
    targets = spread_targets(
        [_target(scene, draft, step, choice) for step in draft.on_board for choice in step.choices]
    )
    if not targets:
        return EMPTY_LAYER
    targets = [*targets, *_list_kept_targets(scene, draft), *_list_offered_targets(scene, draft)]
    ways = tuple(_ways(scene, draft, targets))
    left, top, right, bottom = find_target_bounds(targets, scene.picture)
    attributes = {
        "role": "group",
        "aria-label": _("What you can choose on the board"),
        "hx-target": "#turn",
        "hx-select-oob": f"#{LAYER}",
        "hx-swap": "outerHTML show:none",
        "hx-push-url": "true",
        "data-asked": f"{scene.version}{' features' if any(target.shapes for target in targets) else ''}",
        "data-at": f"{(left + right) / 200 - 0.5:g},{(top + bottom) / 200 - 0.5:g}",  # its middle, in cells
        "data-wide": str(max(right - left + 2 * AROUND, NARROW)),
        "data-high": str(bottom - top + 2 * AROUND),
    }
    body = draw_targets(targets, ways, scene.picture)
    return mark_safe(draw_layer(LAYER, scene.picture, body, css="targets", attributes=attributes))


def _list_kept_targets(scene: Scene, draft: AnswerDraft) -> Iterator[Target]:
    """Yield the choices of other steps while one is changed: visible, but not links."""
    for step in draft.steps if draft.changing else ():
        if step.on_board and not step.settled and step.chosen:
            kept = _target(scene, draft, step, step.chosen)
            yield replace(kept, href="", id="", text="", below="")


def _target(scene: Scene, draft: AnswerDraft, step: AnswerStep, choice: Choice) -> Target:
    seat = scene.state.decision.seat or 0
    target = Target(
        id=build_target_id(step, choice),
        href=scene.urls.table + draft.address(choice),
        label=choice.label,
        chosen=choice == step.chosen,
        seat=scene.looks[seat],
        ghost=_ghost(scene, draft, choice),
        guest=step.name == draft.changing,
    )
    if isinstance(choice.on, InQuarter):
        if choice.on.figure:
            return _figures(scene, draft, step, choice, target)
        text, below = _label(scene, draft, choice.on.quarter)
        return replace(target, quarter=choice.on.quarter, text=text, below=below)
    assert isinstance(choice.on, Spot)
    return replace(target, shapes=build_shapes(scene.state, scene.state.feature_at(*choice.on)))


def _figures(scene: Scene, draft: AnswerDraft, step: AnswerStep, choice: Choice, target: Target) -> Target:
    """Return the target for figures of the seat in a quarter; the quarter belongs to it if they are all of
    one kind. Another tap selects one more of them."""
    assert isinstance(choice.on, InQuarter)
    quarter, figure = choice.on
    others = [
        choice.on
        for choice in step.choices
        if isinstance(choice.on, InQuarter) and choice.on.quarter == quarter
    ]
    number = next(
        (step for step in draft.steps if step.choices and isinstance(step.choices[0].on, Number)), None
    )
    meant, href = 1, target.href
    if target.chosen and number is not None and number.chosen is not None:
        at = number.choices.index(number.chosen)
        assert isinstance(number.chosen.on, Number)
        meant = number.chosen.on.number
        href = scene.urls.table + draft.address(number.choices[(at + 1) % len(number.choices)])
    text, below = _label(scene, draft, quarter) if others[0] == choice.on else ("", "")
    return replace(
        target,
        href=href,
        quarter=quarter if others[0] == choice.on else "",
        ringed=list_places_of_figures(scene.picture, target.seat, quarter, figure),
        meant=meant,
        text=text,
        below=below,
    )


def _ghost(scene: Scene, draft: AnswerDraft, choice: Choice) -> Ghost | None:
    """Return the figure that would stand where *choice* is: a neutral one, or those chosen to move."""
    picture, on = scene.picture, choice.on
    if choice.moves:
        at = find_place_of_guest(picture, *on) if isinstance(on, Spot) else _token_at(scene, on)
        return Ghost(build_token_address(picture, choice.moves), at)
    going, number = draft.going, draft.number
    if not going or (isinstance(on, InQuarter) and on.figure) or choice.step == draft.changing:
        return None
    look = scene.looks[scene.state.decision.seat or 0]
    text = f"×{number}" if number > 1 else ""
    if isinstance(on, Spot):
        return Ghost(
            build_meeple_address(picture, look, going, on.on), find_place_on_feature(picture, *on), text
        )
    assert isinstance(on, InQuarter)
    return Ghost(build_meeple_address(picture, look, going), find_place_in_quarter(picture, on.quarter), text)


def _token_at(scene: Scene, on: object) -> tuple[float, float]:
    assert isinstance(on, InQuarter)
    return find_place_of_quarter_token(scene.picture, on.quarter)


def _ways(scene: Scene, draft: AnswerDraft, targets: Sequence[Target]) -> Iterator[FigurePath]:
    """Yield the paths of figures to where they would go: neutral ones, and those leaving quarters."""
    starts: tuple[tuple[float, float], ...] = ()
    for step in draft.steps:
        choice = step.chosen
        if choice is None:
            continue
        drawn = (target.ghost for target in targets if target.id == build_target_id(step, choice))
        ghost = next(drawn, None)
        if choice.moves:
            ghost = ghost or _ghost(scene, draft, choice)
            start = find_place_of_token(scene.picture, choice.moves)
            if start is not None and ghost is not None:
                yield FigurePath(start, ghost.at)
        elif isinstance(choice.on, InQuarter) and choice.on.figure:
            look = scene.looks[scene.state.decision.seat or 0]
            starts = list_places_of_figures(scene.picture, look, *choice.on)
        elif ghost is not None and starts:
            yield FigurePath(starts[0], ghost.at)


def _list_offered_targets(scene: Scene, draft: AnswerDraft) -> Iterator[Target]:
    """Yield optional neutral figures to tap: where they stand, or would go."""
    for step in draft.steps:
        if not (step.offered and step.on_board):
            continue
        assert step.chosen is not None
        at = _token_at(scene, step.chosen.on)
        label = str(find_step_words(scene.state, step.name).offers)
        ghost = Ghost(build_token_address(scene.picture, step.moves), at) if step.chosen.moves else None
        yield Target(
            id=f"move-{step.name}",
            href=scene.urls.table + draft.build_change_query(step.name),
            label=label,
            ringed=(at,),
            ghost=ghost,
            chosen=step.name == draft.changing,
            meant=1,
            guest=True,
            seat=scene.looks[scene.state.decision.seat or 0],
        )


def _label(scene: Scene, draft: AnswerDraft, quarter: str) -> tuple[str, str]:
    """The label of *quarter*, with the neutral figure that would stand there; the features it serves."""
    name = str(words.QUARTERS[quarter])
    name = name[:1].upper() + name[1:]
    moved = [step.chosen for step in draft.steps if step.chosen and step.chosen.moves]
    below = ""
    for other in scene.state.quarters():
        if other.name == quarter:
            below = list_served(other.serves)
        here = moved[0].on == InQuarter(quarter) if moved and other.token else other.name == quarter
        if other.token and here:
            name = f"{name} · {words.TOKENS[other.token].title}"
    return name, below
