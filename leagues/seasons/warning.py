"""Warnings of matches that end soon, and notices to organisers of new matters on their desk."""

from __future__ import annotations

from collections.abc import Set
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from games.clocks import DAY
from leagues.mails.organisers import DeskNews
from leagues.mails.seasons import EndSoon
from leagues.models import Kind, Match, Phase, Season
from leagues.seasons.locks import lock_league, lock_season

WARNING = 7 * DAY
"""Maximum time from the warning about a match to its end; a quarter of short seasons and rounds."""

SHARE = 4


def find_matches_ending(now: datetime, within: timedelta = WARNING) -> QuerySet[Match]:
    """Return the unwarned matches that end *within* this time. Challenges are left out: their players learnt
    the end when they began."""
    unwarned = Match.objects.filter(warned=False, decided=None, division__season__phase=Phase.RUNNING)
    ending = unwarned.alias(end=Coalesce("ends", "division__season__ends"))
    return ending.exclude(division__kind=Kind.LADDER).filter(end__gt=now, end__lte=now + within)


@transaction.atomic
def warn(season_id: int, now: datetime) -> bool:
    """Warn the players of matches of a season that end soon, once for each end (STAND-16). Return whether any
    were due."""
    season = lock_season(season_id)
    due = find_matches_ending(now, compute_lead(season)).filter(division__season=season)
    ends = {end or season.ends for end in due.values_list("ends", flat=True).distinct()}
    for end in sorted(ends):
        ending = due.filter(Q(ends=end) | Q(ends=None, division__season__ends=end))
        EndSoon.tell(season, ending, end, now=now)
    return bool(due.update(warned=True))


def compute_lead(season: Season) -> timedelta:
    """Return how long before their end players of *season* are warned of matches."""
    parts = max((each.format.count_parts(each) for each in season.divisions.all()), default=1)
    return min(WARNING, (season.ends - season.begins) / SHARE / season.format.stages / max(1, parts))


@transaction.atomic
def tell_organisers(*, league_id: int, matters: Set[str], now: datetime) -> bool:
    """Notify organisers of *matters*, if any is new, at most once a day. Return whether a notice was sent."""
    league = lock_league(league_id)
    told_today = league.desk_told is not None and now < league.desk_told + DAY
    known = set(league.desk_known)
    if told_today or matters <= known:
        return False
    league.desk_told, league.desk_known = now, sorted(matters | known)
    league.save(update_fields=["desk_told", "desk_known"])
    DeskNews.tell(league, now=now)
    return True
