"""Template tags for small drawings within a page's text, and for caching parts of templates."""

from collections.abc import Hashable, Iterable
from functools import cache, lru_cache
from html import escape
from secrets import token_hex
from typing import NamedTuple

from django import template
from django.conf import settings
from django.template import Context, Engine
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from games import words
from games.drawing.bars import ChartBar, draw_bar_chart
from games.drawing.board import find_set_pictures, find_sprite_name
from games.drawing.thumbnail import HEIGHT, WIDTH
from games.models import Game
from games.pages.parts.score_sheet import format_scored_place
from games.pages.parts.seats import SeatCard
from games.pages.parts.story import Links
from games.pages.parts.thumbnails import build_thumbnail_url
from games.pages.parts.tiles_left import Kind
from games.pages.scene.picture import Miniature, draw_svg
from games.process_cache import LRUCache
from games.selectors.people import ResultTally
from games.words.arrows import FORMS, format_spaces_beyond
from games.words.people import split_at_names

register = template.Library()
register.filter("svg", draw_svg)
register.filter("kind_name", words.name_kind)
register.filter("scored_place", format_scored_place)
register.filter("sum", words.format_sum)

PLAIN = mark_safe(
    '<svg class="meeple plain" viewBox="-16 -16 32 32" aria-hidden="true">'
    '<path d="M-10 12c0-8 2-12 6-13a5.500 5.500 0 1 1 8 0c4 1 6 5 6 13z"/></svg>'
)
"""A figure that has no colour yet."""

THUMBNAIL = mark_safe(f'alt="" width="{WIDTH // 2}" height="{HEIGHT // 2}" loading="lazy" decoding="async"')


@register.simple_tag
@cache
def meeple(look: int | None, lying: bool = False) -> SafeString:
    """Draw the figure with that *look*, standing or *lying*; without one, a figure without colour."""
    if look is None:
        return PLAIN
    return format_html(
        '<svg class="meeple" viewBox="-16 -16 32 32" aria-hidden="true"><use href="{}#{}{}"/></svg>',
        static(find_sprite_name()),
        "l" if lying else "m",
        look,
    )


@register.simple_tag
def figure(symbol: str) -> SafeString:
    """Draw the figure *symbol* of the sprite."""
    return format_html(
        '<svg class="meeple" viewBox="-16 -16 32 32" aria-hidden="true"><use href="{}#{}"/></svg>',
        static(find_sprite_name()),
        symbol,
    )


@register.simple_tag
@cache
def set_picture(name: str) -> SafeString:
    """Draw the tile that represents the set *name*, beside its name."""
    return format_html(
        '<svg class="set-picture" viewBox="0 0 100 100" aria-hidden="true"><use href="{}#{}"/></svg>',
        static(find_set_pictures()),
        name,
    )


@register.simple_tag
def results_chart(tallies: Iterable[ResultTally], id: str, title: str) -> SafeString:
    """Draw the results of a player in games of several kinds; *id* is unique on the page."""
    bars = [ChartBar(tally.name, (tally.won, tally.shared, tally.lost)) for tally in tallies]
    said = "; ".join(
        gettext("{kind}: {won} of {played} won").format(kind=tally.name, won=tally.won, played=tally.played)
        for tally in tallies
    )
    # The drawing escapes what it is given.
    return mark_safe(draw_bar_chart(bars, id=id, title=title, description=said))


@register.simple_tag
def arrow_labels(edge: str) -> SafeString:
    """Return the arrow's labels on that *edge* of a map, as one attribute for each plural form; the script
    puts in the number that is out of sight."""
    said = ((n, format_spaces_beyond(edge, n)) for n in FORMS)
    return format_html_join(" ", 'data-say-{}="{}"', said)


@register.simple_tag
def tile(shown: Miniature) -> SafeString:
    """Draw a tile as printed, with its description."""
    return _tile(str(shown.words), shown.address)


@lru_cache(maxsize=5_000)
def _tile(said: str, address: str) -> SafeString:
    return format_html(
        '<svg class="tile" viewBox="0 0 100 100" role="img" aria-label="{}"><use href="{}"/></svg>',
        said,
        address,
    )


@register.simple_tag
def kinds_left(kinds: Iterable[Kind]) -> SafeString:
    """Render list items with the number of tiles left of each of *kinds*."""
    of = gettext("of")
    return mark_safe("".join(_kind_left(kind, of) for kind in kinds))


@lru_cache(maxsize=5_000)
def _kind_left(kind: Kind, of: str) -> SafeString:
    return format_html(
        '<li title="{}">{}<span><strong>{}</strong><span aria-hidden="true">/</span>'
        '<span class="hidden-text"> {} </span>{}</span></li>',
        kind.tile.words,
        tile(kind.tile),
        kind.left,
        of,
        kind.all,
    )


class HoldingSeat(NamedTuple):
    """A seat that holds something besides figures."""

    look: int
    name: str
    kept: tuple[str, ...]  # in words


@register.filter
def holding(seats: Iterable[SeatCard]) -> tuple[HoldingSeat, ...]:
    """Return those of *seats* that hold something, with only these holdings."""
    return tuple(HoldingSeat(seat.look, seat.name, seat.kept) for seat in seats if seat.kept)


@register.filter
def add_links(text: str, links: Links) -> SafeString:
    """Link the places and the marked names in *text*."""
    pages = {name: url for name, url, _look in links.people}
    pieces = (
        _person(piece, pages.get(piece, "")) if name else _places(piece, links.place)
        for piece, name in split_at_names(text)
    )
    return mark_safe("".join(pieces))


def _person(name: str, page: str) -> str:
    return f'<a class="person" href="{escape(page)}">{escape(name)}</a>' if page else escape(name)


def _places(text: str, url: str) -> str:
    """Link the places in *text*; *url* is the address of column 0, row 0."""
    return "".join(
        escape(piece)
        if at is None
        else f'<a href="{_at(url, at)}" hx-get="{_at(url, at)}">{escape(piece)}</a>'
        for piece, at in words.split_at_cells(text)
    )


def _at(places_url: str, at: tuple[int, int]) -> str:
    return escape(places_url.replace("0,0", f"{at[0]},{at[1]}"))


_parts: LRUCache[SafeString] = LRUCache("parts of templates", 3000)

SLOTS = {name: f"{name}-{token_hex(16)}" for name in ("code", "csrf_token", "path", "version")}
"""Placeholders of the values that are put into a rendered part afterwards; random, so that nobody can write
one into a text."""


@register.simple_tag
def cached_include(template_name: str, **values: Hashable) -> SafeString:
    """Render a template with only *values* as context; cache it by template, values, language and time zone.

    Values in `SLOTS` may differ from one rendering to the next: the template only shows them."""
    slots = {name: values.pop(name) for name in SLOTS.keys() & values.keys()}
    reader = get_language(), timezone.get_current_timezone()
    key = template_name, tuple(values.items()), *reader, settings.DEBUG  # DEBUG adds a script to every page
    part = _parts.get(key)
    if part is None:
        part = _render_template(template_name, values | {name: SLOTS[name] for name in slots})
        _parts.put(key, part)
    for name, value in slots.items():
        part = mark_safe(part.replace(SLOTS[name], conditional_escape(str(value))))
    return part


def _render_template(template_name: str, values: dict[str, Hashable]) -> SafeString:
    """Numbers aren't localised: all are small integers, and looking up formats took a fifth of the time."""
    return Engine.get_default().get_template(template_name).render(Context(values, use_l10n=False))


@register.simple_tag
def game_thumbnail(game: Game) -> SafeString:
    """Draw the thumbnail of the board of *game* in a list, which has begun."""
    return thumbnail(build_thumbnail_url(game, game.seated))


@register.simple_tag
def thumbnail(url: str) -> SafeString:
    """Draw the thumbnail of a board, for a list that says the rest in words."""
    return format_html('<img class="thumbnail" src="{}" {}>', url, THUMBNAIL)
