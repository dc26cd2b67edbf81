"""Strength of a player, its growing doubt during rest, and its rounded form (RATE-1, 3, 4)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

MU = 25.0
SIGMA = 25 / 3
"""Uncertainty about a player who has never played, and the maximum it reaches by rest (RATE-1, 3)."""

DRIFT = 0.06
"""Growth of the variance of a strength per day of rest (RATE-3)."""

CENTRE, SCALE = 1500, 20
PROVISIONAL = 6.5
"""Maximum sigma of a number that is not provisional (RATE-4)."""

LEAST_GAMES = 10
"""Minimum number of games for a leaderboard (RATE-4)."""


@dataclass(frozen=True, slots=True)
class Strength:
    """A strength as a normal distribution, on the scale of the library (RATE-1)."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def provisional(self) -> bool:
        return self.sigma > PROVISIONAL


@dataclass(frozen=True, slots=True)
class RoundedStrength:
    """Strength as it is shown, in points on the scale of chess ratings (RATE-4)."""

    number: int
    spread: int  # one standard deviation
    provisional: bool

    @property
    def low(self) -> int:
        return self.number - self.spread

    @property
    def high(self) -> int:
        return self.number + self.spread


NEWCOMER = Strength()


def apply_rest(strength: Strength, days: float) -> Strength:
    """*strength* after so many *days* (a fraction) without a rated game: sigma grows, up to a newcomer's.

    Negative days count as none: the clocks of two machines may differ.

    Rule: RATE-3.

    >>> round(apply_rest(Strength(30.0, 4.0), 365).sigma, 2)
    6.16
    """
    sigma = min(SIGMA, math.sqrt(strength.sigma**2 + DRIFT * max(0.0, days)))
    return replace(strength, sigma=sigma)


def count_settled_days(strength: Strength) -> float | None:
    """The days of rest until *strength* becomes provisional; ``None`` if it is already (RATE-3, 4).

    >>> count_settled_days(Strength(25.0, 6.5)), count_settled_days(Strength())
    (0.0, None)
    """
    return None if strength.provisional else (PROVISIONAL**2 - strength.sigma**2) / DRIFT


def round_strength(strength: Strength) -> RoundedStrength:
    """Return the numbers shown for *strength*, which has had :func:`apply_rest` until today (RATE-4).

    >>> round_strength(Strength())
    RoundedStrength(number=1500, spread=167, provisional=True)
    """
    number = round(CENTRE + SCALE * (strength.mu - MU))
    return RoundedStrength(number, round(SCALE * strength.sigma), strength.provisional)
