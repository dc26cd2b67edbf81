"""Departures during a season: substitutes at boards, and withdrawal of teams."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Max

from accounts.models import Player
from leagues.exceptions import LeagueRefused
from leagues.models import BoardPlayers, EntryState, Match, Phase, Team
from leagues.seasons.founding import write_log_entry
from leagues.seasons.locks import lock_match, lock_season
from leagues.seasons.registration import withdraw
from leagues.seasons.tables import update_standings
from leagues.seasons.teams.boards import may_replace
from leagues.seasons.teams.line_ups import list_spare_players
from leagues.seasons.teams.rounds import seat_players
from leagues.seasons.teams.squads import load_squad


@transaction.atomic
def substitute(*, match_id: int, team_id: int, captain: Player, player: Player, now: datetime) -> None:
    """Replace a player who withdrew from the match at a board by *player*, from its next game on.

    :raises LeagueRefused: not the captain, nobody is to be replaced there, or *player* can't do it
    """
    season = lock_season(Team.objects.values_list("season", flat=True).get(pk=team_id))
    team = Team.objects.select_related("season__league").get(pk=team_id)
    if not team.is_led_by(captain.pk):
        raise LeagueRefused("not_captain")
    if season.phase != Phase.RUNNING:
        raise LeagueRefused("over")
    if not Match.objects.filter(pk=match_id, division__season=season).exists():
        raise LeagueRefused("no_substitute")
    match = lock_match(match_id)
    players = BoardPlayers.objects.filter(match=match).select_related("board__team_match").first()
    if players is None or team.pk not in _teams(players) or not match.waits:
        raise LeagueRefused("no_substitute")
    if not may_replace(match, team, _present(match), now):
        raise LeagueRefused("no_substitute")
    if player.pk not in [entry.player_id for entry in list_spare_players(team, players.board.team_match)]:
        raise LeagueRefused("substitute_busy")
    match.waits, match.decided = False, now
    match.save(update_fields=["waits", "decided"])
    meeting = players.board.team_match
    last = match.division.matches.filter(round=match.round).aggregate(last=Max("number"))["last"]
    seats = (player.pk, players.second_id) if meeting.first_id == team.pk else (players.first_id, player.pk)
    seat_players(players.board, meeting, seats, ends=match.ends, first_number=last + 1)
    update_standings(match.division)
    write_log_entry(
        season.league, "substitute", who=captain, season=season, now=now, team=team.name, player=player.pk
    )


@transaction.atomic
def withdraw_team(*, team_id: int, captain: Player, now: datetime) -> None:
    """Withdraw all players of a team from the season.

    :raises LeagueRefused: not the captain, or the season is over
    """
    season = lock_season(Team.objects.values_list("season", flat=True).get(pk=team_id))
    team = Team.objects.select_related("season__league").get(pk=team_id)
    if team.captain_id != captain.pk:
        raise LeagueRefused("not_captain")
    write_log_entry(season.league, "team_withdraw", who=captain, season=season, now=now, team=team.name)
    for player in load_squad(team):
        withdraw(season_id=season.pk, player=player, now=now)


def _teams(players: BoardPlayers) -> tuple[int, int]:
    meeting = players.board.team_match
    return meeting.first_id, meeting.second_id


def _present(match: Match) -> set[int]:
    seats = match.seats.filter(player__is_active=True)
    gone = match.division.season.entries.filter(state=EntryState.WITHDRAWN).values("player")
    return set(seats.exclude(player__in=gone).values_list("player", flat=True))
