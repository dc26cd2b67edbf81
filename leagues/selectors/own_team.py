"""The team of a visitor in a season, and its next line-up."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q

from accounts.models import Player
from games.access import Visitor
from leagues.models import Entry, LineUp, Match, Season, Team, TeamMatch, TeamMember
from leagues.seasons.teams.boards import TIME_TO_REPLACE, may_replace
from leagues.seasons.teams.line_ups import list_spare_players, plan_line_up
from leagues.seasons.teams.squads import require_team_rules
from leagues.selectors.teams import connect_match, find_invitations, find_own_team, find_short_matches


class LineUpTask(NamedTuple):
    """The next thing that a captain has to do about line-ups."""

    team: Team
    short: bool  # whether a board needs a substitute
    match: TeamMatch | None  # the next one whose line-up can be changed, with whether it is ``in_order``

    @property
    def is_due(self) -> bool:
        return self.short or self.match is not None


class OwnTeam(NamedTuple):
    """The team of a visitor in a season, and the ways to one."""

    team: Team | None
    task: LineUpTask | None
    number: int  # of all teams
    may_found: bool
    invited: list[Team]


class ShortBoard(NamedTuple):
    """A board whose player has left and may still be replaced."""

    match: Match
    gone: Player
    until: datetime
    spare: list[Entry]


class NextLineUp(NamedTuple):
    """The line-up of a team's next match, as only its players see it."""

    match: TeamMatch
    chosen: bool
    players: list[Player | None]  # the first board first


def load_own_team(season: Season, visitor: Visitor, now: datetime) -> OwnTeam:
    """Return the team of *visitor* in *season*, where teams play."""
    own = find_own_team(season, visitor)
    choosing = season.is_open and own is None
    return OwnTeam(
        team=own,
        task=find_line_up_task(own, visitor, now) if own is not None else None,
        number=own.of_season if own is not None else season.teams.count(),  # type: ignore[attr-defined]
        may_found=choosing and visitor.is_authenticated,
        invited=find_invitations(season, visitor) if choosing else [],
    )


def find_line_up_task(team: Team, visitor: Visitor, now: datetime) -> LineUpTask | None:
    """Return what there is to do about the line-up of *team*; None unless *visitor* leads it and it plays."""
    if not team.is_led_by(visitor.pk) or not team.season.running:
        return None
    if any(may_replace(match, team, (), now) for match in find_short_matches(team)):
        return LineUpTask(team, short=True, match=None)
    return LineUpTask(team, short=False, match=find_next_match(team, now))


def find_next_match(team: Team, now: datetime) -> TeamMatch | None:
    """Return the next match of *team* whose line-up can be changed, with whether it is ``in_order``."""
    closing = now + require_team_rules(team.season).closes
    own = TeamMatch.objects.filter(Q(first=team) | Q(second=team), begins__gt=closing)
    in_order = Exists(LineUp.objects.filter(team=team, match=OuterRef("pk"), chosen=True))
    own = own.select_related("division", "first", "second").annotate(in_order=in_order)
    match = own.order_by("begins", "pk").first()
    return connect_match(match, team.season) if match is not None else None


def find_next_line_up(
    team: Team, matches: Sequence[TeamMatch], members: Sequence[TeamMember], *, leads: bool, now: datetime
) -> NextLineUp | None:
    """Return the line-up of *team* for the next of its *matches*. Captains (*leads*) have a page of its own
    for it while it is open."""
    match = next((match for match in matches if match.begins > now), None)
    if match is None or not team.season.running or (leads and match.closes > now):
        return None
    plan = plan_line_up(team, match, require_team_rules(team.season).boards)
    players = {member.player_id: member.player for member in members}
    return NextLineUp(match, plan.chosen, [None if pk is None else players[pk] for pk in plan.players])


def list_ready_members(squad: Sequence[TeamMember]) -> list[TeamMember]:
    """Return those of a *squad* who could be in a line-up, the strongest first."""
    ready = [
        (member.entry.rating, member)
        for member in squad
        if member.entry is not None and not member.entry.has_withdrawn and member.player.is_active
    ]
    return [member for _rating, member in sorted(ready, key=lambda pair: -pair[0])]


def list_short_boards(team: Team, squad: Sequence[TeamMember], now: datetime) -> list[ShortBoard]:
    """Return the boards of *team* whose player has withdrawn, or closed the account, and can be replaced."""
    entries = {member.player_id: member.entry for member in squad if member.entry is not None}
    short = []
    for match in find_short_matches(team):
        own = entries[next(seat.player_id for seat in match.seats.all() if seat.player_id in entries)]
        left = own.withdrew or own.player.closed
        if left is not None and may_replace(match, team, (), now):
            spare = list_spare_players(team, match.at_board.board.team_match)
            short.append(ShortBoard(match, own.player, left + TIME_TO_REPLACE, spare))
    return short
