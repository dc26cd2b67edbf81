"""Rating model: updates of strengths by the openskill library (RATE-1), and expected results (RATE-5)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from openskill.models import PlackettLuce

from ratings.skill.strength import MU, SIGMA, Strength

BETA = 6.25
"""Amount of chance in a game, for the spread of strengths that is to be expected here."""

KAPPA = 0.0001


def update_strengths(
    strengths: Sequence[Strength], ranks: Sequence[int], beta: float = BETA
) -> tuple[Strength, ...]:
    """The strengths after a game, in the same order.

    :param strengths: of two to six seats before it, after :func:`apply_rest` (RATE-3)
    :param ranks: of the same seats, the best is 1; equal ranks are ties
    :raises ValueError: there are not as many ranks as strengths, or fewer than two

    Rule: RATE-1.

    >>> winner, loser = update_strengths([Strength(), Strength()], [1, 2])
    >>> round(winner.mu, 3), round(loser.mu, 3), winner.sigma == loser.sigma
    (27.357, 22.643, True)
    """
    if len(strengths) != len(ranks) or len(strengths) < 2:
        raise ValueError(f"{len(strengths)} strengths and {len(ranks)} ranks")
    model = _model(beta)
    teams = [[model.rating(strength.mu, strength.sigma)] for strength in strengths]
    rated = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return tuple(Strength(player.mu, player.sigma) for (player,) in rated)


def compute_expectation(one: Strength, other: Strength, beta: float = BETA) -> float:
    """Return the probability that *one* ends above *other*, both after rest; a draw counts half.

    Not the library's ``predict_win``, which is overconfident.

    Rule: RATE-5.

    >>> compute_expectation(Strength(), Strength())
    0.5
    """
    spread = math.sqrt(2 * beta**2 + one.sigma**2 + other.sigma**2)
    return 1 / (1 + math.exp((other.mu - one.mu) / spread))


def compute_table_expectation(strengths: Sequence[Strength], beta: float = BETA) -> tuple[float, ...]:
    """Return each seat's probability to end above an opponent, the mean over its opponents (RATE-5)."""
    if len(strengths) == 2:
        first = compute_expectation(strengths[0], strengths[1], beta)
        return first, 1 - first
    return tuple(
        sum(compute_expectation(one, other, beta) for place, other in enumerate(strengths) if place != seat)
        / (len(strengths) - 1)
        for seat, one in enumerate(strengths)
    )


@lru_cache(maxsize=32)
def _model(beta: float) -> PlackettLuce:
    return PlackettLuce(mu=MU, sigma=SIGMA, beta=beta, kappa=KAPPA, tau=0.0, limit_sigma=False)
