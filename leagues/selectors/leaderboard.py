"""Who leads a pool (RATE-4)."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q, QuerySet

from games.access import Visitor
from leagues.models import Pool, Rating


def leaders(pool: Pool, now: datetime) -> QuerySet[Rating]:
    """The leaderboard of *pool*: of those who are still here, with their players."""
    here = Rating.objects.leading(pool, now).filter(player__closed=None, player__is_active=True)
    return here.select_related("player")


def place_of(visitor: Visitor, pool: Pool, now: datetime) -> int | None:
    """Where *visitor* stands on it, from 1; ``None`` if not at all. Two queries."""
    if not visitor.is_authenticated:
        return None
    standing = leaders(pool, now)
    own = standing.filter(player=visitor.pk).first()
    if own is None:
        return None
    ahead = Q(mu__gt=own.mu) | Q(mu=own.mu, player__lt=own.player_id)
    return standing.filter(ahead).count() + 1
