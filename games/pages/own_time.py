"""The calendar of a player's own time: months with deadlines, holidays and weekends."""

from __future__ import annotations

from calendar import Calendar
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import Any

from django.utils import timezone

from accounts.models import Player
from games import clocks
from games.models import Game
from games.pages.parts.player_summary import build_player_summary
from games.selectors.holidays import load_own_time

MONTHS = 2
INSTANT = timedelta(microseconds=1)
WEEK = [date(2024, 1, day) for day in range(1, 8)]  # it began on a Monday

Day = tuple[date, list[Game]]
"""A day with the games whose deadlines are on it."""


def build_context(player: Player, now: datetime) -> dict[str, Any]:
    """Build the template context of the page of *player* in the active time zone."""
    own = load_own_time(player, now)
    waiting = [game for game in own.waiting if game.deadline is not None]
    today = timezone.localtime(now).date()
    return {
        "now": now,
        "today": today,
        "week": WEEK,
        "months": list(_list_months(today, waiting)),
        "away": {day for holiday in own.holidays for day in _list_days(holiday.begin, holiday.end)},
        "stopped": set(_list_days(own.emergency.begin, own.emergency.end)) if own.emergency else set(),
        "own": own,
        "holidays": [(holiday, clocks.holiday_shortened(holiday.piece, now=now)) for holiday in own.holidays],
        "known": build_player_summary(player, now),
    }


def _list_months(today: date, waiting: Iterable[Game]) -> Iterator[tuple[date, list[list[Day]]]]:
    """Yield the first day of each month, and its weeks from Monday on, which may begin or end outside it."""
    due: dict[date, list[Game]] = defaultdict(list)
    for game in waiting:
        assert game.deadline is not None
        due[timezone.localtime(game.deadline).date()].append(game)
    first = today.replace(day=1)
    for _number in range(MONTHS):
        weeks = Calendar().monthdatescalendar(first.year, first.month)
        yield first, [[(day, due[day]) for day in days] for days in weeks]
        first = (first + timedelta(days=31)).replace(day=1)


def _list_days(begin: datetime, end: datetime) -> Iterator[date]:
    """Yield the days of which a part lies between *begin* and *end*, in the reader's zone."""
    day, last = timezone.localtime(begin).date(), timezone.localtime(end - INSTANT).date()
    while day <= last:
        yield day
        day += timedelta(days=1)
