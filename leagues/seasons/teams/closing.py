"""The end of a season of teams: moves between divisions, and the teams of the next season."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from leagues.models import Entry, EntryState, Season, Team, TeamMember, TeamState
from leagues.seasons.founding import open_season
from leagues.seasons.promotion import FinalTable, Level, compute_moves, compute_next_levels
from leagues.seasons.teams.squads import load_squad
from leagues.seasons.teams.tables import build_table_rules, update_team_standings


def compute_team_moves(season: Season) -> dict[int, str]:
    """Return the teams of *season* that move, by primary key, with "up" or "down"."""
    tables = []
    for division in season.divisions.order_by("level"):
        order = [int(one.player) for one in update_team_standings(division)]
        tables.append(FinalTable(order, {team.pk for team in division.teams.all() if not _staying(team)}))
    return compute_moves(tables, build_table_rules(season), season.league.settings.division_size)


def compute_divisions_after(season: Season) -> list[list[int]]:
    """Return the teams that stay after *season*, which is closed, by primary key, in their next divisions."""
    levels = []
    for division in season.divisions.order_by("level"):
        teams = list(division.teams.order_by("row"))
        levels.append(
            Level(
                tuple(team.pk for team in teams if _staying(team)),
                tuple(team.pk for team in teams if team.moves == "up"),
                tuple(team.pk for team in teams if team.moves == "down"),
            )
        )
    return compute_next_levels(levels, [], season.league.settings.division_size)


def list_staying_teams(season: Season) -> list[int]:
    """Return the teams that stay after *season*, by primary key, in order of registration."""
    return [team.pk for team in season.teams.order_by("registered", "pk") if _staying(team)]


def open_next(season: Season, now: datetime) -> Season:
    """Open the season after *season* with its teams, in their next divisions, each with the players who
    stay."""
    following = open_season(season.league, now)
    teams = {team.pk: team for team in season.teams.all()}
    keeps_order = following.format.keeps_order(season.format)
    for level, keys in enumerate(season.format.list_levels_after(season), start=1):
        for order, key in enumerate(keys):
            _again(teams[key], following, level if keeps_order else None, order, now)
    return following


def _staying(team: Team) -> list[int]:
    """The players of *team* who play the next season, too, by primary key, in the order in which they
    joined."""
    if team.state != TeamState.PLAYING:
        return []
    said = set(
        Entry.objects.filter(season=team.season_id, state=EntryState.PLAYING, stays=True).values_list(
            "player", flat=True
        )
    )
    return [player.pk for player in load_squad(team) if player.pk in said]


def carry_over(cancelled: Season, season: Season, now: datetime) -> None:
    """Register the teams of *cancelled*, which never began, for *season*, each with its players."""
    for team in cancelled.teams.order_by("registered", "pk"):
        players = [player.pk for player in load_squad(team)]
        if players:
            placed = {"follows_id": team.follows_id, "seeded": team.seeded, "order": team.order}
            _register(team, season, players, now, registered=team.registered, **placed)


def _again(team: Team, season: Season, level: int | None, order: int, now: datetime) -> None:
    registered = now + timedelta(microseconds=order)
    placed = {"follows": team, "seeded": level, "order": order}
    _register(team, season, _staying(team), now, registered=registered, **placed)


def _register(
    team: Team, season: Season, players: Sequence[int], now: datetime, *, registered: datetime, **placed: Any
) -> None:
    """Register *team* for another *season* with these *players*, by primary key. A captain who isn't among
    them is followed as by ``squads.drop_member``. Where everybody plays alone now, its players are
    registered."""
    Entry.objects.bulk_create(
        Entry(season=season, player_id=player, registered=registered) for player in players
    )
    if not season.contenders.in_teams:
        return
    leaders = [one for one in (team.captain_id, team.vice_captain_id) if one in players]
    captain, vice = (*leaders, None, None)[:2]
    again = Team.objects.create(
        season=season,
        name=team.name,
        captain_id=captain or players[0],
        vice_captain_id=vice,
        registered=registered,
        **placed,
    )
    TeamMember.objects.bulk_create(
        TeamMember(team=again, season=season, player_id=player, joined=now + timedelta(microseconds=place))
        for place, player in enumerate(players)
    )
