"""What every list costs among 1,000 games and among 100,000: ``python -m benchmarks.club_lists [NUMBER …]``.

On the database that ``DATABASE_URL`` names (in a test database of its own), else on SQLite. Beside a player
of 50 games under way and 100 that are over in the small club stands one of 500 and 5,000 in the large one.
All lists are asked for in turn, and the least time of each counts: processor time of the answering thread,
and what it waits for the database, so that other programs on the machine spoil little.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from benchmarks.database import own_database  # first: it chooses the settings

# isort: split
from django.contrib import admin
from django.core.cache import caches
from django.db import connection
from django.test import Client, override_settings
from django.urls import reverse

from accounts.models import Player
from benchmarks.club import Club
from tests.games.factories import make_player, new_process

NUMBERS = (1_000, 100_000)
HEAVY = ((50, 100), (500, 5_000))  # games under way, and over, in the smallest club and in all others
ROUNDS = 6
GROWTH = 1.2  # from the smallest club to the largest, of the time
QUERIES = 20

View = Callable[[], Any]


class Cost(NamedTuple):
    """What a list costs."""

    seconds: float  # at best, once it has been asked for
    first: float  # in a process that has just started and with an empty cache
    queries: int


def main(numbers: Sequence[int]) -> bool:
    """Measure and say; whether all bounds hold."""
    with own_database(), override_settings(ROOT_URLCONF="benchmarks.pages"):
        return _among(numbers)


def _among(numbers: Sequence[int]) -> bool:
    club = Club()
    staff = make_player("Helen", is_staff=True, is_superuser=True)
    found: list[dict[str, Cost]] = []
    for at, number in enumerate(numbers):
        club.grow(number)
        running, over = HEAVY[min(at, 1)]
        player = club.seat(f"Busy{at}", running=running, over=over)
        found.append(_costs(_lists(club, player, staff)))
    few, many = found[0], found[-1]
    print(f"lists     {numbers[-1]} games beside {numbers[0]}, on {connection.vendor}: milliseconds, queries")
    return all([_compare(name, few[name], many[name]) for name in few])


def _lists(club: Club, player: Player, staff: Player) -> dict[str, View]:
    """Every list by name, and the view of one row."""
    anybody, own, desk = Client(), Client(), Client()
    own.force_login(player)
    desk.force_login(staff)
    game, name = club.patterns["over"], player.username
    pages = {
        "one row": (own, f"/one-row/{club.patterns['running'].code}/"),
        "my games": (own, "/games/"),
        "my games, chosen": (own, "/games/?text=7&sort=name"),
        "one's own page": (own, f"/players/{name}/"),
        "a player's page": (anybody, f"/players/{name}/"),
        "a player's page, somebody else's": (desk, f"/players/{name}/"),
        "lobby": (anybody, "/lobby/"),
        "lobby, signed in": (own, "/lobby/"),
        "lobby, soonest full": (anybody, "/lobby/?sort=full"),
        "lobby, shortest time": (anybody, "/lobby/?sort=fast"),
        "lobby, narrowed to nothing": (anybody, "/lobby/?seats=6&rated=yes"),
        "archive": (anybody, "/archive/"),
        "archive, signed in": (own, "/archive/"),
        "archive of a player": (anybody, f"/archive/?player={name}"),
        "archive of two": (anybody, f"/archive/?player={name}&against=Bruno"),
        "first page": (anybody, "/"),
        "seats": (anybody, reverse("games:seats")),
        "people": (own, reverse("games:people") + "?q=me"),
        "people one knows": (own, reverse("games:people")),
        "leaderboard": (anybody, reverse("leagues:leaderboard")),
        "leaderboard, signed in": (own, reverse("leagues:leaderboard")),
        "history of a rating": (anybody, reverse("leagues:history", args=[name])),
        "leagues": (anybody, reverse("league:list")),
        "moderators' desk": (desk, reverse("games:desk")),
    }
    for model in admin.site._registry:
        at = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        pages[f"admin: {model._meta.model_name}"] = desk, at
        pages[f"admin: {model._meta.model_name}, searched"] = desk, f"{at}?q={game.code}"
    searched = reverse("admin:games_seat_changelist")
    pages["admin: seat, of a player"] = desk, f"{searched}?q={name}"
    pages["admin: game, of a player"] = desk, f"{reverse('admin:games_game_changelist')}?q={name}"
    pages["admin: game, stopped"] = desk, f"{reverse('admin:games_game_changelist')}?ending__exact=stopped"
    return {name: partial(_ask, client, address) for name, (client, address) in pages.items()}


def _ask(client: Client, address: str) -> None:
    response = client.get(address)
    assert response.status_code == 200, f"{address}: {response.status_code}"


def _costs(views: dict[str, View]) -> dict[str, Cost]:
    gc.collect()
    gc.disable()  # what it costs grows with all that this process has ever done
    first = {name: _once(view, before=_forget)[0] for name, view in views.items()}
    best = {name: float("inf") for name in views}
    queries = {}
    for _ in range(ROUNDS):
        caches["searches"].clear()  # how often somebody may search is no matter here
        for name, view in views.items():
            seconds, queries[name] = _once(view)
            best[name] = min(best[name], seconds)
        gc.collect()
    gc.enable()
    return {name: Cost(best[name], first[name], queries[name]) for name in views}


def _once(view: View, before: Callable[[], object] = lambda: None) -> tuple[float, int]:
    """Seconds of processor and database, and queries, of one answer."""
    before()
    waited: list[float] = []

    def note(execute: Callable[..., Any], *given: Any) -> Any:
        wall, mine = time.perf_counter(), time.thread_time()
        try:
            return execute(*given)
        finally:
            waited.append(time.perf_counter() - wall - (time.thread_time() - mine))

    with connection.execute_wrapper(note):
        began = time.thread_time()
        view()
        took = time.thread_time() - began
    return took + sum(waited), len(waited)


def _forget() -> None:
    """As in a process that has just started."""
    new_process()
    for name in ("default", "process"):
        caches[name].clear()


def _compare(name: str, few: Cost, many: Cost) -> bool:
    growth = many.seconds / few.seconds
    held = growth <= GROWTH and few.queries == many.queries <= QUERIES
    missed = "" if held else f"  MISSED, {few.queries} queries in the small club"
    print(
        f"          {few.seconds * 1000:6.1f} {many.seconds * 1000:6.1f}, {growth:5.2f} times (ceiling"
        f" {GROWTH}); at first {few.first * 1000:6.1f} {many.first * 1000:6.1f}; {many.queries:2d} queries:"
        f" {name}{missed}"
    )
    return held


if __name__ == "__main__":
    sys.exit(0 if main([int(number) for number in sys.argv[1:]] or list(NUMBERS)) else 1)
