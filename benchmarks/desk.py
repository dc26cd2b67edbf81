"""Cost of the moderators' desk: ``python -m benchmarks.desk [NUMBER …]``.

On the database that ``DATABASE_URL`` names (in a test database of its own), else on SQLite. The pages of the
queues and of one game run at most fifteen queries, and take as long among 100,000 games as among 1,000.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from benchmarks.database import own_database  # first: it chooses the settings

# isort: split
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from benchmarks import sweep
from games.models import Game, Message, Notice, Status
from games.models.notice import FAILED
from games.play import moderation
from moderation.selectors import desk
from tests.games.factories import make_game, make_player, play_turns
from tests.games.play.moderating import asked as wish

NUMBERS = (1_000, 100_000)
QUERIES = 15
ROOM = 1.5  # times as long among the most games as among the fewest
WAITING = 200  # games per queue

ALSO_FILL: tuple[Callable[[int], None], ...] = ()
"""Functions that fill further tables, called with the number of games; each adds a tenth as many rows."""

ALSO_ASKED: dict[str, Callable[[Game], str]] = {}
"""Functions that return the address of a further page of the desk, by name of the page."""


def main(numbers: Sequence[int]) -> bool:
    """Measure and print; return whether all bounds hold."""
    with own_database():
        return _among(numbers)


def _among(numbers: Sequence[int]) -> bool:
    helen = make_player("Helen", is_staff=True, is_superuser=True)
    client = Client()
    client.force_login(helen)
    game = _busy_game()
    pages = {
        "what waits": reverse("moderation:desk"),
        "one game": reverse("moderation:desk_game", args=[game.code]),
        **{name: address(game) for name, address in ALSO_ASKED.items()},
    }
    times: dict[str, list[float]] = {name: [] for name in pages}
    held = True
    for number in numbers:
        sweep.fill(number - Game.objects.count())
        for fill in ALSO_FILL:
            fill(number)
        _let_some_wait(game)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # as PostgreSQL does by itself after a while
        for name, address in pages.items():
            client.get(address)  # warms up the process
            asked: list[str] = []
            with connection.execute_wrapper(_noting(asked)):
                assert client.get(address).status_code == 200, name
            times[name].append(sweep.seconds(lambda address=address: client.get(address)))
            held &= 0 < len(asked) <= QUERIES
            print(
                f"desk      {number:7d} games, {name}: {times[name][-1] * 1000:.1f} ms,"
                f" {len(asked)} queries (ceiling {QUERIES}) on {connection.vendor}"
            )
    return held and all(taken[-1] <= ROOM * taken[0] + 0.002 for taken in times.values())


def _noting(asked: list[str]) -> Callable[..., Any]:
    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append(sql)
        return execute(sql, params, many, context)

    return note


def _busy_game() -> Game:
    now = timezone.now()
    game = play_turns(make_game(seats=3, now=now), 30, now=now)
    Message.objects.bulk_create(Message(game=game, author=game.host, text=f"{n}", at=now) for n in range(30))
    for _ in range(5):
        moderation.extend(wish(game, now=now), 1)
    return game


def _let_some_wait(game: Game) -> None:
    past = timezone.now() - 9 * desk.STUCK_AFTER
    others = Game.objects.exclude(pk=game.pk).order_by("-pk")
    ours = list(others.values_list("pk", flat=True)[: 3 * WAITING])
    late, still, scoring = ours[:WAITING], ours[WAITING : 2 * WAITING], ours[2 * WAITING :]
    Game.objects.filter(pk__in=late).update(deadline=past)
    Game.objects.filter(pk__in=still).update(deadline=None, calendar=None, turn_began=past)
    Game.objects.filter(pk__in=scoring).update(
        status=Status.SCORING, awaited=None, deadline=None, calendar=None, turn_began=past
    )
    Notice.objects.update(sent=None, attempts=FAILED, due=past + timedelta(hours=1))


if __name__ == "__main__":
    sys.exit(0 if main([int(number) for number in sys.argv[1:]] or list(NUMBERS)) else 1)
