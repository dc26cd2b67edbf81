"""Archive of leagues: past seasons with their winners, champions, and careers of players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.db.models import (
    BooleanField,
    Case,
    Count,
    Exists,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from accounts.models import Player
from leagues.models import Division, Entry, EntryState, League, Phase, Season, Seed, Team
from leagues.selectors.leagues import annotate_player_count
from leagues.settings import Schedule

PLAYED = Q(division__isnull=False)
GROUPS = Q(division__season__agreed__schedule=Schedule.GROUPS)
"""Match seasons with groups, whose champion is the winner of the knock-out after them."""

OWN_TEAM = Team.objects.filter(
    season=OuterRef("season"), members__player=OuterRef("player"), members__joined__isnull=False
)
OF_PLAYER = Q(player=OuterRef("player"))
OF_TEAM = Q(team__members__player=OuterRef("player"), team__members__joined__isnull=False)


class Won(NamedTuple):
    """The winner of a division."""

    division: Division  # with its season
    holder: Player | Team
    points: str  # empty if only the winner counts
    values: Mapping[str, str] = {}  # of the tie-breaks that were needed

    @property
    def season(self) -> Season:
        return self.division.season


def load_past_seasons(league: League) -> QuerySet[Season]:
    """The seasons of *league* that are over, the latest first, with the number of their players and
    divisions."""
    over = league.seasons.filter(phase__in=[Phase.CLOSED, Phase.CANCELLED])
    drawn = Season.objects.filter(pk=OuterRef("pk")).annotate(n=Count("divisions")).values("n")
    return (
        annotate_player_count(over)
        .annotate(levels=Subquery(drawn))
        .select_related("league")
        .order_by("-number")
    )


def load_winners(seasons: Iterable[Season], levels: int) -> dict[int, list[list[Won]]]:
    """Return the winners of the highest *levels* divisions of each of *seasons*, and of the knock-outs after
    groups, by season; those who share a division in a list. Three queries."""
    seasons = list(seasons)
    first = Q(division__season__in=seasons, rank=1)
    won: dict[int, dict[int, list[Won]]] = {season.pk: {} for season in seasons}
    for one in [*_cups(first), *_tables(first & Q(division__level__lte=levels))]:
        won[one.division.season_id].setdefault(one.division.level, []).append(one)
    return {season: list(by_level.values()) for season, by_level in won.items()}


def load_champions(league: League) -> list[Won]:
    """Return the winner of the knock-out, or of the first division, of each closed season of *league*, the
    latest first. Three queries."""
    found = _find_champions(Q(division__season__league=league))
    return sorted(found, key=lambda won: -won.division.season.number)  # stable


def load_season_champions(season: Season) -> list[Won]:
    """Return who has won *season*, once it is closed. Three queries; none before."""
    return _find_champions(Q(division__season=season)) if season.phase == Phase.CLOSED else []


def _find_champions(which: Q) -> list[Won]:
    first = which & Q(division__season__phase=Phase.CLOSED, rank=1)
    return [*_cups(first), *_tables(first & Q(division__level=1) & ~GROUPS, gone=False)]


def _cups(which: Q) -> list[Won]:
    """The winners of knock-outs after groups."""
    seeds = Seed.objects.filter(which & GROUPS).select_related("division__season__league", "player", "team")
    return [_build_won(seed.division, seed.contender, "") for seed in seeds]


def _tables(which: Q, *, gone: bool = True) -> list[Won]:
    """The winners of all other divisions: players, or teams where they play. With *gone* also those who have
    withdrawn."""
    kept = Q() if gone else ~Q(state=EntryState.WITHDRAWN)  # the value is the same for teams
    alone = ~Exists(Team.objects.filter(season=OuterRef("season")))
    entries = Entry.objects.filter(alone, which & kept).select_related("division__season__league", "player")
    teams = Team.objects.filter(which & kept).select_related("division__season__league")
    found: list[Won] = []
    for row in entries.order_by("division__level", "row"):
        found.append(_build_won(row.division, row.player, row.points)._replace(values=row.values))
    for team in teams.order_by("division__level", "row"):
        found.append(_build_won(team.division, team, team.points))
    return found


def _build_won(division: Division | None, holder: Player | Team, points: str) -> Won:
    assert division is not None
    if isinstance(holder, Team):
        holder.season = division.season
    return Won(division, holder, points if division.format.in_tables else "")


def list_closed_numbers(league: League) -> list[int]:
    """The numbers of the seasons of *league* that were played to their end."""
    played = league.seasons.filter(phase=Phase.CLOSED).order_by("number")
    return list(played.values_list("number", flat=True))


def load_career(player: Player) -> QuerySet[Entry]:
    """Return all entries of *player* in divisions, the latest first, each with the number of ``others`` in
    the division including the player, the ``team``, its rank, and whether that was a ``title``. Whoever has
    left a ladder doesn't count."""
    there = Entry.objects.filter(division=OuterRef("division"), rank__isnull=False)
    table = there.order_by().values("division")
    entries = with_titles(player.entries.filter(PLAYED)).annotate(
        others=Coalesce(Subquery(table.annotate(n=Count("pk")).values("n")), 0),
        team=Subquery(OWN_TEAM.values("name")[:1]),
        team_rank=Subquery(OWN_TEAM.values("rank")[:1]),
    )
    return entries.select_related("season__league", "division").order_by("-season__begins", "-pk")


def summarise_career(player: Player) -> dict[str, int]:
    """Count the seasons that *player* has played, and the successes in those that are over. One query."""
    over = Q(season__phase=Phase.CLOSED) & ~Q(state=EntryState.WITHDRAWN)
    lower = Q(rank=1, division__level__gt=1, of_team=False) & ~GROUPS
    return with_titles(player.entries.filter(PLAYED)).aggregate(
        seasons=Count("pk"),
        leagues=Count("season__league", distinct=True),
        titles=Count("pk", filter=over & Q(title=True)),
        firsts=Count("pk", filter=over & lower),
        ups=Count("pk", filter=Q(moves="up")),
    )


def with_titles(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Annotate *entries* with ``of_team``, and with ``title``: whether the player or their team is first of
    all in the season, which is a title once it is over."""
    in_table = Q(rank=1, division__level=1, of_team=False) & ~GROUPS
    of_teams = Exists(OWN_TEAM.filter(~GROUPS, rank=1, division__level=1))
    cups = Seed.objects.filter(OF_PLAYER | OF_TEAM, GROUPS, division__season=OuterRef("season"), rank=1)
    return entries.annotate(of_team=Exists(OWN_TEAM)).annotate(
        title=Case(
            When(in_table | of_teams | Exists(cups), then=Value(True)),
            default=Value(False),
            output_field=BooleanField(),
        )
    )
