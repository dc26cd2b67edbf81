"""Cost of a sweep: ``python -m benchmarks.sweep [NUMBER …]``.

On the database that ``DATABASE_URL`` names (in a test database of its own), else on SQLite. With nothing due
the sweep takes as long among 100,000 running games as among 1,000; on PostgreSQL the plans of its queries are
printed and must not scan the table of games. Each game that is due costs no more than a turn, in the same
run. Processor time is counted, including PostgreSQL's for this connection.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from math import inf
from statistics import median
from unittest import mock

from benchmarks.database import copied, drop, own_database, use  # first: it chooses the settings

# isort: split
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Player
from benchmarks import processor
from games import play, tasks
from games.clocks import ARRIVAL, Calendar, ClockSettings, Ladder
from games.models import Bag, Game, Notice, Seat, Status, Tile, Visibility
from games.rules import RuleSet
from tests.games.factories import copy_game, heart_beats, make_game, new_process, play_turns, some_action

NUMBERS = (1_000, 100_000)
DUE = 200
ROOM = 1.2  # times as long among the most games as among the fewest
ROUNDS = 30
SWEEPS = 5  # sweeps per measurement
TIMES = 20


def main(numbers: Sequence[int]) -> bool:
    """Measure and print; return whether all bounds hold."""
    with own_database():
        return all([_nothing_due(numbers), _all_due()])


def _nothing_due(numbers: Sequence[int]) -> bool:
    """Sweep among ever more games of which none is due, in turn, each number in a database of its own. The
    least processor time counts: growth is in every round, disturbances are not."""
    template = connection.settings_dict["NAME"]
    names = {number: copied(str(number), partial(fill, number)) for number in numbers}
    try:
        with mock.patch.object(tasks, "_queue"):  # no worker takes queued tasks
            return _sweep_in(names)
    finally:
        use(template)
        for number in numbers:
            drop(str(number))


def _sweep_in(names: Mapping[int, str]) -> bool:
    best = dict.fromkeys(names, inf)
    asked = {}
    for _round in range(ROUNDS):
        for number, name in names.items():
            use(name)
            tasks.sweep()  # a connection is slow at first
            best[number] = min(best[number], _processor_time(tasks.sweep, SWEEPS))
            with CaptureQueriesContext(connection) as queries:
                tasks.sweep()
            asked[number] = len(queries)
    for number, took in best.items():
        print(
            f"sweep     {number:7d} running games, nothing due: {took * 1000:.2f} ms of the processor,"
            f" {asked[number]} queries on {connection.vendor}"
        )
    fewest, most = min(names), max(names)
    plans = connection.vendor != "postgresql" or _probes(queries.captured_queries)
    return plans and asked[fewest] == asked[most] and best[most] <= ROOM * best[fewest]


def _processor_time(act: Callable[[], object], times: int = 1) -> float:
    """The mean processor time of *act* in seconds."""
    gc.collect()
    began = processor.seconds()
    for _ in range(times):
        act()
    return (processor.seconds() - began) / times


def _probes(queries: Iterable[dict[str, str]]) -> bool:
    """Print the plan of each of *queries* that reads games; return whether none scans the whole table."""
    sound = True
    for query in queries:
        sql = query["sql"]
        if not sql.startswith("SELECT") or '"games_game"' not in sql:
            continue
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN {sql}")
            plan = [line for (line,) in cursor.fetchall()]
        sound &= not any("Seq Scan on games_game" in line for line in plan)
        print("          " + "\n          ".join(plan))
    return sound


def _all_due() -> bool:
    """Let many deadlines pass at once, and compare with as many turns, in a process without caches."""
    game = play_turns(make_game(seats=3), 30)
    late, turns = _copies(game), _copies(game)
    Notice.objects.all().delete()
    heart_beats(timezone.now() + timedelta(days=9000))  # never an outage, at any time
    lost, played = [], []
    for one, other in zip(late, turns, strict=True):
        assert one.deadline is not None and other.awaited is not None
        now = one.deadline + 2 * ARRIVAL
        turn = {"seat": other.awaited, "action": some_action(other), "expected_version": other.version}
        new_process()
        lost.append(_processor_time(partial(play.lose_on_time, game_id=one.pk, now=now)))
        new_process()
        played.append(_processor_time(partial(play.play, game_id=other.pk, now=other.deadline, **turn)))
    print(
        f"sweep     {DUE} due at once: {median(lost) * 1000:.1f} ms each, beside"
        f" {median(played) * 1000:.1f} ms for a turn"
    )
    return median(lost) <= median(played)


def _copies(game: Game) -> list[Game]:
    """Copy *game* as often as games are due at once, with all that is needed to play on."""
    copies = copy_game(game, DUE)
    tiles, hidden = list(game.tiles.order_by("draw")), Bag.objects.get(game=game)
    for other in copies:
        for tile in tiles:
            tile.pk, tile.game = None, other
        Tile.objects.bulk_create(tiles)
        Bag.objects.create(game=other, seed=hidden.seed, order=hidden.order)
    return copies


def fill(number: int) -> None:
    """Add so many running games whose deadlines are in the future."""
    now = timezone.now()
    player, _new = Player.objects.get_or_create(username="Filler", email="filler@example.org")
    rule_set = RuleSet.of(seats=2).to_json()
    settings = ClockSettings.per_move(3).to_json()
    heart_beats(now)
    for start in range(0, number, 10_000):
        games = Game.objects.bulk_create(
            Game(
                name="Toulouse",
                host=player,
                rule_set=rule_set,
                places=2,
                clock_settings=settings,
                ladder_steps=Ladder.usual(2).to_json(),
                calendar=Calendar().to_json(),
                visibility=Visibility.PUBLIC,
                status=Status.PLAYING,
                awaited=0,
                created=now,
                started=now,
                turn_began=now,
                deadline=now + timedelta(days=3, minutes=place),
            )
            for place in range(start, min(number, start + 10_000))
        )
        Seat.objects.bulk_create(Seat(game=game, index=0, player=player) for game in games)


def seconds(act: Callable[[], object]) -> float:
    return median(_once(act) for _ in range(TIMES))


def _once(act: Callable[[], object]) -> float:
    """The wall time in seconds: the database has a process of its own."""
    gc.collect()
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(0 if main([int(number) for number in sys.argv[1:]] or list(NUMBERS)) else 1)
