"""Passed deadlines, outages and the times of reminders: pure functions of times."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from games.clocks.settings import DAY

ARRIVAL = timedelta(seconds=60)
"""Time after a deadline during which a turn received in time may still wait for the game's lock. Longer than
any wait for a lock, so nobody is declared late while their turn is being written."""

OUTAGE = timedelta(minutes=10)
"""Time since the last heartbeat after which the site counts as having been down."""

AFTER_STOP = timedelta(hours=12)
"""Minimum time from the end of an outage (CLOCK-13), or of a pause or holiday cut short, to a deadline."""

LATE_NOTICE = timedelta(hours=1)
"""Minimum delay of a notice that stops the player's clock meanwhile (CLOCK-7)."""

BETWEEN_REMINDERS = timedelta(hours=6)


def is_late(received: datetime, deadline: datetime | None) -> bool:
    """Return whether a turn *received* then missed the *deadline*."""
    return deadline is not None and received > deadline


def is_expired(deadline: datetime | None, now: datetime) -> bool:
    """Return whether the seat may be declared late *now*."""
    return deadline is not None and now > deadline + ARRIVAL


def compute_reminder_times(
    began: datetime, deadline: datetime, hours: Sequence[int] = ()
) -> tuple[datetime, ...]:
    """Return the times of reminders: so many *hours* before the deadline, or, if the player has chosen none,
    at half time and one day before it.

    The usual times are never within six hours of each other, or of the turn's beginning, which has its own
    notice; of two that are too close the later one stays. Chosen hours count if they lie after the beginning.
    """
    if hours:
        chosen = (deadline - timedelta(hours=before) for before in sorted(set(hours), reverse=True))
        return tuple(time for time in chosen if time > began)
    times: list[datetime] = []
    for time in sorted({began + (deadline - began) / 2, deadline - DAY}, reverse=True):
        if time - began < BETWEEN_REMINDERS:
            continue
        if times and times[-1] - time < BETWEEN_REMINDERS:
            continue
        times.append(time)
    return tuple(reversed(times))


def is_too_soon(last: datetime | None, now: datetime) -> bool:
    """Return whether a reminder *now* would follow the *last* mail about the same turn within six hours."""
    return last is not None and now - last < BETWEEN_REMINDERS


def find_outage(last_beat: datetime | None, now: datetime) -> tuple[datetime, datetime] | None:
    """Return the outage that ends *now*, if the sweep's last beat is longer ago than :data:`OUTAGE`."""
    if last_beat is None or now - last_beat <= OUTAGE:
        return None
    return last_beat, now
