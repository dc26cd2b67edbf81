"""Notes on results: the end of the protest time, and late corrections (STAND-17)."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db.models import Max
from django.utils.translation import gettext as _

from leagues.models import Division, Fixture, Season
from leagues.seasons.extending import is_group
from leagues.seasons.protests import (
    find_division_protest_end,
    find_season_protest_end,
    load_result_times,
)
from leagues.words.protests import Following


class ResultNotes(NamedTuple):
    """The end of the protest time, if it runs, with what is over and what follows, and the last late
    correction."""

    following: Following
    over: str
    ends: datetime | None
    corrected: datetime | None


def load_division_notes(division: Division, now: datetime) -> ResultNotes:
    """Return the notes on results of *division*; on a ladder nothing is corrected."""
    following = find_following(division)
    if not division.format.corrects_results:
        ends, corrected = find_season_protest_end(division.season, now), None
    else:
        times = load_result_times(division)
        ends, corrected = find_division_protest_end(division, times), times.corrected
    return ResultNotes(following, division.format.say_over(division), _keep_future(ends, now), corrected)


def load_season_notes(season: Season, now: datetime) -> ResultNotes:
    """Return the notes on results of *season*."""
    ends = find_season_protest_end(season, now)
    fixtures = Fixture.objects.filter(match__division__season=season)
    corrected = fixtures.aggregate(last=Max("corrected"))["last"]
    return ResultNotes(
        Following.END, _("All games of the season are over"), _keep_future(ends, now), corrected
    )


def find_following(division: Division) -> Following:
    """Return the stage that follows when the last results of *division* can't be protested any more."""
    if division.drawn < division.rounds:
        return Following.ROUND
    return Following.KNOCK_OUT if is_group(division) else Following.END


def _keep_future(ends: datetime | None, now: datetime) -> datetime | None:
    return ends if ends is not None and ends > now else None
