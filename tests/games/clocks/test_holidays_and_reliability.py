"""Tests of the pure functions of players' own time: cancelled holidays, and reliability."""

from datetime import UTC, datetime, time, timedelta
from random import Random

import pytest

from games.clocks import (
    DAY,
    HOUR,
    PRESETS,
    Calendar,
    Piece,
    Reliability,
    Stretch,
    TimedTurn,
    holiday_shortened,
)
from games.clocks.reminders import AFTER_STOP
from tests.cases import for_each

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def turn(holiday: Piece | None, began: datetime, calendar: Calendar) -> TimedTurn:
    holidays = () if holiday is None else (Stretch(*holiday, "holiday"),)
    clock = PRESETS["steady"]
    return TimedTurn(clock=clock, began=began, bank=clock.start, calendar=calendar, holidays=holidays)


@for_each("seed", range(20))
def test_who_cancels_a_holiday_has_twelve_hours_and_gains_none(seed: int) -> None:
    chance = Random(seed)
    calendar = Calendar("Europe/Warsaw", (time(22), time(7)), frozenset({5, 6}))
    for _ in range(50):
        entered = NOW + chance.randrange(100) * HOUR
        holiday = Piece(entered + chance.randrange(60) * HOUR, entered + chance.randrange(84, 500) * HOUR)
        before = turn(holiday, NOW, calendar).deadline()
        cancelled = entered + chance.randrange(84) * HOUR
        assert before is not None
        if before <= cancelled or holiday.end <= cancelled:
            continue
        after = turn(holiday_shortened(holiday, now=cancelled), NOW, calendar).deadline()
        assert after is not None
        assert after <= before
        assert after == before or after >= cancelled + AFTER_STOP


def test_what_has_begun_keeps_a_day_and_ends_in_twelve_hours_at_the_earliest() -> None:
    holiday = Piece(NOW, NOW + 10 * DAY)
    assert holiday_shortened(holiday, now=NOW - 12 * HOUR) is None
    assert holiday_shortened(holiday, now=NOW - 11 * HOUR) == Piece(NOW, NOW + DAY)
    assert holiday_shortened(holiday, now=NOW + HOUR) == Piece(NOW, NOW + DAY)
    assert holiday_shortened(holiday, now=NOW + 5 * DAY) == Piece(NOW, NOW + 5.5 * DAY)
    assert holiday_shortened(holiday, now=NOW + 9.9 * DAY) == holiday


def after(*turns: timedelta | None) -> Reliability:
    done = Reliability()
    for took in turns:
        done = done.after(took)
    return done


class TestReliability:
    def test_ten_turns_say_something(self) -> None:
        assert after(*[HOUR] * 9).per_cent is None
        assert after(*[HOUR] * 10).per_cent == 100
        assert after(*[HOUR] * 9).usual_time is None

    def test_recent_turns_weigh_more(self) -> None:
        lately = after(*[HOUR] * 60, *[None] * 10).per_cent
        long_ago = after(*[None] * 10, *[HOUR] * 60).per_cent
        assert lately is not None and long_ago is not None
        assert lately < 80 < 90 < long_ago

    def test_forty_turns_halve_a_weight(self) -> None:
        fresh, old = after(HOUR), after(HOUR, *[None] * 40)
        assert old.in_time == pytest.approx(fresh.in_time / 2)

    def test_who_has_never_missed_stays_at_a_hundred(self) -> None:
        assert after(*[HOUR] * 500).per_cent == 100

    def test_a_miss_is_forgiven_in_time(self) -> None:
        assert after(*[HOUR] * 20, None).per_cent == 95
        assert after(*[HOUR] * 20, None, *[HOUR] * 100).per_cent == 100

    def test_the_usual_time_is_hardly_moved_by_one_long_turn(self) -> None:
        usual = after(*[HOUR] * 30, 30 * DAY).usual_time
        assert usual is not None
        assert HOUR < usual < 2 * HOUR

    def test_missed_turns_have_no_time(self) -> None:
        usual = after(*[HOUR] * 10, *[None] * 10).usual_time
        assert usual is not None
        assert abs(usual - HOUR) < timedelta(seconds=1)
