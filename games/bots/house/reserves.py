"""The shares in the points of a feature, if seats may still join it before it is scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from games.rules.scoring import find_majority

LEAVES = 0.7
"""Probability that a figure which wants to join a feature can do so."""

Strengths = Mapping[int, int]


def share(seat: int, strengths: Strengths, against: float) -> float:
    """Return how often *seat* gets the points of a feature, less what others get, each counting *against*
    it."""
    best = find_majority(strengths)
    return sum(1.0 if winner == seat else -against for winner in best)


def join_reserves(
    strengths: Strengths, reserve: Strengths, order: Iterable[int], against: float
) -> Counter[int]:
    """*strengths* on a feature about to be scored, after all seats in *order* that gain by it have moved
    there the fewest figures they need from *reserve*."""
    held = Counter(dict(strengths))
    for seat in order:
        if not reserve[seat]:
            continue
        most = share(seat, held, against)
        moved = 0
        lacking = max(held.values(), default=0) - held[seat]
        for more in (lacking, lacking + 1):
            if 0 < more <= reserve[seat]:
                gain = share(seat, held + Counter({seat: more}), against)
                if gain > most:
                    most, moved = gain, more
        held[seat] += moved
    return held
