"""Time to move deadlines after an outage: ``python -m benchmarks.outages [NUMBER …]``.

On the database that ``DATABASE_URL`` names (in a test database of its own), else on SQLite. Processor time is
counted, including PostgreSQL's for this connection, which must run on this machine. The time for a deadline
must not grow with their number, with a margin for caches that overflow, and 10,000 may take ten seconds. The
longest chunk, by the clock, is how long a page may have to wait.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from datetime import timedelta

from benchmarks.database import own_database  # first: it chooses the settings

# isort: split
from django.db import connection
from django.utils import timezone

from accounts.models import Player
from benchmarks import processor
from games import heartbeat, play
from games.clocks import Calendar, ClockSettings, Ladder
from games.models import Game, Seat, Status, Visibility
from games.rules import RuleSet

NUMBERS = (4_000, 8_000, 16_000)
SECONDS_EACH = 10 / 10_000
ROOM = 2.5  # times linear, from the least number to the greatest; four times as many would be 4 if quadratic


def main(numbers: Sequence[int]) -> bool:
    """Measure and print; return whether the time is linear."""
    with own_database():
        times = [_move(number) for number in numbers]
    each = [seconds / number for seconds, number in zip(times, numbers, strict=True)]
    return all(later <= ROOM * each[0] for later in each) and max(each) <= SECONDS_EACH


def _move(number: int) -> float:
    """Put so many deadlines into an outage; return the seconds to move them and their reminders."""
    now = timezone.now()
    Game.objects.update(status=Status.SCORING, awaited=None, deadline=None)
    player, _new = Player.objects.get_or_create(username="Anna", email="anna@example.org")
    rule_set = RuleSet.of(seats=2).to_json()
    games = Game.objects.bulk_create(
        Game(
            name="Toulouse",
            host=player,
            rule_set=rule_set,
            places=2,
            clock_settings=ClockSettings.per_move(3).to_json(),
            ladder_steps=Ladder(excuses=0, holiday=False).to_json(),
            calendar=Calendar().to_json(),
            turn_began=now - timedelta(days=3, minutes=number % 60),
            visibility=Visibility.PUBLIC,
            status=Status.PLAYING,
            awaited=0,
            created=now,
            started=now,
            deadline=now - timedelta(minutes=number % 60),
            remind_at=now - timedelta(minutes=number % 60),
            remind_again=now,
        )
        for number in range(number)
    )
    Seat.objects.bulk_create(Seat(game=game, index=0, player=player) for game in games)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as PostgreSQL does by itself after a while
    heartbeat.set_beat(now - timedelta(hours=2))
    begun = processor.seconds()
    heartbeat.beat(now)
    beat = processor.seconds() - begun
    longest = 0.0
    left = True
    while left:
        chunk = time.monotonic()
        left = not play.note_all_outages(seconds=-1)
        longest = max(longest, time.monotonic() - chunk)
    took = processor.seconds() - begun
    assert not Game.objects.filter(status=Status.PLAYING, deadline__lte=now).exists()
    print(
        f"outage    {number:7d} deadlines moved in {took:.2f} s on {connection.vendor}: the beat itself"
        f" {beat * 1000:.0f} ms, the longest chunk {longest * 1000:.0f} ms"
    )
    return took


if __name__ == "__main__":
    sys.exit(0 if main([int(number) for number in sys.argv[1:]] or list(NUMBERS)) else 1)
