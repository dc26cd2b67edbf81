"""The knock-out that follows groups."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction

from leagues import calendar
from leagues.models import AWAITS_ROUND, Division, Entry, EntryState, Kind, Match, Phase, TeamState
from leagues.schedules.bracket import seed_from_groups
from leagues.seasons.brackets import begin_bracket
from leagues.seasons.founding import write_log_entry
from leagues.seasons.locks import lock_season
from leagues.seasons.protests import have_results_stood


@transaction.atomic
def draw_finals(season_id: int, now: datetime) -> bool:
    """Begin the knock-out of a season once all matches of its groups are decided and have stood (STAND-17).
    Return whether it began."""
    season = lock_season(season_id)
    if season.phase != Phase.RUNNING or not season.format.waits_for_finals(season):
        return False
    if season.divisions.filter(AWAITS_ROUND).exists():  # team rounds have their own dates
        return False
    if Match.objects.filter(division__season=season, decided=None).exists():
        return False
    if not have_results_stood(season, now):
        return False
    contenders = season.contenders
    groups = list(season.divisions.order_by("level"))
    standing = [contenders.rank_group(group) for group in groups]
    taken = calendar.count_seeds_of_group(season.settings, len(groups), min(map(len, standing)))
    seeds = contenders.separate_seeds(season, seed_from_groups(standing, taken), standing)
    season.divisions.update(finished=now)
    bracket = Division.objects.create(season=season, level=groups[-1].level + 1, kind=Kind.KNOCK_OUT)
    begin_bracket(bracket, seeds, now)
    counted: dict[str, Any] = {contenders.noun: len(seeds)}
    write_log_entry(season.league, "finals", season=season, now=now, **counted)
    contenders.notify_round_drawn(bracket, now)
    return True


def rank_players(group: Division) -> list[int]:
    """The players of *group* in order of the table, those who have left last: they go on only where nobody
    else can."""
    entries = group.entries.select_related("player").order_by("row")
    return [entry.player_id for entry in sorted(entries, key=_has_left)]  # stable


def rank_teams(group: Division) -> list[int]:
    """As :func:`rank_players`, for teams."""
    teams = group.teams.order_by("row")
    return [team.pk for team in sorted(teams, key=lambda team: team.state == TeamState.WITHDRAWN)]


def _has_left(entry: Entry) -> bool:
    return entry.state == EntryState.WITHDRAWN or not entry.player.is_active
