"""Line-ups of teams: the captains' orders of players at boards, and defaults where they choose none."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from accounts.models import Player
from leagues.exceptions import LeagueRefused
from leagues.models import BoardPlayers, Entry, LineUp, Phase, Team, TeamMatch, TeamMember
from leagues.schedules.teams import fill_line_up, list_line_up_refusals
from leagues.seasons.founding import write_log_entry
from leagues.seasons.locks import lock_season
from leagues.seasons.teams.squads import load_squad_by_rating, require_team_rules


class Planned(NamedTuple):
    """A team's current line-up for a round, by primary key, the first board first."""

    players: tuple[int | None, ...]
    chosen: bool  # whether the captain has put it in order for this round


@transaction.atomic
def put_line_up(
    *, match_id: int, team_id: int, captain: Player, players: Sequence[int], now: datetime
) -> None:
    """Store the captain's line-up for a match, the first board first. Idempotent.

    :raises LeagueRefused: not the captain, it is too late, or these players can't play like that
    """
    season = lock_season(Team.objects.values_list("season", flat=True).get(pk=team_id))
    team = Team.objects.select_related("season__league").get(pk=team_id)
    match = TeamMatch.objects.filter(pk=match_id).first()
    if not team.is_led_by(captain.pk):
        raise LeagueRefused("not_captain")
    if match is None or team.pk not in (match.first_id, match.second_id) or season.phase != Phase.RUNNING:
        raise LeagueRefused("no_match")
    rules = require_team_rules(season)
    if now >= match.begins - rules.closes:
        raise LeagueRefused("line_up_closed")
    squad = [entry.player_id for entry in load_squad_by_rating(team)]
    refusal = next(list_line_up_refusals(players, squad, rules.boards), None)
    if refusal is not None:
        raise LeagueRefused(f"line_up_{refusal}", n=rules.boards)
    LineUp.objects.update_or_create(
        team=team,
        match=match,
        defaults={"players": list(players), "chosen": True, "at": now},
    )
    write_log_entry(
        season.league, "line_up", who=captain, season=season, now=now, team=team.name, round=match.round
    )


def plan_line_up(team: Team, match: TeamMatch, boards: int) -> Planned:
    """Return the line-up of *team* for *match* as things stand: the captain's choice, else the last one, else
    the strongest by rating. Players who have left or are unavailable are replaced at the same board."""
    squad = load_squad_by_rating(team)
    here = [entry.player_id for entry in squad]
    unavailable = set(
        TeamMember.objects.filter(team=team, joined__isnull=False, available=False).values_list(
            "player", flat=True
        )
    )
    ready = [player for player in here if player not in unavailable]
    until_now = team.line_ups.filter(match__begins__lte=match.begins)
    last = until_now.order_by("-match__begins", "-match").first()
    chosen = last is not None and last.match_id == match.pk and last.chosen
    wanted = last.players if last is not None else []
    return Planned(fill_line_up(wanted, here if chosen else ready, ready, boards), chosen)


def list_spare_players(team: Team, match: TeamMatch) -> list[Entry]:
    """Return the players who could be substitutes in a *match* that has begun: those at none of its
    boards."""
    taken = BoardPlayers.objects.filter(board__team_match=match).values_list("first", "second")
    busy = {player for both in taken for player in both}
    return [entry for entry in load_squad_by_rating(team) if entry.player_id not in busy]
