"""Chart of actual against expected shares as SVG: a point with its interval for each tenth, and the diagonal
of perfect expectations.

Colours come from ``static/css/ratings.css``.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

WIDTH, HEIGHT = 340, 320
LEFT, RIGHT, TOP, BOTTOM = 40, 12, 24, 36
WHISKER = 4


def draw_calibration_chart(
    points: Sequence[tuple[float, float, float, float]], *, title: str, description: str, across: str, up: str
) -> str:
    """Draw *points* (expected and actual share, and the bounds of its interval) as an ``<svg>`` element
    with the axes *across* and *up*."""
    floor, right = HEIGHT - BOTTOM, WIDTH - RIGHT

    def x(share: float) -> float:
        return LEFT + (right - LEFT) * share

    def y(share: float) -> float:
        return floor - (floor - TOP) * share

    fifths = [at / 5 for at in range(6)]
    rows = "".join(
        f'<path d="M{LEFT} {y(at):.1f}H{right}"/>'
        f'<text x="{LEFT - 6}" y="{y(at) + 4:.1f}">{100 * at:.0f}</text>'
        for at in fifths
    )
    columns = "".join(
        f'<path d="M{x(at):.1f} {TOP}V{floor}"/><text x="{x(at):.1f}" y="{floor + 14}">{100 * at:.0f}</text>'
        for at in fifths
    )
    marks = "".join(
        f'<path class="interval" d="M{x(expected):.1f} {y(low):.1f}V{y(high):.1f}'
        f"M{x(expected) - WHISKER:.1f} {y(low):.1f}h{2 * WHISKER}"
        f'M{x(expected) - WHISKER:.1f} {y(high):.1f}h{2 * WHISKER}"/>'
        f'<circle cx="{x(expected):.1f}" cy="{y(actual):.1f}" r="3.5"/>'
        for expected, actual, low, high in points
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rating-chart square" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' role="img" aria-labelledby="tenths-title tenths-text">'
        f'<title id="tenths-title">{escape(title)}</title>'
        f'<desc id="tenths-text">{escape(description)}</desc>'
        f'<g class="rows">{rows}</g><g class="columns">{columns}</g>'
        f'<path class="true" d="M{x(0):.1f} {y(0):.1f}L{x(1):.1f} {y(1):.1f}"/>{marks}'
        f'<text class="axis" x="{(LEFT + right) / 2:g}" y="{floor + 29}">{escape(across)}</text>'
        f'<text class="start" x="4" y="13">{escape(up)}</text></svg>'
    )
