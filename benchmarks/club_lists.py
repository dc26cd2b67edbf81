"""Cost of every list among 1,000 games and among 100,000: ``python -m benchmarks.club_lists [NUMBER …]``.

On the database that ``DATABASE_URL`` names (in test databases of its own), else on SQLite. The player who
asks has 50 running and 100 finished games in the small club, and 500 and 5,000 in the large one.

Each club has a process and a database. Lists are requested from both in turn, so that other load on the
machine slows both, and the least time of each counts: processor time of the responding thread, and of
PostgreSQL for it.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from benchmarks.database import own_database  # first: it chooses the settings

# isort: split
from django.contrib import admin
from django.core.cache import caches
from django.db import connection
from django.test import Client, override_settings
from django.urls import reverse

from accounts.models import Player
from benchmarks import processor
from benchmarks.club import Club
from tests.games.factories import make_player, new_process

NUMBERS = (1_000, 100_000)
HEAVY = ((50, 100), (500, 5_000))  # games under way, and over, in the smallest club and in all others
ROUNDS = 25
GROWTH = 1.2  # from the smallest club to the largest, of the time
QUERIES = 20

View = Callable[[], Any]


class Cost(NamedTuple):
    """Cost of a response: the best of many, or the first one in a new process with an empty cache."""

    seconds: float
    queries: int


def _best(one: Cost, other: Cost) -> Cost:
    """The minimum of both: other processes cost time, and some queries run once a minute."""
    return Cost(min(one.seconds, other.seconds), min(one.queries, other.queries))


def main(numbers: Sequence[int]) -> bool:
    """Measure and print; return whether all bounds hold."""
    with ExitStack() as open_clubs:
        clubs = [
            open_clubs.enter_context(_club(number, *HEAVY[min(at, 1)])) for at, number in enumerate(numbers)
        ]
        small, large = clubs[0], clubs[-1]
        names, *_others = [_answer(club) for club in clubs]
        first = {name: (_cost(small, name, first=True), _cost(large, name, first=True)) for name in names}
        best: dict[str, tuple[Cost, Cost]] = {}
        for _ in range(ROUNDS):
            for name in names:
                found = _cost(small, name), _cost(large, name)
                known = best.get(name, found)
                best[name] = _best(known[0], found[0]), _best(known[1], found[1])
    print(f"lists     {numbers[-1]} games beside {numbers[0]}, on {connection.vendor}: milliseconds, queries")
    return all([_compare(name, first[name], best[name]) for name in names])


@contextmanager
def _club(number: int, running: int, over: int) -> Iterator[subprocess.Popen[str]]:
    """Start a process with a club of so many games. It reads a list's name, and whether to clear all caches
    first, as a line of JSON."""
    environment = dict(os.environ)
    if "DATABASE_URL" in environment:
        there = urlsplit(environment["DATABASE_URL"])
        environment["DATABASE_URL"] = there._replace(path=f"{there.path}_{number}").geturl()
    club = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.club_lists", "club", *map(str, (number, running, over))],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield club
    finally:
        assert club.stdin is not None
        club.stdin.close()
        club.wait()


def _answer(club: subprocess.Popen[str]) -> Any:
    assert club.stdout is not None
    line = club.stdout.readline()
    if not line:
        raise RuntimeError(f"{club.args} has ended")
    return json.loads(line)


def _cost(club: subprocess.Popen[str], name: str, *, first: bool = False) -> Cost:
    assert club.stdin is not None
    club.stdin.write(json.dumps([name, first]) + "\n")
    club.stdin.flush()
    return Cost(*_answer(club))


def be_a_club(number: int, running: int, over: int) -> None:
    """Answer each line with the cost of the list that it names, as JSON; print the names first."""
    with own_database(), override_settings(ROOT_URLCONF="benchmarks.pages"):
        club = Club()
        staff = make_player("Helen", is_staff=True, is_superuser=True)
        club.grow(number)
        lists = _lists(club, club.seat("Busy", running=running, over=over), staff)
        print(json.dumps(list(lists)), flush=True)
        gc.disable()  # its cost grows with the age of the process
        gc.freeze()  # so that collecting between two lists is quick
        for line in sys.stdin:
            name, first = json.loads(line)
            gc.collect()
            caches["searches"].clear()  # resets the rate limit of searches
            if first:
                _forget()
            print(json.dumps(_once(lists[name])), flush=True)


def _lists(club: Club, player: Player, staff: Player) -> dict[str, View]:
    anybody, own, desk = Client(), Client(), Client()
    own.force_login(player)
    desk.force_login(staff)
    game, name = club.patterns["over"], player.username
    place = club.patterns["running"].name.split()[0]  # part of the names of all running games
    pages = {
        "one row": (own, f"/one-row/{club.patterns['running'].code}/"),
        "my games": (own, "/games/"),
        "my games, chosen": (own, f"/games/?{urlencode({'q': place, 'sort': 'name'})}"),
        "my games, with somebody": (own, f"/games/?{urlencode({'q': 'member', 'sort': 'latest'})}"),
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
        "leaderboard": (anybody, reverse("ratings:leaderboard")),
        "leaderboard, signed in": (own, reverse("ratings:leaderboard")),
        "history of a rating": (anybody, reverse("games:rating_history", args=[name])),
        "leagues": (anybody, reverse("league:list")),
        "moderators' desk": (desk, reverse("moderation:desk")),
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


def _once(view: View) -> Cost:
    asked = 0

    def note(execute: Callable[..., Any], *given: Any) -> Any:
        nonlocal asked
        asked += 1
        return execute(*given)

    with connection.execute_wrapper(note):
        of_server, ours = processor.of_server(), time.thread_time()
        view()
        return Cost(time.thread_time() - ours + processor.of_server() - of_server, asked)


def _forget() -> None:
    """Clear all caches, as in a new process."""
    new_process()
    for name in ("default", "process"):
        caches[name].clear()


def _compare(name: str, first: tuple[Cost, Cost], best: tuple[Cost, Cost]) -> bool:
    few, many = best
    growth = many.seconds / few.seconds
    held = growth <= GROWTH and few.queries == many.queries <= QUERIES
    missed = "" if held else f"  MISSED, {few.queries} queries in the small club"
    print(
        f"          {few.seconds * 1000:6.1f} {many.seconds * 1000:6.1f}, {growth:5.2f} times (ceiling"
        f" {GROWTH}); at first {first[0].seconds * 1000:6.1f} {first[1].seconds * 1000:6.1f};"
        f" {many.queries:2d} queries: {name}{missed}"
    )
    return held


if __name__ == "__main__":
    if sys.argv[1:2] == ["club"]:
        be_a_club(*map(int, sys.argv[2:]))
        sys.exit()
    sys.exit(0 if main([int(number) for number in sys.argv[1:]] or list(NUMBERS)) else 1)
