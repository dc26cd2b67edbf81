"""Founding leagues, and opening their seasons."""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from accounts.models import Player
from leagues.exceptions import LeagueRefused
from leagues.models import League, LogEntry, Season
from leagues.settings import LeagueSettings

MAY_FOUND = "leagues.found_league"


@transaction.atomic
def found(*, founder: Player, name: str, settings: LeagueSettings, now: datetime, text: str = "") -> League:
    """A new league of *founder*, who is its first organiser; registration for its first season opens at once.

    :raises LeagueRefused: *founder* lacks the right, the name is taken, or there can't be such a league
    """
    if not founder.has_perm(MAY_FOUND):
        raise LeagueRefused("may_not_found")
    fault = next(settings.faults(), None)
    if fault is not None:
        raise LeagueRefused("settings", what=fault)
    slug = slugify(name, allow_unicode=False)[:40]
    if not slug or League.objects.filter(slug=slug).exists():
        raise LeagueRefused("name_taken")
    try:
        with transaction.atomic():
            league = League.objects.create(
                slug=slug, name=name, text=text, founder=founder, agreed=settings.to_json(), created=now
            )
    except IntegrityError as taken:  # by somebody who came between the look and the row
        raise LeagueRefused("name_taken") from taken
    league.organisers.add(founder)
    note(league, "found", who=founder, now=now)
    open_season(league, now)
    return league


def open_season(league: League, now: datetime) -> Season:
    """The next season of *league*; registration opens *now*. Whoever calls holds a lock on the last one."""
    settings = league.settings
    last = league.seasons.order_by("-number").first()
    begins = now + settings.registration
    season = Season.objects.create(
        league=league,
        number=last.number + 1 if last else 1,
        agreed=league.agreed,
        opened=now,
        begins=begins,
        ends=begins + settings.length,
    )
    note(league, "open", season=season, now=now)
    return season


def note(
    league: League,
    act: str,
    *,
    now: datetime,
    who: Player | None = None,
    season: Season | None = None,
    reason: str = "",
    **details: object,
) -> LogEntry:
    """Write down what *who*, or the beat, has done."""
    return LogEntry.objects.create(
        league=league, season=season, who=who, at=now, act=act, reason=reason, details=details
    )
