"""Tests of times in short form."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone, translation

from games.words.times import format_duration, format_moment

NOW = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("length", "told"),
    [
        (timedelta(days=9, hours=5), "9 d"),
        (timedelta(days=3), "3 d"),
        (timedelta(days=2, hours=23, minutes=59), "2 d 23 h"),
        (timedelta(days=1, minutes=30), "1 d"),
        (timedelta(hours=6, minutes=59), "6 h"),
        (timedelta(minutes=59, seconds=59), "59 min"),
        (timedelta(0), "0 min"),
        (timedelta(days=-1), "0 min"),
    ],
)
def test_a_duration_is_rounded_down_to_what_matters(length: timedelta, told: str) -> None:
    assert format_duration(length) == told


@pytest.mark.parametrize(
    ("at", "told"),
    [
        (NOW - timedelta(hours=3), "today, 09:00"),
        (NOW - timedelta(hours=13), "yesterday, 23:00"),
        (NOW - timedelta(days=2), "1 March"),
        (NOW - timedelta(days=400), "27 January 2025"),
    ],
)
def test_a_moment_is_told_by_the_day(at: datetime, told: str) -> None:
    with timezone.override("UTC"):
        assert format_moment(at, NOW) == told


def test_days_are_those_of_the_reader() -> None:
    with timezone.override("Pacific/Auckland"):  # 13 hours on: the evening before is this morning
        assert format_moment(NOW - timedelta(hours=13), NOW) == "yesterday, 12:00"
        assert format_moment(NOW - timedelta(hours=1), NOW) == "today, 00:00"


@pytest.mark.parametrize(
    ("language", "told"),
    [("pl", "1 marca"), ("sk", "1. 3."), ("is", "1. mars"), ("ru", "1 марта")],
)
def test_other_languages_write_days_as_they_do(language: str, told: str) -> None:
    with timezone.override("UTC"), translation.override(language):
        assert format_moment(NOW - timedelta(days=2), NOW) == told
