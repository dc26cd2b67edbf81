"""Filters for formats that exist as functions, for links to rows, and for values that come from JSON."""

from collections.abc import Hashable, Mapping
from datetime import datetime, timedelta
from typing import Protocol

from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString

from core.numerals import format_hundredths, format_percent, format_signed
from games.models import SeatState
from games.words.grammar import format_ordinal
from games.words.holidays import format_days
from games.words.scores import format_points
from games.words.times import format_compact, format_day, format_duration, format_instant, format_span

register = template.Library()
register.filter("compact", format_compact)
register.filter("day", format_day)
register.filter("days", format_days)
register.filter("duration", format_duration)
register.filter("hundredths", format_hundredths)
register.filter("instant", format_instant)
register.filter("ordinal", format_ordinal)
register.filter("percent", format_percent)
register.filter("points", format_points)
register.filter("seat_state", lambda state: SeatState(state).label)
register.filter("signed", format_signed)
register.filter("span", format_span)


@register.filter
def until(instant: datetime, now: datetime) -> timedelta:
    """The time from *now* until *instant*."""
    return instant - now


@register.filter
def seconds(number: float) -> timedelta:
    """The duration of so many seconds."""
    return timedelta(seconds=number)


@register.filter
def parse_instant(text: str) -> datetime:
    """The instant that is stored as *text* in ISO 8601."""
    return datetime.fromisoformat(text)


@register.filter
def look_up(values: Mapping[Hashable, object], key: Hashable) -> object:
    """The value of *key*; empty if there is none."""
    return values.get(key, "")


class Addressed(Protocol):
    """A row with a page of its own, which is named by its text."""

    def get_absolute_url(self) -> str: ...


@register.filter
def link(row: Addressed) -> SafeString:
    """Link *row* by its name; only the name where it has no page, as a closed account."""
    url = row.get_absolute_url()
    return format_html('<a href="{}">{}</a>', url, row) if url else conditional_escape(str(row))
