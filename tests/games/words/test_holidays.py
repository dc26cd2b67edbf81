"""Tests of what is said beside players' names about their habits."""

from datetime import timedelta

import pytest

from games.clocks import Reliability
from games.words.holidays import format_usual_time


@pytest.mark.parametrize(
    ("taken", "said"),
    [
        (timedelta(seconds=20), "usually plays within the hour"),
        (timedelta(minutes=59), "usually plays within the hour"),
        (timedelta(minutes=61), "usually plays within 2 hours"),
        (timedelta(hours=23, minutes=30), "usually plays within 24 hours"),
        (timedelta(hours=25), "usually plays within 2 days"),
    ],
)
def test_a_usual_time_is_rounded_up(taken: timedelta, said: str) -> None:
    known = Reliability()
    for _ in range(10):
        known = known.after(taken)
    assert format_usual_time(known) == said


def test_nothing_is_said_after_few_turns() -> None:
    assert format_usual_time(Reliability().after(timedelta(hours=1))) == ""
