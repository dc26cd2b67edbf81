"""What has been in leagues: seasons with their winners, champions, and all that somebody has played."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from accounts.models import Player
from leagues.models import Entry, EntryState, League, Phase, Season
from leagues.selectors.leagues import counted

PLAYED = Q(division__isnull=False)


def past_seasons(league: League) -> QuerySet[Season]:
    """The seasons of *league* that are over, the latest first, with the number of their players and
    divisions."""
    over = league.seasons.filter(phase__in=[Phase.CLOSED, Phase.CANCELLED])
    drawn = Season.objects.filter(pk=OuterRef("pk")).annotate(n=Count("divisions")).values("n")
    return counted(over).annotate(levels=Subquery(drawn)).select_related("league").order_by("-number")


def winners(seasons: Iterable[Season], levels: int) -> QuerySet[Entry]:
    """Who was first in the highest so many divisions (*levels*) of each of *seasons*."""
    first = Entry.objects.filter(division__season__in=seasons, division__level__lte=levels, rank=1)
    return first.select_related("player", "division").order_by("season", "division__level", "row")


def champions(league: League) -> QuerySet[Entry]:
    """Who was first in the first division of each season of *league* that is closed, the latest first."""
    first = Entry.objects.filter(
        season__league=league, season__phase=Phase.CLOSED, division__level=1, rank=1
    ).exclude(state=EntryState.WITHDRAWN)
    return first.select_related("player", "season").order_by("-season__number", "row")


def closed_numbers(league: League) -> list[int]:
    """The numbers of the seasons of *league* that were played to their end."""
    played = league.seasons.filter(phase=Phase.CLOSED).order_by("number")
    return list(played.values_list("number", flat=True))


def career(player: Player) -> QuerySet[Entry]:
    """All seasons in which *player* plays or has played, the latest first, each with the number of ``others``
    in the division and the player among them."""
    table = Entry.objects.filter(division=OuterRef("division")).order_by().values("division")
    entries = player.entries.filter(PLAYED).annotate(
        others=Subquery(table.annotate(n=Count("pk")).values("n"))
    )
    return entries.select_related("season__league", "division").order_by("-season__begins", "-pk")


def career_in_short(player: Player) -> dict[str, int]:
    """How many seasons *player* has played, and what came of those that are over. One query."""
    over = Q(season__phase=Phase.CLOSED) & ~Q(state=EntryState.WITHDRAWN)
    return player.entries.filter(PLAYED).aggregate(
        seasons=Count("pk"),
        leagues=Count("season__league", distinct=True),
        titles=Count("pk", filter=over & Q(rank=1, division__level=1)),
        firsts=Count("pk", filter=over & Q(rank=1) & Q(division__level__gt=1)),
        ups=Count("pk", filter=Q(moves="up")),
    )
