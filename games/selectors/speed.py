"""How long players usually take for a turn."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Avg, Count, F

from games.models import Seat

LATELY = timedelta(days=90)
ENOUGH = 5
"""So few turns say nothing about a player."""


def usual_speeds(players: Iterable[int], now: datetime) -> dict[int, timedelta]:
    """How long each of *players* took for a turn of late, on average, by their keys; one query for all. Who
    has hardly played is left out."""
    timed = Seat.objects.filter(player__in=set(players)).filter(
        game__moves__seat=F("index"),
        game__moves__ply__isnull=False,
        game__moves__withdrawn=None,
        game__moves__time_used__isnull=False,
        game__moves__at__gt=now - LATELY,
    )
    means = timed.values("player").annotate(mean=Avg("game__moves__time_used"), count=Count("game__moves"))
    return {row["player"]: row["mean"] for row in means if row["count"] >= ENOUGH}
