"""Reliability of a player in keeping time, and their usual time for a turn: pure functions of their turns.

Reliability is the share of turns in time, in which each turn weighs half as much as the one forty turns
later. Five turns in time are assumed before the first one, which matters as long as there are few. Playing
strength has no effect.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from typing import Self

HALF_LIFE = 40
"""Number of later turns after which a turn weighs half."""

ASSUMED = 5
"""Number of turns in time that are assumed before the first one."""

ENOUGH = 10
"""Minimum number of turns for a statement about a player."""

FADE = 0.5 ** (1 / HALF_LIFE)
SHORTEST = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Reliability:
    """Sums over the turns of a player; those but *turns* are weighted."""

    turns: int = 0
    weight: float = 0.0
    in_time: float = 0.0
    log_seconds: float = 0.0  # natural logarithms of how long the turns in time took, in seconds

    def after(self, took: timedelta | None) -> Self:
        """Return the sums after one more turn, which *took* so long on a running clock, or missed its
        deadline (``None``)."""
        log_seconds = 0.0 if took is None else math.log(max(took, SHORTEST).total_seconds())
        return type(self)(
            self.turns + 1,
            self.weight * FADE + 1.0,
            self.in_time * FADE + (0.0 if took is None else 1.0),
            self.log_seconds * FADE + log_seconds,
        )

    @property
    def per_cent(self) -> int | None:
        """The share of turns in time; ``None`` if there are too few.

        >>> done = Reliability()
        >>> for _ in range(10):
        ...     done = done.after(timedelta(hours=1))
        >>> done.per_cent, done.after(None).per_cent
        (100, 93)
        """
        if self.turns < ENOUGH:
            return None
        assumed = ASSUMED * FADE**self.turns
        return round(100 * (self.in_time + assumed) / (self.weight + assumed))

    @property
    def usual_time(self) -> timedelta | None:
        """The geometric mean of the time that turns in time take on a running clock, which one long turn
        hardly changes. ``None`` if there are too few."""
        if self.turns < ENOUGH or self.in_time < 1:
            return None
        return timedelta(seconds=math.exp(self.log_seconds / self.in_time))
