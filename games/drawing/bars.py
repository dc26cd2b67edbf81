"""Counts as horizontal bars, an SVG for a page. A bar has parts, such as games won, shared and lost.

Colours come from the page's style sheets (``.part0`` and so on in ``static/css/people.css``); the parts also
differ by their order and by the numbers in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

WIDTH = 320
LABELS = 128
"""Width, in units, of the labels on the left."""
SUM = 30
"""Width, in units, of the totals on the right."""
ROW, THICK = 28, 18
LETTERS = 16
"""Maximum number of letters in a label; the table beside the chart has all of them."""
ROOM = 16
"""Minimum width of a part for its number to be drawn in it."""


class ChartBar(NamedTuple):
    """A bar: its name, and the size of each part."""

    label: str
    parts: tuple[int, ...]


def draw_bar_chart(bars: Sequence[ChartBar], *, id: str, title: str, description: str) -> str:
    """*bars* as an ``<svg>`` element, the longest one as wide as possible.

    *id* is unique on the page.
    """
    most = max((sum(bar.parts) for bar in bars), default=0) or 1
    room = WIDTH - LABELS - SUM
    height = ROW * len(bars)
    rows = "".join(_row(bar, ROW * at, room / most) for at, bar in enumerate(bars))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="bars" viewBox="0 0 {WIDTH} {height}" role="img"'
        f' aria-labelledby="{id}-title {id}-text"><title id="{id}-title">{escape(title)}</title>'
        f'<desc id="{id}-text">{escape(description)}</desc>{rows}</svg>'
    )


def _row(bar: ChartBar, top: int, unit: float) -> str:
    middle = top + ROW / 2
    x: float = LABELS
    drawn = f'<text class="label" x="{LABELS - 8}" y="{middle + 4.5:g}">{escape(_short(bar.label))}</text>'
    for number, size in enumerate(bar.parts):
        if not size:
            continue
        width = size * unit
        drawn += (
            f'<rect class="part{number}" x="{x:.1f}" y="{middle - THICK / 2:g}" width="{width:.1f}"'
            f' height="{THICK}"/>'
        )
        if width >= ROOM:
            drawn += f'<text class="in{number}" x="{x + width / 2:.1f}" y="{middle + 4.5:g}">{size}</text>'
        x += width
    return f'<g>{drawn}<text class="sum" x="{x + 6:.1f}" y="{middle + 4.5:g}">{sum(bar.parts)}</text></g>'


def _short(label: str) -> str:
    return label if len(label) <= LETTERS else f"{label[: LETTERS - 1]}…"
