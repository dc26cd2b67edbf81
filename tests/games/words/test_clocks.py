"""Tests of clocks and timeouts in words."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.utils import timezone, translation

from games.clocks import DAY, HOUR, LAST_STEPS, PRESETS, ClockSettings, Counting, Ladder, TimeoutStep
from games.rules import RuleSet
from games.words import clocks
from tests.cases import for_each

STEADY = PRESETS["steady"]
TWO, THREE = RuleSet.of(seats=2), RuleSet.of(seats=3)
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
LANGUAGES = [code for code, _name in settings.LANGUAGES]
EVERY_VALUE = ClockSettings(
    start=36 * HOUR,
    gain=12 * HOUR,
    cap=3 * DAY,
    grace=DAY,
    surcharge_after=2 * DAY,
    total=20 * DAY,
    ends=datetime(2027, 3, 14, 22, 59, tzinfo=UTC),
    weekends=Counting.STOP,
)


@pytest.mark.parametrize(
    ("clock", "said"),
    [
        (PRESETS["relaxed"], "7 days for each turn; holidays stop the clock."),
        (ClockSettings.per_move(1), "1 day for each turn; holidays don't stop the clock."),
        (
            STEADY,
            "3 days at first, 1 day more with each turn, up to 7 days; the first 12 hours of a turn are "
            "free; holidays stop the clock.",
        ),
        (
            PRESETS["classic"],
            "30 days at first, 3 days more with each turn, up to 60 days; what a turn takes beyond 20 days "
            "counts double; holidays stop the clock.",
        ),
        (
            EVERY_VALUE,
            "36 hours at first, 12 hours more with each turn, up to 3 days; the first day of a turn is "
            "free; what a turn takes beyond 2 days counts double; 20 days for the whole game; no turn "
            "can run past 14 March 2027, 23:59; a game that isn't finished by then is won by the player who "
            "used less time; weekends and holidays stop the clock.",
        ),
    ],
    ids=["relaxed", "a day", "steady", "classic", "everything"],
)
def test_a_clock_is_one_sentence(clock: ClockSettings, said: str) -> None:
    with timezone.override("Europe/Warsaw"):
        assert clocks.format_clock(clock) == said


@pytest.mark.parametrize(
    ("ladder", "seats", "steps"),
    [
        (
            Ladder.usual(2),
            2,
            "1 time-out is excused; then a day of holiday starts automatically; then the game is lost",
        ),
        (
            Ladder(excuses=3, holiday=False, last=TimeoutStep.SUBSTITUTE),
            4,
            "3 time-outs are excused; then the seat is offered to a substitute",
        ),
        (Ladder(excuses=0, holiday=False), 3, "the seat is lost, and the house bot plays on for it"),
        (
            Ladder(excuses=0, holiday=False, last=TimeoutStep.CLAIM),
            2,
            "the opponent may claim the win or give more time",
        ),
    ],
)
def test_a_ladder_is_one_sentence(ladder: Ladder, seats: int, steps: str) -> None:
    assert clocks.explain_time_out(STEADY, ladder, seats) == f"When a player runs out of time: {steps}."


def test_no_holiday_is_promised_that_does_not_help() -> None:
    told = clocks.explain_time_out(ClockSettings.per_move(3), Ladder.usual(2), 2)
    assert told == "When a player runs out of time: 1 time-out is excused; then the game is lost."


def test_the_worst_case_end_is_a_day() -> None:
    with timezone.override("Europe/Warsaw"):
        told = clocks.build_agreement(EVERY_VALUE, Ladder.usual(2), TWO, began=NOW).latest_end
        assert told == "Not counting pauses, it ends by 15 March 2027."
    endless = replace(PRESETS["classic"], gain=400 * DAY, cap=400 * DAY, grace=60 * DAY)
    assert clocks.build_agreement(endless, Ladder.usual(2), TWO, began=NOW).latest_end == ""


def test_an_agreement_says_what_reliability_it_asks_for() -> None:
    asked = clocks.build_agreement(STEADY, Ladder.usual(2), TWO, began=None, min_reliability=90)
    assert asked.reliability == "You need a reliability of at least 90% to take a seat."
    assert asked.text == f"{asked.line} {asked.clock} {asked.time_out} {asked.reliability}"
    nothing = clocks.build_agreement(STEADY, Ladder.usual(2), TWO, began=None)
    assert nothing.sentences == (nothing.clock, nothing.time_out)


@pytest.mark.parametrize(
    ("least", "most", "told"),
    [
        (None, None, ""),
        (1400, None, "For ratings from 1400."),
        (None, 1700, "For ratings up to 1700."),
        (1400, 1700, "For ratings 1400 to 1700."),
        (0, 1700, "For ratings 0 to 1700."),
    ],
)
def test_an_agreement_says_for_which_ratings_it_is(least: int | None, most: int | None, told: str) -> None:
    asked = clocks.build_agreement(
        STEADY, Ladder.usual(2), TWO, began=None, min_rating=least, max_rating=most
    )
    assert asked.ratings == told
    assert asked.sentences == tuple(filter(None, (asked.clock, asked.time_out, told)))


@for_each("language", LANGUAGES)
@for_each("clock", [*PRESETS.values(), EVERY_VALUE])
def test_every_language_says_all_of_it(language: str, clock: ClockSettings) -> None:
    with translation.override(language):
        for last in LAST_STEPS:
            ladder = Ladder(excuses=2, last=last)
            told = clocks.build_agreement(
                clock, ladder, THREE, began=NOW, min_reliability=80, max_rating=1700
            )
            assert all(told)
            assert "{" not in told.text and "{" not in told.line
            for value in (clock.start, clock.gain, clock.cap):
                assert _number(value) in told.clock


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("pl", ["1 dzień", "2 dni", "5 dni", "22 dni"]),
        ("sk", ["1 deň", "2 dni", "5 dní", "22 dní"]),
        ("is", ["1 dagur", "2 dagar", "5 dagar", "22 dagar"]),
        ("ru", ["1 день", "2 дня", "5 дней", "22 дня"]),
    ],
)
def test_spans_have_the_plurals_of_their_language(language: str, said: list[str]) -> None:
    with translation.override(language):
        told = [clocks.format_clock(ClockSettings.per_move(n)) for n in (1, 2, 5, 22)]
    for sentence, span in zip(told, said, strict=True):
        assert sentence.startswith(f"{span} ")


def _number(span: timedelta) -> str:
    return str(span // HOUR if span % DAY else span // DAY)
