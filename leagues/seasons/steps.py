"""The scheduler of leagues: it finds due steps in the rows and runs them in order. Each step is
idempotent."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from functools import partial

from django.db.models import F

from core import batches
from leagues.models import AWAITS_ROUND, Division, Fixture, Kind, Match, Phase, Season
from leagues.seasons.closing import close_season
from leagues.seasons.deals import close_deal, find_deals_to_close
from leagues.seasons.drawing import begin_season, draw_next_round
from leagues.seasons.finals import draw_finals
from leagues.seasons.offices import (
    find_leagues_to_inherit,
    find_teams_to_pass_on,
    note_vacancy,
    replace_captain,
)
from leagues.seasons.results import begin_game, has_result, is_resumed, record_result, reopen
from leagues.seasons.substitutes import ask_next, find_entries_to_fill
from leagues.seasons.teams.rounds import begin_round
from leagues.seasons.warning import find_matches_ending, warn
from leagues.settings import Schedule

Step = partial[bool]
"""A function bound to the key of the object it changes."""

RUNNING = Season.objects.filter(phase=Phase.RUNNING)


def advance(now: datetime, *, seconds: float) -> bool:
    """Run the due steps of all leagues, for about *seconds*. Return whether all are done.

    Every step is a transaction of its own, so a killed worker leaves whole steps behind, and the next call
    goes on from there. A step that fails, or kills the worker, doesn't block the others.
    """
    stop = time.monotonic() + seconds
    for step in _steps(now):
        batches.run_row(f"{step.func.__name__} {step.args[0]}", step)
        if time.monotonic() > stop:
            return False
    return True


def _steps(now: datetime) -> Iterator[Step]:
    """Each kind of step is looked up only after those before it were run."""
    for find in (
        _teams_to_pass_on,
        _leagues_to_inherit,
        _places_to_fill,
        _seasons_to_begin,
        _games_to_reopen,
        _games_to_follow,
        _finals_to_draw,
        _rounds_to_draw,
        _rounds_of_teams,
        _games_to_begin,
        _ends_to_warn_of,
        _deals_to_close,
        _seasons_to_close,
    ):
        yield from find(now)


def _teams_to_pass_on(now: datetime) -> Iterator[Step]:
    for team in find_teams_to_pass_on(now):
        yield partial(replace_captain, team, now)


def _leagues_to_inherit(now: datetime) -> Iterator[Step]:
    for league in find_leagues_to_inherit(now):
        yield partial(note_vacancy, league, now)


def _places_to_fill(now: datetime) -> Iterator[Step]:
    for entry in find_entries_to_fill(now):
        yield partial(ask_next, entry, now)


def _seasons_to_begin(now: datetime) -> Iterator[Step]:
    due = Season.objects.filter(phase=Phase.REGISTRATION, begins__lte=now).order_by("begins")
    for season in due.values_list("pk", flat=True):
        yield partial(begin_season, season, now)


def _games_to_reopen(now: datetime) -> Iterator[Step]:
    for game in Fixture.objects.filter(is_resumed()).order_by("pk").values_list("game", flat=True):
        yield partial(reopen, game, now)


def _games_to_follow(now: datetime) -> Iterator[Step]:
    ended = Fixture.objects.filter(has_result(now), settled=None).order_by("pk")
    for game in ended.values_list("game", flat=True):
        yield partial(record_result, game, now)


def _finals_to_draw(now: datetime) -> Iterator[Step]:
    with_groups = RUNNING.filter(agreed__schedule=Schedule.GROUPS).exclude(divisions__kind=Kind.KNOCK_OUT)
    for season in with_groups.order_by("pk").values_list("pk", flat=True):
        yield partial(draw_finals, season, now)


def _rounds_to_draw(now: datetime) -> Iterator[Step]:
    undrawn = Division.objects.filter(AWAITS_ROUND, season__in=RUNNING).order_by("pk")
    for division in undrawn.values_list("pk", flat=True):
        yield partial(draw_next_round, division, now)


def _rounds_of_teams(now: datetime) -> Iterator[Step]:
    due = Division.objects.filter(
        AWAITS_ROUND,
        season__in=RUNNING,
        team_matches__round=F("drawn") + 1,
        team_matches__begins__lte=now,
    )
    for division in due.order_by("pk").distinct().values_list("pk", flat=True):
        yield partial(begin_round, division, now)


def _games_to_begin(now: datetime) -> Iterator[Step]:
    waiting = Match.objects.filter(waits=True, division__season__in=RUNNING).order_by("pk")
    for match in waiting.values_list("pk", flat=True):
        yield partial(begin_game, match, now)


def _ends_to_warn_of(now: datetime) -> Iterator[Step]:
    seasons = find_matches_ending(now).values_list("division__season", flat=True)
    for season in seasons.order_by("division__season").distinct():
        yield partial(warn, season, now)


def _deals_to_close(now: datetime) -> Iterator[Step]:
    for deal in find_deals_to_close().values_list("pk", flat=True):
        yield partial(close_deal, deal, now)


def _seasons_to_close(now: datetime) -> Iterator[Step]:
    for season in RUNNING.order_by("pk").values_list("pk", flat=True):
        yield partial(close_season, season, now)
