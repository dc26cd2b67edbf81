"""A chart of a player's rating over their games as an SVG: a line and its margin of error.

Colours come from ``static/css/ratings.css``.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

WIDTH, HEIGHT = 360, 200
LEFT, RIGHT, TOP, BOTTOM = 38, 12, 10, 32
STEPS = (50, 100, 200, 500, 1000)
MOST_ROWS = 6


def draw_history_chart(
    points: Sequence[tuple[int, int, int]], *, first: int, title: str, description: str, axis: str
) -> str:
    """Draw *points*, which are (low, number, high) after each game, as an ``<svg>`` element. *first* is the
    number of the earliest game, *axis* the label of the horizontal axis."""
    rows = levels(min(low for low, _, _ in points), max(high for _, _, high in points))
    floor, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    last = max(len(points) - 1, 1)

    def x(at: float) -> float:
        return LEFT + (right - LEFT) * at / last

    def y(number: float) -> float:
        return floor - (floor - TOP) * (number - rows[0]) / (rows[-1] - rows[0])

    grid = "".join(
        f'<path d="M{LEFT} {y(row):.1f}H{right}"/><text x="{LEFT - 6}" y="{y(row) + 4:.1f}">{row}</text>'
        for row in rows
    )
    above = [f"{x(at):.1f} {y(high):.1f}" for at, (_, _, high) in enumerate(points)]
    below = [f"{x(at):.1f} {y(low):.1f}" for at, (low, _, _) in enumerate(points)]
    line = "L".join(f"{x(at):.1f} {y(number):.1f}" for at, (_, number, _) in enumerate(points))
    end = len(points) - 1
    ends = f'<text class="start" x="{LEFT}" y="{floor + 14}">{first}</text>'
    if end:
        ends += f'<text class="end" x="{right}" y="{floor + 14}">{first + end}</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rating-chart" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' role="img" aria-labelledby="history-title history-text">'
        f'<title id="history-title">{escape(title)}</title>'
        f'<desc id="history-text">{escape(description)}</desc><g class="rows">{grid}</g>'
        f'<path class="range" d="M{"L".join([*above, *reversed(below)])}Z"/>'
        f'<path class="line" d="M{line}"/>'
        f'<circle cx="{x(end):.1f}" cy="{y(points[-1][1]):.1f}" r="3.5"/>{ends}'
        f'<text class="axis" x="{(LEFT + right) / 2:g}" y="{floor + 27}">{escape(axis)}</text></svg>'
    )


def levels(least: int, most: int) -> range:
    """Return evenly spaced round numbers that enclose *least* and *most*.

    >>> list(levels(1490, 1710))
    [1450, 1500, 1550, 1600, 1650, 1700, 1750]
    """
    step = next((one for one in STEPS if (most - least) / one <= MOST_ROWS), STEPS[-1])
    return range(least // step * step, -(-(most + 1) // step) * step + 1, step)
