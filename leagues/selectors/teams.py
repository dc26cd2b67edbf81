"""Teams, their matches and boards, each with a fixed number of queries however many there are."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Count, OuterRef, Prefetch, Q, QuerySet, Subquery

from games.access import Visitor
from leagues.models import (
    Board,
    BoardPlayers,
    Division,
    Entry,
    EntryState,
    Fixture,
    Match,
    Season,
    Seed,
    Team,
    TeamMatch,
    TeamMember,
)
from leagues.selectors.leagues import KNOCK_OUT_FIRST

JOINED = Q(members__joined__isnull=False)


def teams_of(season: Season) -> QuerySet[Team]:
    """The teams of *season* as they came, with the number of their ``players``."""
    counted = season.teams.annotate(players=Count("members", filter=JOINED))
    return counted.select_related("captain").order_by("registered", "pk")


def with_places() -> QuerySet[Team]:
    """All teams with their seasons, captains and divisions. Of a team in a knock-out with the rank there as
    ``came_so_far``, and how many are ``first`` in it."""
    first = Seed.objects.filter(division__season=OuterRef("season"), rank=1).order_by()
    return Team.objects.select_related("season__league", "captain", "division").annotate(
        came_so_far=Subquery(Seed.objects.filter(team=OuterRef("pk")).values("rank")[:1]),
        first=Subquery(first.values("division").annotate(n=Count("pk")).values("n")),
    )


def tables_of(season: Season) -> QuerySet[Division]:
    """The divisions of *season*, the highest first, with their teams as ``table``, and a knock-out before its
    groups, with its seeds as ``bracket``."""
    rows = Team.objects.order_by("row", "order", "pk")
    seeds = Seed.objects.select_related("player", "team").order_by("rank", "number")
    return season.divisions.order_by(KNOCK_OUT_FIRST, "level").prefetch_related(
        Prefetch("teams", rows, to_attr="table"), Prefetch("seeds", seeds, to_attr="bracket")
    )


def table_of(division: Division) -> list[Team]:
    """The teams of *division* in the order of the table."""
    return list(division.teams.order_by("row", "order", "pk"))


def own_team(season: Season, visitor: Visitor) -> Team | None:
    """The team of *season* in which *visitor* plays, with the number of all teams ``of_season``."""
    if not visitor.is_authenticated:
        return None
    all_teams = Team.objects.filter(season=season).order_by().values("season")
    own = season.teams.filter(members__player=visitor.pk, members__joined__isnull=False)
    return own.annotate(of_season=Subquery(all_teams.annotate(n=Count("pk")).values("n"))).first()


def invitations(season: Season, visitor: Visitor) -> list[Team]:
    """The teams that have invited *visitor*, who has not answered."""
    if not visitor.is_authenticated:
        return []
    asked = season.teams.filter(members__player=visitor.pk, members__joined=None, members__declined=None)
    return list(asked.order_by("name"))


UNANSWERED = """
SELECT asked.id, asked.invited AS since
  FROM leagues_teammember asked JOIN leagues_season season ON season.id = asked.season_id
 WHERE asked.player_id = %(player)s AND asked.joined IS NULL AND asked.declined IS NULL
   AND season.phase = 'registration'
"""
"""The invitations of teams that a player has not answered, as ``games.selectors.asked`` wants them."""


def invitations_with(ids: Sequence[int]) -> list[TeamMember]:
    """The invitations with these *ids*, the first one first, with their teams."""
    asked = TeamMember.objects.filter(pk__in=ids).select_related("team__captain", "season__league")
    return list(asked.order_by("invited", "pk"))


def members_of(team: Team) -> list[TeamMember]:
    """Who plays for *team*, in the order in which they came, and who is invited."""
    members = team.members.select_related("player")
    return sorted(members, key=lambda one: (one.joined is None, one.joined or one.invited, one.pk))


def entries_of(team: Team) -> dict[int, Entry]:
    """The entries of the players of *team*, by player."""
    entries = Entry.objects.filter(season=team.season_id, player__teams__team=team)
    return {entry.player_id: entry for entry in entries}


def short_matches(team: Team) -> QuerySet[Match]:
    """The matches at boards that wait for a game, and for a substitute of *team*."""
    gone = Entry.objects.filter(
        season=team.season_id, state=EntryState.WITHDRAWN, player__teams__team=team
    ).values("player")
    waiting = Match.objects.filter(
        division__season=team.season_id, waits=True, at_board__isnull=False, seats__player__in=gone
    )
    return waiting.select_related("at_board__board__team_match", "division__season").order_by("pk")


def matches_of(division: Division) -> QuerySet[TeamMatch]:
    """All matches of the teams of *division*, with their boards, players and games."""
    return with_boards(division.team_matches.order_by("round", "number"))


def matches_of_team(team: Team) -> QuerySet[TeamMatch]:
    """The matches of *team*, with their boards, players and games."""
    own = TeamMatch.objects.filter(Q(first=team) | Q(second=team)).order_by("begins", "pk")
    return with_boards(own)


def with_boards(matches: QuerySet[TeamMatch]) -> QuerySet[TeamMatch]:
    players = BoardPlayers.objects.select_related("match", "first", "second").order_by("number")
    fixtures = Fixture.objects.select_related("game").order_by("number")
    return matches.select_related("division", "first", "second", "winner").prefetch_related(
        Prefetch("boards", Board.objects.order_by("number")),
        Prefetch("boards__players", players),
        Prefetch("boards__players__match__fixtures", fixtures),
    )
