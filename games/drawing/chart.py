"""The scores of a game as a line chart, an SVG for a page.

Seats differ by colour, by the dashes of their line and by the marks on it, which are shaped like the emblems
of their meeples. Colours come from the page's style sheets: ``.seat0`` to ``.seat5`` set ``--seat``, which
``.chart`` in ``static/css/history.css`` uses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 400, 236
LOW = 132
"""Height of a chart beside other things."""
LEFT, RIGHT, TOP, BOTTOM = 34, 118, 12, 30
"""Margins around the lines, in units: for the numbers, and on the right for names and scores."""
LABEL = 17
"""Minimum distance between the labels at the ends of the lines."""
NAME = 8
"""Maximum number of letters in a name at the end of its line."""

DASHES = ("", "9 4", "2.5 3.5", "14 3 3 3", "5 3", "18 5")
MARKS = (
    "M-1.500 -4.500h3v3h3v3h-3v3h-3v-3h-3v-3h3z",  # cross
    "M0 -4.800L4.800 3.800H-4.800z",  # chevron
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",  # dot
    "M-4.600 0a4.600 4.600 0 1 0 9.200 0a4.600 4.600 0 1 0 -9.200 0z"
    "M-1.800 0a1.800 1.800 0 1 1 3.600 0a1.800 1.800 0 1 1 -3.600 0z",  # ring
    "M-5 -2.400h10v4.800h-10z",  # stripe
    "M0 -5.300L5.300 0L0 5.300L-5.300 0z",  # diamond
)
"""Paths of the marks by the index of a seat's colour, as in ``palette.SEATS``."""

Scale = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class ScoreSeries:
    """The score of one seat: a ply, the score after it, and a description, for each change."""

    name: str
    seat: int  # index of the seat's colour
    points: tuple[tuple[int, int, str], ...]

    @property
    def score(self) -> int:
        return self.points[-1][1] if self.points else 0


@dataclass(frozen=True, slots=True)
class ChartMark:
    """A turn to point at, and its label."""

    ply: int
    text: str


def draw_score_chart(
    series: Sequence[ScoreSeries],
    plies: int,
    *,
    title: str,
    description: str,
    axis: str,
    end: int = 0,
    mark: ChartMark | None = None,
    height: int = HEIGHT,
) -> str:
    """*series* over so many *plies* as an ``<svg>`` element. *axis* is the label of the horizontal axis;
    *end* is the position of the final scoring, beyond the last ply, which has a ground of its own."""
    most = max((score for line in series for _, score, _ in line.points), default=0)
    rows, columns = ticks(most, 5 if height > LOW else 3), ticks(plies, 8)
    top, last = max(most, 1), max(plies, end, 1)
    width, floor = WIDTH - LEFT - RIGHT, height - BOTTOM

    def x(ply: float) -> float:
        return LEFT + width * ply / last

    def y(score: float) -> float:
        return floor - (floor - TOP) * score / top

    grid = "".join(
        f'<path d="M{LEFT} {y(row):.1f}H{WIDTH - RIGHT}"/>'
        f'<text x="{LEFT - 6}" y="{y(row) + 4:.1f}">{row}</text>'
        for row in rows
    )
    below = "".join(f'<text x="{x(ply):.1f}" y="{floor + 15}">{ply}</text>' for ply in columns[1:])
    final = ""
    if end > plies:
        final = f'<rect class="final" x="{x(plies):.1f}" y="{TOP}" width="{x(end) - x(plies):.1f}"'
        final += f' height="{floor - TOP}"/>'
    ends = spread([y(line.score) for line in series], LABEL, TOP + 2, floor)
    lines = "".join(_line(line, plies, last, x, y) for line in series)
    labels = "".join(_label(line, y(line.score), at) for line, at in zip(series, ends, strict=True))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {WIDTH} {height}" role="img"'
        f' aria-labelledby="chart-title chart-text"><title id="chart-title">{escape(title)}</title>'
        f'<desc id="chart-text">{escape(description)}</desc>{final}'
        f'<g class="rows">{grid}</g><g class="columns">{below}'
        f'<text class="axis" x="{WIDTH - RIGHT + 6}" y="{floor + 15}">{escape(axis)}</text></g>'
        f"{lines}{_point_at(mark, x(mark.ply), floor) if mark else ''}{labels}</svg>"
    )


def _point_at(mark: ChartMark, x: float, floor: int) -> str:
    """A needle at *mark*, with its text on the side that has more room."""
    middle = (LEFT + WIDTH - RIGHT) / 2
    anchor, shift = ("start", 7) if x < middle else ("end", -7)
    return (
        f'<g class="turning"><path d="M{x:.1f} {TOP + 6}V{floor}"/>'
        f'<circle cx="{x:.1f}" cy="{TOP + 6}" r="4"/>'
        f'<text x="{x + shift:.1f}" y="{TOP + 10}" text-anchor="{anchor}">{escape(mark.text)}</text></g>'
    )


def ticks(most: int, count: int) -> tuple[int, ...]:
    """Return evenly spaced round numbers from 0 to at most *most*, at most *count* + 1 of them."""
    step = next(
        size * factor
        for size in (10**power for power in range(9))
        for factor in (1, 2, 5)
        if size * factor * count >= most
    )
    return tuple(range(0, most + 1, step))


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return positions near those *wanted*, in their order, at least *gap* apart and between *low* and *high*
    as far as possible."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    places = [0.0] * len(wanted)
    at = low - gap
    for index in order:
        at = places[index] = max(wanted[index], at + gap)
    at = max(high, low + gap * (len(wanted) - 1)) + gap
    for index in reversed(order):
        at = places[index] = min(places[index], at - gap)
    return places


def _line(series: ScoreSeries, plies: int, last: int, x: Scale, y: Scale) -> str:
    """A line in steps, as scores stay until they change, slanting to the end, with marks at the changes."""
    path, before = f"M{x(0):.1f} {y(0):.1f}", 0
    for ply, score, _ in series.points:
        if score != before:
            path += f"H{x(min(ply, plies)):.1f}"
            path += f"L{x(ply):.1f} {y(score):.1f}" if ply > plies else f"V{y(score):.1f}"
            before = score
    path += f"H{x(last):.1f}"
    marks = "".join(
        f'<path d="{MARKS[series.seat]}" transform="translate({x(ply):.1f} {y(score):.1f})scale(.75)">'
        f"<title>{escape(said)}</title></path>"
        for ply, score, said in series.points
    )
    dashes = f' stroke-dasharray="{DASHES[series.seat]}"' if DASHES[series.seat] else ""
    return (
        f'<g class="seat{series.seat}"><path class="case" d="{path}"{dashes}/>'
        f'<path class="line" d="{path}"{dashes}/><g class="marks">{marks}</g></g>'
    )


def _label(series: ScoreSeries, y: float, at: float) -> str:
    """Name and score at the end of a line, with a thin lead to it where other labels are in the way."""
    right = WIDTH - RIGHT
    name = series.name if len(series.name) <= NAME else f"{series.name[: NAME - 1]}…"
    return (
        f'<g class="end seat{series.seat}"><path class="lead" d="M{right} {y:.1f}L{right + 8} {at:.1f}"/>'
        f'<path class="mark" d="{MARKS[series.seat]}" transform="translate({right + 14} {at:.1f})"/>'
        f'<text x="{right + 23}" y="{at + 4:.1f}"><title>{escape(series.name)}</title>'
        f"<tspan>{series.score}</tspan> {escape(name)}</text></g>"
    )
