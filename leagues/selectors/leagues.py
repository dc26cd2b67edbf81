"""Leagues, their seasons and divisions, each with a fixed number of queries however large they are."""

from __future__ import annotations

from django.db.models import Count, Prefetch, Q, QuerySet

from games.access import Visitor
from leagues.models import (
    Division,
    Entry,
    EntryState,
    Fixture,
    League,
    LogEntry,
    Match,
    MatchSeat,
    Phase,
    Season,
)

HERE = ~Q(entries__state=EntryState.WITHDRAWN)


def in_phase(phase: Phase) -> QuerySet[Season]:
    """Seasons in *phase* with their leagues and the number of their players."""
    return (
        Season.objects.filter(phase=phase)
        .select_related("league")
        .annotate(players=Count("entries", filter=HERE))
    )


def closed_leagues() -> QuerySet[League]:
    """Leagues in which nothing goes on."""
    return League.objects.exclude(seasons__phase__in=[Phase.REGISTRATION, Phase.RUNNING]).order_by("name")


def seasons_of(league: League) -> QuerySet[Season]:
    """All seasons of *league*, the latest first."""
    return league.seasons.annotate(players=Count("entries", filter=HERE)).order_by("-number")


def registered(season: Season) -> QuerySet[Entry]:
    """Who plays in *season*, or will, in the order in which they came."""
    there = season.entries.exclude(state=EntryState.WITHDRAWN)
    return there.select_related("player").order_by("registered", "pk")


def own_entry(season: Season, visitor: Visitor) -> Entry | None:
    """The registration of *visitor*, also one that was withdrawn."""
    if not visitor.is_authenticated:
        return None
    return season.entries.filter(player=visitor.pk).first()


def tables_of(season: Season) -> QuerySet[Division]:
    """The divisions of *season*, the highest first, with their entries as ``table``."""
    rows = Entry.objects.select_related("player").order_by("row", "order", "pk")
    return season.divisions.order_by("level").prefetch_related(Prefetch("entries", rows, to_attr="table"))


def table_of(division: Division) -> list[Entry]:
    """The entries of *division* in the order of its table."""
    return list(division.entries.select_related("player").order_by("row", "order", "pk"))


def settled(division: Division) -> list[Fixture]:
    """The games of *division* whose result counts."""
    return list(Fixture.objects.filter(match__division=division, settled__isnull=False).order_by("pk"))


def matches_of(division: Division, round: int) -> QuerySet[Match]:
    """The matches of a *round* of *division* with their players and games."""
    fixtures = Fixture.objects.select_related("game").order_by("number")
    seats = MatchSeat.objects.select_related("player").order_by("index")
    matches = division.matches.filter(round=round).order_by("number")
    return matches.prefetch_related(Prefetch("seats", seats), Prefetch("fixtures", fixtures))


def log_of(league: League) -> QuerySet[LogEntry]:
    """What was done in *league*, the latest first."""
    return league.log.select_related("who", "season").order_by("-at", "-pk")


def byes_of(division: Division, round: int) -> list[int]:
    """Who sits out a *round* of *division*, by primary key."""
    return list(division.byes.filter(round=round).order_by("pk").values_list("player", flat=True))
