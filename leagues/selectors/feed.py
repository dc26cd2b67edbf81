"""News and dates of a league, for feeds and calendars."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Max, Q, QuerySet

from leagues.models import League, LogEntry, Match, Season, TeamMatch

LATEST = 50
TOLD = ("found", "open", "begin", "cancel", "close")
"""Acts of the log that are news; players who join or leave are not."""

DATED = ("begin", "postpone", "extend", "move_end", "cancel", "call_off_season", "finals", "close")
"""Acts of the log that change when a season begins or ends, or what its rounds are."""


def load_log_news(league: League) -> QuerySet[LogEntry]:
    """Return the latest news in the log of *league*."""
    return (
        league.log.filter(act__in=TOLD)
        .select_related("league", "season__league")
        .order_by("-at", "-pk")[:LATEST]
    )


def load_decided_matches(league: League) -> list[Match]:
    """Return the last decided matches of *league*, with their players and games."""
    decided = Match.objects.filter(division__season__in=_latest_seasons(league), decided__isnull=False)
    alone = decided.filter(at_board=None)  # for teams, team matches are news instead
    with_all = alone.select_related("division__season__league")
    with_all = with_all.prefetch_related("seats__player", "fixtures")
    return list(with_all.order_by("-decided", "-pk")[:LATEST])


def find_last_change(league: League) -> datetime:
    """Return the time of the latest news of *league*."""
    matches = Match.objects.filter(division__season__in=_latest_seasons(league))
    found = matches.aggregate(decided=Max("decided"), settled=Max("fixtures__settled"))
    logged = league.log.order_by("-at").values_list("at", flat=True).first()
    moments = [*found.values(), logged]
    return max((at for at in moments if at is not None), default=league.created)


def _latest_seasons(league: League) -> list[int]:
    """The last two seasons, as one has just been closed when the next one opens."""
    return list(league.seasons.order_by("-number").values_list("pk", flat=True)[:2])


def load_seasons(league: League) -> QuerySet[Season]:
    """The latest seasons of *league*, for calendars."""
    return league.seasons.select_related("league").order_by("-number")[:10]


class Changes(NamedTuple):
    """Time of the last change of a season's calendar, and number of changes."""

    at: datetime
    times: int


def load_calendar_changes(seasons: Collection[Season]) -> dict[int, Changes]:
    """Return the changes of each of *seasons* since it opened, by primary key. They were read with their
    leagues. One query."""
    leagues = {season.league_id for season in seasons}
    dated = Q(act__in=DATED, season__in=[season.pk for season in seasons]) | Q(act="edit", season=None)
    logged = LogEntry.objects.filter(dated, league__in=leagues)
    found = logged.order_by().values_list("league", "season").annotate(changed=Max("at"), times=Count("pk"))
    by_season = {(league, season): Changes(at, times) for league, season, at, times in found}

    def of(season: Season) -> Changes:
        never = Changes(season.league.created, 0)
        own = by_season.get((season.league_id, season.pk), never)
        renamed = by_season.get((season.league_id, None), never)  # with other changes for coming seasons
        return Changes(max(own.at, renamed.at, season.opened), own.times + renamed.times)

    return {season.pk: of(season) for season in seasons}


def load_team_rounds(seasons: Collection[Season]) -> list[TeamMatch]:
    """The first match of each round of teams in *seasons*, which says when the round begins."""
    first = TeamMatch.objects.filter(division__season__in=list(seasons), number=1)
    return list(first.select_related("division__season__league").order_by("begins", "division__level"))


def load_decided_team_matches(league: League) -> list[TeamMatch]:
    """Return the last decided matches of teams of *league*, each with the time of its last decided board
    (``at``)."""
    decided = TeamMatch.objects.filter(division__season__in=_latest_seasons(league), decided=True)
    dated = decided.annotate(at=Max("boards__players__match__decided")).filter(at__isnull=False)
    with_all = dated.select_related("division__season__league", "first", "second")
    return list(with_all.prefetch_related("boards").order_by("-at", "-pk")[:LATEST])
