"""Absences and reliability of players, in a few words beside their names."""

from __future__ import annotations

import math
from datetime import datetime, time, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.clocks import Piece, Reliability

from .times import DAY, HOUR, MOST_DAYS, format_instant

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


def format_days(piece: Piece, now: datetime) -> str:
    """Format a holiday: as days if it begins and ends at midnight, otherwise with hours."""
    if any(timezone.localtime(at).time() != time() for at in piece):
        begin, end = format_instant(piece.begin), format_instant(piece.end)
    else:
        begin, end = format_first_day(piece.begin, now), format_last_day(piece.end, now)
        if begin == end:
            return begin
    return f"{begin} – {end}"


def format_reliability(known: Reliability) -> str:
    """The share of turns in time; empty where it says nothing yet."""
    share = known.per_cent
    # xgettext:no-python-format
    return "" if share is None else _("{n}% on time").format(n=share)


def format_usual_time(known: Reliability) -> str:
    """Say within how many hours or days a player usually plays; empty where it is not known."""
    usual = known.usual_time
    if usual is None:
        return ""
    hours, days = math.ceil(usual / HOUR), math.ceil(usual / DAY)
    if hours <= 1:
        return _("usually plays within the hour")
    if days <= 1:
        return ngettext("usually plays within {n} hour", "usually plays within {n} hours", hours).format(
            n=hours
        )
    return ngettext("usually plays within {n} day", "usually plays within {n} days", days).format(n=days)
