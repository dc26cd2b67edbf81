"""Overlays on a board: links that highlight what is pointed at, fields, and open spaces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.drawing.layers import (
    Area,
    SpaceNumber,
    draw_cell,
    draw_dead_spaces,
    draw_features,
    draw_fields,
    draw_layer,
    draw_lit_feature,
    draw_spaces,
)
from games.pages.inspection.facts import (
    FeatureFacts,
    SpaceFacts,
    build_feature_facts,
    build_quarter_facts,
    build_space_facts,
    build_tile_facts,
    format_space,
)
from games.pages.scene import Scene
from games.pages.scene.picture import build_shapes
from games.rules import Feature, Spot, State
from games.rules.checks import FAR
from games.rules.forecast import Space
from games.rules.geometry import get_cell, get_coordinates
from games.rules.tiles import FIELD, RIVER

FIELDS, SPACES = "fields", "spaces"
SHOWS = {FIELDS: gettext_lazy("Fields"), SPACES: gettext_lazy("Open spaces")}
"""Layers that can be laid over the whole board."""
NOTHING = "none"


FETCHING = {
    "hx-target": "#facts",
    "hx-swap": "innerHTML show:none",
    "hx-select-oob": "#lit",
    "hx-push-url": "false",
    "hx-replace-url": "false",
}
"""Attributes of htmx for the links of a layer."""


class NothingThere(LookupError):
    """No feature, open space or quarter is at that place."""


class At(NamedTuple):
    """A cell: an open space, or a placed tile."""

    x: int
    y: int


class QuarterTarget(NamedTuple):
    """A quarter of Carcassonne."""

    quarter: str


Target = Spot | At | QuarterTarget


class Switch(NamedTuple):
    """A switch that shows or hides an overlay."""

    name: str
    label: str
    on: bool
    query: str  # of the page's address
    shows: str  # which layer then lies there


@dataclass(frozen=True, slots=True)
class Inspection:
    """The parts of a board's page for inspecting it."""

    code: str  # of the game
    past: str  # the query of the ply that is looked at; empty for now
    layer_url: str
    keys_url: str
    list_url: str
    close_url: str
    switches: tuple[Switch, ...]
    shown: SafeString
    lit: SafeString
    facts: FeatureFacts | SpaceFacts | None

    @property
    def about_space(self) -> bool:
        return isinstance(self.facts, SpaceFacts)


def build_inspection(scene: Scene, show: str = "", target: Target | None = None) -> Inspection:
    """Build the inspection parts of a page of *scene*, with the overlay *show*, and *target* highlighted.

    :raises NothingThere: at *target*
    """
    lit, facts = ("", None) if target is None else _looked_at(scene, target)
    return Inspection(
        code=scene.game.code,
        past="" if scene.ply is None else f"?ply={scene.ply}",
        layer_url=scene.url("layer", v=scene.game.version),
        keys_url=scene.url("layer", v=scene.game.version, keys=1),
        list_url=scene.url("features"),
        close_url=scene.page,
        switches=tuple(_switches(scene, show)),
        shown=_layer("shown", scene, _draw_overlay(scene, show), FETCHING),
        lit=_layer("lit", scene, lit),
        facts=facts,
    )


def draw_link_layer(scene: Scene, *, by_keyboard: bool = False) -> SafeString:
    """The links over the board that light up when they are pointed at; *by_keyboard* in reading order."""
    board_features = list(features(scene.state))
    if by_keyboard:
        board_features.sort(key=lambda feature: (scene.spot(feature).y, scene.spot(feature).x))
    areas = [_area(scene, feature) for feature in board_features]
    areas += [_quarter_area(scene, quarter.name) for quarter in scene.state.quarters()]
    cells = [_cell(scene, space) for space in scene.spaces]
    body = draw_features(areas, cells, scene.picture, by_keyboard=by_keyboard)
    return _layer(
        "features",
        scene,
        body,
        {"role": "group", "aria-label": _("Features"), **FETCHING},
    )


def features(state: State) -> Iterator[Feature]:
    """Yield every feature that can be inspected: fields first, so that all others are drawn above them."""
    board_features = [feature for feature in state.board.all_features() if feature.kind != RIVER]
    yield from (feature for feature in board_features if feature.kind == FIELD)
    yield from (feature for feature in board_features if feature.kind != FIELD)


def parse_spot(at: str, on: str, side: str | None) -> Spot:
    """The spot that an address names. :raises NothingThere: if it names none"""
    return Spot(*parse_place(at), on, side)


def parse_place(at: str) -> At:
    """The place that an address names, as in ``3,-1``. :raises NothingThere: if it names none"""
    x, _comma, y = at.partition(",")
    try:
        place = At(int(x), int(y))
    except ValueError as error:
        raise NothingThere(at) from error
    if max(abs(place.x), abs(place.y)) > FAR or at != f"{place.x},{place.y}":
        raise NothingThere(at)
    return place


# ------------------------------------------------------------------------------------------------ targets


def _looked_at(scene: Scene, target: Target) -> tuple[str, FeatureFacts | SpaceFacts]:
    if isinstance(target, QuarterTarget):
        try:
            facts = build_quarter_facts(scene, target.quarter)
        except KeyError as error:
            raise NothingThere(target) from error
        return draw_lit_feature(_quarter_area(scene, target.quarter), scene.picture), facts
    if isinstance(target, At):
        turned = scene.state.board.tiles.get(get_cell(*target))
        if turned is not None:
            return draw_cell(SpaceNumber(*target, "", "")), build_tile_facts(*target, turned)
        space = _space(scene, target)
        return draw_cell(_cell(scene, space)), build_space_facts(scene, space)
    try:
        feature = scene.state.board.feature_at(*target)
    except KeyError as error:
        raise NothingThere(target) from error
    if feature.kind == RIVER:
        raise NothingThere(target)
    return draw_lit_feature(_area(scene, feature), scene.picture), build_feature_facts(scene, feature)


def _space(scene: Scene, at: At) -> Space:
    if not scene.spaces:
        raise NothingThere(at)
    try:
        return scene.outlook.space(get_cell(*at))
    except KeyError as error:
        raise NothingThere(at) from error


# ------------------------------------------------------------------------------------------------ drawing


def _layer(id: str, scene: Scene, body: str, attributes: dict[str, str] | None = None) -> SafeString:
    return mark_safe(draw_layer(id, scene.picture, body, css=id, attributes=attributes))


def _draw_overlay(scene: Scene, show: str) -> str:
    dead = draw_dead_spaces(sorted(scene.dead))
    if show == FIELDS:
        fields = [feature for feature in features(scene.state) if feature.kind == FIELD]
        return draw_fields([_area(scene, field) for field in fields], scene.picture) + dead
    if show == SPACES:
        return draw_spaces(_cell(scene, space, numbered=True) for space in scene.spaces) + dead
    return dead


def _switches(scene: Scene, show: str) -> Iterator[Switch]:
    for name, label in SHOWS.items():
        if name == SPACES and not scene.spaces:
            continue
        on = show == name
        yield Switch(name, str(label), on, "" if on else f"?show={name}", NOTHING if on else name)


def _area(scene: Scene, feature: Feature) -> Area:
    return Area(
        build_shapes(scene.state, feature),
        tuple(scene.seats[seat].look for seat in _owners(scene, feature)),
        scene.feature_url(feature),
        build_feature_facts(scene, feature).line,
    )


def _quarter_area(scene: Scene, name: str) -> Area:
    facts = build_quarter_facts(scene, name)
    return Area((), (), scene.url("quarter", name), facts.line, quarter=name)


def _cell(scene: Scene, space: Space, *, numbered: bool = False) -> SpaceNumber:
    x, y = get_coordinates(space.cell)
    text = str(space.copies) if numbered and not space.dead else ""
    return SpaceNumber(x, y, scene.space_url(space), format_space(scene, space), text, space.dead)


def _owners(scene: Scene, feature: Feature) -> Sequence[int]:
    """The seats whose colours *feature* has: the majority, or without aids all who stand there."""
    prospect = scene.outlook.prospect(feature)
    return prospect.leaders if scene.aids else tuple(prospect.strengths)
