"""Protest time (STAND-17): a period in which nothing follows from results yet.

It is counted from ``Fixture.settled`` of the last result, so each correction restarts it. Penalty points do,
too (``Division.penalised``).
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Max, Q

from leagues.models import AWAITS_ROUND, Division, Fixture, Phase, Season


def have_results_stood(season: Season, now: datetime, division: Division | None = None) -> bool:
    """Return whether the last result of *season*, or of its *division*, has stood for the protest time."""
    if not season.settings.protest:
        return True
    ends = compute_protest_end(season, division)
    return ends is None or now >= ends


def compute_protest_end(season: Season, division: Division | None = None) -> datetime | None:
    """Return the end of the protest time of *season*, or of its *division*; None before the first result."""
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
    """Return the end of the protest time before *season* closes; None while anything is left to play, and
    once it is closed."""
    if not _may_be_protested(season) or season.format.goes_on(season, now):
        return None
    if season.divisions.filter(AWAITS_ROUND).exists() or not season.contenders.is_decided(season):
        return None
    return compute_protest_end(season)


class ResultTimes(NamedTuple):
    """Times of the results of a division: of the last one, and of the last that was corrected too late for
    what followed; with the number of undecided matches."""

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
    """Return the end of the protest time before the next round of *division* is drawn, or the season goes on
    after its last one. None while a match is undecided, on a ladder, and once that has happened."""
    season = division.season
    if not _may_be_protested(season) or division.finished is not None:
        return None
    times = times or load_result_times(division)
    if times.last is None or not season.contenders.is_division_decided(division, times.undecided):
        return None
    return _find_latest(times.last, division.penalised) + season.settings.protest


def _find_latest(result: datetime, penalised: datetime | None) -> datetime:
    return result if penalised is None else max(result, penalised)


def _may_be_protested(season: Season) -> bool:
    return season.phase == Phase.RUNNING and bool(season.settings.protest_time)
