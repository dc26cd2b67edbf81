"""Cost of the pages of a large league beside those of a small one: ``python -m benchmarks.league_pages``.

A thousand players in a hundred divisions and some 50,000 games in eleven seasons, beside a hundred players in
ten divisions: the pages show as much of both. They are requested in turn, measured in processor time of the
responding thread; their queries are counted, and their calls of Python functions, beside the view of one row.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchmarks import site
from benchmarks.calls import count_calls
from tests.games.factories import make_game
from tests.leagues.league_rows import Size, open_league, people, write_league

SMALL, LARGE = Size(10, 10, 11), Size(100, 10, 11)
ROUNDS = 30
WARM = 3
GROWTH = 1.2  # from the small league to the large one
QUERIES = 17
TIMES = 22.0  # as many calls as the view of one row
PAGES = {
    "the league": "/leagues/{slug}/",
    "a league in which all register": "/leagues/open-{slug}/",
    "a season": "/leagues/{slug}/11/",
    "those who have registered": "/leagues/open-{slug}/2/",
    "its last page": "/leagues/{slug}/11/?page=99",
    "a division": "/leagues/{slug}/11/5/",
    "all seasons": "/leagues/{slug}/seasons/",
    "champions": "/leagues/{slug}/champions/",
    "the log": "/leagues/{slug}/log/",
    "a career": "/careers/{player}/",
}


def main() -> bool:
    """Measure and print; return whether all bounds hold."""
    site.open_site()
    now = timezone.now()
    game = make_game(now=now)
    asked: dict[str, Callable[[str], Any]] = {}
    for slug, size in (("small", SMALL), ("large", LARGE)):
        players = people(size.divisions * size.players, slug.title())
        write_league(slug, players, size, game, now)
        open_league(f"open-{slug}", players, size, now)
        reader = site.visitor(players[45])
        named = {"slug": slug, "player": players[45].username}
        asked[slug] = partial(_ask, reader, named)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as PostgreSQL does by itself after a while
    with override_settings(ROOT_URLCONF="benchmarks.pages"):
        _ask(reader, {}, one_row := f"/one-row/{game.code}/")
        fewest = count_calls(partial(_ask, reader, {}, one_row))
    print(
        f"leagues   {LARGE.games:7d} games of {LARGE.divisions * LARGE.players} players in {LARGE.divisions}"
        f" divisions, beside {SMALL.games} of {SMALL.divisions * SMALL.players} in {SMALL.divisions};"
        f" the view of one row takes {fewest} calls"
    )
    return all([_compare(name, path, asked, fewest) for name, path in PAGES.items()])


def _ask(reader: Client, named: dict[str, str], path: str) -> None:
    response = reader.get(path.format(**named))
    assert response.status_code == 200, path


def _compare(name: str, path: str, asked: dict[str, Callable[[str], Any]], fewest: int) -> bool:
    times: dict[str, list[float]] = {slug: [] for slug in asked}
    for turn in range(ROUNDS + WARM):
        for slug, ask in asked.items():
            start = time.thread_time()
            ask(path)
            if turn >= WARM:
                times[slug].append(time.thread_time() - start)
    queries = {slug: _queries(partial(ask, path)) for slug, ask in asked.items()}
    ratio = count_calls(partial(asked["large"], path)) / fewest
    small, large = median(times["small"]), median(times["large"])
    print(
        f"          {ratio:7.2f} times as many calls (ceiling {TIMES:.0f}), {queries['large']} queries"
        f" (ceiling {QUERIES}); {large * 1000:.1f} ms, {large / small:.2f} times as long as of the small"
        f" league (ceiling {GROWTH}): {name}"
    )
    same = queries["small"] == queries["large"] <= QUERIES
    return same and large <= GROWTH * small and ratio <= TIMES


def _queries(ask: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as captured:
        ask()
    return len(captured)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
