"""The tile in hand where it would lie, drawn over the board, with rings around the spots for a figure and a
button to turn it."""

from __future__ import annotations

from html import escape

from .curves import Point
from .figures import get_figure_symbol
from .links import link
from .pieces import BoardPicture, CandidateSpot, CandidateTile
from .rings import BUTTON, RADIUS, spread
from .spots import spot_point
from .sprite import build_symbol_name, decor_symbol

LETTER = 13.5
"""Radius of a ring with a letter."""


def draw_candidate(candidate: CandidateTile, picture: BoardPicture, links: bool) -> str:
    """*candidate* as a ``<g>`` element; *links* is False for a picture without interaction."""
    sprite = picture.file(candidate.tile)
    scale = candidate.scale
    x, y = candidate.x * 100 + 50 - 50 * scale, candidate.y * 100 + 50 - 50 * scale
    place = f"translate({x:g} {y:g})" + (f" scale({scale:g})" if scale != 1 else "")
    name = build_symbol_name(candidate.tile, candidate.rotation)
    detail = decor_symbol(candidate.tile, candidate.rotation, candidate.copy)
    tile = (
        f'<use href="{sprite}#{name}"/><use class="decor" href="{sprite}#{detail}"/>'
        f'<rect class="frame seat{candidate.seat}" x="-2" y="-2" width="104" height="104" rx="3"/>'
    )
    turning = link(candidate.href, candidate.label, "turn", candidate.attributes, tile, links)
    rings = "".join(_ring(spot, at, candidate, picture, links) for spot, at in _spot_points(candidate))
    if candidate.by_finger and candidate.href:
        rings += _turn_button(candidate, links)
    return (
        f'<g class="candidate" data-at="{candidate.x},{candidate.y}"><g transform="{place}">{turning}</g>'
        f'{candidate.light}<g class="rings" transform="{place}">{rings}</g></g>'
    )


def _spot_points(candidate: CandidateTile) -> list[tuple[CandidateSpot, tuple[Point, Point]]]:
    """The spots of *candidate*, each with its point on the tile and that of its ring."""
    points: list[Point] = [
        spot_point(candidate.tile, candidate.rotation, spot.on, spot.side) for spot in candidate.spots
    ]
    if candidate.by_finger:
        rings = spread(points, kept=[BUTTON])
    else:
        rings = points = [(_keep_inside(x), _keep_inside(y)) for x, y in points]
    return list(zip(candidate.spots, zip(points, rings, strict=True), strict=True))


def _keep_inside(at: float) -> float:
    """Return *at*, or the nearest place at which a ring with its letter is whole on a picture of the tile."""
    return min(max(at, LETTER + 1), 99 - LETTER)


def _ring(
    spot: CandidateSpot, at: tuple[Point, Point], candidate: CandidateTile, picture: BoardPicture, links: bool
) -> str:
    (px, py), (x, y) = at
    radius = RADIUS if candidate.by_finger else LETTER
    body = ""
    if (px, py) != (x, y):
        body += (
            f'<path class="line" d="M{px:g} {py:g}L{x:.5g} {y:.5g}"/>'
            f'<circle class="point" cx="{px:g}" cy="{py:g}" r="3"/>'
        )
    body += f'<circle class="ring" cx="{x:.5g}" cy="{y:.5g}" r="{radius:g}"/>'
    if spot.text:
        body += f'<text x="{x:.5g}" y="{y + 6:.5g}">{escape(spot.text)}</text>'
    else:
        figure = get_figure_symbol(candidate.seat, spot.meeple, spot.on)
        body += f'<use href="{picture.sprite}#{figure}" x="{x:.5g}" y="{y:.5g}"/>'
    css = "spot chosen" if spot.chosen else "spot"
    attributes = {**spot.attributes, "aria-current": "true"} if spot.chosen else spot.attributes
    return link(spot.href, spot.label, css, attributes, body, links)


def _turn_button(candidate: CandidateTile, links: bool) -> str:
    """A round button with an arrow; the keyboard has the tile itself."""
    x, y = BUTTON
    body = (
        f'<circle cx="{x:g}" cy="{y:g}" r="{RADIUS:g}"/>'
        f'<path d="M{x + 7:g} {y - 4:g}a8 8 0 1 0 1 6m0-10v4.500h-4.500"/>'
    )
    attributes = {**candidate.attributes, "tabindex": "-1", "aria-hidden": "true"}
    attributes.pop("data-key", None)
    return link(candidate.href, candidate.label, "turn-button", attributes, body, links)
