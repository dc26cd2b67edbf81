"""The knock-out that follows groups."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F

from leagues import calendar, outbox
from leagues.models import Division, Entry, EntryState, Kind, Match, Phase, Season, TeamState
from leagues.schedules.bracket import seed_from_groups, separate_seeds
from leagues.seasons.brackets import begin_bracket
from leagues.seasons.founding import note
from leagues.seasons.kept_apart import load_blocked_pairs
from leagues.seasons.locks import lock_season
from leagues.seasons.protests import have_results_stood
from leagues.settings import Schedule


def waits_for_finals(season: Season) -> bool:
    """Return whether *season* has groups and no knock-out yet."""
    if season.settings.schedule != Schedule.GROUPS:
        return False
    return not season.divisions.filter(kind=Kind.KNOCK_OUT).exists()


@transaction.atomic
def draw_finals(season_id: int, now: datetime) -> bool:
    """Begin the knock-out of a season once all matches of its groups are decided and have stood (STAND-17).
    Return whether it began."""
    season = lock_season(season_id)
    if season.phase != Phase.RUNNING or not waits_for_finals(season):
        return False
    if season.divisions.filter(drawn__lt=F("rounds")).exists():  # team rounds have their own dates
        return False
    if Match.objects.filter(division__season=season, decided=None).exists():
        return False
    if not have_results_stood(season, now):
        return False
    teams = season.settings.teams is not None
    groups = list(season.divisions.order_by("level"))
    standing = [_teams_in_order(group) if teams else _in_order(group) for group in groups]
    taken = calendar.count_seeds_of_group(season.settings, len(groups), min(map(len, standing)))
    seeds: Sequence[int] = seed_from_groups(standing, taken)
    if not teams:
        seeds = separate_seeds(seeds, load_blocked_pairs(season), standing)
    season.divisions.update(finished=now)
    bracket = Division.objects.create(season=season, level=len(groups) + 1, kind=Kind.KNOCK_OUT)
    begin_bracket(bracket, seeds, now)
    counted: dict[str, Any] = {"teams" if teams else "players": len(seeds)}
    note(season.league, "finals", season=season, now=now, **counted)
    if not teams:
        outbox.notify_round_drawn(bracket, now=now)
    return True


def _in_order(group: Division) -> list[int]:
    """The players of *group* in order of the table, those who have left last: they go on only where nobody
    else can."""
    entries = group.entries.select_related("player").order_by("row")
    return [entry.player_id for entry in sorted(entries, key=_has_left)]  # stable


def _teams_in_order(group: Division) -> list[int]:
    """As ``_in_order``, for teams."""
    teams = group.teams.order_by("row")
    return [team.pk for team in sorted(teams, key=lambda team: team.state == TeamState.WITHDRAWN)]


def _has_left(entry: Entry) -> bool:
    return entry.state == EntryState.WITHDRAWN or not entry.player.is_active
