"""Times in words, mostly abbreviated for lists."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
IN_DAYS = timedelta(days=3)
"""Duration from which on days are shown without hours."""
MOST_DAYS = 300
"""Number of days from which on a date is shown with its year."""


def format_duration(length: timedelta) -> str:
    """*length*, rounded down to what matters: "2 d 4 h", "6 h", "40 min"."""
    days, rest = divmod(max(length, timedelta()), DAY)
    hours, minutes = rest // HOUR, rest // timedelta(minutes=1)
    if days and (length >= IN_DAYS or not hours):
        return pgettext("a short duration", "{days} d").format(days=days)
    if days:
        return pgettext("a short duration", "{days} d {hours} h").format(days=days, hours=hours)
    if hours:
        return pgettext("a short duration", "{hours} h").format(hours=hours)
    return pgettext("a short duration", "{minutes} min").format(minutes=minutes)


def format_compact(length: timedelta) -> str:
    """*length* in its two largest units, without what is zero: "2 d 14 h", "3 d", "14 h 5 min"."""
    days, rest = divmod(max(length, timedelta()), DAY)
    hours, minutes = rest // HOUR, rest % HOUR // MINUTE
    if days and hours:
        return pgettext("a short duration", "{days} d {hours} h").format(days=days, hours=hours)
    if days:
        return pgettext("a short duration", "{days} d").format(days=days)
    if hours and minutes:
        return pgettext("a short duration", "{hours} h {minutes} min").format(hours=hours, minutes=minutes)
    if hours:
        return pgettext("a short duration", "{hours} h").format(hours=hours)
    return pgettext("a short duration", "{minutes} min").format(minutes=minutes)


def format_span(length: timedelta) -> str:
    """*length* to the minute: "3 days", "1 day 5 hours 12 minutes"; what is less is cut off."""
    days, rest = divmod(length, DAY)
    hours, minutes = rest // HOUR, rest % HOUR // MINUTE
    parts = []
    if days:
        parts.append(ngettext("{n} day", "{n} days", days).format(n=days))
    if hours:
        parts.append(ngettext("{n} hour", "{n} hours", hours).format(n=hours))
    if minutes or not parts:
        parts.append(ngettext("{n} minute", "{n} minutes", minutes).format(n=minutes))
    return " ".join(parts)


def format_when(at: datetime) -> str:
    """Say when *at* is in the reader's zone, with the year and the time."""
    return date_format(timezone.localtime(at), "DATETIME_FORMAT")


def format_when_and_zone(at: datetime) -> str:
    """Say when *at* is in the reader's zone, and name the zone, for what is read away from the site."""
    return f"{format_when(at)} ({timezone.localtime(at).tzname()})"


def format_instant(at: datetime) -> str:
    """Say when *at* is in the reader's zone, as short as can be."""
    return date_format(timezone.localtime(at), "SHORT_DATETIME_FORMAT")


def format_day(at: datetime) -> str:
    """Say on which day *at* is in the reader's zone, with the year."""
    return date_format(timezone.localtime(at), "DATE_FORMAT")


def format_moment(at: datetime, now: datetime) -> str:
    """Say when something was, in the reader's zone: "today, 09:12", "yesterday, 18:30", "3 March".

    The year is told where it is not clear.
    """
    local = timezone.localtime(at)
    days = (timezone.localtime(now).date() - local.date()).days
    if days == 0:
        return _("today, {time}").format(time=time_format(local, "TIME_FORMAT"))
    if days == 1:
        return _("yesterday, {time}").format(time=time_format(local, "TIME_FORMAT"))
    return date_format(local, "MONTH_DAY_FORMAT" if days < MOST_DAYS else "DATE_FORMAT")
