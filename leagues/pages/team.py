"""Teams as somebody sees them: all of a season, one with its players, and what its captain has to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.access import Visitor
from games.words.ranks import ordinal
from leagues.models import (
    Entry,
    EntryState,
    Kind,
    LineUp,
    Phase,
    Season,
    Team,
    TeamMatch,
    TeamMember,
)
from leagues.pages.names import division_name, round_name
from leagues.pages.seeds import how_far
from leagues.pages.team_tables import (
    MeetingLine,
    Record,
    TeamTable,
    meeting_line,
    records,
    team_who,
    told,
)
from leagues.pages.who import Who, who
from leagues.schedules.team_rules import TeamRules
from leagues.seasons.teams.boards import TIME_TO_REPLACE, may_replace
from leagues.seasons.teams.line_ups import Planned, planned, spare_players
from leagues.selectors import teams as found
from leagues.words import teams as words


class TeamLine(NamedTuple):
    """A team in a list."""

    who: Who
    captain: Who
    players: str
    state: str


class Teams(NamedTuple):
    """The teams of a season on its page."""

    url: str
    tables: list[TeamTable]
    lines: list[TeamLine]  # while there are no divisions


@dataclass(frozen=True, slots=True)
class TakingTeams:
    """What a visitor can do about the teams of a season."""

    url: str  # where all of them are
    count: str
    found: bool  # whether one can found or join one
    own: Who | None
    task: str  # what the captain has to do
    task_url: str
    invited: list[Team]


@dataclass(frozen=True, slots=True)
class TeamsPage:
    """All teams of a season."""

    season: Season
    size: str
    lines: list[TeamLine]
    taking: TakingTeams


class MemberLine(NamedTuple):
    """A player of a team, or one who is invited."""

    key: int
    who: Who
    captain: bool
    state: str  # what is to be known besides
    rating: str
    boards: str
    won: str
    games: str
    may_go: bool  # whether the captain may take them from the team
    may_lead: bool  # whether they can be made captain


@dataclass(frozen=True, slots=True)
class TeamPage:
    """A team as a visitor sees it."""

    team: Team
    season: Season
    captain: Who
    places: list[str]  # how it stands in its division, and in the knock-out after groups
    members: list[MemberLine]
    matches: list[MeetingLine]
    open: bool  # for registration
    over: bool
    leads: bool  # whether the visitor is captain
    plays: bool
    invited: bool
    available: bool
    task: str
    task_url: str
    link: str  # to join, for the captain
    count: str


class Candidate(NamedTuple):
    """A player of the team on the captain's page."""

    who: Who
    rating: str
    state: str


class ShortBoard(NamedTuple):
    """A board at which somebody has withdrawn who may still be replaced."""

    match: int
    board: int
    gone: str
    until: str
    spare: list[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class LineUpPage:
    """What a captain puts in order."""

    team: Team
    url: str
    match: TeamMatch | None  # whose line-up is still open
    round: str
    begins: str
    opponent: Who | None
    deadline: str
    state: str
    plan: Planned | None
    players: list[tuple[int, str]]
    candidates: list[Candidate]
    short: list[ShortBoard]


def teams_url(season: Season) -> str:
    return reverse("league:teams", args=[season.league.slug, season.number])


def line_up_url(team: Team, season: Season) -> str:
    return reverse("league:line_up", args=[season.league.slug, season.number, team.pk])


def rules_of(season: Season) -> TeamRules:
    """What is agreed about teams in *season*, where teams play."""
    rules = season.settings.teams
    assert rules is not None
    return rules


def lines_of(season: Season) -> list[TeamLine]:
    return [
        TeamLine(
            team_who(team, season),
            who(team.captain),
            players_in_words(team.players),  # type: ignore[attr-defined]
            _state(season, team, team.players),  # type: ignore[attr-defined]
        )
        for team in found.teams_of(season)
    ]


def players_in_words(count: int) -> str:
    return ngettext("{n} player", "{n} players", count).format(n=count)


def _state(season: Season, team: Team, count: int) -> str:
    missing = rules_of(season).least - count
    if season.phase == Phase.REGISTRATION and missing > 0:
        return ngettext("{n} more is needed", "{n} more are needed", missing).format(n=missing)
    if season.phase == Phase.REGISTRATION:
        return _("is in")
    return str(team.get_state_display())


def taking_of(season: Season, visitor: Visitor, now: datetime) -> TakingTeams:
    """What *visitor* can do about the teams of *season*."""
    own = found.own_team(season, visitor)
    opened = season.phase == Phase.REGISTRATION
    count = own.of_season if own is not None else season.teams.count()  # type: ignore[attr-defined]
    task, url = _task(season, own, visitor, now)
    return TakingTeams(
        url=teams_url(season),
        count=ngettext("{n} team", "{n} teams", count).format(n=count),
        found=opened and own is None and visitor.is_authenticated,
        own=team_who(own, season) if own is not None else None,
        task=task,
        task_url=url,
        invited=found.invitations(season, visitor) if opened and own is None else [],
    )


def _task(season: Season, team: Team | None, visitor: Visitor, now: datetime) -> tuple[str, str]:
    """What the captain of *team* has to do, and where; nothing for others."""
    if team is None or team.captain_id != visitor.pk or season.phase != Phase.RUNNING:
        return "", ""
    url = line_up_url(team, season)
    if found.short_matches(team).exists():
        return _("Someone has withdrawn from a board: you can send a substitute."), url
    match = next_match(team, rules_of(season), now)
    if match is None:
        return "", url
    other = match.second if match.first_id == team.pk else match.first
    if match.in_order:  # type: ignore[attr-defined]
        return _("The line-up against {team} is set.").format(team=other), url
    return _("Set the line-up against {team} by {when}.").format(
        team=other, when=words.when(match.begins - rules_of(season).closes)
    ), url


def next_match(team: Team, rules: TeamRules, now: datetime) -> TeamMatch | None:
    """The next match of *team* whose line-up can be changed, and whether it is ``in_order``."""
    own = TeamMatch.objects.filter(Q(first=team) | Q(second=team), begins__gt=now + rules.closes)
    in_order = Exists(LineUp.objects.filter(team=team, match=OuterRef("pk"), chosen=True))
    own = own.select_related("division", "first", "second").annotate(in_order=in_order)
    return own.order_by("begins", "pk").first()


def teams_page(season: Season, visitor: Visitor, now: datetime) -> TeamsPage:
    """All teams of *season*, and what *visitor* can do there."""
    return TeamsPage(
        season,
        words.size(rules_of(season)),
        lines_of(season),
        taking_of(season, visitor, now),
    )


def page_of(team: Team, season: Season, visitor: Visitor, now: datetime) -> TeamPage:
    """*team* as *visitor* sees it."""
    members = found.members_of(team)
    entries = found.entries_of(team)
    matches = list(found.matches_of_team(team))
    kept = records(matches)
    opened = season.phase == Phase.REGISTRATION
    leads = visitor.is_authenticated and team.captain_id == visitor.pk
    own = next((one for one in members if one.player_id == visitor.pk), None)
    playing = own is not None and own.joined is not None and not _gone(entries.get(own.player_id))
    task, task_url = _task(season, team, visitor, now)
    joined = sum(member.joined is not None for member in members)
    shown = [member for member in members if member.joined is not None or leads]
    path = reverse("league:join_team", args=[season.league.slug, season.number, team.token])
    over = season.phase in (Phase.CLOSED, Phase.CANCELLED)
    return TeamPage(
        team=team,
        season=season,
        captain=who(team.captain),
        places=_places(team, season),
        members=[_member(team, one, entries, kept, opened=opened, leads=leads) for one in shown],
        matches=[meeting_line(season, match.division, match) for match in matches],
        open=opened,
        over=over,
        leads=leads and not over,
        plays=playing and not over,
        invited=opened and own is not None and own.joined is None and own.declined is None,
        available=own is not None and own.available,
        task=task,
        task_url=task_url,
        link=path if leads and opened else "",
        count=f"{players_in_words(joined)}: {_state(season, team, joined)}" if opened else "",
    )


def _places(team: Team, season: Season) -> list[str]:
    if team.rank is None or team.division is None:
        return []
    team.division.season = season
    told = []
    if team.division.kind == Kind.TABLE:
        told.append(
            _("{division}, {rank}").format(division=division_name(team.division), rank=ordinal(team.rank))
        )
    rank: int | None = team.came_so_far  # type: ignore[attr-defined]
    if rank is not None:
        pending = season.running and season.settings.cup.third_place
        far = how_far(rank, team.first, pending=pending) or ordinal(rank)  # type: ignore[attr-defined]
        told.append(_("Knock-out: {how_far}").format(how_far=far))
    return told


def _gone(entry: Entry | None) -> bool:
    return entry is not None and entry.state == EntryState.WITHDRAWN


def _member(
    team: Team,
    member: TeamMember,
    entries: Mapping[int, Entry],
    kept: Mapping[int, Record],
    *,
    opened: bool,
    leads: bool,
) -> MemberLine:
    entry = entries.get(member.player_id)
    captain = member.player_id == team.captain_id
    gone = _gone(entry) and member.joined is not None
    boards, won, games = told(kept.get(member.player_id, Record()))
    return MemberLine(
        key=member.player_id,
        who=who(member.player),
        captain=captain,
        state=_state_of(member, entry),
        rating="" if opened or entry is None else str(round(entry.rating)),
        boards=boards,
        won=won,
        games=games,
        may_go=leads and opened and not captain,
        may_lead=leads and member.joined is not None and not captain and not gone,
    )


def _state_of(member: TeamMember, entry: Entry | None) -> str:
    if member.joined is None:
        return _("invited") if member.declined is None else _("has declined")
    if _gone(entry):
        return _("withdrawn")
    return "" if member.available else _("can't play the next rounds")


def line_up_page(team: Team, season: Season, now: datetime) -> LineUpPage:
    """What the captain of *team* can put in order *now*."""
    rules = rules_of(season)
    match = next_match(team, rules, now) if season.phase == Phase.RUNNING else None
    plan = planned(team, match, rules.boards) if match is not None else None
    members = [one for one in found.members_of(team) if one.joined is not None]
    entries = found.entries_of(team)
    there = [one for one in members if not _gone(entries.get(one.player_id)) and one.player.is_active]
    there.sort(key=lambda one: -entries[one.player_id].rating)
    other = None
    if match is not None:
        other = match.second if match.first_id == team.pk else match.first
    return LineUpPage(
        team=team,
        url=line_up_url(team, season),
        match=match,
        round=round_name(match.division, match.round, match.number) if match is not None else "",
        begins=words.when(match.begins) if match is not None else "",
        opponent=team_who(other, season) if other is not None else None,
        deadline=words.deadline(match.begins - rules.closes, now) if match is not None else "",
        state=_plan_state(plan),
        plan=plan,
        players=[(one.player_id, _named(one)) for one in there],
        candidates=[
            Candidate(who(one.player), str(round(entries[one.player_id].rating)), _state_of(one, None))
            for one in there
        ],
        short=_short_boards(team, entries, now),
    )


def _plan_state(plan: Planned | None) -> str:
    if plan is None:
        return ""
    if plan.chosen:
        return _("You've set this line-up.")
    return _("You haven't set this line-up yet. If you don't, we'll use this one.")


def _named(member: TeamMember) -> str:
    if member.available:
        return str(member.player)
    return _("{name} (can't play)").format(name=member.player)


def _short_boards(team: Team, entries: Mapping[int, Entry], now: datetime) -> list[ShortBoard]:
    """Where somebody of *team* has withdrawn and the next game has not begun."""
    kept = []
    for match in found.short_matches(team):
        board = match.at_board.board
        own = entries[next(seat.player_id for seat in match.seats.all() if seat.player_id in entries)]
        if own.withdrew is not None and may_replace(match, team, (), now):
            kept.append(
                ShortBoard(
                    match.pk,
                    board.number,
                    _name_of(team, own),
                    words.when(own.withdrew + TIME_TO_REPLACE),
                    [(one.player_id, str(one.player)) for one in spare_players(team, board.team_match)],
                )
            )
    return kept


def _name_of(team: Team, entry: Entry) -> str:
    return str(team.members.select_related("player").get(player=entry.player_id).player)


def invitation(season: Season, token: str) -> tuple[Team, list[Who]] | None:
    """The team that the link with this *token* leads to, with its players."""
    team = season.teams.filter(token=token).select_related("captain").first()
    if team is None:
        return None
    return team, [who(one.player) for one in found.members_of(team) if one.joined is not None]
