"""Results of a search at the moderators' desk, with paging."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlencode

from accounts.models import Player
from moderation.selectors import desk_search
from moderation.selectors.desk_search import Hit


class HitsPage(NamedTuple):
    """A page of results of one kind."""

    slug: str
    title: str
    lines: tuple[Hit, ...]
    previous_url: str  # empty on the first page
    next_url: str  # empty on the last one


def build_search_page(text: str, viewer: Player, kind: str, number: int) -> tuple[HitsPage, ...]:
    """Build the results for *text* that *viewer*, a moderator, may see: the first page of each kind, or page
    *number* of one *kind*."""
    number = min(number, desk_search.MOST_PAGES) if kind in desk_search.KINDS else 1
    found = desk_search.search(text, viewer, kind=kind, page=number)
    return tuple(
        HitsPage(
            hits.slug,
            hits.title,
            hits.lines,
            _url(text, hits.slug, number - 1) if number > 1 else "",
            _url(text, hits.slug, number + 1) if hits.more else "",
        )
        for hits in found
    )


def _url(text: str, kind: str, number: int) -> str:
    return "?" + urlencode({"q": text, "in": kind, "page": number})
