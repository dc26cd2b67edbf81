"""Tests of the pure functions of deadlines, reminders and outages."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from games import clocks

BEGAN = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.mark.parametrize(
    ("after", "late"), [(-1, False), (0, False), (1, True)], ids=["before", "at the very moment", "after"]
)
def test_a_turn_is_judged_by_when_it_was_received(after: int, late: bool) -> None:
    ends = BEGAN + DAY
    assert clocks.is_late(ends + timedelta(microseconds=after), ends) is late


def test_nothing_is_late_without_a_deadline() -> None:
    assert not clocks.is_late(BEGAN, None)
    assert not clocks.is_expired(None, BEGAN)


def test_a_seat_expires_only_when_no_turn_in_time_can_still_wait_for_the_lock() -> None:
    ends = BEGAN + DAY
    minute = timedelta(minutes=1)
    assert not clocks.is_expired(ends, ends + minute)
    assert clocks.is_expired(ends, ends + minute + timedelta(microseconds=1))


@pytest.mark.parametrize(
    ("days", "hours"),
    [(1, [12]), (2, [24]), (3, [36, 48]), (5, [60, 96]), (7, [84, 144]), (14, [168, 312])],
)
def test_reminders_come_at_half_time_and_a_day_before(days: int, hours: list[int]) -> None:
    times = clocks.compute_reminder_times(BEGAN, BEGAN + days * DAY)
    assert [(time - BEGAN) / HOUR for time in times] == hours


def test_reminders_are_never_within_six_hours_of_each_other_or_of_the_beginning() -> None:
    for minutes in range(10, 15 * 24 * 60, 50):
        ends = BEGAN + timedelta(minutes=minutes)
        times = [BEGAN, *clocks.compute_reminder_times(BEGAN, ends)]
        assert all(later - earlier >= 6 * HOUR for earlier, later in pairwise(times))
        assert all(time < ends for time in times)


def test_of_two_reminders_too_close_the_later_one_stays() -> None:
    ends = BEGAN + 2 * DAY + 4 * HOUR  # half time after 26 hours, a day before the end after 28
    assert clocks.compute_reminder_times(BEGAN, ends) == (ends - DAY,)


def test_a_silence_of_more_than_ten_minutes_is_an_outage() -> None:
    minutes = timedelta(minutes=10)
    assert clocks.find_outage(BEGAN, BEGAN + minutes) is None
    later = BEGAN + minutes + timedelta(microseconds=1)
    assert clocks.find_outage(BEGAN, later) == (BEGAN, later)
    assert clocks.find_outage(None, BEGAN) is None


def test_a_reminder_too_soon_after_another_mail_is_known() -> None:
    assert clocks.is_too_soon(BEGAN, BEGAN + 5 * HOUR)
    assert not clocks.is_too_soon(BEGAN, BEGAN + 6 * HOUR)
    assert not clocks.is_too_soon(None, BEGAN)
