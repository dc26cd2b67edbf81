"""Teams, their matches and boards, each with a fixed number of queries however many there are."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Count, F, OuterRef, Prefetch, Q, QuerySet, Subquery

from accounts.models import Player
from games.access import Visitor
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
    """Return the teams of *season* in order of registration, with the number of their ``players``."""
    counted = season.teams.annotate(players=Count("members", filter=JOINED))
    return counted.select_related("captain").order_by("registered", "pk")


def load_teams_with_places() -> QuerySet[Team]:
    """Return all teams with their seasons, captains and divisions; those in a knock-out with their rank as
    ``came_so_far``, and the number of teams that ``share`` it."""
    teams = Team.objects.select_related("season__league", "captain", "division").annotate(
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


def find_unanswered(player: Player) -> QuerySet[TeamMember]:
    """Return the invitations of teams that *player* has not answered, with ``since``."""
    asked = TeamMember.objects.filter(
        player=player, joined=None, declined=None, season__phase=Phase.REGISTRATION
    )
    return asked.annotate(since=F("invited"))


def load_invitations(ids: Sequence[int]) -> list[TeamMember]:
    """Return the invitations with these *ids*, the oldest first, with their teams."""
    asked = TeamMember.objects.filter(pk__in=ids).select_related("team__captain", "inviter", "season__league")
    return list(asked.order_by("invited", "pk"))


def load_members(team: Team) -> list[TeamMember]:
    """Return the members of *team* in the order in which they joined, then those invited."""
    members = team.members.select_related("player")
    return sorted(members, key=lambda one: (one.joined is None, one.joined or one.invited, one.pk))


def load_entries(team: Team) -> dict[int, Entry]:
    """The entries of the players of *team*, by player."""
    return {entry.player_id: entry for entry in _find_entries(team)}


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


def load_matches(division: Division) -> QuerySet[TeamMatch]:
    """All matches of the teams of *division*, with their boards, players and games."""
    return prefetch_boards(division.team_matches.order_by("round", "number"))


def load_team_matches(team: Team) -> QuerySet[TeamMatch]:
    """The matches of *team*, with their boards, players and games."""
    own = TeamMatch.objects.filter(Q(first=team) | Q(second=team)).order_by("begins", "pk")
    return prefetch_boards(own)


def prefetch_boards(matches: QuerySet[TeamMatch]) -> QuerySet[TeamMatch]:
    players = BoardPlayers.objects.select_related("match", "first", "second").order_by("number")
    fixtures = Fixture.objects.select_related("game").order_by("number")
    return matches.select_related("division", "first", "second", "winner").prefetch_related(
        Prefetch("boards", Board.objects.order_by("number")),
        Prefetch("boards__players", players),
        Prefetch("boards__players__match__fixtures", fixtures),
    )
