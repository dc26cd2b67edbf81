"""Teams, their matches and boards, each with a fixed number of queries however many there are."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Count, F, OuterRef, Prefetch, Q, QuerySet, Subquery, Value
from django.utils.translation import gettext as _

from games.access import Visitor
from games.selectors.pending_invitations import PendingInvitation
from leagues.models import (
    Board,
    BoardPlayers,
    Division,
    Entry,
    EntryState,
    Fixture,
    Match,
    Phase,
    Season,
    Seed,
    Team,
    TeamMatch,
    TeamMember,
)

JOINED = Q(members__joined__isnull=False)


def load_teams(season: Season) -> QuerySet[Team]:
    """Return the teams of *season* in order of registration, with the number of their ``players``, and of
    those still ``missing``."""
    rules = season.settings.teams
    counted = season.teams.annotate(players=Count("members", filter=JOINED))
    if rules is not None:
        counted = counted.annotate(missing=Value(rules.least) - F("players"))
    return counted.select_related("captain").order_by("registered", "pk")


def load_teams_with_places() -> QuerySet[Team]:
    """Return all teams with their seasons, captains and divisions; those in a knock-out with their rank as
    ``came_so_far``, and the number of teams that ``share`` it."""
    teams = Team.objects.select_related("season__league", "captain", "division__season").annotate(
        came_so_far=Subquery(Seed.objects.filter(team=OuterRef("pk")).values("rank")[:1])
    )
    same = Seed.objects.filter(division__season=OuterRef("season"), rank=OuterRef("came_so_far")).order_by()
    return teams.annotate(share=Subquery(same.values("division").annotate(n=Count("pk")).values("n")))


def load_table(division: Division) -> list[Team]:
    """The teams of *division* in the order of the table."""
    return list(division.teams.select_related("penalty_ruling").order_by("row", "order", "pk"))


def find_own_team(season: Season, visitor: Visitor) -> Team | None:
    """The team of *season* in which *visitor* plays, with the number of all teams ``of_season``."""
    if not visitor.is_authenticated:
        return None
    all_teams = Team.objects.filter(season=season).order_by().values("season")
    own = season.teams.filter(members__player=visitor.pk, members__joined__isnull=False)
    return own.annotate(of_season=Subquery(all_teams.annotate(n=Count("pk")).values("n"))).first()


def find_invitations(season: Season, visitor: Visitor) -> list[Team]:
    """Return the teams whose invitation *visitor* has not answered."""
    if not visitor.is_authenticated:
        return []
    asked = season.teams.filter(members__player=visitor.pk, members__joined=None, members__declined=None)
    return list(asked.order_by("name"))


UNANSWERED = f"""
SELECT member.id, member.invited AS since
  FROM leagues_teammember member
  JOIN leagues_season season ON season.id = member.season_id
 WHERE member.player_id = %s AND member.joined IS NULL AND member.declined IS NULL
   AND season.phase = '{Phase.REGISTRATION.value}'
"""
"""Invitations of teams that a player has not answered, as ``InvitationSource`` has them."""


def list_pending_invitations(ids: Sequence[int]) -> list[PendingInvitation]:
    """Return the invitations with these *ids*, the oldest first, for the player's list of games."""
    said = _("{player} has invited you to play for this team, in {league}.")
    asked = TeamMember.objects.filter(pk__in=ids).order_by("invited", "pk")
    return [
        PendingInvitation(
            member.team.name,
            said.format(player=member.asked_by, league=member.team.season.league.name),
            member.team.get_invitation_url(),
        )
        for member in asked.select_related("team__captain", "team__season__league", "inviter")
    ]


def load_members(team: Team) -> list[TeamMember]:
    """Return the members of *team* in the order in which they joined, then those invited."""
    members = team.members.select_related("player")
    return sorted(members, key=lambda one: (one.joined is None, one.joined or one.invited, one.pk))


def load_squad(team: Team) -> list[TeamMember]:
    """Return the members of *team* as :func:`load_members`, those who have joined with their ``entry``."""
    entries = {entry.player_id: entry for entry in _find_entries(team)}
    members = load_members(team)
    for member in members:
        member.entry = entries.get(member.player_id)
    return members


def _find_entries(team: Team) -> QuerySet[Entry]:
    """Without those only invited, who may play for others."""
    own = Q(player__teams__team=team, player__teams__joined__isnull=False)
    return Entry.objects.filter(own, season=team.season_id).select_related("player")


def find_short_matches(team: Team) -> QuerySet[Match]:
    """The matches at boards that wait for a game, and for a substitute of *team*."""
    left = Q(state=EntryState.WITHDRAWN) | Q(player__closed__isnull=False)
    gone = _find_entries(team).filter(left).values("player")
    waiting = Match.objects.filter(
        division__season=team.season_id, waits=True, at_board__isnull=False, seats__player__in=gone
    )
    return waiting.select_related("at_board__board__team_match", "division__season").order_by("pk")


def load_matches(division: Division) -> list[TeamMatch]:
    """All matches of the teams of *division*, with their boards, players and games."""
    matches = prefetch_boards(division.team_matches.order_by("round", "number"))
    return [connect_match(match, division.season) for match in matches]


def load_team_matches(team: Team) -> list[TeamMatch]:
    """The matches of *team*, with their boards, players and games."""
    own = TeamMatch.objects.filter(Q(first=team) | Q(second=team)).order_by("begins", "pk")
    return [connect_match(match, team.season) for match in prefetch_boards(own)]


def connect_match(match: TeamMatch, season: Season) -> TeamMatch:
    """Let the division and teams of *match* know their *season*, without queries."""
    match.division.season = match.first.season = match.second.season = season
    return match


def prefetch_boards(matches: QuerySet[TeamMatch]) -> QuerySet[TeamMatch]:
    players = BoardPlayers.objects.select_related("match", "first", "second").order_by("number")
    fixtures = Fixture.objects.select_related("game").order_by("number")
    return matches.select_related("division__season", "first", "second", "winner").prefetch_related(
        Prefetch("boards", Board.objects.order_by("number")),
        Prefetch("boards__players", players),
        Prefetch("boards__players__match__fixtures", fixtures),
    )
