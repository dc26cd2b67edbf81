"""Times without a running clock, as intervals: rest hours, weekend days, holidays (CLOCK-4, 5)."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any, NamedTuple, Self

from core.time_zones import load_zone
from games.clocks.settings import DAY, HOUR

FOREVER = datetime.max.replace(tzinfo=UTC)
"""End of a stop that lasts until further notice."""

LONGEST_REST = 12 * HOUR
MOST_WEEKEND_DAYS = 3


class Stretch(NamedTuple):
    """The time from *begin* up to, but not including, *end*, and why it does not count."""

    begin: datetime
    end: datetime
    cause: str  # "rest", "weekend", "holiday", or that of a stop


@dataclass(frozen=True, slots=True)
class Calendar:
    """Zone, rest hours and weekend days of a clock. Holidays are separate: they count at once (CLOCK-6)."""

    zone: str = "UTC"
    rest: tuple[time, time] | None = None  # local, from and to; equal means none
    weekend: frozenset[int] = frozenset()  # days of the week, Monday is 0

    def faults(self) -> Iterator[str]:
        """Yield the names of values that no player may have (CLOCK-4)."""
        if self.rest is not None:
            begin, end = (datetime.combine(date.min, at) for at in self.rest)
            if (end - begin) % DAY > LONGEST_REST:
                yield "rest"
        if len(self.weekend) > MOST_WEEKEND_DAYS or not self.weekend <= set(range(7)):
            yield "weekend"

    def rests(self, since: datetime) -> Iterator[Stretch]:
        """Yield the rest hours that end after *since*, in order, without end."""
        if self.rest is None or self.rest[0] == self.rest[1]:
            return
        begin, end = self.rest
        over = timedelta(days=1 if end <= begin else 0)
        for day in _dates(since, self.zone):
            stretch = _local(self.zone, day, begin), _local(self.zone, day + over, end)
            if stretch[0] < stretch[1] and since < stretch[1]:  # a clock put forward may swallow it
                yield Stretch(*stretch, "rest")

    def weekends(self, since: datetime) -> Iterator[Stretch]:
        """Yield the weekend days that end after *since*, each by itself, in order, without end."""
        if not self.weekend:
            return
        for day in _dates(since, self.zone):
            if day.weekday() in self.weekend:
                stretch = _local(self.zone, day, time()), _local(self.zone, day + DAY, time())
                if stretch[0] < stretch[1] and since < stretch[1]:
                    yield Stretch(*stretch, "weekend")

    def to_json(self) -> dict[str, Any]:
        """Return the values as in the command's contract, without the holidays."""
        return {
            "zone": self.zone,
            "rest": None if self.rest is None else [at.isoformat("minutes") for at in self.rest],
            "weekend": sorted(self.weekend),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """:raises KeyError, TypeError, ValueError: it is not as ``to_json`` writes it"""
        rest = stored["rest"]
        if rest is not None:
            begin, end = (time.fromisoformat(text) for text in rest)
            rest = begin, end
        return cls(stored["zone"], rest, frozenset(stored["weekend"]))


def unite_stretches(stretches: Iterable[Stretch], since: datetime) -> Iterator[Stretch]:
    """Yield the time that *stretches*, ordered by their beginnings, cover from *since* on, without overlaps:
    the later one is shortened."""
    at = since
    for stretch in stretches:
        if at < stretch.end:
            yield stretch._replace(begin=max(at, stretch.begin))
            at = stretch.end
            if at == FOREVER:
                return


def merge_stretches(*sources: Iterable[Stretch]) -> Iterator[Stretch]:
    """Merge *sources*, each of them ordered, into one ordered iterator."""
    return heapq.merge(*sources)


def _dates(since: datetime, zone: str) -> Iterator[date]:
    """Yield the local dates that may end after *since*."""
    day = since.astimezone(load_zone(zone)).date() - DAY
    while day < date.max - DAY:
        yield day
        day += DAY


@lru_cache(2**14)
def _local(zone: str, day: date, at: time) -> datetime:
    """The instant of a local wall time (CLOCK-5)."""
    return datetime.combine(day, at, load_zone(zone)).astimezone(UTC)
