"""Deadlines: pure functions of settings, times and the record. All times know their zone; none is local.

A clock here gives each move a number of days. A day is 24 hours: summer time changes what a player's clock
shows, not how long they may think.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

DAYS_PER_MOVE = (1, 2, 3, 5, 7, 14)

ARRIVAL = timedelta(seconds=60)
"""How long after a deadline a turn that was received in time may still wait for the game's lock. Longer than
any wait for a lock, so nobody is declared late while their turn is being written."""

OUTAGE = timedelta(minutes=10)
"""A heart that has not beaten for so long was away."""

AFTER_OUTAGE = timedelta(hours=12)
"""What a deadline gets beside the length of the outage in which it fell."""

LATE_NOTICE = timedelta(hours=1)
"""A notice this late costs the player nothing: the deadline moves by as much."""

BETWEEN_REMINDERS = timedelta(hours=6)
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """How long the seats of a game may think."""

    days_per_move: int


USUAL_CLOCK = ClockSettings(days_per_move=3)


def deadline(began: datetime, days: int) -> datetime:
    """Until when a turn that *began* then may be played."""
    return began + days * DAY


def late(received: datetime, deadline: datetime | None) -> bool:
    """Whether a turn *received* then missed the *deadline*."""
    return deadline is not None and received > deadline


def expired(deadline: datetime | None, now: datetime) -> bool:
    """Whether the seat may be declared late *now*."""
    return deadline is not None and now > deadline + ARRIVAL


def reminders(began: datetime, deadline: datetime) -> tuple[datetime, ...]:
    """When to remind: at half time and one day before the deadline.

    Never within six hours of each other, or of the turn's beginning, which has a notice of its own; of two
    that are too close the later one stays.
    """
    times: list[datetime] = []
    for time in sorted({began + (deadline - began) / 2, deadline - DAY}, reverse=True):
        if time - began < BETWEEN_REMINDERS:
            continue
        if times and times[-1] - time < BETWEEN_REMINDERS:
            continue
        times.append(time)
    return tuple(reversed(times))


def too_soon(last: datetime | None, now: datetime) -> bool:
    """Whether a reminder *now* would follow the *last* mail about the same turn within six hours."""
    return last is not None and now - last < BETWEEN_REMINDERS


def outage(last_beat: datetime | None, now: datetime) -> tuple[datetime, datetime] | None:
    """The outage that ends *now*, if the heart last beat too long ago."""
    if last_beat is None or now - last_beat <= OUTAGE:
        return None
    return last_beat, now


def push_after_outage(began: datetime, ended: datetime) -> timedelta:
    """By how much the deadlines within an outage move."""
    return ended - began + AFTER_OUTAGE


def after_late_notice(turn_began: datetime, days: int, due: datetime, sent: datetime) -> datetime | None:
    """The earliest fair deadline of a turn whose notice was *due* then but *sent* only then; ``None`` if it
    was in time."""
    if sent - due < LATE_NOTICE:
        return None
    return deadline(turn_began, days) + (sent - due)


def while_unsent(now: datetime) -> datetime:
    """Until when a deadline that has come is put off while the notice of the turn is unsent."""
    return now + AFTER_OUTAGE
