"""A player's private feeds: news for feed readers, and a calendar. And the page with their addresses."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from itertools import chain
from typing import NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import feed_secrets
from accounts.models import FeedSecret, Player
from core import hooks
from core.calendars import CalendarEvent, render_calendar
from core.hooks import PageLink
from games.models import Game, Holiday, Notice
from games.pages.own_mails import link_notices
from games.selectors.holidays import load_personal_time, load_shown_holidays
from games.selectors.own_notices import LATEST, load_news
from games.selectors.waiting import load_waiting_games
from games.words.grammar import capitalise
from games.words.times import format_when

ALARM = timedelta(hours=3)
"""Time before a deadline at which a calendar may ring."""

RELOAD = timedelta(hours=1)
"""Interval at which calendars are asked to reload."""


class FeedAddresses(NamedTuple):
    """Addresses of the private feeds of a player, and since when they work."""

    news: str
    calendar: str
    subscribe: str  # link to the calendar that opens a calendar program
    made: datetime


class NewsEntry(NamedTuple):
    """An entry of the news feed: a game in which it is the player's turn, or a notice."""

    id: str
    at: datetime
    title: str
    text: str
    url: str


def build_addresses(secret: FeedSecret) -> FeedAddresses:
    token = feed_secrets.build_token(secret)
    news, calendar = (
        settings.SITE_URL + reverse(f"games:{name}", args=[token])
        for name in ("private_news", "private_calendar")
    )
    return FeedAddresses(news, calendar, f"webcal:{calendar.partition(':')[2]}", secret.made)


def list_news(player: Player, now: datetime) -> list[NewsEntry]:
    """Return the latest of *player*'s news, newest first. Four queries, and a fixed number for each kind of
    notice that is not about a game."""
    waiting = map(_build_turn_entry, load_waiting_games(player))
    notices = load_news(player, now)
    links = link_notices(notices, player)
    told = (_build_notice_entry(notice, links.get(notice.pk)) for notice in notices)
    return sorted(chain(waiting, told), key=lambda entry: (entry.at, entry.id), reverse=True)[:LATEST]


def _build_turn_entry(game: Game) -> NewsEntry:
    assert game.turn_began is not None
    said = _("The clock stands still.")
    if game.deadline is not None:
        said = _("Please play by {when}.").format(when=format_when(game.deadline))
    title = _("Your turn: {game}").format(game=game.name)
    return NewsEntry(_name_turn(game), game.turn_began, title, said, _link(game))


def _build_notice_entry(notice: Notice, link: PageLink | None) -> NewsEntry:
    title = kind = capitalise(notice.get_kind_display())
    if link is not None:
        title = _("{what}: {where}").format(what=kind, where=link.name)
    url = reverse("games:mails") if link is None else link.url
    return NewsEntry(f"notice-{notice.pk}", notice.due, title, _describe_mail(notice), url)


def _describe_mail(notice: Notice) -> str:
    if notice.sent is None:
        return ""
    return _("There's more in the mail we sent you on {when}.").format(when=format_when(notice.sent))


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
        id=_name_turn(game),
        begins=game.deadline,
        title=_("Deadline: {game}").format(game=game.name),
        path=_link(game),
        changed=game.turn_began,
        times_changed=game.version + moved,
        text=_("It's your turn. Your time runs out now."),
        alarm=ALARM,
    )


def _build_holiday(holiday: Holiday, moved: int) -> CalendarEvent:
    begin, end = timezone.localtime(holiday.begin), timezone.localtime(holiday.end)
    whole = begin.time() == end.time() == time()
    return CalendarEvent(
        id=f"holiday-{holiday.pk}",
        begins=begin.date() if whole else holiday.begin,
        ends=end.date() if whole else holiday.end,
        title=_("{site}: holiday").format(site=settings.SITE_NAME),
        path=reverse("games:time"),
        changed=holiday.entered,
        times_changed=moved,
    )


def _name_turn(game: Game) -> str:
    """Return an identifier of the current turn; each turn of a game has its own."""
    return f"turn-{game.code}-{game.turn_version}"


def _link(game: Game) -> str:
    return reverse("games:table", args=[game.code])
