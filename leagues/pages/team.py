"""Pages of teams: the list of a season, one team, and the captain's line-up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.access import Visitor
from games.words.grammar import format_ordinal
from games.words.times import format_when
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
from leagues.pages.names import NameLink, format_division_name, format_round_name, link_player, link_team
from leagues.pages.seeds import describe_place
from leagues.pages.team_results import (
    BoardRecord,
    MeetingLine,
    build_meeting_line,
    build_records,
    format_record,
)
from leagues.schedules.team_rules import TeamRules
from leagues.seasons.teams.boards import TIME_TO_REPLACE, may_replace
from leagues.seasons.teams.line_ups import Planned, list_spare_players, plan_line_up
from leagues.selectors import teams as found
from leagues.words import teams as words


class TeamLine(NamedTuple):
    """A team in a list."""

    who: NameLink
    captain: NameLink
    players: str
    state: str


@dataclass(frozen=True, slots=True)
class TakingTeams:
    """Ways of a visitor to act on the teams of a season."""

    url: str  # of the page of all teams
    count: str
    found: bool  # whether one can found or join one
    own: NameLink | None
    team: Team | None  # the visitor's team
    task: str  # next task of the captain
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
    """A player of a team, or an invited one."""

    key: int
    who: NameLink
    captain: bool
    vice_captain: bool
    state: str  # remarks
    rating: str
    boards: str
    won: str
    games: str
    may_go: bool  # whether the captain may take them from the team
    may_lead: bool  # whether they can be made captain or vice-captain


class UpcomingLineUp(NamedTuple):
    """The line-up of the next match, as it stands before it is shown to others."""

    match: str
    state: str
    players: list[str]  # board by board


@dataclass(frozen=True, slots=True)
class TeamPage:
    """The page of a team for one visitor."""

    team: Team
    season: Season
    captain: NameLink
    places: list[str]  # standings in the division, and in the knock-out after groups
    members: list[MemberLine]
    matches: list[MeetingLine]
    open: bool  # whether registration is open
    over: bool
    leads: bool  # whether the visitor is captain or vice-captain
    captains: bool  # whether the visitor is captain
    plays: bool
    invited: bool
    available: bool
    task: str
    task_url: str
    link: str  # invitation link, for the captain
    count: str
    line_up: UpcomingLineUp | None  # for players of the team, before others see it


class LineUpCandidate(NamedTuple):
    """A player of the team on the captain's page."""

    who: NameLink
    rating: str
    state: str


class ShortBoard(NamedTuple):
    """A board whose player has withdrawn and may still be replaced."""

    match: int
    board: int
    gone: str
    until: str
    spare: list[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class LineUpPage:
    """Page on which a captain puts the line-up in order."""

    team: Team
    url: str
    match: TeamMatch | None  # the next match with an open line-up
    round: str
    begins: str
    opponent: NameLink | None
    deadline: str
    state: str
    plan: Planned | None
    players: list[tuple[int, str]]
    candidates: list[LineUpCandidate]
    short: list[ShortBoard]


def build_teams_url(season: Season) -> str:
    return reverse("league:teams", args=[season.league.slug, season.number])


def build_line_up_url(team: Team, season: Season) -> str:
    return reverse("league:line_up", args=[season.league.slug, season.number, team.pk])


def get_team_rules(season: Season) -> TeamRules:
    """Return the rules for teams of *season*, where teams play."""
    rules = season.settings.teams
    assert rules is not None
    return rules


def build_lines(season: Season) -> list[TeamLine]:
    return [
        TeamLine(
            link_team(team, season),
            link_player(team.captain),
            players_in_words(team.players),  # type: ignore[attr-defined]
            _state(season, team, team.players),  # type: ignore[attr-defined]
        )
        for team in found.load_teams(season)
    ]


def players_in_words(count: int) -> str:
    return ngettext("{n} player", "{n} players", count).format(n=count)


def _state(season: Season, team: Team, count: int) -> str:
    missing = get_team_rules(season).least - count
    if season.phase == Phase.REGISTRATION and missing > 0:
        return ngettext("{n} more is needed", "{n} more are needed", missing).format(n=missing)
    if season.phase == Phase.REGISTRATION:
        return _("is in")
    return str(team.get_state_display())


def build_taking(season: Season, visitor: Visitor, now: datetime) -> TakingTeams:
    """Build the ways of *visitor* to act on the teams of *season*."""
    own = found.find_own_team(season, visitor)
    opened = season.phase == Phase.REGISTRATION
    count = own.of_season if own is not None else season.teams.count()  # type: ignore[attr-defined]
    task, url = _task(season, own, visitor, now)
    return TakingTeams(
        url=build_teams_url(season),
        count=ngettext("{n} team", "{n} teams", count).format(n=count),
        found=opened and own is None and visitor.is_authenticated,
        own=link_team(own, season) if own is not None else None,
        team=own,
        task=task,
        task_url=url,
        invited=found.find_invitations(season, visitor) if opened and own is None else [],
    )


def _task(season: Season, team: Team | None, visitor: Visitor, now: datetime) -> tuple[str, str]:
    """The captain's next task for *team*, and its URL; empty for others."""
    if team is None or not team.is_led_by(visitor.pk) or season.phase != Phase.RUNNING:
        return "", ""
    url = build_line_up_url(team, season)
    if any(may_replace(match, team, (), now) for match in found.find_short_matches(team)):
        return _("Someone has withdrawn from a board: you can send a substitute."), url
    match = next_match(team, get_team_rules(season), now)
    if match is None:
        return "", url
    other = match.opponent_of(team)
    if match.in_order:  # type: ignore[attr-defined]
        return _("The line-up against {team} is set.").format(team=other), url
    return _("Set the line-up against {team} by {when}.").format(
        team=other, when=format_when(match.begins - get_team_rules(season).closes)
    ), url


def next_match(team: Team, rules: TeamRules, now: datetime) -> TeamMatch | None:
    """Return the next match of *team* whose line-up can be changed, annotated with ``in_order``."""
    own = TeamMatch.objects.filter(Q(first=team) | Q(second=team), begins__gt=now + rules.closes)
    in_order = Exists(LineUp.objects.filter(team=team, match=OuterRef("pk"), chosen=True))
    own = own.select_related("division", "first", "second").annotate(in_order=in_order)
    return own.order_by("begins", "pk").first()


def build_teams_page(season: Season, visitor: Visitor, now: datetime) -> TeamsPage:
    """Build the list of teams of *season* for *visitor*."""
    return TeamsPage(
        season,
        words.describe_size(get_team_rules(season)),
        build_lines(season),
        build_taking(season, visitor, now),
    )


def build_page(team: Team, season: Season, visitor: Visitor, now: datetime) -> TeamPage:
    """Build the page of *team* for *visitor*."""
    members = found.load_members(team)
    entries = found.load_entries(team)
    matches = list(found.load_team_matches(team))
    kept = build_records(matches)
    opened = season.phase == Phase.REGISTRATION
    leads = visitor.is_authenticated and team.is_led_by(visitor.pk)
    captains = leads and team.captain_id == visitor.pk
    own = next((one for one in members if one.player_id == visitor.pk), None)
    playing = own is not None and own.joined is not None and not _has_withdrawn(entries.get(own.player_id))
    task, task_url = _task(season, team, visitor, now)
    joined = sum(member.joined is not None for member in members)
    shown = [member for member in members if member.joined is not None or leads]
    path = reverse("league:join_team", args=[season.league.slug, season.number, team.token])
    over = season.phase in (Phase.CLOSED, Phase.CANCELLED)
    return TeamPage(
        team=team,
        season=season,
        captain=link_player(team.captain),
        places=list_places(team, season),
        members=[
            _member(team, one, entries, kept, opened=opened, leads=leads, captains=captains) for one in shown
        ],
        matches=[build_meeting_line(season, match.division, match) for match in matches],
        open=opened,
        over=over,
        leads=leads and not over,
        captains=captains and not over,
        plays=playing and not over,
        invited=opened and own is not None and own.joined is None and own.declined is None,
        available=own is not None and own.available,
        task=task,
        task_url=task_url,
        link=path if leads and opened else "",
        count=f"{players_in_words(joined)}: {_state(season, team, joined)}" if opened else "",
        line_up=_build_upcoming_line_up(team, season, matches, members, leads=leads, now=now)
        if playing
        else None,
    )


def _build_upcoming_line_up(
    team: Team,
    season: Season,
    matches: Sequence[TeamMatch],
    members: Sequence[TeamMember],
    *,
    leads: bool,
    now: datetime,
) -> UpcomingLineUp | None:
    """The line-up of *team* for the next of *matches*. Captains (*leads*) have a page of its own for it while
    it is open."""
    rules = get_team_rules(season)
    match = next((match for match in matches if match.begins > now), None)
    if match is None or not season.running or (leads and match.begins > now + rules.closes):
        return None
    plan = plan_line_up(team, match, rules.boards)
    names = {member.player_id: str(member.player) for member in members}
    return UpcomingLineUp(
        _("Against {team}, {when}").format(team=match.opponent_of(team), when=format_when(match.begins)),
        "" if plan.chosen else _("The captain hasn't set it yet. If nobody does, we'll use this one."),
        [_("nobody") if player is None else names[player] for player in plan.players],
    )


def list_places(team: Team, season: Season) -> list[str]:
    """Describe the places of *team*, loaded by ``load_teams_with_places``, in its division and in the
    knock-out."""
    if team.rank is None or team.division is None:
        return []
    team.division.season = season
    told = []
    if team.division.kind == Kind.TABLE:
        told.append(
            _("{division}, {rank}").format(
                division=format_division_name(team.division), rank=format_ordinal(team.rank)
            )
        )
    rank: int | None = team.came_so_far  # type: ignore[attr-defined]
    if rank is not None:
        far = describe_place(season, rank, team.share)  # type: ignore[attr-defined]
        told.append(_("Knock-out: {how_far}").format(how_far=far))
    return told


def _has_withdrawn(entry: Entry | None) -> bool:
    return entry is not None and entry.state == EntryState.WITHDRAWN


def _member(
    team: Team,
    member: TeamMember,
    entries: Mapping[int, Entry],
    kept: Mapping[int, BoardRecord],
    *,
    opened: bool,
    leads: bool,
    captains: bool,
) -> MemberLine:
    entry = entries.get(member.player_id)
    captain = member.player_id == team.captain_id
    gone = _has_withdrawn(entry) and member.joined is not None
    boards, won, games = format_record(kept.get(member.player_id, BoardRecord()))
    return MemberLine(
        key=member.player_id,
        who=link_player(member.player),
        captain=captain,
        vice_captain=member.player_id == team.vice_captain_id,
        state=_state_of(member, entry),
        rating="" if opened or entry is None else str(round(entry.rating)),
        boards=boards,
        won=won,
        games=games,
        may_go=leads and opened and not captain,
        may_lead=captains and member.joined is not None and not captain and not gone,
    )


def _state_of(member: TeamMember, entry: Entry | None) -> str:
    if member.joined is None:
        return _("invited") if member.declined is None else _("has declined")
    if _has_withdrawn(entry):
        return _("withdrawn")
    return "" if member.available else _("can't play the next rounds")


def build_line_up_page(team: Team, season: Season, now: datetime) -> LineUpPage:
    """Build the page on which the captain of *team* sets the next line-up."""
    rules = get_team_rules(season)
    match = next_match(team, rules, now) if season.phase == Phase.RUNNING else None
    plan = plan_line_up(team, match, rules.boards) if match is not None else None
    members = [one for one in found.load_members(team) if one.joined is not None]
    entries = found.load_entries(team)
    there = [
        one for one in members if not _has_withdrawn(entries.get(one.player_id)) and one.player.is_active
    ]
    there.sort(key=lambda one: -entries[one.player_id].rating)
    return LineUpPage(
        team=team,
        url=build_line_up_url(team, season),
        match=match,
        round=format_round_name(match.division, match.round, match) if match is not None else "",
        begins=format_when(match.begins) if match is not None else "",
        opponent=link_team(match.opponent_of(team), season) if match is not None else None,
        deadline=words.format_deadline(match.begins - rules.closes, now) if match is not None else "",
        state=_plan_state(plan),
        plan=plan,
        players=[(one.player_id, _format_member(one)) for one in there],
        candidates=[
            LineUpCandidate(
                link_player(one.player), str(round(entries[one.player_id].rating)), _state_of(one, None)
            )
            for one in there
        ],
        short=_short_boards(team, entries, {one.player_id: str(one.player) for one in members}, now),
    )


def _plan_state(plan: Planned | None) -> str:
    if plan is None:
        return ""
    if plan.chosen:
        return _("You've set this line-up.")
    return _("You haven't set this line-up yet. If you don't, we'll use this one.")


def _format_member(member: TeamMember) -> str:
    if member.available:
        return str(member.player)
    return _("{name} (can't play)").format(name=member.player)


def _short_boards(
    team: Team, entries: Mapping[int, Entry], names: Mapping[int, str], now: datetime
) -> list[ShortBoard]:
    """The boards of *team* whose player has withdrawn, or closed the account, and can be replaced."""
    kept = []
    for match in found.find_short_matches(team):
        board = match.at_board.board
        own = entries[next(seat.player_id for seat in match.seats.all() if seat.player_id in entries)]
        left = own.withdrew or own.player.closed
        if left is not None and may_replace(match, team, (), now):
            kept.append(
                ShortBoard(
                    match.pk,
                    board.number,
                    names[own.player_id],
                    format_when(left + TIME_TO_REPLACE),
                    [(one.player_id, str(one.player)) for one in list_spare_players(team, board.team_match)],
                )
            )
    return kept


def find_invitation(season: Season, token: str) -> tuple[Team, list[NameLink]] | None:
    """The team that the link with this *token* leads to, with its players."""
    team = season.teams.filter(token=token).select_related("captain").first()
    if team is None:
        return None
    return team, [link_player(one.player) for one in found.load_members(team) if one.joined is not None]
