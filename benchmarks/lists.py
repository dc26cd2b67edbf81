"""Cost of a list of games, for a player of 50 games and of 500, beside the view of one row.

As in ``benchmarks.pages`` all are requested in turn, in processor time of the responding thread. A first view
is that of a new process; a second one finds what the first has cached. Boards' thumbnails are requested
separately, as browsers do.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from statistics import median
from typing import Any

from django.test import Client, override_settings

from benchmarks import site
from games.models import Game, Seat
from games.pages.parts.thumbnails import build_thumbnail_url
from games.selectors.seats import load_seats_of
from tests.games.factories import copy_game, new_process

FEW, MANY = 50, 500
ROUNDS = 40
FIRST_ROUNDS = 20
WARM = 3  # rounds that fill what a running site has in memory
TIMES = 10.0  # as long as the one-row view, with every board kept
GROWTH = 1.2  # from few games to many


def main() -> bool:
    """Measure and print; return whether all bounds hold."""
    site.open_site()
    with override_settings(ROOT_URLCONF="benchmarks.pages"):
        game = site.standard()
        copy_game(game, MANY - 1)
        fewer = copy_game(game, FEW)
        for index, name in enumerate(site.NAMES[3:]):
            Seat.objects.filter(game__in=fewer, index=index).update(
                player=site.Player.objects.get(username=name)
            )
        fewer[0].refresh_from_db()
        return _compare(_times(game, fewer[0]))


def _times(game: Game, other: Game) -> dict[tuple[str, int], float]:
    """Seconds of each view at both sizes of list; the one-row view as of size 1."""
    one = site.visitor(site.awaited(game))
    views: dict[tuple[str, int], Callable[[], Any]] = {
        ("one row", 1): lambda: one.get(f"/one-row/{game.code}/")
    }
    for count, player in ((FEW, site.awaited(other)), (MANY, site.awaited(game))):
        views["my games", count] = partial(site.visitor(player).get, "/games/")
        stranger, page = Client(headers={"Accept-Encoding": "gzip"}), f"/players/{player.username}/"
        views["a player's page", count] = partial(stranger.get, page)
        shown = game if count == MANY else other
        views["a small picture", count] = partial(
            stranger.get, build_thumbnail_url(shown, load_seats_of(shown))
        )
    times = _rounds(views, ROUNDS)
    del views["one row", 1]
    first = _rounds(views, FIRST_ROUNDS, _forget)
    return times | {(f"{name}, first view", count): seconds for (name, count), seconds in first.items()}


def _compare(times: dict[tuple[str, int], float]) -> bool:
    base = times.pop(("one row", 1))
    print(f"lists     {base * 1000:7.2f} ms for the view of one row; a list of {MANY} games under way takes")
    held = True
    for name in dict.fromkeys(name for name, _ in times):
        few, many = times[name, FEW], times[name, MANY]
        held = held and many <= GROWTH * few
        ceiling = "" if "first" in name else f" (ceiling {TIMES:.0f})"
        held = held and (not ceiling or many <= TIMES * base)
        print(
            f"          {many / base:7.2f} times that, {many * 1000:.1f} ms: {name}{ceiling};"
            f" {many / few:.2f} times as long as of {FEW} (ceiling {GROWTH})"
        )
    return held


def _rounds(
    views: Mapping[tuple[str, int], Callable[[], Any]], rounds: int, before: Callable[[], None] = lambda: None
) -> dict[tuple[str, int], float]:
    """The median seconds of each of *views*, all asked for in turn."""
    times: dict[tuple[str, int], list[float]] = {name: [] for name in views}
    for turn in range(rounds + WARM):
        for name, ask in views.items():
            before()
            start = time.thread_time()
            response = ask()
            took = time.thread_time() - start
            assert response.status_code == 200, name
            if turn >= WARM:
                times[name].append(took)
    return {name: median(seconds) for name, seconds in times.items()}


def _forget() -> None:
    """Clear the caches as in a new process, outside of the measured time."""
    new_process()
    gc.collect()


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
