"""Interval that says how far a share that was measured can be trusted."""

from __future__ import annotations

import math

Z = 1.959963984540054
"""Standard deviations to either side within which 95 of 100 lie."""


def compute_wilson_interval(share: float, count: int) -> tuple[float, float]:
    """Wilson's 95% interval of a *share*, measured in so many games; all there is if there was none.

    A draw counts one half, so the share need not be a fraction of wins; the interval is a little wide then.

    >>> [round(bound, 3) for bound in compute_wilson_interval(0.5, 100)]
    [0.404, 0.596]
    >>> compute_wilson_interval(0.0, 0)
    (0.0, 1.0)
    """
    if count == 0:
        return 0.0, 1.0
    weight = Z**2 / count
    centre = (share + weight / 2) / (1 + weight)
    half = Z / (1 + weight) * math.sqrt(share * (1 - share) / count + weight / (4 * count))
    return max(0.0, centre - half), min(1.0, centre + half)
