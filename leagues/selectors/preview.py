"""Preview of a season: draws, pending rounds, and moves by the current tables. Read-only."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import count
from typing import NamedTuple

from django.db.models import BooleanField, Count, ExpressionWrapper, OuterRef, Q, QuerySet, Subquery

from leagues.models import Division, Entry, EntryState, Match, Season, TeamMatch
from leagues.seasons.outlooks import TAKES_A_PLACE
from leagues.seasons.promotion import FinalTable, Level, compute_moves
from leagues.seasons.seeding import draw_divisions

OWN = -1
"""Placeholder for the visitor among players who are only counted."""


class DrawPreview(NamedTuple):
    """The divisions that a draw would make now."""

    sizes: tuple[int, ...]  # the highest first
    own: int | None  # the level of the visitor, if it is known already

    @property
    def players(self) -> int:
        return sum(self.sizes)


class MovesPreview(NamedTuple):
    """Players who would move from a division if the season ended now, in order of the table."""

    division: Division
    up: tuple[Entry, ...]
    down: tuple[Entry, ...]


def preview_draw(season: Season, own: Entry | None) -> DrawPreview:
    """Preview the draw of the players registered for *season*; *own* is the visitor's entry. Players are
    counted, not read."""
    there = season.entries.filter(state=EntryState.REGISTERED, player__is_active=True)
    return season.format.preview_draw(season, there, own)


def preview_divisions(season: Season, there: QuerySet[Entry], own: Entry | None) -> DrawPreview:
    """Preview the divisions of the registered entries *there*. In a first season ratings decide, so nobody's
    division is known before."""
    counted: dict[int | None, int] = dict(there.values_list("seeded").annotate(n=Count("pk")))
    numbers = count()
    groups = {level: [next(numbers) for _ in range(counted[level])] for level in counted}
    if own is not None and own.state == EntryState.REGISTERED and (own.seeded or len(groups) > 1):
        groups[own.seeded][there.filter(seeded=own.seeded).filter(_before(own)).count()] = OWN
    levels = [Level(tuple(groups[level])) for level in sorted(key for key in groups if key)]
    drawn = draw_divisions(levels, groups.get(None, []), season.settings)
    mine = next((level for level, players in enumerate(drawn, start=1) if OWN in players), None)
    return DrawPreview(tuple(map(len, drawn)), mine)


def _before(own: Entry) -> Q:
    """Those before *own* at the same level, or among the newcomers."""
    if own.seeded:
        return Q(order__lt=own.order)
    return Q(registered__lt=own.registered) | Q(registered=own.registered, pk__lt=own.pk)


def count_undecided(season: Season) -> dict[int, int]:
    """Count the drawn, undecided matches, by the primary key of their division."""
    left = Match.objects.filter(division__season=season, decided=None)
    return dict(left.order_by().values_list("division").annotate(n=Count("pk")))


def count_teams(season: Season) -> int:
    """Count the teams of *season* that have enough players. Registration is open."""
    rules = season.settings.team_rules
    there = Q(members__joined__isnull=False, members__player__is_active=True)
    counted = season.teams.annotate(players=Count("members", filter=there))
    return counted.filter(players__gte=rules.least).count()


def load_team_divisions(season: Season) -> list[Division]:
    """Return the divisions of *season* of teams, the highest first, annotated with when the next round
    ``begins``, if it is drawn, and the number of undecided matches ``left``."""
    following = TeamMatch.objects.filter(division=OuterRef("pk"), round=OuterRef("drawn") + 1)
    divisions = season.divisions.annotate(
        begins=Subquery(following.values("begins")[:1]),
        left=Count("team_matches", filter=Q(team_matches__decided=False)),
    )
    return list(divisions.select_related("season").order_by("level"))


def preview_moves(divisions: Sequence[Division], shown: Collection[Division]) -> list[MovesPreview]:
    """Return the players who would move from each of the *divisions* that is *shown*, with vacant places
    filled as at the end of the season; nothing before the first result.

    *divisions* are all of one season, the highest first. Two queries: of those who don't move only the keys
    are read.
    """
    season = divisions[0].season
    entries = Entry.objects.filter(division__in=divisions)
    order: dict[int | None, list[int]] = {division.pk: [] for division in divisions}
    leaving = set()
    staying = entries.annotate(stay=ExpressionWrapper(TAKES_A_PLACE, BooleanField())).order_by("row", "pk")
    has_results = False
    for division, player, stay, record in staying.values_list("division", "player", "stay", "record"):
        order[division].append(player)
        has_results |= any(record or ())
        if not stay:
            leaving.add(player)
    if not has_results:
        return []
    tables = [FinalTable(order[division.pk], leaving) for division in divisions]
    moves = compute_moves(tables, season.settings.standings, season.league.settings.division_size)
    movers = entries.filter(division__in=shown, player__in=moves).select_related("player")
    rows = list(movers.order_by("row", "pk"))
    return [
        MovesPreview(division, *(_select_movers(rows, division, moves, way) for way in ("up", "down")))
        for division in divisions
        if division in shown
    ]


def _select_movers(
    rows: Sequence[Entry], division: Division, moves: Mapping[int, str], way: str
) -> tuple[Entry, ...]:
    return tuple(one for one in rows if one.division_id == division.pk and moves[one.player_id] == way)
