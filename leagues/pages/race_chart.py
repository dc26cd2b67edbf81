"""Line chart of places over the rounds of a division, as SVG; each line ends at a name.

Colours come from ``static/css/seasons.css``.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

WIDTH = 360
LEFT, RIGHT, TOP, BOTTOM = 26, 128, 14, 34
ROW = 22
MOST_LABELS = 12
LONGEST = 15
"""Maximum length of a name beside the chart, in characters."""
LOOKS = 9
"""Number of different styles of lines."""


class RaceLine(NamedTuple):
    """Places after each round, from 1."""

    name: str
    places: Sequence[int]
    own: bool = False  # whether it is the visitor's line


def draw_race_chart(lines: Sequence[RaceLine], *, title: str, description: str, axis: str) -> str:
    """Draw *lines* as an ``<svg>`` element; together they have all places from first to last in each
    round."""
    rounds = len(lines[0].places)
    height = TOP + ROW * len(lines) + BOTTOM
    right, floor = WIDTH - RIGHT, height - BOTTOM

    def x(number: int) -> float:
        return LEFT + (right - LEFT) * number / max(rounds - 1, 1)

    def y(place: int) -> float:
        return TOP + ROW * (place - 0.5)

    step = -(-rounds // MOST_LABELS)
    columns = "".join(
        f'<path d="M{x(at):.1f} {TOP}V{floor}"/>'
        + (f'<text x="{x(at):.1f}" y="{floor + 14}">{at + 1}</text>' if at % step == 0 else "")
        for at in range(rounds)
    )
    rows = "".join(
        f'<text x="{LEFT - 8}" y="{y(place) + 4:.1f}">{place}</text>' for place in range(1, len(lines) + 1)
    )
    drawn = "".join(
        f'<g class="{_look(at, line)}">'
        f'<path d="M{"L".join(f"{x(n):.1f} {y(place):.1f}" for n, place in enumerate(line.places))}"/>'
        f'<circle cx="{x(rounds - 1):.1f}" cy="{y(line.places[-1]):.1f}" r="3.5"/>'
        f'<text x="{right + 8}" y="{y(line.places[-1]) + 4:.1f}">{escape(_short(line.name))}</text></g>'
        for at, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="race-chart" viewBox="0 0 {WIDTH} {height}"'
        f' role="img" aria-labelledby="race-title race-text">'
        f'<title id="race-title">{escape(title)}</title><desc id="race-text">{escape(description)}</desc>'
        f'<g class="columns">{columns}</g><g class="rows">{rows}</g>{drawn}'
        f'<text class="axis" x="{(LEFT + right) / 2:g}" y="{floor + 29}">{escape(axis)}</text></svg>'
    )


def _look(at: int, line: RaceLine) -> str:
    return f"line look{at % LOOKS}{' own' if line.own else ''}"


def _short(name: str) -> str:
    """
    >>> _short("Bartholomew_of_Carcassonne")
    'Bartholomew_of…'
    """
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
