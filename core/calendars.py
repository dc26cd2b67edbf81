"""Calendars in the iCalendar format (RFC 5545), for programs that subscribe to them.

Times are written in UTC, which every program converts: rules of time zones can't be out of date.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.conf import settings
from icalendar import Alarm, Calendar, Event, vDuration

from core.outputs import clean_for_calendar

PRODUCER = "-//carcassonne-by-correspondence//{kind}//EN"


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """Event of a calendar. ``begins`` and ``ends`` are both instants, or both days, of which the last is
    exclusive (RFC 5545, section 3.6.1)."""

    id: str  # on this site
    begins: datetime | date
    title: str
    path: str  # of its page
    changed: datetime
    times_changed: int = 0  # never decreases: programs keep the event with the larger number
    ends: datetime | date | None = None
    text: str = ""
    alarm: timedelta | None = None  # time before it begins


def render_calendar(
    name: str, kind: str, events: Iterable[CalendarEvent], *, reload: timedelta | None = None
) -> bytes:
    """Return the calendar *name* as iCalendar. *kind* is part of its product id; *reload* is how often
    programs should refresh it."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCER.format(kind=kind))
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", clean_for_calendar(name))
    if reload is not None:
        calendar.add("refresh-interval", vDuration(reload), parameters={"value": "DURATION"})  # RFC 7986, 5.7
        calendar.add("x-published-ttl", vDuration(reload))  # the same before there was a standard
    for event in events:
        calendar.add_component(_build_event(event))
    written: bytes = calendar.to_ical()
    return written


def _build_event(event: CalendarEvent) -> Event:
    built = Event()
    built.add("uid", f"{event.id}@{settings.SITE_HOST}")
    built.add("dtstart", _to_utc(event.begins))
    if event.ends is not None:
        built.add("dtend", _to_utc(event.ends))
    built.add("summary", clean_for_calendar(event.title))
    url = settings.SITE_URL + event.path
    built.add("url", url)
    if event.text:
        built.add("description", f"{clean_for_calendar(event.text)}\n{url}")
    built.add("dtstamp", _to_utc(event.changed))
    built.add("last-modified", _to_utc(event.changed))
    built.add("sequence", event.times_changed)
    built.add("transp", "TRANSPARENT")  # nobody is busy then, on holiday from games least of all
    if event.alarm is not None:
        built.add_component(_build_alarm(event, event.alarm))
    return built


def _build_alarm(event: CalendarEvent, before: timedelta) -> Alarm:
    built = Alarm()
    built.add("action", "DISPLAY")
    built.add("description", clean_for_calendar(event.title))
    built.add("trigger", -before)
    return built


def _to_utc(at: datetime | date) -> datetime | date:
    return at.astimezone(UTC) if isinstance(at, datetime) else at
