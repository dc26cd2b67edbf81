"""Speed of recomputing all ratings: ``python -m benchmarks.ratings [NUMBER …]``.

On the database that ``DATABASE_URL`` names (in a test database of its own), else on SQLite: so many games of
400 players, nine duels to each table of five, ten minutes apart. Also prints the speed of openskill alone,
and the process's own memory, which must not grow with the number of games.
"""

from __future__ import annotations

import io
import random
import sys
import threading
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path

from benchmarks.database import own_database  # first: it chooses the settings

# isort: split
from django.core.management import call_command
from django.db import connection

from accounts.models import Player
from games.models import Game
from ratings.models import CalibrationMonth, RatedGame, Rating, RatingBookmark, RatingChange
from ratings.skill import NEWCOMER, Strength, update_strengths
from tests.games.factories import NOW
from tests.ratings.rated_games import Played, write

NUMBERS = (10_000, 100_000)
PLAYERS = 400
LEAST = 2000  # games a second
ROOM = 30.0  # MB that the most games may take more than the fewest
STATUS = Path("/proc/self/status")
WRITTEN_AT_ONCE = 5000


def main(numbers: Sequence[int]) -> bool:
    """Measure and print; return whether all bounds hold."""
    _openskill_alone()
    with own_database():
        return _rebuild(numbers)


def _rebuild(numbers: Sequence[int]) -> bool:
    players = Player.objects.bulk_create(
        Player(username=f"Player {number}", email=f"{number}@example.org") for number in range(PLAYERS)
    )
    held, peaks = True, []
    for number in numbers:
        _forget()
        _fill(players, number)
        with Watch() as watch:
            speeds = {
                "from nothing": number / _seconds(_recompute),
                "again": number / _seconds(_recompute),
                "--check": number / _seconds(partial(_recompute, "--check")),
            }
        peaks.append(watch.most)
        told = ", ".join(f"{name} {speed:.0f}" for name, speed in speeds.items())
        print(
            f"ratings   {number:7d} games, games a second: {told} (at least {LEAST});"
            f" {peaks[-1]:.0f} MB on {connection.vendor}"
        )
        held &= min(speeds.values()) >= LEAST
    return held and peaks[-1] - peaks[0] <= ROOM


def _recompute(*args: str) -> None:
    call_command("recompute_ratings", *args, stdout=io.StringIO())


def _forget() -> None:
    for model in (RatingChange, RatedGame, Rating, RatingBookmark, CalibrationMonth):
        model.objects.all().delete()


class Watch:
    """Thread that samples the anonymous memory of the process."""

    def __enter__(self) -> Watch:
        self.most, self._over = 0.0, threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        return self

    def __exit__(self, *fault: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(0.1):
            (line,) = [line for line in STATUS.read_text().splitlines() if line.startswith("RssAnon")]
            self.most = max(self.most, int(line.split()[1]) / 1024)  # MB


def _openskill_alone() -> None:
    games = 5000
    for seats in (2, 5):
        ranks = list(range(1, seats + 1))
        seconds = _seconds(partial(_rate, games, [NEWCOMER] * seats, ranks))
        print(f"ratings   {games / seconds:7.0f} games of {seats} a second by openskill alone")


def _rate(games: int, strengths: Sequence[Strength], ranks: Sequence[int]) -> None:
    for _ in range(games):
        update_strengths(strengths, ranks)


def _fill(players: Sequence[Player], number: int) -> None:
    there = Game.objects.count()
    lot = random.Random(number)
    for begin in range(there, number, WRITTEN_AT_ONCE):
        write(
            Played(
                lot.sample(players, seats := lot.choice([2] * 9 + [5])),
                lot.sample(range(1, seats + 1), seats),
                NOW + timedelta(minutes=10 * place, seconds=lot.randrange(3000)),
            )
            for place in range(begin, min(number, begin + WRITTEN_AT_ONCE))
        )


def _seconds(act: Callable[[], object]) -> float:
    """The processor time of this process, or the wall time if the database has a process of its own."""
    clock = time.process_time if connection.vendor == "sqlite" else time.perf_counter
    began = clock()
    act()
    return clock() - began


if __name__ == "__main__":
    sys.exit(0 if main([int(number) for number in sys.argv[1:]] or list(NUMBERS)) else 1)
