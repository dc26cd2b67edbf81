"""Reminders of deadlines. Their time is stored with the game, and moves with the deadline."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from core import batches
from games import heartbeat, outbox
from games.models import Channel, Game, Kind, Notice, Seat, Status

BATCH = 100


def due(now: datetime) -> QuerySet[Game]:
    """Return the games with a due reminder, longest due first.

    Games whose turn mail is overdue are left out: until it is sent the clock stands still, and the reminder
    moves with the deadline.
    """
    untold = Notice.objects.filter(
        game=OuterRef("pk"),
        version=OuterRef("turn_version"),
        kind=Kind.YOUR_TURN,
        channel=Channel.EMAIL,
        due__lte=now,
        sent=None,
        dropped=None,
    )
    games = Game.objects.filter(status=Status.PLAYING, remind_at__lte=now, deadline__isnull=False)
    return games.filter(~Exists(untold)).order_by("remind_at")


def owe(now: datetime) -> None:
    """Owe the reminders that are due *now*. Deadlines that passed during an outage not yet credited to the
    games are about to move with their reminders, and are skipped."""
    while due(now).exists():
        games = due(now)
        if heartbeat.list_outages(now):
            games = games.filter(deadline__gte=now)
        if not _owe_some(games, now):
            return  # other workers do it, or it must wait


@transaction.atomic
def _owe_some(games_due: QuerySet[Game], now: datetime) -> int:
    """Owe a batch of reminders for *games_due*; return the number of games."""
    locked = connection.features.has_select_for_update_skip_locked
    games = games_due.exclude(pk__in=batches.list_resting("game"))
    games = games.select_for_update(of=("self",), skip_locked=locked)
    return batches.run_rows(list(games[:BATCH]), partial(_owe_all, now=now))


def _owe_all(games: Sequence[Game], *, now: datetime) -> None:
    """Owe the reminders for *games*, which are locked."""
    awaited = Seat.objects.filter(game__in=games, index=F("game__awaited")).select_related("player")
    seats = {seat.game_id: seat for seat in awaited}
    owed = [outbox.remind(game, seats[game.pk], now=now) for game in games]
    Notice.objects.bulk_create(notice for some in owed for notice in some)
    Game.objects.bulk_update(games, ["remind_at", "remind_again", "reminders"])
