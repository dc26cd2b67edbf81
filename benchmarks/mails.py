"""Number of mails with a picture sent each second: ``python -m benchmarks.mails``.

Each mail is of another turn, in a late game: no caches help, as after a night in which many have played. They
are composed and handed to a mail server on this machine, whose time is not counted. On the database that
``DATABASE_URL`` names (in a test database of its own), else on SQLite; on PostgreSQL also the gain by a
second process, as if the mail server had not used the cores of both.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from statistics import mean
from typing import NamedTuple

from benchmarks.database import own_database  # first: it chooses the settings

# isort: split
from django.db import connection
from django.test.utils import CaptureQueriesContext, override_settings
from django.utils import timezone

from benchmarks.load.stack import cpu_seconds
from benchmarks.reference import reference
from carcassonne import gc_tuning
from games.models import Channel, Game, Kind, Notice
from games.notices import delivery
from games.play import positions
from games.tables.presets import PRESETS
from tests.games.factories import copy_game, heart_beats, make_game, play_turns

BOUND = 30  # mails a second and core
SECOND = 1.7  # times what one process delivers, by two
MAILS, BEFORE = 200, 20
PORT = "MAIL_PORT"


class MailServer(NamedTuple):
    """Port and process of a mail server."""

    port: int
    pid: int


class Delivered(NamedTuple):
    """Number of delivered mails, with *cpu* and *wall* time in seconds."""

    mails: int
    cpu: float
    wall: float


def main() -> bool:
    """Measure and print; return whether all bounds hold."""
    print(f"mails     reference {reference() * 1000:.1f} ms for the loop of benchmarks/reference.py")
    with own_database(), mail_server() as server, sending_to(server.port):
        now = timezone.now()  # no deadline is near: nobody is reminded meanwhile
        standard = _late(make_game(seats=3, now=now), now)
        rules = PRESETS["everything"].rules(seats=6)
        everything = _late(make_game(seats=6, sets=rules.sets, edition=rules.edition, now=now), now)
        held = [_one(standard, "the base game"), _one(everything, "every set")]
        if connection.vendor == "postgresql":
            held.append(_two(standard, server))
    return all(held)


def _late(game: Game, now: datetime) -> Game:
    """Play *game* until somebody holds the last tile, all of it *now*."""
    while (state := positions.load_position(game).state).left or state.decision.kind != "place":
        game = play_turns(game, 1, now=now)
    return game


def _one(game: Game, said: str) -> bool:
    """Deliver in this process, which has drawn each tile before."""
    owe(game, BEFORE)
    deliver()
    owe(game, MAILS)
    gc_tuning.tune_collector()  # as workers do
    with CaptureQueriesContext(connection) as queries:
        done = deliver()
    a_second = done.mails / done.cpu
    print(
        f"mails     {a_second:.0f} a second and core of {game.tiles.count()} tiles of {said}"
        f" on {connection.vendor}: {1000 * done.cpu / done.mails:.1f} ms each,"
        f" {len(queries) / done.mails:.1f} queries, {done.mails / done.wall:.0f} a second by the clock"
    )
    return a_second >= BOUND


def _two(game: Game, server: MailServer) -> bool:
    """Deliver by one process, then by two, and again in reverse, as the machine's speed may change."""
    speeds: dict[int, list[float]] = {1: [], 2: []}
    cores = os.cpu_count() or 1
    for number in (1, 2, 2, 1):
        workers = [_worker(server.port) for _ in range(number)]
        for worker in workers:
            assert worker.stdout is not None and worker.stdout.readline() == "ready\n"
        owe(game, 2 * MAILS)
        began, received = time.perf_counter(), cpu_seconds(server.pid)
        for worker in workers:
            assert worker.stdin is not None
            worker.stdin.write("go\n")
            worker.stdin.flush()
        shares = [float(worker.communicate()[0]) for worker in workers]
        took, received = time.perf_counter() - began, cpu_seconds(server.pid) - received
        assert not delivery.free(timezone.now()).exists()
        speeds[number].append(2 * MAILS / (took - received / cores))
        print(
            f"mails     {2 * MAILS / took:.0f} a second by {number} processes, which used"
            f" {sum(shares) / took:.2f} of {cores} cores, the mail server {received / took:.2f};"
            f" {speeds[number][-1]:.0f} with all cores to the site"
        )
    more = mean(speeds[2]) / mean(speeds[1])
    print(f"mails     {more:.2f} times as many by two (floor {SECOND})")
    return more >= SECOND


def _worker(port: int) -> subprocess.Popen[str]:
    name = str(connection.settings_dict["NAME"])
    there = os.environ["DATABASE_URL"].rpartition("/")[0] + "/" + name
    return subprocess.Popen(
        [sys.executable, "-m", "benchmarks.mails", "worker"],
        env={**os.environ, "DATABASE_URL": there, PORT: str(port)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def work() -> None:
    """Deliver as one of several processes, and print the seconds of processor time."""
    with sending_to(int(os.environ[PORT])):
        gc_tuning.tune_collector()  # as workers do
        deliver()
        print("ready", flush=True)
        sys.stdin.readline()
        print(deliver().cpu, flush=True)


def owe(game: Game, number: int) -> None:
    """Owe so many notices of a turn, each in another game like *game*."""
    now = timezone.now()
    heart_beats(now)
    player = game.seats.get(index=game.awaited).player
    assert player is not None
    Notice.objects.filter(sent=None, dropped=None).update(dropped=now)
    Notice.objects.bulk_create(
        Notice(
            key=f"your_turn.{other.code}.{other.turn_version}.{player.pk}",
            kind=Kind.YOUR_TURN,
            channel=Channel.EMAIL,
            game=other,
            version=other.turn_version,
            recipient=player,
            created=now,
            due=now,
            next_try=now,
        )
        for other in copy_game(game, number)
    )


def deliver() -> Delivered:
    """Deliver all notices that are due."""
    before = Notice.objects.exclude(sent=None).count()
    cpu, wall = time.process_time(), time.perf_counter()
    while delivery.deliver_due(seconds=60):
        pass
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return Delivered(Notice.objects.exclude(sent=None).count() - before, cpu, wall)


def sending_to(port: int) -> override_settings:
    """Send mails to the mail server at *port*."""
    smtp = "django.core.mail.backends.smtp.EmailBackend"
    return override_settings(EMAIL_BACKEND=smtp, EMAIL_HOST="127.0.0.1", EMAIL_PORT=port)


@contextmanager
def mail_server() -> Iterator[MailServer]:
    """Run a mail server that discards all mails, in a process of its own."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port: int = unused.getsockname()[1]
    where = ["-n", "-l", f"127.0.0.1:{port}", "-c", "benchmarks.load.postbox.Sink"]
    server = subprocess.Popen([sys.executable, "-m", "aiosmtpd", *where])
    try:
        until = time.monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)
        yield MailServer(port, server.pid)
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    if sys.argv[1:] == ["worker"]:
        work()
        sys.exit()
    sys.exit(0 if main() else 1)
