"""A league, and the list of all leagues, as somebody sees them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.core.paginator import Page, Paginator
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Player
from accounts.references import show_rows
from games.access import Visitor
from games.words import times
from leagues.models import Entry, EntryState, League, LogEntry, Phase, Season
from leagues.pages import team
from leagues.pages.announcements import AnnouncementLine, latest
from leagues.pages.preview import Step, steps_of
from leagues.pages.who import Who, who
from leagues.seasons.joining import in_time
from leagues.seasons.registration import takes_newcomers
from leagues.seasons.waiting import full
from leagues.selectors import leagues as found
from leagues.words import agreed, log

A_PAGE = 60
LATEST = 10
EARLIER = 5
LEAGUES_PAGE = 30
LOG_PAGE = 50


class LeagueLine(NamedTuple):
    """A league in a list."""

    name: str
    url: str
    kind: str  # what is played, on a line
    state: str


@dataclass(frozen=True, slots=True)
class Leagues:
    """A page of all leagues: where one can register, where something goes on, and the others."""

    page: Page[League]
    searched: str
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
    details: str  # what was so before and after


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
    join: bool = False  # though it runs
    wait: bool = False  # for a place in the next season, or in this one that is full
    substitute: bool = False  # whether one can be ready to play for somebody who leaves
    place: str = ""  # of who waits already
    waits_following: bool = False
    waits_substitute: bool = False

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
    coming: list[Step]  # what comes next
    players: list[Who]  # who has registered, as many as fit
    more: int  # how many others there are
    seasons: list[SeasonLine]
    log: list[LogLine]
    desk_url: str  # for organisers
    announced: AnnouncementLine | None
    announcements_url: str
    teams: team.TakingTeams | None = None  # where teams play


def all_leagues(now: datetime, searched: str = "", number: str | int | None = None) -> Leagues:
    """The page with this *number* of the leagues that are *searched*, each on one line."""
    page = Paginator(found.leagues(searched), LEAGUES_PAGE).get_page(number)
    seasons = found.current_seasons(page)
    lines: dict[str, list[LeagueLine]] = {}
    for league in page:
        season = seasons.get(league.pk)
        lines.setdefault(season.phase if season else "", []).append(_line(league, season, now))
    return Leagues(
        page=page,
        searched=searched,
        open=lines.get(Phase.REGISTRATION, []),
        running=lines.get(Phase.RUNNING, []),
        closed=lines.get("", []),
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
    seasons = found.latest_seasons(league, EARLIER + 1)
    current = next((season for season in seasons if season.phase in found.ALIVE), None)
    own = found.own_entry(current, visitor) if current else None
    with_teams = current is not None and current.settings.teams is not None
    registered, more = [], 0
    if current is not None and current.phase == Phase.REGISTRATION:
        registered = [] if with_teams else [who(entry.player) for entry in found.registered(current)[:A_PAGE]]
        more = 0 if with_teams else max(0, count_of(current) - len(registered))
    return LeaguePage(
        league=league,
        founder=who(league.founder),
        facts=agreed.facts(current.settings if current else league.settings),
        current=current,
        current_url=reverse("league:season", args=[league.slug, current.number]) if current else "",
        state=state_of(current, now) if current else dormant(league),
        taking=taking(current, visitor, own, now) if current else None,
        coming=steps_of(current, own) if current else [],
        players=registered,
        more=more,
        seasons=[season_line(season, now) for season in seasons if season is not current],
        log=log_lines(found.log_of(league)[:LATEST]),
        desk_url=_desk_url(league, visitor),
        announced=latest(league),
        announcements_url=reverse("league:announcements", args=[league.slug]),
        teams=team.taking_of(current, visitor, now) if current and with_teams else None,
    )


def dormant(league: League) -> str:
    """Why no season of *league* is open."""
    return _("This league is closed.") if league.closed is not None else _("No season is open.")


def _desk_url(league: League, visitor: Visitor) -> str:
    """Where *visitor* finds the desk of *league*, which is from ``leagues.selectors``, if it is theirs."""
    named: bool = league.organised  # type: ignore[attr-defined]
    organises = named or (isinstance(visitor, Player) and visitor.is_superuser)
    return reverse("league:desk", args=[league.slug]) if organises else ""


def log_page(league: League, number: str | int | None) -> tuple[Page[LogEntry], list[LogLine]]:
    """The part of the log of *league* with this *number*."""
    page = Paginator(found.log_of(league), LOG_PAGE).get_page(number)
    return page, log_lines(page)


def log_lines(entries: Iterable[LogEntry]) -> list[LogLine]:
    """*entries* in words; whom they name is looked up all at once."""
    read = show_rows(entries)
    names = found.named({player for entry in read for player in log.people(entry.details)})
    return [_log_line(entry, names) for entry in read]


def _log_line(entry: LogEntry, names: Mapping[int, str]) -> LogLine:
    return LogLine(
        who=who(entry.who) if entry.who else None,
        at=entry.at,
        act=log.act(entry.act, entry.details),
        season=season_name(entry.season) if entry.season else "",
        reason=entry.reason,
        details=log.told(entry.act, entry.details, names),
    )


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
            return _("Registration is closing.")
        return _("Open for registration, {time} left.").format(time=left)
    if season.phase == Phase.RUNNING:
        if season.ends <= now:
            return _("The last games are being settled.")
        return _("In progress, ends within {time}.").format(time=times.duration(season.ends - now))
    return f"{season.get_phase_display().capitalize()}."


def taking(season: Season, visitor: Visitor, entry: Entry | None, now: datetime) -> Taking | None:
    """What *visitor*, who has this *entry*, can do about *season*; nothing for strangers, programs, and when
    it is over."""
    if not isinstance(visitor, Player) or visitor.is_bot or season.closed is not None:
        return None
    there = entry is not None and entry.state != EntryState.WITHDRAWN
    opened = season.phase == Phase.REGISTRATION
    there_or_waits = found.place_of(season, visitor) if not there else None
    crowded = opened and not there and full(season)
    late = season.running and entry is None and season.settings.seats == 2 and in_time(season, now)
    waits, place = there_or_waits or (None, 0)
    newcomers = takes_newcomers(season, now)
    alone = season.settings.teams is None
    register = ((opened and not crowded) or newcomers) and not there and alone
    return Taking(
        season=season,
        register=register,
        join=late,
        wait=not (there or register or waits) and (crowded or season.running) and alone,
        substitute=season.running and entry is None and not newcomers and alone,
        place=_("You're waiting for a place: number {n} in the queue.").format(n=place) if waits else "",
        waits_following=waits is not None and waits.following,
        waits_substitute=waits is not None and waits.substitute,
        withdraw=there and (opened or season.running),
        stay=there and (opened or season.running),
        stays=there and entry is not None and entry.stays,
        withdrawing=agreed.withdrawing(season.settings),
    )
