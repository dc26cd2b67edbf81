"""Calibration of expectations against results (RATE-7): sums over duels, which can be added up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self, TypedDict

from ratings.skill.careers import CareerChange, compute_first_share
from ratings.skill.elo import expect_elo

TENTHS = 10
NEVER, ALWAYS = 1e-15, 1 - 1e-15
"""Limits of the probabilities in a logarithm."""
Z = 1.959963984540054
"""Standard deviations to either side of a share within which 95 % lie."""


@dataclass(frozen=True, slots=True)
class Share:
    """Sums of expected and actual points over *count* games."""

    count: int = 0
    expected: float = 0.0
    actual: float = 0.0  # a win 1, a draw one half

    def after(self, expected: float, actual: float) -> Self:
        return type(self)(self.count + 1, self.expected + expected, self.actual + actual)

    def __add__(self, other: Share) -> Share:
        return Share(self.count + other.count, self.expected + other.expected, self.actual + other.actual)

    @property
    def predicted_share(self) -> float | None:
        return self.expected / self.count if self.count else None

    @property
    def actual_share(self) -> float | None:
        return self.actual / self.count if self.count else None

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95% interval of the actual share."""
        return compute_wilson_interval(self.actual / self.count if self.count else 0.0, self.count)


class Stored(TypedDict):
    """Calibration as JSON."""

    tenths: list[list[float]]  # count, expected, actual
    loss: float
    elo_loss: float
    first_seat: list[float]


@dataclass(frozen=True, slots=True)
class Calibration:
    """Sums over duels; two of them can be added."""

    tenths: tuple[Share, ...] = (Share(),) * TENTHS  # by predicted probability of the player named first
    loss: float = 0.0  # the sum of our log losses, in nats, over the games of *tenths*
    elo_loss: float = 0.0  # Elo's, over the same games
    first_seat: Share = field(default_factory=Share)  # over all rated duels: what the first seat took

    def after(self, players: Sequence[int], changes: Sequence[CareerChange]) -> Calibration:
        """Return the calibration with one more duel, of these *players* (keys) at its two seats.

        Tenths and losses count it only if neither was provisional before it. Expectations are those of the
        player with the smaller key, which is independent of result and seat.
        """
        one, other = changes
        share = compute_first_share((one.rank, other.rank))
        first_seat = self.first_seat.after(one.expected, share)
        if one.before.provisional or other.before.provisional:
            return replace(self, first_seat=first_seat)
        elo = expect_elo(one.elo_before, other.elo_before)
        named, actual = (one.expected, share) if players[0] < players[1] else (other.expected, 1 - share)
        place = min(TENTHS - 1, int(TENTHS * named))
        return Calibration(
            (*self.tenths[:place], self.tenths[place].after(named, actual), *self.tenths[place + 1 :]),
            self.loss + compute_log_loss(one.expected, share),
            self.elo_loss + compute_log_loss(elo, share),
            first_seat,
        )

    def __add__(self, other: Calibration) -> Calibration:
        return Calibration(
            tuple(one + more for one, more in zip(self.tenths, other.tenths, strict=True)),
            self.loss + other.loss,
            self.elo_loss + other.elo_loss,
            self.first_seat + other.first_seat,
        )

    @property
    def games(self) -> int:
        """The number of duels in tenths and losses."""
        return sum(tenth.count for tenth in self.tenths)

    @property
    def mean_loss(self) -> float | None:
        """The log loss of the ratings, in nats a game; ``None`` without games."""
        return self.loss / self.games if self.games else None

    @property
    def mean_elo_loss(self) -> float | None:
        """The log loss of Elo's numbers on the same games."""
        return self.elo_loss / self.games if self.games else None

    @property
    def half_loss(self) -> float:
        """The log loss of "always one half", for any games."""
        return math.log(2)

    def to_json(self) -> Stored:
        return {
            "tenths": [_serialize_share(tenth) for tenth in self.tenths],
            "loss": self.loss,
            "elo_loss": self.elo_loss,
            "first_seat": _serialize_share(self.first_seat),
        }

    @classmethod
    def from_json(cls, stored: Stored) -> Calibration:
        """:raises KeyError, TypeError, ValueError: *stored* is not in the form of ``to_json``"""
        tenths = tuple(_share(entry) for entry in stored["tenths"])
        if len(tenths) != TENTHS:
            raise ValueError(f"{len(tenths)} tenths")
        return cls(tenths, stored["loss"], stored["elo_loss"], _share(stored["first_seat"]))


def compute_log_loss(expected: float, actual: float) -> float:
    """Return the log loss of *expected* for the result *actual*, in nats; a draw has half the loss of each
    result.

    >>> round(compute_log_loss(0.5, 1.0), 3), round(compute_log_loss(0.9, 0.0), 3)
    (0.693, 2.303)
    """
    sure = min(ALWAYS, max(NEVER, expected))
    return -(actual * math.log(sure) + (1 - actual) * math.log(1 - sure))


def _serialize_share(share: Share) -> list[float]:
    return [share.count, share.expected, share.actual]


def _share(stored: Sequence[float]) -> Share:
    count, expected, actual = stored
    return Share(int(count), float(expected), float(actual))


def compute_wilson_interval(share: float, count: int) -> tuple[float, float]:
    """Wilson's 95% interval of a *share* of *count* games; from 0 to 1 without games.

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
