"""Which beta would have told the results of this site best (RATE-7)."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings

from leagues.models import Pool
from leagues.ratings import record
from leagues.skill import Duel, Fit, fit


def fits() -> list[Fit]:
    """The log loss of the betas that are tried and of the one in force, over all rated duels."""
    return fit(_duels(), settings.RATING_BETA)


def _duels() -> Iterator[Duel]:
    for game in record.all_games():
        if game.pool == Pool.DUEL:
            (one, other), (rank, other_rank) = game.players, game.ranks
            yield Duel((one, other), (rank, other_rank), game.place.ended)
