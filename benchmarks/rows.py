"""Number of rows and bytes of a game: ``python -m benchmarks.rows [GAMES]``.

On the PostgreSQL that ``DATABASE_URL`` names, in a test database of its own. Games of two are played to their
end with all their mails; sizes are those of tables with their indexes, minus the size of empty ones. Then
their notices are pruned.
"""

from __future__ import annotations

import sys

from benchmarks.database import own_database  # first: it chooses the settings

# isort: split
from django.db import connection
from django.utils import timezone

from games import play, tasks
from games.clocks import DAY
from games.models import Game, Status
from games.models.notice import KEPT
from games.notices import pruning
from tests.games.factories import heart_beats, make_game, play_turns

Sizes = dict[str, list[int]]

GAMES = 40
SIZES = """
    select relname, n_live_tup, pg_relation_size(relid), pg_indexes_size(relid),
        pg_total_relation_size(relid) - pg_relation_size(relid) - pg_indexes_size(relid)
    from pg_stat_user_tables order by pg_total_relation_size(relid) desc
"""


def main(games: int) -> None:
    """Play, and print the size of a game in each table."""
    assert connection.vendor == "postgresql", "DATABASE_URL names no PostgreSQL"
    with own_database():
        before = sizes()
        for _ in range(games):
            heart_beats(timezone.now())
            game = make_game(seats=2, now=timezone.now())
            while Game.objects.get(pk=game.pk).status == Status.PLAYING:
                play_turns(game, 1, now=timezone.now())
                tasks.deliver_notices()
            play.score(game_id=game.pk, now=timezone.now())
            tasks.deliver_notices()
        after = sizes()
        while pruning.prune(timezone.now() + KEPT + DAY, seconds=60):
            pass
        pruned = sizes()
    print(f"rows      {games} games of two, played to the end with their mails; for each game:")
    tell(games, before, after)
    print(f"          once their notices are pruned, {KEPT.days} days later:")
    tell(games, before, pruned)


def tell(games: int, before: Sizes, after: Sizes) -> None:
    """Print the growth of each table for each of so many *games*."""
    all_rows = all_bytes = 0.0
    for table, now in after.items():
        rows, *kinds = ((new - old) / games for new, old in zip(now, before[table], strict=True))
        if sum(kinds) < 20 or not table.startswith(("games_", "leagues_", "accounts_")):
            continue
        all_rows, all_bytes = all_rows + rows, all_bytes + sum(kinds)
        print(
            f"          {table:28} {rows:7.1f} rows, {sum(kinds) / 1000:6.1f} kB, of which indexes"
            f" {kinds[1] / 1000:.1f}"
        )
    print(f"          {'all':28} {all_rows:7.1f} rows, {all_bytes / 1000:6.1f} kB")


def sizes() -> Sizes:
    """By table: live rows, and bytes of rows, indexes and the rest (long values, maps)."""
    with connection.cursor() as cursor:
        cursor.execute("vacuum full analyze")  # a busy site reuses the space of dead rows
        cursor.execute("select pg_stat_force_next_flush()")
        cursor.execute("select pg_stat_clear_snapshot()")
        cursor.execute(SIZES)
        return {table: list(numbers) for table, *numbers in cursor.fetchall()}


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES)
