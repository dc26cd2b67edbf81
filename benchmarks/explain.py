"""Plans of the most frequent queries on PostgreSQL: ``DATABASE_URL=… python -m benchmarks.explain [GAMES]``.

Each query is run as the site runs it, in a test database of its own with 100,000 games, or the given number.
Its plan is printed, with the rows read and the time: no query may scan a large table sequentially, nor read
so many rows by an index. ``docs/queries.md`` summarises the plans. On SQLite it does nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

from benchmarks.database import own_database  # first: it chooses the settings

# isort: split
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.admin_lists import LATEST
from accounts.models import Player
from benchmarks.club import Club
from games import access, tables
from games.forms.lobby import LobbyForm
from games.models import Game
from games.notices import delivery
from games.play import positions
from games.selectors import archive, lists, overdue_games, people, waiting
from games.selectors.seats import load_seats_of
from games.tables import suspensions
from moderation.pages import desk
from ratings import leaders
from ratings.models import Pool
from tests.games.factories import make_player, new_process

GAMES = 100_000
ROWS = 4_000  # read by one query for a player of 500 games under way; any large table has more
LARGE = ("games_game", "games_seat", "games_move", "games_tile", "games_notice", "accounts_player")
WHOLE = tuple(f"Seq Scan on {table}" for table in LARGE)


def main(number: int) -> bool:
    """Print the plans; return whether none scans a large table."""
    if connection.vendor != "postgresql":
        print("explain   only on PostgreSQL")
        return True
    with own_database():
        club = Club()
        club.grow(number)
        player = club.seat("Busy", running=500, over=5_000)
        return all([_explain(name, ask) for name, ask in _questions(club, player).items()])


def _questions(club: Club, player: Player) -> dict[str, Callable[[], Any]]:
    now, stranger = timezone.now(), AnonymousUser()
    game = Game.objects.get(pk=club.patterns["running"].pk)
    newest = Game.objects.latest("pk").pk
    some_are_over = game.deadline - timedelta(hours=16) if game.deadline else now
    leaders.count_leaders(Pool.DUEL, now)  # once a minute all are counted
    moderator = make_player("Mira", is_staff=True)
    return {
        "The game of a page": lambda: access.get_game_or_404(player, game.code),
        "Its seats": lambda: list(load_seats_of(game)),
        "Its moves, where its position is not remembered": lambda: positions.load_position(game),
        "How many games wait for a player, on every page": lambda: waiting.count_waiting_games(player),
        "Which games wait for a player, on a board": lambda: waiting.load_waiting_games(player),
        "My games, and whether there is news in them": lambda: waiting.load_parts_of_my_games(player, now),
        "The sweep: whose time is over": lambda: list(
            Game.objects.filter(status="playing", deadline__lt=some_are_over)[:100]
        ),
        "The sweep: what is to be scored": lambda: list(overdue_games.find_games_to_score()[:100]),
        "The sweep: which bots are to play": lambda: list(overdue_games.find_games_for_the_bot(now)[:100]),
        "The sweep: which tables are to be closed": lambda: list(tables.find_tables_to_close(now)[:100]),
        "The sweep: which notices are to be sent": lambda: list(delivery.free(now)[:100]),
        "The beat: who is suspended": lambda: list(suspensions.find_suspended_players(now)),
        "The admin: which games were broken off": lambda: list(
            Game.objects.filter(ending="stopped", pk__gt=newest - LATEST).order_by("-pk")[:100]
        ),
        "The lobby": lambda: LobbyForm({}).list_table_keys(lists.find_open_tables(stranger)),
        "The first page": lambda: lists.load_newest_tables(now),
        "The archive": lambda: archive.load_finished_games(stranger, {}, 20),
        "The archive of a player": lambda: archive.load_finished_games_of([player], stranger, {}, 20),
        "What a player plays": lambda: lists.load_running_games(stranger, player, {}),
        "People whose names begin so": lambda: people.search_people("member12", {}, 20),
        "The leaderboard": lambda: list(leaders.find_leaders(Pool.DUEL, now)[:50]),
        "How many stand there": lambda: leaders.count_leaders(Pool.DUEL, now),
        "The desk of moderators": lambda: desk.build_queues(moderator, now),
    }


def _explain(name: str, ask: Callable[[], Any]) -> bool:
    new_process()
    with CaptureQueriesContext(connection) as asked:
        ask()
    statements = [one["sql"] for one in asked.captured_queries]
    queries = [sql for sql in statements if sql.lstrip().startswith(("SELECT", "WITH"))]
    print(f"{name}")
    return all([_explain_query(sql) for sql in queries])


def _explain_query(sql: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF) {sql}")
        plan = [line for (line,) in cursor.fetchall() if not line.startswith(("Planning", "Execution"))]
        cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {sql}")
        (((found,),),) = cursor.fetchall()
    whole = [line for line in plan if line.strip(" ->").startswith(WHOLE)]
    print("\n".join(f"    {line}{'  READ FROM END TO END' if line in whole else ''}" for line in plan))
    steps = list(_steps(found["Plan"]))
    rows = sum(_rows_read(step) for step in steps)
    indexes = sorted({step["Index Name"] for step in steps if "Index Name" in step})
    print(
        f"    = {rows} rows read (ceiling {ROWS}), {found['Execution Time']:.1f} ms, and"
        f" {found['Planning Time']:.1f} to plan, by {', '.join(indexes) or 'no index'}"
    )
    return not whole and rows <= ROWS


def _steps(step: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield step
    for below in step.get("Plans", ()):
        yield from _steps(below)


def _rows_read(step: dict[str, Any]) -> int:
    """The number of rows that *step* has read from a table, including those that it filtered out."""
    if "Relation Name" not in step:
        return 0
    left_out = step.get("Rows Removed by Filter", 0) + step.get("Rows Removed by Index Recheck", 0)
    return round((step["Actual Rows"] + left_out) * step["Actual Loops"])


if __name__ == "__main__":
    sys.exit(0 if main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES) else 1)
