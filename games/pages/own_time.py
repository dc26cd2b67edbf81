"""The page of a player's own time: a calendar of deadlines, holidays and weekends."""

from __future__ import annotations

from calendar import Calendar
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _

from accounts.models import Player
from games import clocks
from games.clocks import Piece
from games.models import Emergency, Game, Holiday
from games.pages.parts.player_summary import PlayerSummary, build_player_summary
from games.selectors.holidays import load_own_time
from games.words import holidays as words
from games.words.times import format_instant, format_span

MONTHS = 2
MOST_IN_A_DAY = 3
"""Maximum number of deadlines shown in a day."""

INSTANT = timedelta(microseconds=1)
WEEK = [date(2024, 1, day) for day in range(1, 8)]  # it began on a Monday


class DeadlineLink(NamedTuple):
    """A game and its address."""

    name: str
    url: str


class Deadline(NamedTuple):
    """The deadline of a game in which it is the player's turn."""

    game: DeadlineLink
    at: datetime
    time: str


class Day(NamedTuple):
    """A day of a month, in the player's zone."""

    date: date
    today: bool
    remarks: tuple[str, ...]  # the day's peculiarities in words, for those who can't see them
    css: str  # the same as classes, for those who can
    deadlines: tuple[Deadline, ...]
    more: int  # deadlines for which there is no room


class Month(NamedTuple):
    """A month in weeks from Monday on; days of other months are ``None``."""

    name: str
    weeks: tuple[tuple[Day | None, ...], ...]


class WeekDay(NamedTuple):
    """The head of a column."""

    short: str
    name: str


class EnteredHoliday(NamedTuple):
    """A holiday, and how it may still be changed."""

    pk: int
    days: str
    begins: bool  # it has begun, or is over
    over: bool
    automatic: bool
    until: str  # end of the holiday if it is cancelled now; empty if all of it goes, or nothing can

    cancel: bool


class Left(NamedTuple):
    """The rest of the allowance of a year."""

    year: int
    time: str


@dataclass(frozen=True, slots=True)
class OwnTimePage:
    """The page of one's own time."""

    week: tuple[WeekDay, ...]
    months: tuple[Month, ...]
    rest: str  # rest hours in a sentence
    holidays: tuple[EnteredHoliday, ...]
    left: tuple[Left, ...]
    waiting: tuple[Deadline, ...]
    unstopped: tuple[DeadlineLink, ...]
    emergency: Emergency | None
    emergency_again: datetime | None
    known: PlayerSummary


def build_own_time_page(player: Player, now: datetime) -> OwnTimePage:
    """Build the page of *player* in the active time zone."""
    own = load_own_time(player, now)
    waiting = tuple(_deadline(game, game.deadline) for game in own.waiting if game.deadline is not None)
    today = timezone.localtime(now).date()
    return OwnTimePage(
        week=tuple(WeekDay(date_format(day, "D"), date_format(day, "l")) for day in WEEK),
        months=tuple(_months(player, today, own.holidays, own.emergency, waiting)),
        rest=_rest(player),
        holidays=tuple(_build_holiday(one, now) for one in own.holidays),
        left=tuple(Left(year, format_span(left)) for year, left in own.left),
        waiting=waiting,
        unstopped=tuple(_link(game) for game in own.unstopped),
        emergency=own.emergency,
        emergency_again=own.emergency_again,
        known=build_player_summary(player, now),
    )


def _months(
    player: Player,
    today: date,
    holidays: Sequence[Holiday],
    emergency: Emergency | None,
    waiting: Iterable[Deadline],
) -> Iterable[Month]:
    due: dict[date, list[Deadline]] = defaultdict(list)
    for deadline in waiting:
        due[timezone.localtime(deadline.at).date()].append(deadline)
    away = {day for one in holidays for day in _days(one.begin, one.end)}
    stopped = set() if emergency is None else set(_days(emergency.begin, emergency.end))

    def build_day(day: date) -> Day:
        marks = [
            ("holiday", _("holiday"), day in away),
            ("stopped", _("all games stopped"), day in stopped),
            ("weekend", _("weekend"), day.weekday() in player.weekend_days),
            ("past", "", day < today),
        ]
        on = [(css, said) for css, said, is_on in marks if is_on]
        return Day(
            date=day,
            today=day == today,
            remarks=tuple(said for _css, said in on if said),
            css=" ".join(css for css, _said in on),
            deadlines=tuple(due[day][:MOST_IN_A_DAY]),
            more=len(due[day][MOST_IN_A_DAY:]),
        )

    first = today.replace(day=1)
    for _number in range(MONTHS):
        weeks = Calendar().monthdatescalendar(first.year, first.month)
        yield Month(
            date_format(first, "F Y"),  # the month by itself, as no sentence has it
            tuple(
                tuple(build_day(day) if day.month == first.month else None for day in week) for week in weeks
            ),
        )
        first = (first + timedelta(days=31)).replace(day=1)


def _days(begin: datetime, end: datetime) -> Iterable[date]:
    """The days of which a part lies between *begin* and *end*, in the reader's zone."""
    day, last = timezone.localtime(begin).date(), timezone.localtime(end - INSTANT).date()
    while day <= last:
        yield day
        day += timedelta(days=1)


def _deadline(game: Game, at: datetime) -> Deadline:
    return Deadline(_link(game), at, time_format(timezone.localtime(at), "TIME_FORMAT"))


def _link(game: Game) -> DeadlineLink:
    return DeadlineLink(game.name, reverse("games:table", args=[game.code]))


def _rest(player: Player) -> str:
    begin, end = player.rest_from, player.rest_to
    if begin is None or end is None or begin == end:
        return ""
    told = _("Your rest hours are {begin} to {end} every day: no deadline falls in them.")
    return told.format(begin=_clock(begin), end=_clock(end))


def _clock(at: time) -> str:
    return time_format(at, "TIME_FORMAT")


def _build_holiday(holiday: Holiday, now: datetime) -> EnteredHoliday:
    piece = Piece(holiday.begin, holiday.end)
    left = clocks.holiday_shortened(piece, now=now)
    over = holiday.end <= now
    until = "" if left is None else format_instant(left.end)
    return EnteredHoliday(
        pk=holiday.pk,
        days=_span(piece, now),
        begins=holiday.begin <= now,
        over=over,
        automatic=holiday.automatic,
        until=until,
        cancel=not over and left != piece,
    )


def _span(piece: Piece, now: datetime) -> str:
    """Format a span of time: as days if it begins and ends at midnight, otherwise with hours."""
    whole = all(timezone.localtime(at).time() == time() for at in piece)
    if whole:
        begin, end = words.format_first_day(piece.begin, now), words.format_last_day(piece.end, now)
        if begin == end:
            return begin
    else:
        begin, end = format_instant(piece.begin), format_instant(piece.end)
    return f"{begin} – {end}"
