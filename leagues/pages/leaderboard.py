"""The leaderboard of a pool."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.core.paginator import Page, Paginator
from django.urls import reverse

from games.access import Visitor
from games.selectors.strength import Strength
from leagues.models import Pool, Rating
from leagues.pages.tabs import Tab, tabs
from leagues.selectors.leaderboard import leaders, number_of_leaders, place_of
from leagues.selectors.strengths import strength_of

A_PAGE = 50


class Leader(NamedTuple):
    """A row of it."""

    place: int
    name: str
    url: str
    history_url: str
    strength: Strength
    games: int
    me: bool


@dataclass(frozen=True, slots=True)
class Board:
    """A page of it, as somebody sees it."""

    tabs: tuple[Tab, ...]
    heading: str
    rows: tuple[Leader, ...]
    page: Page[Rating]
    own_place: int | None  # where whoever looks stands on another page
    own_url: str


def board_of(pool: Pool, visitor: Visitor, now: datetime, number: str | None) -> Board:
    """The page called *number* of the leaderboard of *pool*."""
    url = reverse("leagues:leaderboard")
    pages = Paginator(leaders(pool, now), A_PAGE)
    pages.count = number_of_leaders(pool, now)  # else it would count them all for each page
    page = pages.get_page(number)
    rows = tuple(
        _row(place, rating, visitor, now) for place, rating in enumerate(page.object_list, page.start_index())
    )
    elsewhere = None if any(row.me for row in rows) else place_of(visitor, pool, now)
    named = tabs(url, pool)
    return Board(
        tabs=named,
        heading=next(tab.name for tab in named if tab.here),
        rows=rows,
        page=page,
        own_place=elsewhere,
        own_url=f"{url}?pool={pool.value}&page={(elsewhere - 1) // A_PAGE + 1}" if elsewhere else "",
    )


def _row(place: int, rating: Rating, visitor: Visitor, now: datetime) -> Leader:
    name = rating.player.username
    history = reverse("leagues:history", args=[name])
    return Leader(
        place=place,
        name=name,
        url=reverse("games:player", args=[name]),
        history_url=f"{history}?pool={rating.pool}",
        strength=strength_of(rating, now),
        games=rating.games,
        me=visitor.is_authenticated and visitor.pk == rating.player_id,
    )
