"""Protest time (STAND-17): results stand for a while before anything follows from them.

The instant of the last result is that of the rows (``Fixture.settled``), so each correction begins it anew.
Penalty points do, too (``Division.penalised``).
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, F, Max, Q

from leagues.models import Division, Fixture, Kind, Match, Phase, Season, TeamMatch
from leagues.settings import Schedule


def have_results_stood(season: Season, now: datetime, division: Division | None = None) -> bool:
    """Return whether the last result of *season*, or of its *division*, has stood for the protest time."""
    if not season.settings.protest:
        return True
    ends = compute_protest_end(season, division)
    return ends is None or now >= ends


def compute_protest_end(season: Season, division: Division | None = None) -> datetime | None:
    """Return until when the last result of *season*, or of its *division*, may be protested; nothing before
    there is one."""
    there = {"match__division": division} if division is not None else {"match__division__season": season}
    last: datetime | None = Fixture.objects.filter(**there).aggregate(last=Max("settled"))["last"]
    if last is None:
        return None
    if division is not None:
        penalised = division.penalised
    else:
        penalised = season.divisions.aggregate(last=Max("penalised"))["last"]
    return _find_latest(last, penalised) + season.settings.protest


def find_season_protest_end(season: Season, now: datetime) -> datetime | None:
    """Return until when results may be protested before *season* closes; nothing while anything is left to
    play, and once it is closed."""
    goes_on = season.settings.schedule == Schedule.LADDER and now < season.ends
    if goes_on or not _may_be_protested(season):
        return None
    if season.divisions.filter(drawn__lt=F("rounds")).exists() or not _is_decided(season):
        return None
    return compute_protest_end(season)


class ResultTimes(NamedTuple):
    """Times of the results of a division: of the last one, and of the last that was corrected too late for
    what followed; with how many of its matches are undecided."""

    last: datetime | None
    corrected: datetime | None
    undecided: int


def load_result_times(division: Division) -> ResultTimes:
    """Read the times of the results of *division*, in one query."""
    times = division.matches.aggregate(
        last=Max("fixtures__settled"),
        corrected=Max("fixtures__corrected"),
        undecided=Count("pk", filter=Q(decided=None)),
    )
    return ResultTimes(**times)


def find_division_protest_end(division: Division, times: ResultTimes | None = None) -> datetime | None:
    """Return until when results may be protested before the next round of *division* is drawn, or what comes
    after its last one; nothing while a match is undecided, on a ladder, and when that has come."""
    season = division.season
    if not _may_be_protested(season) or division.kind == Kind.LADDER or division.finished is not None:
        return None
    times = times or load_result_times(division)
    if season.settings.teams is not None:
        decided = not division.team_matches.filter(decided=False).exists()
    else:
        decided = not times.undecided
    if not decided or times.last is None:
        return None
    return _find_latest(times.last, division.penalised) + season.settings.protest


def _find_latest(result: datetime, penalised: datetime | None) -> datetime:
    return result if penalised is None else max(result, penalised)


def _may_be_protested(season: Season) -> bool:
    return season.phase == Phase.RUNNING and bool(season.settings.protest_time)


def _is_decided(season: Season) -> bool:
    if season.settings.teams is not None:
        return not TeamMatch.objects.filter(division__season=season, decided=False).exists()
    return not Match.objects.filter(division__season=season, decided=None).exists()
