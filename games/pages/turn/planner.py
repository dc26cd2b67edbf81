"""The planner: the next turn of a waiting player, composed on the current board.

It is composed like a turn, in a game that supposes the player to be on turn (``games.rules.planning``), with
any tile that may come. Only its player ever sees it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import words
from games.drawing.board import Mark
from games.models import Plan
from games.pages.parts.seats import build_seat_cards
from games.pages.parts.status import Watch, choose_poll_interval
from games.pages.parts.tiles_left import list_kinds_left
from games.pages.scene import Scene
from games.pages.scene.picture import build_tile_address
from games.pages.turn.hand import Hand, TileChoice, build_hand, compose_asked_turn, draw_hand_layer
from games.rules import Game, Placement
from games.rules.geometry import get_cell, get_coordinates, sort_in_reading_order
from games.rules.planning import find_plan_fault, list_neighbours, suppose_turn
from games.words.grammar import capitalise

Cell = tuple[int, int]


class Coming(NamedTuple):
    """A tile that may be drawn, and how many of it are left."""

    choice: TileChoice
    left: int


class PlanLine(NamedTuple):
    """One plan in the list."""

    pk: int
    first: bool
    address: str  # of the tile as it would lie
    tile: str  # in words
    sentence: str
    remarks: tuple[str, ...]  # its conditions
    trouble: str  # reason why it would not be played if its turn came now


def build_plan_url(scene: Scene, after: Cell | None = None) -> str:
    """The address of the planner, perhaps for after a tile has been laid in that column and row."""
    if after is None:
        return scene.urls.plan
    return scene.url("plan_after", f"{after[0]},{after[1]}")


def list_spaces_open_to_others(scene: Scene) -> list[Cell]:
    """The spaces where somebody else may lay a tile first, row by row."""
    cells = sorted(scene.state.board.needs, key=sort_in_reading_order)
    return [at for at in map(get_coordinates, cells) if not scene.state.beyond_edges(*at)]


def build_planner(
    scene: Scene, asking: Mapping[str, str], *, after: Cell | None = None, choosing: bool = False
) -> dict[str, Any]:
    """Build the template context of the planner for the viewer, who may plan, with the legal part of the turn
    in the query *asking*.

    *after* is a space where others may play first; with *choosing* such a space is to be chosen.
    """
    assert scene.me is not None
    seat = scene.me.index
    if after is not None:
        scene = replace(scene, shows=(after,))
    mine = suppose_turn(scene.played, seat, after)
    url = build_plan_url(scene, after)
    composed, notes = compose_asked_turn(mine, asking)
    shown = build_hand(scene, mine, composed, notes, table=url)
    laid = composed.placement
    marked = () if after is None else ((*after, scene.game.awaited or 0),)
    return {
        "scene": scene,
        "seats": build_seat_cards(scene),
        "map": scene.map(_others_layer(scene) if choosing else shown.layer, marked),
        "hand": shown,
        "tiles": tuple(_tiles(scene, shown)),
        "plans": tuple(_lines(scene)),
        "after": "" if after is None else words.name_cell(*after),
        "unknown": laid is not None and after is not None and _lies_beside(laid, after),
        "choosing": choosing,
        "url": url,
        "choose_url": f"{scene.urls.plan}?choose=space",
        "watch": Watch(choose_poll_interval(scene), f"{url}?since={scene.game.version}"),
    }


def _lies_beside(laid: Placement, after: Cell) -> bool:
    """Return whether the neighbour of *laid* in the cell *after* is not known yet."""
    return get_cell(laid.x, laid.y) in list_neighbours(after)


def _tiles(scene: Scene, shown: Hand) -> list[Coming]:
    """The tiles to choose from, in the order of those that are left."""
    kinds = list_kinds_left(scene)
    order = {kind.tile.address: number for number, kind in enumerate(kinds)}
    left = {kind.tile.address: kind.left for kind in kinds}
    coming = [Coming(choice, left.get(choice.tile.address, 1)) for choice in shown.tiles]
    return sorted(coming, key=lambda choice: order.get(choice.choice.tile.address, -1))


def _others_layer(scene: Scene) -> SafeString:
    marks = []
    for at in list_spaces_open_to_others(scene):
        marks.append(Mark(*at, build_plan_url(scene, at), words.name_cell(*at)))
    return draw_hand_layer(replace(scene.picture, marks=tuple(marks)))


def _lines(scene: Scene) -> Iterator[PlanLine]:
    assert scene.me is not None
    seat, supposing = scene.me.index, dict[Cell | None, Game]()
    for number, plan in enumerate(scene.plans):
        after = plan.after
        laid = after is not None and get_cell(*after) in scene.state.board.tiles
        waits_for = None if laid else after
        if waits_for not in supposing:
            supposing[waits_for] = suppose_turn(scene.played, seat, waits_for)
        place = plan.place
        yield PlanLine(
            plan.pk,
            first=not number,
            address=build_tile_address(place.tile, place.rotation),
            tile=words.describe_tile(place.tile),
            sentence=capitalise(words.format_plan(scene.state, place)),
            remarks=tuple(_remarks(plan)),
            trouble=_trouble(supposing[waits_for], plan),
        )


def _remarks(plan: Plan) -> Iterator[str]:
    if not plan.tile:
        yield _("With any tile that fits that way.")
    if plan.after is not None:
        yield _("Only if someone has played here by then: {place}.").format(
            place=words.name_cell(*plan.after)
        )
    if plan.rests_on[plan.place.tile] is None:
        yield _("You'll only know its neighbours when your turn comes.")


def _trouble(mine: Game, plan: Plan) -> str:
    """Say why *plan* would not be played as things stand; empty if it would."""
    place = plan.place
    if place.tile not in mine.legal_actions().tiles:
        return _("There are no copies of this tile left.")
    code = find_plan_fault(mine, place, plan.rests_on[place.tile])
    return words.explain_plan_trouble(code) if code else ""
