"""Tests of the formats of dates and time spans in each language."""

import re
from datetime import datetime, timedelta

import pytest
from django.conf import settings
from django.utils import translation
from django.utils.formats import date_format
from django.utils.timesince import timeuntil

from tests.cases import for_each

AT = datetime(2026, 11, 24, 20, 33)
WORD = re.compile(r"[^\W\d]+")


@pytest.mark.parametrize(
    ("language", "short", "day", "moment"),
    [
        ("en", "Tue 24 Nov, 20:33", "24 November 2026", "24 November 2026, 20:33"),
        ("pl", "wt 24 lis, 20:33", "24 listopada 2026", "24 listopada 2026 20:33"),
        ("sk", "ut 24. nov, 20:33", "24. 11. 2026", "24. 11. 2026 20:33"),
        ("is", "þri 24. nóv, 20:33", "24. nóvember 2026", "24. nóvember 2026, 20:33"),
        ("ru", "вт 24 ноя, 20:33", "24 ноября 2026 г.", "24 ноября 2026 г. 20:33"),
    ],
)
def test_the_day_comes_before_the_month_and_hours_count_to_24(
    language: str, short: str, day: str, moment: str
) -> None:
    with translation.override(language):
        assert date_format(AT, "SHORT_DATETIME_FORMAT") == short
        assert date_format(AT, "DATE_FORMAT") == day
        assert date_format(AT, "DATETIME_FORMAT") == moment


@for_each("language", [code for code, _ in settings.LANGUAGES if code != "en"])
@for_each("day", range(7))
def test_days_of_the_week_have_no_capital_in_mid_sentence(language: str, day: int) -> None:
    with translation.override(language):
        for way in ("l", "D"):
            name = date_format(AT + timedelta(days=day), way)
            assert name and name == name.lower()


@for_each("language", [code for code, _ in settings.LANGUAGES if code != "en"])
@for_each("span", [timedelta(days=400), timedelta(days=9), timedelta(hours=50), timedelta(minutes=61)])
def test_what_is_left_is_told_in_every_language(language: str, span: timedelta) -> None:
    english = timeuntil(AT + span, AT)
    with translation.override(language):
        assert not set(WORD.findall(timeuntil(AT + span, AT))) & set(WORD.findall(english))
