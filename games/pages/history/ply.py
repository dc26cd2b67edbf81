"""Pages about the past of a game, for one viewer: the board after each ply, and the score sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from games import rules
from games.access import Visitor
from games.drawing.board import BoardPicture
from games.models import Game
from games.pages.inspection.layers import Target, build_inspection
from games.pages.parts.highlights import collect_earned, group_scorings
from games.pages.parts.notes import load_note
from games.pages.parts.score_sheet import draw_sheet_chart, load_sheet
from games.pages.parts.seats import build_quarters, build_seat_cards
from games.pages.parts.story import build_links, build_story_entries, list_last_placements
from games.pages.parts.tiles_left import format_count_left
from games.pages.scene import Scene
from games.pages.scene.picture import EMPTY_LAYER, build_figures, build_map, build_outlines
from games.selectors.moves import FIELDS, Stored


def build_moment(
    game: Game,
    ply: int,
    viewer: Visitor,
    *,
    until: int | None = None,
    show: str = "",
    target: Target | None = None,
) -> dict[str, Any]:
    """Build the template context of the board after *ply*, which has been played; 0 is before any. Playback
    stops at the ply *until*. *show* names an overlay, *target* the place inspected.

    :raises NothingThere: at *target*
    """
    move = game.moves.in_force().filter(ply=ply).values(*FIELDS, "at").first() if ply else None
    scene = Scene.of(game, viewer, version=move["version"] if move else 0, ply=ply)
    last = [move] if move else []
    heading = _("The start tile") if ply == 0 else _("After turn {n} of {all}").format(n=ply, all=game.ply)
    return {
        "game": game,
        "version": scene.version,
        "urls": scene.urls,
        "seats": tuple(
            card._replace(awaited=move is not None and card.index == move["seat"])
            for card in build_seat_cards(scene, then=True)
        ),
        "map": build_map(_with_events(scene, last), EMPTY_LAYER),
        "steps": scene.steps(until=until),
        "address": settings.SITE_URL + scene.urls.ply(ply),
        "told": next(iter(build_story_entries(scene, last)), None),
        "links": build_links(scene),
        "quarters": build_quarters(scene),
        "heading": heading,
        "played": move["at"] if move else None,
        "tiles_left": format_count_left(scene.state.left),
        "note": load_note(game, viewer, ply),
        "inspection": build_inspection(scene, show, target),
    }


def load_scene(game: Game, viewer: Visitor, ply: int | None = None) -> Scene:
    """Return the scene of *game* for *viewer*, now or after *ply*, which has been played."""
    if not ply:
        return Scene.of(game, viewer, version=ply, ply=ply)
    version = game.moves.in_force().values_list("version", flat=True).get(ply=ply)
    return Scene.of(game, viewer, version=version, ply=ply)


def _with_events(scene: Scene, moves: Sequence[Stored]) -> BoardPicture:
    """Draw the events of the last *moves*: the last tile outlined, scored features highlighted in their
    owners' colours with the points at the scoring figures, and figures that were returned still visible."""
    state, picture = scene.state, scene.picture
    events = [rules.event_from_json(event) for move in moves for event in move["events"]]
    gone = [event for event in events if isinstance(event, rules.Returned)]
    new = {event[2:] for event in events if isinstance(event, rules.Deployed)}
    scorings = group_scorings(event for event in events if isinstance(event, rules.Scored) and event.points)
    shown = collect_earned(state.board, scorings, [*gone, *state.meeples()], scene.seats)
    came = (
        replace(figure, css="new") if (figure.x, figure.y, figure.on, figure.side) in new else figure
        for figure in picture.meeples
    )
    went = build_figures(gone, scene.looks, scene.names, css="gone")
    return replace(
        picture,
        outlines=build_outlines(list_last_placements(moves, 1), scene.looks, scene.names),
        highlights=shown.lights,
        gains=shown.gains,
        meeples=(*went, *came),
    )


def build_scores(scene: Scene, seat: int | None) -> dict[str, Any]:
    """Build the template context of the score sheet, with the turns of one *seat* or of all."""
    whole = load_sheet(scene)
    return {
        "game": scene.game,
        "urls": scene.urls,
        "seats": build_seat_cards(scene),  # heads of the columns
        "shown": seat,
        "sheet": whole,
        "parts": whole.parts if seat is None else whole.of(seat).parts,
        "chart": draw_sheet_chart(whole, scene.seats, scene.game.ply),
    }
