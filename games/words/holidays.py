"""Absences and reliability of players, in a few words beside their names."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games.clocks import Reliability

from .times import MOST_DAYS, format_duration

INSTANT = timedelta(microseconds=1)


def format_holiday(begin: datetime, end: datetime, now: datetime) -> str:
    """Format a current or future holiday: "on holiday until 3 January", "holiday from 24 December"."""
    if begin <= now:
        return _("on holiday until {day}").format(day=format_last_day(end, now))
    return _("holiday from {day}").format(day=format_first_day(begin, now))


def format_emergency(end: datetime, now: datetime) -> str:
    """Say that somebody has stopped all their games."""
    return _("away after an emergency, until {day}").format(day=format_last_day(end, now))


def format_first_day(begin: datetime, now: datetime) -> str:
    """The day of *begin*, in the reader's zone; with its year where that is far away."""
    local = timezone.localtime(begin)
    far = abs((local.date() - timezone.localtime(now).date()).days) >= MOST_DAYS
    return date_format(local, "DATE_FORMAT" if far else "MONTH_DAY_FORMAT")


def format_last_day(end: datetime, now: datetime) -> str:
    """The last day of what lasts up to *end*, in the reader's zone."""
    return format_first_day(end - INSTANT, now)


def format_reliability(known: Reliability) -> str:
    """The share of turns in time; empty where it says nothing yet."""
    share = known.per_cent
    return "" if share is None else _("turns in time: {n} %").format(n=share)


def format_usual_time(known: Reliability) -> str:
    """Say how long a player usually takes for a turn; empty where it is not known."""
    usual = known.usual_time
    return "" if usual is None else _("about {time} a turn").format(time=format_duration(usual))
