"""Notes on results: the end of the protest time, and late corrections (STAND-17)."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Max

from games.words.times import format_when
from leagues.models import Division, Fixture, Kind, Season
from leagues.seasons.extending import is_group
from leagues.seasons.finals import waits_for_finals
from leagues.seasons.protests import (
    find_division_protest_end,
    find_season_protest_end,
    load_result_times,
)
from leagues.words import protests as words


def build_division_notes(division: Division, now: datetime) -> list[str]:
    """Return the notes on results of *division*; on a ladder nothing is corrected."""
    following = find_following(division)
    if division.kind == Kind.LADDER:
        return _describe_protest_time(following, find_season_protest_end(division.season, now), now)
    times = load_result_times(division)
    notes = _describe_protest_time(following, find_division_protest_end(division, times), now)
    return notes + _describe_correction(times.corrected)


def build_season_notes(season: Season, now: datetime) -> list[str]:
    """Return the notes on results of *season*."""
    ends = None if waits_for_finals(season) else find_season_protest_end(season, now)
    notes = _describe_protest_time(words.Following.END, ends, now)
    fixtures = Fixture.objects.filter(match__division__season=season)
    return notes + _describe_correction(fixtures.aggregate(last=Max("corrected"))["last"])


def find_following(division: Division) -> words.Following:
    """Return the stage that follows when the last results of *division* can't be protested any more."""
    if division.drawn < division.rounds:
        return words.Following.ROUND
    return words.Following.KNOCK_OUT if is_group(division) else words.Following.END


def _describe_protest_time(following: words.Following, ends: datetime | None, now: datetime) -> list[str]:
    if ends is None or ends <= now:
        return []
    return [words.describe_protest_time(following, format_when(ends))]


def _describe_correction(last: datetime | None) -> list[str]:
    return [] if last is None else [words.describe_late_correction(last)]
