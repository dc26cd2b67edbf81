"""Leaderboard of a pool, with a tab for each pool."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.core.paginator import Page, Paginator
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.requests import Visitor
from ratings.leaders import count_leaders, find_leaders, find_place
from ratings.models import Pool, Rating
from ratings.strengths import ShownStrength, compute_strength

A_PAGE = 50


class Tab(NamedTuple):
    """Tab of a pool, with its URL."""

    name: str
    url: str
    here: bool


class Leader(NamedTuple):
    """Row of the leaderboard."""

    place: int
    name: str
    url: str
    history_url: str
    strength: ShownStrength
    games: int
    me: bool


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """Page of the leaderboard for one visitor."""

    tabs: tuple[Tab, ...]
    heading: str
    rows: tuple[Leader, ...]
    page: Page[Rating]
    own_place: int | None  # the visitor's place, if it is on another page
    own_url: str


def build_leaderboard(pool: Pool, visitor: Visitor, now: datetime, number: str | None) -> LeaderboardPage:
    """Build page *number* of the leaderboard of *pool*."""
    url = reverse("ratings:leaderboard")
    pages = Paginator(find_leaders(pool, now), A_PAGE)
    pages.count = count_leaders(pool, now)  # else each page would count them all
    page = pages.get_page(number)
    rows = tuple(
        _row(place, rating, visitor, now) for place, rating in enumerate(page.object_list, page.start_index())
    )
    elsewhere = None if any(row.me for row in rows) else find_place(visitor, pool, now)
    named = build_tabs(url, pool)
    return LeaderboardPage(
        tabs=named,
        heading=next(tab.name for tab in named if tab.here),
        rows=rows,
        page=page,
        own_place=elsewhere,
        own_url=f"{url}?pool={pool.value}&page={(elsewhere - 1) // A_PAGE + 1}" if elsewhere else "",
    )


def build_tabs(url: str, pool: Pool) -> tuple[Tab, ...]:
    """Return the tabs of the page at *url*, which shows *pool*."""
    names = {Pool.DUEL: _("Duels"), Pool.TABLE: _("Tables of three to six")}
    return tuple(
        Tab(name, url if one is Pool.DUEL else f"{url}?pool={one.value}", one is pool)
        for one, name in names.items()
    )


def _row(place: int, rating: Rating, visitor: Visitor, now: datetime) -> Leader:
    name = rating.player.username
    history = reverse("games:rating_history", args=[name])
    return Leader(
        place=place,
        name=name,
        url=reverse("games:player", args=[name]),
        history_url=f"{history}?pool={rating.pool}",
        strength=compute_strength(rating, now),
        games=rating.games,
        me=visitor.is_authenticated and visitor.pk == rating.player_id,
    )
