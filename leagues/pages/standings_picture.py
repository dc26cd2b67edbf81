"""Preview picture of the top of a division's table, for links on other sites (Open Graph)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from typing import NamedTuple

from django.conf import settings
from django.core.cache import caches
from django.urls import reverse
from django.utils.translation import gettext as _

from core.outputs import clean_for_xml
from games.drawing import palette
from games.drawing.picture import render_svg
from leagues.models import Division, Entry, Team
from leagues.pages.league import format_season_name
from leagues.pages.names import format_division_name, link_contender
from leagues.words.criteria import format_result

WIDTH, HEIGHT = 1200, 630
ROWS = 8
LONGEST_NAME, LONGEST_TITLE = 24, 34
COLOURS = 32
FONT = "DejaVu Sans"
PAPER, LINE, PALE = "#f1e6cc", "#cbb68b", "#67563e"


class StandingsPicture(NamedTuple):
    """Contents of the picture."""

    title: str
    place: str
    rows: tuple[tuple[str, str, str], ...]  # rank, name, points

    @property
    def key(self) -> str:
        """Cache key, the same for the same contents."""
        return sha256(repr(self).encode()).hexdigest()[:32]


def build_picture_url(division: Division) -> str:
    """Return the absolute URL of the picture of *division*."""
    season = division.season
    return settings.SITE_URL + reverse(
        "league:picture", args=[season.league.slug, season.number, division.level]
    )


def build_picture(division: Division, contenders: Sequence[Entry | Team]) -> StandingsPicture:
    """Build the contents of the picture of *division*, whose *contenders* are in order of the table."""
    season = division.season
    place = _("{season}, {division}").format(
        season=format_season_name(season), division=format_division_name(division)
    )
    rules = season.settings.standings
    rows = tuple(
        (
            str(one.rank or ""),
            _cut(link_contender(one, season).name, LONGEST_NAME),
            format_result(one.points, one.values, rules),
        )
        for one in contenders[:ROWS]
    )
    return StandingsPicture(_cut(season.league.name, LONGEST_TITLE), place, rows)


def render_png(drawn: StandingsPicture) -> bytes:
    """Render the picture as PNG, cached by its contents."""
    kept, key = caches["pictures"], f"standings-{drawn.key}"
    png: bytes | None = kept.get(key)
    if png is None:
        image = render_svg(svg_of(drawn), WIDTH).convert("RGB").quantize(COLOURS)
        file = io.BytesIO()
        image.save(file, "PNG", optimize=True)
        kept.set(key, png := file.getvalue())
    return png


def svg_of(drawn: StandingsPicture) -> str:
    """Draw the picture as SVG, with large letters, as it is mostly shown small."""
    lines = [
        _text(60, 90, 52, drawn.title, palette.INK),
        _text(60, 146, 32, drawn.place, PALE),
    ]
    for at, (rank, name, points) in enumerate(drawn.rows):
        y = 214 + 53 * at
        lines.append(f'<path d="M60 {y - 40}H1140" stroke="{LINE}" stroke-width="2"/>')
        lines.append(_text(130, y, 34, rank, PALE, anchor="end"))
        lines.append(_text(165, y, 34, name, palette.INK))
        lines.append(_text(1130, y, 34, points, palette.INK, anchor="end"))
    return clean_for_xml(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>'
        f'<rect width="24" height="{HEIGHT}" fill="{palette.ROOF}"/>{"".join(lines)}</svg>'
    )


def _text(x: int, y: int, size: int, said: str, colour: str, anchor: str = "start") -> str:
    style = f"font:bold {size}px '{FONT}';fill:{colour};text-anchor:{anchor};stroke:none"  # over the board's
    return f'<text x="{x}" y="{y}" style="{style}">{escape(said)}</text>'


def _cut(said: str, longest: int) -> str:
    return said if len(said) <= longest else f"{said[: longest - 1].rstrip()}…"
