"""Seeding: the order and the divisions in which players or teams begin a season."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol, TypeVar

from django.db import transaction

from accounts.models import Player
from leagues.exceptions import LeagueRefused
from leagues.models import Entry, Phase, Season, Team
from leagues.schedules.separation import Pairs, separate_pairs
from leagues.seasons.founding import write_log_entry
from leagues.seasons.locks import lock_season
from leagues.seasons.organisers import check_organiser
from leagues.seasons.own_matters import build_seeding_matter, check_own_matter
from leagues.seasons.promotion import Level, compute_next_levels, merge_small_divisions
from leagues.settings import LeagueSettings, Seeding
from leagues.standings.criteria import draw_lot

LAST = 10_000
"""Place of players and teams that no organiser has placed."""

MOST_PLACED = 200
"""Maximum number of players or teams that can be put in order by hand."""


class Seedable(Protocol):
    """A player's entry, or a team."""

    pk: int
    season_id: int
    rating: float
    placed: int | None


Some = TypeVar("Some", bound=Seedable)


def sort_for_seeding(there: Iterable[Some], settings: LeagueSettings, groups: int = 0) -> list[Some]:
    """Sort entries or teams, given in order of registration, by seed: those whom an organiser has placed,
    then the others by *settings*.

    Lots are drawn in pots of as many as there are *groups*, each of which gets one of it; without groups, in
    the tiers of a knock-out: seeds 3 and 4, 5 to 8, 9 to 16 and so on.
    """
    order = list(there)
    if settings.seeding != Seeding.REGISTRATION:
        order.sort(key=lambda one: -one.rating)  # stable: ties in order of registration
    order.sort(key=_place)
    if settings.seeding != Seeding.POTS:
        return order
    pots = {one.pk: at // groups if groups else at.bit_length() for at, one in enumerate(order)}
    return sorted(
        order, key=lambda one: (pots[one.pk], _place(one), draw_lot(f"pots {one.season_id}", one.pk))
    )


def _place(one: Seedable) -> int:
    return LAST if one.placed is None else one.placed


def split_by_level(
    there: Sequence[Entry | Team], settings: LeagueSettings, apart: Pairs[int]
) -> list[list[int]]:
    """Return the players or teams of each division, by primary key.

    Those of the season before keep its order, newcomers enter the lowest divisions; if all are new, they are
    sorted by rating, then registration. Pairs of *apart* are separated by moving newcomers (STAND-18): earned
    places are kept.
    """
    old: defaultdict[int, list[int]] = defaultdict(list)
    for one in sorted(there, key=lambda one: one.order):
        if one.seeded:
            old[one.seeded].append(one.holder)
    new = [one for one in there if not one.seeded]
    if not old:
        new.sort(key=lambda one: -one.rating)  # stable: ties in order of registration
    levels = [Level(tuple(old[level])) for level in sorted(old)]
    newcomers = [one.holder for one in new]
    return separate_pairs(draw_divisions(levels, newcomers, settings), newcomers, apart)


def draw_divisions(
    levels: Sequence[Level], newcomers: Sequence[int], settings: LeagueSettings
) -> list[list[int]]:
    """Return the divisions from *levels* of the season before and *newcomers*."""
    drawn = compute_next_levels(levels, newcomers, settings.division_size)
    return merge_small_divisions(drawn, settings.contenders.get_least_division(settings))


def sort_for_ladder(there: Sequence[Entry | Team], settings: LeagueSettings) -> list[int]:
    """Return a ladder in the order of the season before, with newcomers at its foot in order of
    registration."""
    old = sorted((one for one in there if one.seeded), key=lambda one: one.order)
    new = [one for one in there if not one.seeded]
    newcomers = new if old else sort_for_seeding(new, settings)
    return [one.holder for one in [*old, *newcomers]]


def list_seedable(season: Season) -> list[Entry] | list[Team]:
    """Return the entries or teams that would play a knock-out, or groups before it, if *season* began now, in
    order of registration; none in other schedules, or when it has begun."""
    if season.phase != Phase.REGISTRATION or not season.format.seeded:
        return []
    return season.contenders.load_registered(season)


@transaction.atomic
def put_seeds_in_order(
    *, season_id: int, order: Sequence[int], who: Player, reason: str, now: datetime
) -> None:
    """Place the entries or teams of *order*, by primary key, before all others.

    :raises LeagueRefused: *who* may not, also in own matters (STAND-18), there are no seeds, or somebody is
        named who isn't registered
    """
    season = lock_season(season_id)
    why = check_organiser(season.league, who, reason)
    there, own_matter = check_seeding(season, order, who)
    for one in there:
        one.placed = order.index(one.pk) + 1 if one.pk in order else None
        one.save(update_fields=["placed"])
    placed = len(order)
    write_log_entry(
        season.league,
        "seeds",
        who=who,
        season=season,
        now=now,
        reason=why,
        placed=placed,
        own_matter=own_matter,
    )


def check_seeding(season: Season, order: Sequence[int], who: Player) -> tuple[list[Entry] | list[Team], bool]:
    """Return the entries or teams of *season*, of which *who* may put those of *order* first, and whether
    that is a decision in own matters.

    :raises LeagueRefused: there are no seeds, somebody is named who isn't registered, or another organiser
        has to decide
    """
    there = list_seedable(season)
    if not there:
        raise LeagueRefused("no_seeds")
    if len(set(order)) < len(order) or not set(order) <= {one.pk for one in there}:
        raise LeagueRefused("seeds_changed")
    return there, check_own_matter(season.league, who, build_seeding_matter(season))
