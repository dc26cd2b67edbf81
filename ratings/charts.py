"""Charts of ratings as SVG: a player's history, and expected against actual results.

Colours come from ``static/css/ratings.css``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.numerals import format_percent
from ratings.models import RatingChange
from ratings.skill import Calibration

LEFT, RIGHT, BOTTOM = 40, 12, 36
WHISKER = 4
STEPS = (50, 100, 200, 500, 1000)
MOST_ROWS = 6
COURSE_WIDTH, COURSE_HEIGHT = 132, 36


class Plot(NamedTuple):
    """The space between the axes of a chart, and the values at its edges."""

    width: int
    height: int
    top: int
    across: tuple[float, float]
    up: tuple[float, float]

    @property
    def right(self) -> int:
        return self.width - RIGHT

    @property
    def floor(self) -> int:
        return self.height - BOTTOM

    def x(self, value: float) -> float:
        first, last = self.across
        return LEFT + (self.right - LEFT) * (value - first) / (last - first)

    def y(self, value: float) -> float:
        least, most = self.up
        return self.floor - (self.floor - self.top) * (value - least) / (most - least)

    def draw_rows(self, labels: Iterable[tuple[float, int]]) -> str:
        """Draw a line and a label at each value of the vertical axis."""
        drawn = "".join(
            f'<path d="M{LEFT} {self.y(at):.1f}H{self.right}"/>'
            f'<text x="{LEFT - 6}" y="{self.y(at) + 4:.1f}">{label}</text>'
            for at, label in labels
        )
        return f'<g class="rows">{drawn}</g>'

    def draw_columns(self, labels: Iterable[tuple[float, int]]) -> str:
        """Draw a line and a label at each value of the horizontal axis."""
        drawn = "".join(
            f'<path d="M{self.x(at):.1f} {self.top}V{self.floor}"/>'
            f'<text x="{self.x(at):.1f}" y="{self.floor + 14}">{label}</text>'
            for at, label in labels
        )
        return f'<g class="columns">{drawn}</g>'

    def draw(self, drawn: str, *, name: str, title: str, description: str, axis: str) -> str:
        """Put what is *drawn* into an ``<svg>`` element; *name* begins its ids, *axis* labels the horizontal
        axis."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="rating-chart {name}-chart"'
            f' viewBox="0 0 {self.width} {self.height}"'
            f' role="img" aria-labelledby="{name}-title {name}-text">'
            f'<title id="{name}-title">{escape(title)}</title>'
            f'<desc id="{name}-text">{escape(description)}</desc>{drawn}'
            f'<text class="axis" x="{(LEFT + self.right) / 2:g}" y="{self.floor + 29}">{escape(axis)}</text>'
            "</svg>"
        )


def draw_course(numbers: Sequence[int]) -> SafeString:
    """Draw the course of a rating as a small line without axes; empty for fewer than two *numbers*."""
    if len(numbers) < 2:
        return mark_safe("")
    low, high = min(numbers), max(numbers)
    across, up = COURSE_WIDTH / (len(numbers) - 1), COURSE_HEIGHT / (high - low or 1)
    points = [(4 + at * across, 4 + (high - number) * up) for at, number in enumerate(numbers)]
    line = " ".join(f"{x:.1f} {y:.1f}" for x, y in points)
    width, height = COURSE_WIDTH + 8, COURSE_HEIGHT + 8
    said = ngettext(
        "Rating after the latest game: {last}",
        "Rating after the latest {n} games: {first} to {last}",
        len(numbers),
    ).format(n=len(numbers), first=numbers[0], last=numbers[-1])
    return mark_safe(
        f'<svg class="course" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(said)}">'
        f'<path class="under" d="M4 {height}L{line}V{height}z"/><path class="line" d="M{line}"/>'
        f'<circle cx="{points[-1][0]:.1f}" cy="{points[-1][1]:.1f}" r="4"/></svg>'
    )


def draw_history(changes: Sequence[RatingChange]) -> SafeString:
    """Draw the rating after each of *changes*, the earliest first; nothing without one."""
    if not changes:
        return SafeString()
    points = [change.shown for change in changes]
    numbers = [point.number for point in points]
    said = ngettext(
        "{n} game: from {first} to {last}, at least {least}, at most {most}",
        "{n} games: from {first} to {last}, at least {least}, at most {most}",
        len(numbers),
    ).format(n=len(numbers), first=numbers[0], last=numbers[-1], least=min(numbers), most=max(numbers))
    drawn = draw_history_chart(
        [(point.low, point.number, point.high) for point in points],
        first=changes[0].games,
        title=_("The rating after each of the latest games"),
        description=said,
        axis=_("rated game"),
    )
    return mark_safe(drawn)  # the drawing escapes what it is given


def draw_history_chart(
    points: Sequence[tuple[int, int, int]], *, first: int, title: str, description: str, axis: str
) -> str:
    """Draw *points*, which are (low, number, high) after each game, as a line and its margin of error.
    *first* is the number of the earliest game."""
    rows = levels(min(low for low, _, _ in points), max(high for _, _, high in points))
    end = len(points) - 1
    plot = Plot(360, 204, 10, across=(0, max(end, 1)), up=(rows[0], rows[-1]))
    above = [f"{plot.x(at):.1f} {plot.y(high):.1f}" for at, (_, _, high) in enumerate(points)]
    below = [f"{plot.x(at):.1f} {plot.y(low):.1f}" for at, (low, _, _) in enumerate(points)]
    line = [f"{plot.x(at):.1f} {plot.y(number):.1f}" for at, (_, number, _) in enumerate(points)]
    ends = f'<text class="start" x="{LEFT}" y="{plot.floor + 14}">{first}</text>'
    if end:
        ends += f'<text class="end" x="{plot.right}" y="{plot.floor + 14}">{first + end}</text>'
    drawn = (
        f"{plot.draw_rows((row, row) for row in rows)}"
        f'<path class="range" d="M{"L".join([*above, *reversed(below)])}Z"/>'
        f'<path class="line" d="M{"L".join(line)}"/>'
        f'<circle cx="{plot.x(end):.1f}" cy="{plot.y(points[-1][1]):.1f}" r="3.5"/>{ends}'
    )
    return plot.draw(drawn, name="history", title=title, description=description, axis=axis)


def draw_calibration_chart(
    points: Sequence[tuple[float, float, float, float]], *, title: str, description: str, across: str, up: str
) -> str:
    """Draw *points* (expected and actual share, and the bounds of its interval) beside the diagonal of
    perfect expectations, with the axes *across* and *up*."""
    plot = Plot(340, 320, 24, across=(0, 1), up=(0, 1))
    fifths = [(at / 5, 20 * at) for at in range(6)]
    marks = "".join(
        f'<path class="interval" d="M{plot.x(expected):.1f} {plot.y(low):.1f}V{plot.y(high):.1f}'
        f"M{plot.x(expected) - WHISKER:.1f} {plot.y(low):.1f}h{2 * WHISKER}"
        f'M{plot.x(expected) - WHISKER:.1f} {plot.y(high):.1f}h{2 * WHISKER}"/>'
        f'<circle cx="{plot.x(expected):.1f}" cy="{plot.y(actual):.1f}" r="3.5"/>'
        for expected, actual, low, high in points
    )
    drawn = (
        f"{plot.draw_rows(fifths)}{plot.draw_columns(fifths)}"
        f'<path class="true" d="M{plot.x(0):.1f} {plot.y(0):.1f}L{plot.x(1):.1f} {plot.y(1):.1f}"/>{marks}'
        f'<text class="start" x="4" y="13">{escape(up)}</text>'
    )
    return plot.draw(drawn, name="tenths", title=title, description=description, axis=across)


def draw_calibration(known: Calibration) -> SafeString:
    """Draw the tenths of *known*; nothing without games."""
    if not known.games:
        return SafeString()
    filled = [share for share in known.tenths if share.count]
    said = "; ".join(
        ngettext(
            "expected {expected}, actual {actual}, in {n} game",
            "expected {expected}, actual {actual}, in {n} games",
            share.count,
        ).format(
            expected=format_percent(share.expected / share.count),
            actual=format_percent(share.actual / share.count),
            n=share.count,
        )
        for share in filled
    )
    drawn = draw_calibration_chart(
        [(share.expected / share.count, share.actual / share.count, *share.interval) for share in filled],
        title=_("Expected and actual results"),
        description=said,
        across=_("expected, in %"),
        up=_("actual, in %"),
    )
    return mark_safe(drawn)  # the drawing escapes its input


def levels(least: int, most: int) -> range:
    """Return evenly spaced round numbers that enclose *least* and *most*.

    >>> list(levels(1490, 1710))
    [1450, 1500, 1550, 1600, 1650, 1700, 1750]
    """
    step = next((size for size in STEPS if (most - least) / size <= MOST_ROWS), STEPS[-1])
    return range(least // step * step, -(-(most + 1) // step) * step + 1, step)
