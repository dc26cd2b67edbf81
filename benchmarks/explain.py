"""How PostgreSQL answers the queries that run most: ``DATABASE_URL=… python -m benchmarks.explain [GAMES]``.

In a test database of its own with 100,000 games, or as many as are given, each query is asked as the site
asks it, and its plan is printed; none may read a large table from end to end. ``docs/queries.md`` has the
plans in short. On SQLite nothing is done: it shows no plan of PostgreSQL.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from benchmarks.database import own_database  # first: it chooses the settings

# isort: split
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Player
from benchmarks.club import Club
from games import access, tasks
from games.models import Game
from games.notices import delivery
from games.play import positions
from games.selectors import archive, lists, people, waiting
from games.selectors.seats import seats_of
from games.tables import suspending
from leagues.models import Pool
from leagues.selectors.leaderboard import leaders
from tests.games.factories import new_process

GAMES = 100_000
LARGE = ("games_game", "games_seat", "games_move", "games_tile", "games_notice", "accounts_player")
WHOLE = tuple(f"Seq Scan on {table}" for table in LARGE)


def main(number: int) -> bool:
    """Print the plans; whether none reads a large table from end to end."""
    if connection.vendor != "postgresql":
        print("explain   only on PostgreSQL")
        return True
    with own_database():
        club = Club()
        club.grow(number)
        player = club.seat("Busy", running=500, over=5_000)
        return all([_explain(name, ask) for name, ask in _questions(club, player).items()])


def _questions(club: Club, player: Player) -> dict[str, Callable[[], Any]]:
    """What the site asks most, by name."""
    now, stranger = timezone.now(), AnonymousUser()
    game = Game.objects.get(pk=club.patterns["running"].pk)
    return {
        "The game of a page": lambda: access.game_or_404(player, game.code),
        "Its seats": lambda: list(seats_of(game)),
        "Its moves, where its position is not remembered": lambda: positions.position(game),
        "Which games wait for a player, on every page": lambda: waiting.waiting_games(player),
        "Whether there is news in my games": lambda: waiting.my_games_stamp(player, now),
        "My games": lambda: waiting.parts_of_my_games(player, now),
        "The sweep: whose time is over": lambda: list(
            Game.objects.filter(status="playing", deadline__lt=now - timedelta(days=1))[:100]
        ),
        "The sweep: what is to be scored": lambda: list(tasks.games_to_score()[:100]),
        "The sweep: which bots are to play": lambda: list(tasks.games_for_the_bot(now)[:100]),
        "The sweep: which notices are to be sent": lambda: list(delivery.free(now)[:100]),
        "The beat: who is suspended": lambda: list(suspending.suspended_with_something(now)),
        "The lobby": lambda: list(lists.open_tables(stranger).order_by("-created", "-pk")[:20]),
        "The archive": lambda: archive.finished_games(stranger, {}, 20),
        "The archive of a player": lambda: archive.finished_games_of([player], stranger, {}, 20),
        "What a player plays": lambda: lists.running_games(stranger, player, {}),
        "People whose names begin so": lambda: people.called("member12", {}, 20),
        "The leaderboard": lambda: list(leaders(Pool.DUEL, now)[:50]),
    }


def _explain(name: str, ask: Callable[[], Any]) -> bool:
    new_process()
    with CaptureQueriesContext(connection) as asked:
        ask()
    sound = True
    print(f"{name}")
    for query in asked.captured_queries:
        if not query["sql"].startswith(("SELECT", "\nSELECT")):
            continue
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (COSTS OFF) {query['sql']}")
            plan = [line for (line,) in cursor.fetchall()]
        read = [line for line in plan if line.strip(" ->").startswith(WHOLE)]
        sound &= not read
        print("\n".join(f"    {line}{'  READ FROM END TO END' if line in read else ''}" for line in plan))
    return sound


if __name__ == "__main__":
    sys.exit(0 if main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES) else 1)
