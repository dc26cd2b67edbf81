"""A league, and the list of all leagues, as somebody sees them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.core.paginator import Page, Paginator
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Player
from games.access import Visitor
from games.words import times
from leagues.models import EntryState, League, LogEntry, Phase, Season
from leagues.pages.who import Who, who
from leagues.selectors import leagues as found
from leagues.words import agreed
from leagues.words.log import act

A_PAGE = 60
LATEST = 10
LOG_PAGE = 50


class LeagueLine(NamedTuple):
    """A league in a list."""

    name: str
    url: str
    kind: str  # what is played, on a line
    state: str


class Leagues(NamedTuple):
    """All leagues: where one can register, where something goes on, and the others."""

    open: list[LeagueLine]
    running: list[LeagueLine]
    closed: list[LeagueLine]


class LogLine(NamedTuple):
    """Who did what, when and why."""

    who: Who | None  # none for what happened by itself
    at: datetime
    act: str
    season: str
    reason: str


class SeasonLine(NamedTuple):
    """A season in a list."""

    name: str
    url: str
    state: str
    players: str


@dataclass(frozen=True, slots=True)
class Taking:
    """What a visitor can do about taking part in a season."""

    season: Season
    register: bool
    withdraw: bool
    stays: bool
    stay: bool  # whether that can be said
    withdrawing: str  # what it does

    @property
    def anything(self) -> bool:
        return self.register or self.withdraw


@dataclass(frozen=True, slots=True)
class LeaguePage:
    """A league with its seasons."""

    league: League
    founder: Who
    facts: agreed.Facts
    current: Season | None
    current_url: str
    state: str
    taking: Taking | None
    players: list[Who]  # who has registered, as many as fit
    more: int  # how many others there are
    seasons: list[SeasonLine]
    log: list[LogLine]


def all_leagues(now: datetime) -> Leagues:
    """Every league on one line."""
    running = found.in_phase(Phase.RUNNING).order_by("ends", "pk")
    opened = found.in_phase(Phase.REGISTRATION).order_by("begins", "pk")
    return Leagues(
        open=[_line(season.league, season, now) for season in opened],
        running=[_line(season.league, season, now) for season in running],
        closed=[_line(league, None, now) for league in found.closed_leagues()],
    )


def _line(league: League, season: Season | None, now: datetime) -> LeagueLine:
    settings = season.settings if season else league.settings
    state = state_of(season, now) if season else ""
    if season is not None:
        state = f"{state} {players(season)}."
    return LeagueLine(
        league.name, reverse("league:league", args=[league.slug]), agreed.in_short(settings), state
    )


def page_of(league: League, visitor: Visitor, now: datetime) -> LeaguePage:
    """*league* as *visitor* sees it."""
    seasons = list(found.seasons_of(league))
    alive = (Phase.REGISTRATION, Phase.RUNNING)
    current = next((season for season in seasons if season.phase in alive), None)
    registered, more = [], 0
    if current is not None and current.phase == Phase.REGISTRATION:
        registered = [who(entry.player) for entry in found.registered(current)[:A_PAGE]]
        more = max(0, count_of(current) - len(registered))
    return LeaguePage(
        league=league,
        founder=who(league.founder),
        facts=agreed.facts(current.settings if current else league.settings),
        current=current,
        current_url=reverse("league:season", args=[league.slug, current.number]) if current else "",
        state=state_of(current, now) if current else _("No season is open."),
        taking=taking(current, visitor) if current else None,
        players=registered,
        more=more,
        seasons=[season_line(season, now) for season in seasons if season is not current],
        log=[log_line(entry) for entry in found.log_of(league)[:LATEST]],
    )


def log_page(league: League, number: str | int | None) -> tuple[Page[LogEntry], list[LogLine]]:
    """The part of the log of *league* with this *number*."""
    page = Paginator(found.log_of(league), LOG_PAGE).get_page(number)
    return page, [log_line(entry) for entry in page]


def log_line(entry: LogEntry) -> LogLine:
    season = season_name(entry.season) if entry.season else ""
    return LogLine(who(entry.who) if entry.who else None, entry.at, act(entry.act), season, entry.reason)


def season_name(season: Season) -> str:
    return _("Season {n}").format(n=season.number)


def season_line(season: Season, now: datetime) -> SeasonLine:
    url = reverse("league:season", args=[season.league.slug, season.number])
    return SeasonLine(season_name(season), url, state_of(season, now), players(season))


def count_of(season: Season) -> int:
    """Of a season from ``leagues.selectors``: how many play in it."""
    count: int = season.players  # type: ignore[attr-defined]
    return count


def players(season: Season) -> str:
    count = count_of(season)
    return ngettext("{n} player", "{n} players", count).format(n=count)


def state_of(season: Season, now: datetime) -> str:
    """How far *season* has come, as a sentence."""
    if season.phase == Phase.REGISTRATION:
        left = times.duration(season.begins - now)
        if season.begins <= now:
            return _("Registration ends just now.")
        return _("Open for registration, {time} left.").format(time=left)
    if season.phase == Phase.RUNNING:
        if season.ends <= now:
            return _("The last games are being settled.")
        return _("Running, ends in {time} at the latest.").format(time=times.duration(season.ends - now))
    return f"{season.get_phase_display().capitalize()}."


def taking(season: Season, visitor: Visitor) -> Taking | None:
    """What *visitor* can do about *season*; nothing for strangers, programs, and when it is over."""
    if not isinstance(visitor, Player) or visitor.is_bot:
        return None
    entry = found.own_entry(season, visitor)
    there = entry is not None and entry.state != EntryState.WITHDRAWN
    opened = season.phase == Phase.REGISTRATION
    return Taking(
        season=season,
        register=opened and not there,
        withdraw=there and (opened or season.running),
        stay=there and (opened or season.running),
        stays=there and entry is not None and entry.stays,
        withdrawing=str(agreed.WITHDRAWN[season.settings.standings.withdrawn]),
    )
