"""What comes next in a season, from its rows alone: what would be drawn, what is waited for, and who would
move as the tables stand. Nothing is changed by asking."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import count
from typing import NamedTuple

from django.db.models import Count, OuterRef, Q, Subquery

from leagues.models import Division, Entry, EntryState, Match, Season, TeamMatch
from leagues.seasons.closing import moves_in
from leagues.seasons.drawing import drawn_from
from leagues.seasons.promotion import Level
from leagues.standings import Standing

OWN = -1
"""Stands for whoever looks where players are only counted."""


class Draw(NamedTuple):
    """The divisions that would be drawn if registration ended now."""

    sizes: tuple[int, ...]  # the highest first
    own: int | None  # the level of whoever looks, where that is clear already

    @property
    def players(self) -> int:
        return sum(self.sizes)


class Moves(NamedTuple):
    """Who would move from a division if the season ended as the table stands, in the order of the table."""

    division: Division
    up: tuple[Entry, ...]
    down: tuple[Entry, ...]


def draw_of(season: Season, own: Entry | None) -> Draw:
    """What would be drawn of those who have registered for *season*, of whom *own* may be one. Players are
    counted, not read. In a first season ratings decide, so nobody's division is known before."""
    there = season.entries.filter(state=EntryState.REGISTERED, player__is_active=True)
    counted: dict[int | None, int] = dict(there.values_list("seeded").annotate(n=Count("pk")))
    numbers = count()
    groups = {level: [next(numbers) for _ in range(counted[level])] for level in counted}
    if own is not None and own.state == EntryState.REGISTERED and (own.seeded or len(groups) > 1):
        groups[own.seeded][there.filter(seeded=own.seeded).filter(_before(own)).count()] = OWN
    levels = [Level(tuple(groups[level])) for level in sorted(key for key in groups if key)]
    drawn = drawn_from(levels, groups.get(None, []), season.settings)
    mine = next((level for level, players in enumerate(drawn, start=1) if OWN in players), None)
    return Draw(tuple(map(len, drawn)), mine)


def _before(own: Entry) -> Q:
    """Who stands before *own* among those from the same level, or among the newcomers."""
    if own.seeded:
        return Q(order__lt=own.order)
    return Q(registered__lt=own.registered) | Q(registered=own.registered, pk__lt=own.pk)


def undecided(season: Season) -> dict[int, int]:
    """How many matches that are drawn are not decided yet, by the primary key of their division."""
    left = Match.objects.filter(division__season=season, decided=None)
    return dict(left.order_by().values_list("division").annotate(n=Count("pk")))


def teams_of(season: Season) -> int:
    """How many teams of *season*, whose registration is open, have enough players."""
    rules = season.settings.teams
    assert rules is not None
    there = Q(members__joined__isnull=False, members__player__is_active=True)
    counted = season.teams.annotate(players=Count("members", filter=there))
    return counted.filter(players__gte=rules.least).count()


def team_divisions(season: Season) -> list[Division]:
    """The divisions of *season*, in which teams play, the highest first: when the round ``begins`` that comes
    next, if it is drawn, and how many matches are ``left`` that are not decided."""
    following = TeamMatch.objects.filter(division=OuterRef("pk"), round=OuterRef("drawn") + 1)
    divisions = season.divisions.annotate(
        begins=Subquery(following.values("begins")[:1]),
        left=Count("team_matches", filter=Q(team_matches__decided=False)),
    )
    return list(divisions.select_related("season").order_by("level"))


def moves_as_it_stands(divisions: Sequence[Division], lowest: int) -> list[Moves]:
    """Who would move from each of *divisions* of one season, of which that at level *lowest* is the last.
    One query."""
    rows: dict[int | None, list[Entry]] = {}
    entries = Entry.objects.filter(division__in=divisions).select_related("player").order_by("row", "pk")
    for entry in entries:
        rows.setdefault(entry.division_id, []).append(entry)
    return [_moves(division, rows.get(division.pk, []), division.level == lowest) for division in divisions]


def _moves(division: Division, entries: Sequence[Entry], lowest: bool) -> Moves:
    table = [Standing(entry.player_id, entry.rank or 1, Fraction(entry.points), {}) for entry in entries]
    moved = moves_in(division, table, entries, lowest=lowest)
    by_player = {entry.player_id: entry for entry in entries}
    up, down = ([by_player[int(player)] for player in players] for players in moved)
    return Moves(division, tuple(up), tuple(down))
