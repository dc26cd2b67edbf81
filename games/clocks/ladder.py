"""Steps taken when a seat's time is over (CLOCK-19 to 21): pure functions of settings and record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Self

from games.clocks.settings import DAY, ClockSettings, Counting

MOST_EXCUSES = 5
CLAIM_FOR = 7 * DAY
"""Time during which opponents may claim a win; after that the seat is lost without a claim."""

CLAIM_GIVES = 3 * DAY
"""Time that opponents give instead of claiming a win."""

MASS = timedelta(hours=24)
RATED_TIME_OUTS = 3
"""Maximum number of rated losses on time within ``MASS`` of the first (CLOCK-21)."""


class TimeoutStep(StrEnum):
    """Consequence of a time-out."""

    EXCUSE = "excuse"
    HOLIDAY = "holiday"
    LOSS = "loss"
    SUBSTITUTE = "substitute"
    CLAIM = "claim"
    HARD_END = "hard_end"  # no step of a ladder: the game is over for all (CLOCK-24)


LAST_STEPS = (TimeoutStep.LOSS, TimeoutStep.SUBSTITUTE, TimeoutStep.CLAIM)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """The steps that are taken in order each time a deadline of a seat passes (CLOCK-19)."""

    excuses: int = 1  # for each seat in a game
    holiday: bool = True
    last: TimeoutStep = TimeoutStep.LOSS

    @classmethod
    def usual(cls, seats: int) -> Self:
        """Return the default ladder of a table with so many *seats*."""
        return cls(last=TimeoutStep.LOSS if seats == 2 else TimeoutStep.SUBSTITUTE)

    def faults(self) -> Iterator[str]:
        """Yield the names of values that no table may have."""
        if not 0 <= self.excuses <= MOST_EXCUSES:
            yield "excuses"
        if self.last not in LAST_STEPS:
            yield "last"

    def step(self, *, excused: int, holiday: bool) -> TimeoutStep:
        """Return the next step for a seat that was *excused* so often.

        :param holiday: whether a day of the player's holidays can begin by itself
        """
        if excused < self.excuses:
            return TimeoutStep.EXCUSE
        return TimeoutStep.HOLIDAY if self.holiday and holiday else self.last

    def to_json(self) -> list[list[Any]]:
        """Return the list of steps."""
        steps: list[list[Any]] = [[TimeoutStep.EXCUSE.value, self.excuses]] if self.excuses else []
        if self.holiday:
            steps.append([TimeoutStep.HOLIDAY.value])
        return [*steps, [self.last.value]]

    @classmethod
    def from_json(cls, stored: Sequence[Sequence[Any]]) -> Self:
        """:raises IndexError, KeyError, ValueError: it is not as ``to_json`` writes it"""
        steps: Mapping[str, Sequence[Any]] = {name: rest for name, *rest in stored}
        excuses = steps.get(TimeoutStep.EXCUSE, [0])[0]
        return cls(excuses=excuses, holiday=TimeoutStep.HOLIDAY in steps, last=TimeoutStep(stored[-1][0]))

    @classmethod
    def from_row(cls, stored: Sequence[Sequence[Any]]) -> Self:
        """Return what ``to_json`` wrote in some release; without steps that this one has lost."""
        known = [step for step in stored if step[0] in list(TimeoutStep)]
        if not known or known[-1][0] not in LAST_STEPS:
            known.append([TimeoutStep.LOSS])
        return cls.from_json(known)


def compute_refill(clock: ClockSettings) -> timedelta:
    """Return the bank after an excuse, and the least bank with which a seat is taken over or resumed."""
    return max(clock.gain, DAY)


def holidays_help(clock: ClockSettings) -> bool:
    """Return whether holidays stop the clock, so that one can keep a seat from losing."""
    return clock.holidays == Counting.STOP


def mark_rated_timeouts(times: Sequence[datetime]) -> list[bool]:
    """Return for each loss on time of one player at *times*, in order, whether it is rated (CLOCK-21).

    Within 24 hours of the first one the first three are; the next one after that begins a new period.

    >>> from datetime import UTC
    >>> mark_rated_timeouts([datetime(2026, 1, 1, hour, tzinfo=UTC) for hour in (1, 2, 3, 4)])
    [True, True, True, False]
    """
    rated: list[bool] = []
    first, within = None, 0
    for at in times:
        if first is None or at - first > MASS:
            first, within = at, 0
        within += 1
        rated.append(within <= RATED_TIME_OUTS)
    return rated
