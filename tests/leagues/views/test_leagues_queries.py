"""Tests that pages of leagues run as many queries for large leagues as for small ones;
``benchmarks/league_pages.py`` measures their time."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.games.factories import make_game
from tests.leagues.league_rows import Size, open_league, people, write_league

SMALL, LARGE = Size(2, 4, 3), Size(12, 6, 8)
PAGES = (
    "/leagues/",
    "/leagues/{slug}/",
    "/leagues/open-{slug}/",
    "/leagues/open-{slug}/2/",
    "/leagues/{slug}/{season}/",
    "/leagues/{slug}/{season}/2/",
    "/leagues/{slug}/seasons/",
    "/leagues/{slug}/champions/",
    "/leagues/{slug}/log/",
    "/careers/{player}/",
)
MOST = 17


@pytest.mark.django_db
def test_every_page_costs_the_same_however_large_a_league_is(client: Client) -> None:
    now = timezone.now()
    game = make_game(now=now)
    asked: dict[str, list[int]] = {}
    for slug, size in (("small", SMALL), ("large", LARGE)):
        players = people(size.divisions * size.players, slug.title())
        write_league(slug, players, size, game, now)
        open_league(f"open-{slug}", players, size, now)
        client.force_login(players[5])
        named: dict[str, Any] = {"slug": slug, "season": size.seasons, "player": players[5].username}
        asked[slug] = [_queries(client, path.format(**named)) for path in PAGES]
    assert dict(zip(PAGES, asked["small"], strict=True)) == dict(zip(PAGES, asked["large"], strict=True))
    assert max(asked["large"]) <= MOST


def _queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200, path
    return len(captured)
