"""The cost of turns, worked out a second time from what a simulation did, to check what the site charged.

Nothing here reads what the site stored of a turn, or counts time with ``games/clocks``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from games.clocks import ClockSettings, Counting

Interval = tuple[datetime, datetime]
NOTHING = timedelta()


@dataclass(frozen=True, slots=True)
class KnownTurn:
    """A turn as the simulation knows it: since when, whose weekends, and when its clock stood still."""

    clock: ClockSettings
    began: datetime
    bank: timedelta
    zone: str
    weekend: frozenset[int]
    holidays: tuple[Interval, ...]
    stops: tuple[Interval, ...]  # pauses and outages

    def compute_charge(self, at: datetime) -> timedelta:
        """Return the charge if the turn is played *at* that time (CLOCK-8 to 10)."""
        used = max(NOTHING, self._count_running(at) - self.clock.grace)
        surcharge_after = self.clock.surcharge_after
        charged = used if surcharge_after is None else used + max(NOTHING, used - surcharge_after)
        return min(charged, self.bank)

    def compute_bank_after(self, at: datetime) -> timedelta:
        """Return the bank after a turn played *at* that time (CLOCK-15)."""
        left = self.bank - self.compute_charge(at)
        return left if left >= self.clock.cap else min(self.clock.cap, left + self.clock.gain)

    def _count_running(self, at: datetime) -> timedelta:
        stops = list(self.stops)
        if self.clock.holidays == Counting.STOP:
            stops += self.holidays
        if self.clock.weekends == Counting.STOP:
            stops += self._list_weekend_days(at)
        return at - self.began - measure_union(stops, self.began, at)

    def _list_weekend_days(self, until: datetime) -> list[Interval]:
        zone = ZoneInfo(self.zone)
        midnights: list[datetime] = []
        day = self.began.astimezone(zone).date()
        while not midnights or midnights[-1] < until:
            midnights.append(
                datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(self.began.tzinfo)
            )
            day += timedelta(days=1)
        return [
            (begin, end)
            for begin, end in pairwise(midnights)
            if begin.astimezone(zone).weekday() in self.weekend
        ]


def measure_union(stretches: Iterable[Interval], since: datetime, until: datetime) -> timedelta:
    """Return how much of the time from *since* to *until* lies in the *stretches*, which may overlap."""
    covered, reached = NOTHING, since
    for begin, end in sorted(stretches):
        begin, end = max(begin, reached), min(end, until)
        if begin < end:
            covered += end - begin
            reached = end
    return covered
