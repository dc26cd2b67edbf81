"""Times in the few letters that a list has room for."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
IN_DAYS = timedelta(days=3)
"""From here on hours are not told beside days."""
MOST_DAYS = 300
"""From here on a year is told beside a date."""


def duration(length: timedelta) -> str:
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


def moment(at: datetime, now: datetime) -> str:
    """When something was, in the reader's zone: "today, 09:12", "yesterday, 18:30", "3 March".

    The year is told where it is not clear.
    """
    local = timezone.localtime(at)
    days = (timezone.localtime(now).date() - local.date()).days
    if days == 0:
        return _("today, {time}").format(time=time_format(local, "TIME_FORMAT"))
    if days == 1:
        return _("yesterday, {time}").format(time=time_format(local, "TIME_FORMAT"))
    return date_format(local, "MONTH_DAY_FORMAT" if days < MOST_DAYS else "DATE_FORMAT")
