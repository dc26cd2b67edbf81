"""Search for the beta that would have predicted the results of this site best (RATE-7)."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings

from ratings.models import Pool
from ratings.results import ResultSource, iterate_results
from ratings.skill import Duel, Fit, compare_betas


def fit_betas(source: ResultSource) -> list[Fit]:
    """The log loss of each beta tried and of the one in force, over all rated duels."""
    return compare_betas(_duels(source), settings.RATING_BETA)


def _duels(source: ResultSource) -> Iterator[Duel]:
    for game in iterate_results(source):
        if game.pool == Pool.DUEL:
            (one, other), (rank, other_rank) = game.players, game.ranks
            yield Duel((one, other), (rank, other_rank), game.place.ended)
