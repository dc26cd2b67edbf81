"""Tests of explanations of deadlines (CLOCK-18)."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest
from django.conf import settings
from django.utils import timezone, translation

from games.clocks import DAY, FOREVER, HOUR, PRESETS, Calendar, ClockSettings, Counting, Stretch, TimedTurn
from games.words import deadlines
from tests.cases import for_each

FRIDAY = datetime(2026, 11, 20, 17, 10, tzinfo=UTC)  # 18:10 in Warsaw
AT_HOME = Calendar("Europe/Warsaw", (time(22), time(7)), frozenset({5, 6}))
THREE_DAYS = ClockSettings.per_move(3)
STEADY = PRESETS["steady"]
LANGUAGES = [code for code, _name in settings.LANGUAGES]


@pytest.fixture(autouse=True)
def in_warsaw() -> Iterator[None]:
    with timezone.override("Europe/Warsaw"):
        yield


def turn(clock: ClockSettings = THREE_DAYS, **more: object) -> TimedTurn:
    return TimedTurn(clock=clock, began=FRIDAY, **{"bank": clock.start, **more})  # type: ignore[arg-type]


def test_three_days_and_a_night() -> None:
    late = replace(turn(calendar=AT_HOME), began=FRIDAY + 6 * HOUR)
    assert deadlines.summarise_deadline(late) == "3 days from Sat 21 Nov, 00:10; a night's rest until 07:00."
    assert deadlines.summarise_deadline(turn()) == "3 days from Fri 20 Nov, 18:10."


def test_rest_in_the_daytime_is_no_night() -> None:
    siesta = Calendar("Europe/Warsaw", (time(17), time(19)))
    assert deadlines.explain_deadline(turn(calendar=siesta))[1] == "rest hours until 19:00"


def test_grace_and_bank_and_a_weekend() -> None:
    clock = replace(STEADY, weekends=Counting.STOP)
    assert deadlines.explain_deadline(turn(clock, calendar=AT_HOME)) == (
        "12 hours of free time from Fri 20 Nov, 18:10",
        "3 days from the time bank",
        "2 days of weekend, until Mon 23 Nov, 00:00",
        "a night's rest until 07:00",
    )


def test_a_total_and_a_surcharge_take_and_a_hard_end_cuts_off() -> None:
    clock = replace(
        PRESETS["classic"],
        total=30 * DAY,
        ends=datetime(2026, 12, 1, 12, tzinfo=UTC),
        holidays=Counting.COUNT,
    )
    assert deadlines.explain_deadline(turn(clock, spent=4 * DAY)) == (
        "30 days from Fri 20 Nov, 18:10",
        "4 days less, as the time for the whole game allows no more",
        "3 days less, as what a turn takes beyond 20 days counts double",
        "12 days 5 hours 10 minutes less, as the game ends Tue 1 Dec, 13:00",
    )


def test_an_outage_and_its_floor() -> None:
    away = Stretch(FRIDAY + 2 * DAY, FRIDAY + 3 * DAY - HOUR, "outage")
    told = deadlines.explain_deadline(
        turn(bank=2 * DAY + HOUR, stops=(away,), floors=(away.end + 12 * HOUR,))
    )
    assert told == (
        "2 days 1 hour from Fri 20 Nov, 18:10",
        "23 hours while this site was down, until Mon 23 Nov, 17:10",
        "11 hours more, so that it isn't before Tue 24 Nov, 05:10",
    )


def test_a_seat_whose_time_is_used_up() -> None:
    assert deadlines.explain_deadline(turn(bank=timedelta())) == ("no time left from Fri 20 Nov, 18:10",)
    asleep = turn(bank=timedelta(), calendar=replace(AT_HOME, rest=(time(18), time(6))))
    assert deadlines.explain_deadline(asleep)[1:] == ("a night's rest until 06:00",)


def test_a_stop_without_an_end() -> None:
    told = deadlines.explain_deadline(turn(stops=(Stretch(FRIDAY + DAY, FOREVER, "hold"),)))
    assert told[1:] == ("the clock is stopped until further notice",)


@for_each("cause", ["weekend", "holiday", "pause", "emergency", "outage", "unsent", "hold", "rest", "new"])
@for_each("language", LANGUAGES)
def test_every_cause_has_words_in_every_language(language: str, cause: str) -> None:
    stopped = turn(STEADY, stops=(Stretch(FRIDAY + DAY, FRIDAY + 2 * DAY, cause),))
    with translation.override(language):
        told = deadlines.explain_deadline(stopped)
    assert len(told) == 3
    assert not any("{" in one for one in told)


def test_the_clock_says_that_it_stands_and_why() -> None:
    away = turn(stops=(Stretch(FRIDAY + DAY, FRIDAY + 3 * DAY, "pause"),))
    assert deadlines.explain_standstill(away, FRIDAY) == ""
    told = deadlines.explain_standstill(away, FRIDAY + DAY)
    assert told == "The clock is stopped: 2 days of pause, until Mon 23 Nov, 18:10."
    assert deadlines.explain_standstill(away, FRIDAY + 3 * DAY) == ""


def test_rest_stops_no_clock() -> None:
    late = replace(turn(calendar=AT_HOME), began=FRIDAY + 6 * HOUR)
    assert deadlines.explain_standstill(late, late.began + 3 * DAY + HOUR) == ""


def test_the_terms_say_days_and_hours_of_the_reader() -> None:
    with timezone.override("Asia/Tokyo"):
        assert deadlines.explain_deadline(turn()) == ("3 days from Sat 21 Nov, 02:10",)
