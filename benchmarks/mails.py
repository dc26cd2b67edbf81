"""Cost of a mail with a picture: ``python -m benchmarks.mails``.

Each mail is of another turn, in a late game: no caches help, as after a night in which many have played. They
are composed and handed to a mail server on this machine, whose time is not counted. The bound is of calls of
Python functions, which are the same on a busy machine. On the database that ``DATABASE_URL`` names (in a test
database of its own), else on SQLite.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from benchmarks.database import own_database  # first: it chooses the settings

# isort: split
from django.db import connection
from django.test.utils import CaptureQueriesContext, override_settings
from django.utils import timezone

from benchmarks.calls import count_calls
from benchmarks.load.stack import answers, free_port, until
from carcassonne import gc_tuning
from games.models import Channel, Game, Kind, Notice
from games.notices import delivery
from games.play import positions
from games.tables.presets import PRESETS
from tests.games.factories import copy_game, heart_beats, make_game, play_turns

CALLS = 50_000  # of Python functions, for each mail
MAILS, WARM = 100, 20


def main() -> bool:
    """Measure and print; return whether all bounds hold."""
    with own_database(), mail_server():
        now = timezone.now()  # no deadline is near: nobody is reminded meanwhile
        standard = _late(make_game(seats=3, now=now), now)
        rules = PRESETS["everything"].rules(seats=6)
        everything = _late(make_game(seats=6, sets=rules.sets, edition=rules.edition, now=now), now)
        return all([_measure(standard, "the base game"), _measure(everything, "every set")])


def _late(game: Game, now: datetime) -> Game:
    """Play *game* until somebody holds the last tile, all of it *now*."""
    while (state := positions.load_position(game).state).left or state.decision.kind != "place":
        game = play_turns(game, 1, now=now)
    return game


def _measure(game: Game, said: str) -> bool:
    """Deliver in this process, which has drawn each tile before."""
    owe(game, WARM)
    deliver()
    gc_tuning.tune_collector()  # as workers do
    owe(game, MAILS)
    began = time.process_time()
    with CaptureQueriesContext(connection) as queries:
        deliver()
    took = time.process_time() - began
    owe(game, WARM)
    calls = count_calls(deliver) // WARM
    print(
        f"mails     {calls} calls each (ceiling {CALLS}) of {game.tiles.count()} tiles of {said} on"
        f" {connection.vendor}: {1000 * took / MAILS:.1f} ms each, {len(queries) / MAILS:.1f} queries"
    )
    return calls <= CALLS


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


def deliver() -> None:
    """Deliver all notices that are due."""
    while delivery.deliver_due(seconds=60):
        pass


@contextmanager
def mail_server() -> Iterator[None]:
    """Send mails to a mail server that discards them, in a process of its own."""
    port = free_port()
    where = ["-n", "-l", f"127.0.0.1:{port}", "-c", "aiosmtpd.handlers.Sink"]
    server = subprocess.Popen([sys.executable, "-m", "aiosmtpd", *where])
    smtp = "django.core.mail.backends.smtp.EmailBackend"
    try:
        until(lambda: answers(port), 20, "the mail server")
        with override_settings(EMAIL_BACKEND=smtp, EMAIL_HOST="127.0.0.1", EMAIL_PORT=port):
            yield
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
