"""The usual length of games: the time in which 95 of 100 games are over (CLOCK-25; ``docs/clocks.md``).

The model: answers take exponentially distributed times whose mean is ``USUAL_ANSWER`` times the pace of the
player, which varies by ``PACE_SPREAD``, and grows with the number of games that the player has at once.
"""

from __future__ import annotations

from datetime import timedelta
from math import sqrt

from games.clocks.settings import HOUR

USUAL_ANSWER = 16 * HOUR
"""Mean time from the beginning of a turn to its answer, used until the site has measured its own."""

FURTHER_GAME = 1 / 20
"""Share of a single game's time by which each further concurrent game slows a player down."""

PACE_SPREAD = 0.2
"""Standard deviation of the paces of players, whose mean is 1."""

NINETY_FIVE = 1.645
"""Number of standard deviations above the mean that 5 values of 100 exceed."""


def compute_load_factor(games: int) -> float:
    """Return how many times longer an answer takes with so many *games* at once than with one.

    >>> compute_load_factor(1), compute_load_factor(7)
    (1.0, 1.3)
    """
    return 1 + FURTHER_GAME * (games - 1)


def compute_usual_length(
    turns: int, *, seats: int, games_at_once: int = 1, answer: timedelta = USUAL_ANSWER
) -> timedelta:
    """Return the time in which 95 of 100 games with so many *turns*, of all seats together, are over.

    >>> compute_usual_length(71, seats=2).days
    61

    :param games_at_once: of each player, this one among them
    :param answer: the mean time to answer of a player with one game
    """
    spread = sqrt(1 / turns + PACE_SPREAD**2 / seats)
    return turns * answer * compute_load_factor(games_at_once) * (1 + NINETY_FIVE * spread)
