"""The clock of one turn (CLOCK-7 to 18): pure functions of settings, calendar and record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from games.clocks.calendar import FOREVER, Calendar, Stretch, merge_stretches, unite_stretches
from games.clocks.settings import ClockSettings, Counting

NOTHING = timedelta()
NO_CALENDAR = Calendar()


class DeadlineTerm(NamedTuple):
    """A term of the time between the beginning of a turn and its deadline (CLOCK-18)."""

    kind: str  # "grace", "bank", "total", "surcharge", "floor", "ends", or the cause of a stretch
    span: timedelta  # time that it adds; negative if it takes time
    begin: datetime | None = None  # of a stretch that is not counted
    end: datetime | None = None


class Charge(NamedTuple):
    """Cost of a turn that was played (CLOCK-15)."""

    late: bool
    charged: timedelta
    after: timedelta  # left in the bank


def compute_allowed_charge(clock: ClockSettings, bank: timedelta, spent: timedelta) -> timedelta:
    """Return the most that a turn may be charged which begins with *bank*, after earlier ones that were
    charged *spent* (CLOCK-10)."""
    return bank if clock.total is None else max(NOTHING, min(bank, clock.total - spent))


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedTurn:
    """A turn, or an answer off turn, of a seat, from when the game began to wait for it (CLOCK-3)."""

    clock: ClockSettings
    began: datetime
    bank: timedelta
    spent: timedelta = NOTHING  # time charged for the seat's earlier turns
    calendar: Calendar = NO_CALENDAR
    holidays: tuple[Stretch, ...] = ()  # of the player, in any order
    stops: tuple[Stretch, ...] = ()  # of the game, in any order
    floors: tuple[datetime, ...] = ()

    @property
    def allowed(self) -> timedelta:
        """The most that the turn may be charged (CLOCK-10)."""
        return compute_allowed_charge(self.clock, self.bank, self.spent)

    def running(self, at: datetime) -> timedelta:
        """Return the time from the beginning of the turn to *at* in which the clock runs (CLOCK-8)."""
        counted = max(NOTHING, at - self.began)
        for stop in self._unite_stops(self.began):
            if stop.begin >= at:
                break
            counted -= min(stop.end, at) - stop.begin
        return counted

    def is_stopped(self, at: datetime) -> bool:
        """Return whether the clock stands still *at* that instant (CLOCK-7)."""
        stop = next(self._sources(at), None)
        return stop is not None and stop.begin <= at

    def compute_unbounded_charge(self, at: datetime) -> timedelta:
        """Return the charge if the turn were played *at* that time (CLOCK-8, 9), without an upper bound."""
        used = max(NOTHING, self.running(at) - self.clock.grace)
        if self.clock.surcharge_after is None:
            return used
        return used + max(NOTHING, used - self.clock.surcharge_after)

    def deadline(self) -> datetime | None:
        """Return the end of the time for the turn (CLOCK-11 to 14); ``None`` while a stop has no end."""
        ends = self.clock.ends
        if ends is not None and ends <= self.began:
            return self.began
        at = self._raw_deadline()
        for wait in self._waits(at):
            at = wait.end
        if at < FOREVER:
            at = max([at, *self.floors])
        if ends is not None:
            at = min(at, ends)
        return at if at < FOREVER else None

    def late(self, received: datetime) -> bool:
        """Return whether the turn, *received* then, has missed its deadline."""
        deadline = self.deadline()
        return deadline is not None and deadline < received

    def compute_charge(self, received: datetime) -> Charge:
        """Return the charge, and the bank after it, of a turn *received* then (CLOCK-15)."""
        if self.late(received):
            return Charge(True, self.allowed, NOTHING)
        charged = min(self.compute_unbounded_charge(received), self.allowed)
        left = self.bank - charged
        clock = self.clock
        return Charge(False, charged, left if left >= clock.cap else min(clock.cap, left + clock.gain))

    def explanation(self) -> tuple[DeadlineTerm, ...]:
        """Return the terms that add up to the time from the beginning to the deadline (CLOCK-18); without a
        deadline they end with the stop that has no end."""
        raw = self._raw_deadline()
        terms = [
            DeadlineTerm("grace", self.clock.grace),
            DeadlineTerm("bank", self.bank),
            DeadlineTerm("total", self.allowed - self.bank),
            DeadlineTerm("surcharge", self._usable - self.allowed),
        ]
        for stretch in unite_stretches(self._sources(self.began), self.began):
            if stretch.begin >= raw:
                break
            terms.append(_term(stretch))
        at = raw
        for wait in self._waits(raw):
            terms.append(_term(wait))
            at = wait.end
        floor = max(self.floors, default=at)
        if at < floor:
            terms.append(DeadlineTerm("floor", floor - at, end=floor))
            at = floor
        deadline = self.deadline()
        if deadline is not None and deadline < at:
            terms.append(DeadlineTerm("ends", deadline - at, end=self.clock.ends))
        return tuple(term for term in terms if term.span)

    @property
    def _usable(self) -> timedelta:
        """The most time that may be used beyond the grace: ``allowed`` less what the surcharge takes."""
        free, allowed = self.clock.surcharge_after, self.allowed
        if free is None or allowed <= free:
            return allowed
        return free + (allowed - free) // 2  # rounded down to the microsecond, which is in time like the half

    def _raw_deadline(self) -> datetime:
        """The greatest lower bound of the instants at which the charge is too high (CLOCK-11)."""
        left = self.clock.grace + self._usable
        at = self.began
        for stop in self._unite_stops(self.began):
            if left < stop.begin - at:
                break
            left -= stop.begin - at
            at = stop.end
            if at == FOREVER:
                return FOREVER
        return at + left

    def _waits(self, raw: datetime) -> Iterator[Stretch]:
        """Yield the rest hours and stops that in turn postpone the deadline from *raw* (CLOCK-12)."""
        if raw == FOREVER:
            return
        at = raw
        for stretch in unite_stretches(merge_stretches(self._sources(raw), self.calendar.rests(raw)), raw):
            if stretch.begin > at:
                return
            yield stretch
            at = stretch.end
            if at == FOREVER:
                return

    def _unite_stops(self, since: datetime) -> Iterator[Stretch]:
        return unite_stretches(self._sources(since), since)

    def _sources(self, since: datetime) -> Iterator[Stretch]:
        """The stretches that stop the clock after *since*, in the order of their beginnings (CLOCK-7)."""
        known = self.stops
        if self.clock.holidays == Counting.STOP:
            known += self.holidays
        weekends = self.calendar.weekends(since) if self.clock.weekends == Counting.STOP else ()
        return merge_stretches(sorted(stop for stop in known if since < stop.end), weekends)


def _term(stretch: Stretch) -> DeadlineTerm:
    return DeadlineTerm(stretch.cause, stretch.end - stretch.begin, stretch.begin, stretch.end)
