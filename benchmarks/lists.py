"""Cost of a list of games, for a player of 50 games and of 500, beside the view of one row.

As in ``benchmarks.pages`` calls of Python functions are bounded, and processor time is shown. A first view is
that of a new process; a second one finds what the first has cached. Boards' thumbnails are requested
separately, as browsers do.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from statistics import median
from typing import Any, NamedTuple

from django.test import Client, override_settings

from benchmarks import site
from benchmarks.calls import count_calls
from games.models import Game, Seat
from games.pages.parts.thumbnails import build_thumbnail_url
from games.selectors.seats import load_seats_of
from tests.games.factories import copy_game, new_process

FEW, MANY = 50, 500
ROUNDS = 40
FIRST_ROUNDS = 20
WARM = 3  # rounds that fill what a running site has in memory
TIMES = 9.0  # as many calls as the one-row view, with every board kept
GROWTH = 1.2  # from few games to many


class Cost(NamedTuple):
    """Cost of a view: calls of Python functions, and median seconds."""

    calls: int
    seconds: float


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
        return _compare(_measure(game, fewer[0]))


def _measure(game: Game, other: Game) -> dict[tuple[str, int], Cost]:
    """Measure each view at both sizes of list; the one-row view as of size 1."""
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
    costs = _rounds(views, ROUNDS)
    del views["one row", 1]
    first = _rounds(views, FIRST_ROUNDS, _forget)
    return costs | {(f"{name}, first view", count): cost for (name, count), cost in first.items()}


def _compare(costs: dict[tuple[str, int], Cost]) -> bool:
    one = costs.pop(("one row", 1))
    print(
        f"lists     {one.calls:7d} calls and {one.seconds * 1000:.2f} ms for the view of one row; a list of"
        f" {MANY} games under way takes"
    )
    held = True
    for name in dict.fromkeys(name for name, _ in costs):
        few, many = costs[name, FEW], costs[name, MANY]
        held = held and many.calls <= GROWTH * few.calls
        ceiling = "" if "first" in name else f" (ceiling {TIMES:.0f})"
        held = held and (not ceiling or many.calls <= TIMES * one.calls)
        print(
            f"          {many.calls / one.calls:7.2f} times as many{ceiling}, {many.calls / few.calls:.2f}"
            f" times as of {FEW} (ceiling {GROWTH}); {many.seconds * 1000:.1f} ms,"
            f" {many.seconds / few.seconds:.2f} times: {name}"
        )
    return held


def _rounds(
    views: Mapping[tuple[str, int], Callable[[], Any]], rounds: int, before: Callable[[], None] = lambda: None
) -> dict[tuple[str, int], Cost]:
    """The cost of each of *views*, all asked for in turn."""
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
    costs = {}
    for name, ask in views.items():
        before()
        costs[name] = Cost(count_calls(ask), median(times[name]))
    return costs


def _forget() -> None:
    """Clear the caches as in a new process, outside of the measured time."""
    new_process()
    gc.collect()


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
