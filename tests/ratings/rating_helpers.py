"""Ratings of players."""

from datetime import timedelta

from django.utils import timezone

from accounts.models import Player
from ratings.models import Pool, Rating


def create_rating(
    player: Player, pool: Pool = Pool.DUEL, *, mu: float = 30.0, sigma: float = 5.0, games: int = 20
) -> None:
    """Rate *player*, who has played *games*, the last one just now."""
    now = timezone.now()
    Rating.objects.create(
        player=player,
        pool=pool,
        mu=mu,
        sigma=sigma,
        games=games,
        ended=now,
        settled_until=now + timedelta(days=100) if sigma <= 6.5 else None,
    )
