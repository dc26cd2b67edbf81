"""What happens when a seat's time is over (CLOCK-19 to 21): pure functions of settings and record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Self

from games.clocks.settings import DAY, ClockSettings, Counting

MOST_EXCUSES = 5
CLAIM_FOR = 7 * DAY
"""For how long the opponents may claim a win; then it is a loss by itself."""

CLAIM_GIVES = 3 * DAY
"""What opponents who don't claim give instead."""

MASS = timedelta(hours=24)
RATED_TIME_OUTS = 3
"""So many losses on time within ``MASS`` of the first are rated (CLOCK-21)."""


class Step(StrEnum):
    """What a time-out comes to."""

    EXCUSE = "excuse"
    HOLIDAY = "holiday"
    LOSS = "loss"
    SUBSTITUTE = "substitute"
    CLAIM = "claim"


LAST_STEPS = (Step.LOSS, Step.SUBSTITUTE, Step.CLAIM)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """The steps that are taken in order each time a deadline of a seat passes (CLOCK-19)."""

    excuses: int = 1  # of each seat in a game
    holiday: bool = True
    last: Step = Step.LOSS

    @classmethod
    def usual(cls, seats: int) -> Self:
        """What a table with so many *seats* has if nobody says otherwise."""
        return cls(last=Step.LOSS if seats == 2 else Step.SUBSTITUTE)

    def faults(self) -> Iterator[str]:
        """The names of the values that no table may have."""
        if not 0 <= self.excuses <= MOST_EXCUSES:
            yield "excuses"
        if self.last not in LAST_STEPS:
            yield "last"

    def step(self, *, excused: int, holiday: bool, at_the_end: bool) -> Step:
        """What comes now for a seat that was *excused* so often.

        :param holiday: whether a day of the player's holidays can begin by itself
        :param at_the_end: whether the hard end of the game has come, which heeds nothing else (CLOCK-14)
        """
        if at_the_end:
            return Step.SUBSTITUTE if self.last == Step.SUBSTITUTE else Step.LOSS
        if excused < self.excuses:
            return Step.EXCUSE
        return Step.HOLIDAY if self.holiday and holiday else self.last

    def to_json(self) -> list[list[Any]]:
        """The list of the steps."""
        steps: list[list[Any]] = [[Step.EXCUSE.value, self.excuses]] if self.excuses else []
        if self.holiday:
            steps.append([Step.HOLIDAY.value])
        return [*steps, [self.last.value]]

    @classmethod
    def from_json(cls, stored: Sequence[Sequence[Any]]) -> Self:
        """:raises IndexError, KeyError, ValueError: it is not as ``to_json`` writes it"""
        steps: Mapping[str, Sequence[Any]] = {name: rest for name, *rest in stored}
        excuses = steps.get(Step.EXCUSE, [0])[0]
        return cls(excuses=excuses, holiday=Step.HOLIDAY in steps, last=Step(stored[-1][0]))


def filled(clock: ClockSettings) -> timedelta:
    """What an excuse fills a bank to, and the least with which a seat is taken over or come back to."""
    return max(clock.gain, DAY)


def holidays_help(clock: ClockSettings) -> bool:
    """Whether a holiday keeps a seat from losing."""
    return clock.holidays == Counting.STOP


def counted_time_outs(times: Sequence[datetime]) -> list[bool]:
    """Of losses on time of one player at *times*, in order: which of them are rated (CLOCK-21).

    Within 24 hours of the first the first three are; the next one after that is a first one again.

    >>> from datetime import UTC
    >>> counted_time_outs([datetime(2026, 1, 1, hour, tzinfo=UTC) for hour in (1, 2, 3, 4)])
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
