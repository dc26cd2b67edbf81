"""The board that a game left behind: all of it, with the turning point on it."""

from __future__ import annotations

from dataclasses import replace
from html import escape

from django.utils.safestring import mark_safe

from games.drawing.layers import draw_layer
from games.pages.parts.highlights import Scoring, collect_earned, list_paying_lights
from games.pages.scene import Scene
from games.pages.scene.picture import EMPTY_LAYER, Map, build_map, build_outlines
from games.rules.turning_point import TurningPoint
from games.words.turning_point import TurningPointWords

LEAST_TILE = 16
"""Minimum width of a tile, in pixels, at which all of the board is shown."""


def draw_last_board(scene: Scene, point: TurningPoint | None, told: TurningPointWords | None) -> Map:
    """Draw the last board, small enough to be seen as a whole, with the turning *point* on it."""
    picture = scene.picture
    layer = EMPTY_LAYER
    if point is not None and told is not None:
        found = [Scoring(point.spot.on, point.spot, point.scored)]
        shown = collect_earned(scene.state.board, found, scene.state.meeples(), scene.seats)
        picture = replace(
            picture,
            highlights=(*list_paying_lights(scene.state, point.spot), *shown.lights),
            gains=shown.gains,
            outlines=build_outlines([(point.x, point.y, point.scorer)], scene.looks, scene.names),
        )
        link = _draw_link(scene.urls.ply(point.turn), told.text, point.x, point.y)
        layer = mark_safe(draw_layer("turning", picture, link))  # the address and the text are escaped
    drawn = build_map(picture, layer)
    assert picture.window is not None
    left, top, right, bottom = picture.window
    return drawn._replace(width=round((right - left) * LEAST_TILE), height=round((bottom - top) * LEAST_TILE))


def _draw_link(url: str, label: str, x: int, y: int) -> str:
    return (
        f'<a class="to-turn" href="{escape(url)}" aria-label="{escape(label)}">'
        f'<rect x="{100 * x}" y="{100 * y}" width="100" height="100"/></a>'
    )
