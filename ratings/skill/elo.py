"""Elo ratings, with which ours are compared (RATE-7). They are not shown to players."""

from __future__ import annotations

ELO = 1500.0
K = 32


def expect_elo(one: float, other: float) -> float:
    """The share of a point that *one* is expected to take from *other*.

    >>> expect_elo(1500, 1500), round(expect_elo(1700, 1500), 2)
    (0.5, 0.76)
    """
    return 1 / (1 + 10 ** ((other - one) / 400))


def update_elo(one: float, other: float, share: float) -> tuple[float, float]:
    """Both numbers after a duel in which *one* got *share* points: 1, one half or 0."""
    change = K * (share - expect_elo(one, other))
    return one + change, other - change
