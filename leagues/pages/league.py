"""The page of a league, the list of all leagues, and the log."""

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
from core.numerals import parse_key
from games.access import Visitor
from games.words import times
from leagues.models import Entry, EntryState, League, LogEntry, Phase, Season
from leagues.pages import team
from leagues.pages.announcements import AnnouncementLine, find_latest
from leagues.pages.names import NameLink, link_player
from leagues.pages.preview import PreviewStep, build_steps
from leagues.seasons.admission import build_join_token, is_admitted
from leagues.seasons.joining import may_join_late
from leagues.seasons.registration import takes_newcomers
from leagues.seasons.waiting_list import is_full
from leagues.selectors import leagues as found
from leagues.selectors.memberships import find_membership
from leagues.settings import Admission
from leagues.words import log, settings_text

A_PAGE = 60
LATEST = 10
EARLIER = 5
LEAGUES_PAGE = 30
LOG_PAGE = 50


class LeagueLine(NamedTuple):
    """A league in a list."""

    name: str
    url: str
    kind: str  # summary of the format
    state: str


@dataclass(frozen=True, slots=True)
class Leagues:
    """A page of all leagues: open for registration, running, and the others."""

    page: Page[League]
    searched: str
    open: list[LeagueLine]
    running: list[LeagueLine]
    closed: list[LeagueLine]


class LeagueLogLine(NamedTuple):
    """Line of the log."""

    who: NameLink | None  # none for automatic acts
    at: datetime
    act: str
    season: str
    reason: str
    details: str  # values before and after
    key: int
    private: str = ""  # for organisers only


class SeasonLine(NamedTuple):
    """A season in a list."""

    name: str
    url: str
    state: str
    players: str


@dataclass(frozen=True, slots=True)
class Taking:
    """A visitor's ways to take part in a season."""

    season: Season
    register: bool
    withdraw: bool
    stays: bool
    stay: bool  # whether the visitor can choose this
    withdrawing: str  # effects of withdrawing
    join: bool = False  # whether a running season can be joined
    wait: bool = False  # for a place in the next season, or in this one if it is full
    substitute: bool = False  # whether the visitor can offer to substitute
    place: str = ""  # in the waiting list
    waits_following: bool = False
    waits_substitute: bool = False
    needs_link: bool = False  # whether registration requires the league's link
    token: str = ""  # of that link
    asks: bool = False  # whether organisers must admit the visitor


@dataclass(frozen=True, slots=True)
class LeaguePage:
    """A league with its seasons."""

    league: League
    founder: NameLink
    organisers: list[NameLink]
    facts: settings_text.Facts
    current: Season | None
    current_url: str
    state: str
    own: Entry | None  # the visitor's in the current season, or else in the last one
    taking: Taking | None
    coming: list[PreviewStep]  # next steps
    players: list[NameLink]  # registered players, up to a limit
    more: int  # number of the others
    seasons: list[SeasonLine]
    log: list[LeagueLogLine]
    desk_url: str  # for organisers
    announced: AnnouncementLine | None
    announcements_url: str
    teams: team.TakingTeams | None = None  # if teams play
    join_url: str = ""  # link that organisers give to players, if one is required


def build_leagues(now: datetime, searched: str = "", number: str | int | None = None) -> Leagues:
    """Build page *number* of the leagues whose names match *searched*."""
    page = Paginator(found.find_leagues(searched), LEAGUES_PAGE).get_page(number)
    seasons = found.load_current_seasons(page)
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
    state = describe_state(season, now) if season else ""
    if season is not None:
        state = f"{state} {format_player_count(season)}."
    return LeagueLine(
        league.name,
        reverse("league:league", args=[league.slug]),
        settings_text.summarise_settings(settings),
        state,
    )


def build_page(league: League, visitor: Visitor, now: datetime, token: str = "") -> LeaguePage:
    """Build the page of *league* for *visitor*, who may have come with the *token* of its link."""
    seasons = found.load_latest_seasons(league, EARLIER + 1)
    current = next((season for season in seasons if season.phase in found.ALIVE), None)
    latest = current or next(iter(seasons), None)
    own = find_membership(latest, visitor) if latest else None
    with_teams = current is not None and current.settings.teams is not None
    registered, more = [], 0
    if current is not None and current.phase == Phase.REGISTRATION:
        registered = (
            []
            if with_teams
            else [link_player(entry.player) for entry in found.load_registered(current)[:A_PAGE]]
        )
        more = 0 if with_teams else max(0, count_of(current) - len(registered))
    return LeaguePage(
        league=league,
        founder=link_player(league.founder),
        organisers=[link_player(one) for one in found.load_organisers(league)],
        facts=settings_text.list_facts(current.settings if current else league.settings),
        current=current,
        current_url=reverse("league:season", args=[league.slug, current.number]) if current else "",
        state=describe_state(current, now) if current else explain_no_season(league),
        own=own,
        taking=build_taking(current, visitor, own, now, token) if current else None,
        coming=build_steps(current, own) if current else [],
        players=registered,
        more=more,
        seasons=[season_line(season, now) for season in seasons if season is not current],
        log=log_lines(found.load_log(league)[:LATEST]),
        desk_url=_desk_url(league, visitor),
        join_url=_join_url(league, current, visitor),
        announced=find_latest(league),
        announcements_url=reverse("league:announcements", args=[league.slug]),
        teams=team.build_taking(current, visitor, now) if current and with_teams else None,
    )


def explain_no_season(league: League) -> str:
    """Say why no season of *league* is open."""
    if league.closed is not None:
        return _("This league is closed.")
    return _("No season is open.") if league.settings.again else _("This tournament is over.")


def _desk_url(league: League, visitor: Visitor) -> str:
    """The URL of the desk of *league*, loaded by ``leagues.selectors``, if *visitor* may use it."""
    named: bool = league.organised  # type: ignore[attr-defined]
    organises = named or (isinstance(visitor, Player) and visitor.is_superuser)
    return reverse("league:desk", args=[league.slug]) if organises else ""


def _join_url(league: League, current: Season | None, visitor: Visitor) -> str:
    """The link to register, for organisers of a *league* whose *current* season needs one."""
    settings = current.settings if current is not None else league.settings
    if settings.admission != Admission.LINK or not _desk_url(league, visitor):
        return ""
    return f"{reverse('league:league', args=[league.slug])}?token={build_join_token(league.pk)}"


def build_log_page(
    league: League, number: str | int | None, *, private: bool
) -> tuple[Page[LogEntry], list[LeagueLogLine]]:
    """Build page *number* of the log of *league*, with the *private* reasons for organisers."""
    page = Paginator(found.load_log(league), LOG_PAGE).get_page(number)
    lines = log_lines(page)
    if private:
        reasons = found.load_private_reasons(page)
        pairs = zip(page, lines, strict=True)
        lines = [line._replace(private=reasons.get(entry.pk, "")) for entry, line in pairs]
    return page, lines


def find_log_page(league: League, asked: str | None) -> int:
    """Return the number of the page of the log of *league* with the entry of primary key *asked*; 1 if there
    is none."""
    key = parse_key(asked)
    return found.count_later_log_entries(league, key) // LOG_PAGE + 1 if key else 1


def log_lines(entries: Iterable[LogEntry]) -> list[LeagueLogLine]:
    """Build the lines of *entries*; the players they name are loaded in one query."""
    read = show_rows(entries)
    names = found.load_names({player for entry in read for player in log.list_people(entry.details)})
    return [_log_line(entry, names) for entry in read]


def _log_line(entry: LogEntry, names: Mapping[int, str]) -> LeagueLogLine:
    return LeagueLogLine(
        who=link_player(entry.who) if entry.who else None,
        at=entry.at,
        act=log.describe_act(entry.act, entry.details),
        season=format_season_name(entry.season) if entry.season else "",
        reason=entry.reason,
        details=log.describe_change(entry.act, entry.details, names),
        key=entry.pk,
    )


def format_season_name(season: Season) -> str:
    return _("Season {n}").format(n=season.number)


def season_line(season: Season, now: datetime) -> SeasonLine:
    url = reverse("league:season", args=[season.league.slug, season.number])
    return SeasonLine(
        format_season_name(season), url, describe_state(season, now), format_player_count(season)
    )


def count_of(season: Season) -> int:
    """Return the number of players in a season loaded by ``leagues.selectors``."""
    count: int = season.players  # type: ignore[attr-defined]
    return count


def format_player_count(season: Season) -> str:
    count = count_of(season)
    return ngettext("{n} player", "{n} players", count).format(n=count)


def describe_state(season: Season, now: datetime) -> str:
    """Describe the state of *season* in a sentence."""
    if season.phase == Phase.REGISTRATION:
        left = times.format_duration(season.begins - now)
        if season.begins <= now:
            return _("Registration is closing.")
        return _("Open for registration, {time} left.").format(time=left)
    if season.phase == Phase.RUNNING:
        if season.ends <= now:
            return _("The last games are being settled.")
        return _("In progress, ends within {time}.").format(time=times.format_duration(season.ends - now))
    return f"{season.get_phase_display().capitalize()}."


def build_taking(
    season: Season, visitor: Visitor, entry: Entry | None, now: datetime, token: str = ""
) -> Taking | None:
    """Build the ways of *visitor* to take part in *season*; None for strangers, programs, and when it is
    over.

    :param entry: of *visitor* in *season*
    :param token: of the league's link, if they came by it
    """
    if not isinstance(visitor, Player) or visitor.is_bot or season.closed is not None:
        return None
    there = entry is not None and entry.state != EntryState.WITHDRAWN
    opened = season.phase == Phase.REGISTRATION
    there_or_waits = found.find_waiting_place(season, visitor) if not there else None
    asks = season.settings.admission == Admission.APPROVAL
    crowded = opened and not there and (asks or is_full(season))
    late = season.running and entry is None and season.settings.seats == 2 and may_join_late(season, now)
    waits, place = there_or_waits or (None, 0)
    newcomers = takes_newcomers(season, now)
    alone = season.settings.teams is None
    admitted = there or is_admitted(season, token)
    may_wait = alone and (admitted or asks)
    register = ((opened and not crowded) or newcomers) and not there and alone and admitted
    return Taking(
        season=season,
        register=register,
        join=late and admitted,
        wait=not (there or register or waits) and (crowded or season.running) and may_wait,
        substitute=season.running and entry is None and may_wait and season.settings.substitutes,
        needs_link=not (admitted or asks) and alone and (opened or newcomers),
        asks=asks and opened,
        token=token if admitted else "",
        place=_("You're waiting for a place: number {n} in the queue.").format(n=place) if waits else "",
        waits_following=waits is not None and waits.following,
        waits_substitute=waits is not None and waits.substitute,
        withdraw=there and (opened or season.running),
        stay=there and (opened or season.running) and season.settings.again,
        stays=there and entry is not None and entry.stays,
        withdrawing=settings_text.describe_withdrawing(season.settings),
    )
