"""A player's private calendar."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import chain

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Player
from core.calendars import CalendarEvent, render_calendar
from games import hooks
from games.clocks import DAY
from games.models import Game, Holiday
from games.selectors.holidays import load_personal_time, load_shown_holidays
from games.selectors.waiting import load_waiting_games

ALARM = timedelta(hours=3)
"""Time before a deadline at which a calendar may ring."""

RELOAD = timedelta(hours=1)
"""Interval at which calendars are asked to reload."""


def build_calendar(player: Player, now: datetime) -> bytes:
    """Return the calendar of *player*: deadlines, holidays, and what other applications add."""
    moved = getattr(load_personal_time(player), "changes", 0)
    events = chain(
        (event for game in load_waiting_games(player) for event in _list_deadlines(game, moved)),
        (_build_holiday(holiday, moved) for holiday in load_shown_holidays(player, now)),
        chain.from_iterable(source(player) for source in hooks.CALENDARS),
    )
    name = _("{player} at {site}").format(player=player, site=settings.SITE_NAME)
    return render_calendar(name, "players", events, reload=RELOAD)


def _list_deadlines(game: Game, moved: int) -> Iterator[CalendarEvent]:
    """Yield the deadline of *game*, if a clock runs. It counts moves and *moved* holidays as its changes."""
    if game.deadline is None:
        return
    assert game.turn_began is not None
    yield CalendarEvent(
        id=name_turn(game),
        begins=game.deadline,
        title=_("Deadline: {game}").format(game=game.name),
        path=game.get_absolute_url(),
        changed=game.turn_began,
        times_changed=game.version + moved,
        text=_("It's your turn. Your time runs out now."),
        alarm=ALARM,
    )


def _build_holiday(holiday: Holiday, moved: int) -> CalendarEvent:
    days = _find_whole_days(holiday)
    return CalendarEvent(
        id=f"holiday-{holiday.pk}",
        begins=holiday.begin if days is None else days[0],
        ends=holiday.end if days is None else days[1],
        title=_("{site}: holiday").format(site=settings.SITE_NAME),
        path=holiday.get_absolute_url(),
        changed=holiday.entered,
        times_changed=moved,
    )


def _find_whole_days(holiday: Holiday) -> tuple[date, date] | None:
    """Return the first day of *holiday* and the day after its last, if it consists of whole days; some have
    no midnight, and one that is an hour shorter or longer may end beside it (``HolidayForm.piece``)."""
    first = timezone.localtime(holiday.begin).date()
    if holiday.begin != _find_start(first):
        return None
    end = timezone.localtime(holiday.end).date()
    if holiday.end == _find_start(end):
        return first, end
    length = holiday.end - holiday.begin
    return None if length % DAY else (first, first + length)


def _find_start(day: date) -> datetime:
    """Return the first instant of a local day, in UTC: an hour that the clock skips equals none in another
    zone (PEP 495)."""
    return timezone.make_aware(datetime.combine(day, time())).astimezone(UTC)


def name_turn(game: Game) -> str:
    """Return an identifier of the current turn; each turn of a game has its own."""
    return f"turn-{game.code}-{game.turn_version}"
