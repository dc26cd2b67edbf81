"""Leaders of a pool (RATE-4)."""

from __future__ import annotations

from datetime import datetime

from django.core.cache import caches
from django.db.models import Q, QuerySet

from accounts.requests import Visitor
from ratings.models import Pool, Rating

EXACTLY = 200
"""Maximum number of players that are counted anew on each request."""

A_MINUTE = 60


def find_leaders(pool: Pool, now: datetime) -> QuerySet[Rating]:
    """The leaderboard of *pool*, without closed or inactive accounts, with its players."""
    here = Rating.objects.leading(pool, now).filter(player__closed=None, player__is_active=True)
    return here.select_related("player")


def find_place(visitor: Visitor, pool: Pool, now: datetime) -> int | None:
    """Return the rank of *visitor* from 1, or ``None``. Two queries; a third once a minute."""
    if not visitor.is_authenticated:
        return None
    standing = find_leaders(pool, now)
    own = standing.filter(player=visitor.pk).first()
    if own is None:
        return None
    ahead = Q(mu__gt=own.mu) | Q(mu=own.mu, player__lt=own.player_id)
    return _number(standing.filter(ahead), f"ahead:{pool}:{own.player_id}:{own.mu}") + 1


def count_leaders(pool: Pool, now: datetime) -> int:
    """Count the players on the leaderboard. One query; a second once a minute."""
    return _number(find_leaders(pool, now), f"leaders:{pool}")


def _number(standing: QuerySet[Rating], known_by: str) -> int:
    """The number of rows; above :data:`EXACTLY` as of the last minute in this process."""
    few = standing.order_by()[: EXACTLY + 1].count()
    if few <= EXACTLY:
        return few
    number: int | None = caches["process"].get_or_set(known_by, standing.count, A_MINUTE)
    return max(number or 0, few)
