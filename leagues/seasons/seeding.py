"""Seeding: in which order those who begin a season stand at first, and what decides between them then."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol, TypeVar

from django.db import transaction

from accounts.models import Player
from leagues.exceptions import LeagueRefused
from leagues.models import Entry, EntryState, Kind, Phase, Season, Team
from leagues.seasons.founding import note
from leagues.seasons.locks import lock_season
from leagues.seasons.organisers import check_organiser
from leagues.seasons.own_matters import build_seeding_matter, check_own_matter
from leagues.settings import LeagueSettings, Schedule, Seeding
from leagues.standings.criteria import draw_lot

LAST = 10_000
"""Stands for the place of somebody whom no organiser has placed."""

MOST_PLACED = 200
"""So many can be put in order by hand."""


class Seedable(Protocol):
    """A player's entry, or a team."""

    pk: int
    season_id: int
    rating: float
    placed: int | None


Some = TypeVar("Some", bound=Seedable)


def sort_for_seeding(there: Iterable[Some], settings: LeagueSettings, groups: int = 0) -> list[Some]:
    """Sort those who are *there*, in order of registration, as the first seed stands first: those whom an
    organiser has placed, then the others as *settings* say.

    Where lots are drawn, it is in pots of as many as there are *groups*, each of which gets one of it;
    without groups in the tiers of a knock-out: seeds 3 and 4, 5 to 8, 9 to 16 and so on.
    """
    order = list(there)
    if settings.seeding != Seeding.REGISTRATION:
        order.sort(key=lambda one: -one.rating)  # stable: then as they came
    order.sort(key=_place)
    if settings.seeding != Seeding.POTS:
        return order
    pots = {one.pk: at // groups if groups else at.bit_length() for at, one in enumerate(order)}
    return sorted(
        order, key=lambda one: (pots[one.pk], _place(one), draw_lot(f"pots {one.season_id}", one.pk))
    )


def _place(one: Seedable) -> int:
    return LAST if one.placed is None else one.placed


def list_seedable(season: Season) -> list[Entry] | list[Team]:
    """Return who would play a knock-out, or groups before it, if *season* began now, in order of
    registration; nobody where there is none, or when it has begun."""
    settings = season.settings
    if season.phase != Phase.REGISTRATION or not settings.knock_out:
        return []
    if settings.teams is not None:
        return list(season.teams.order_by("registered", "pk"))
    there = season.entries.filter(state=EntryState.REGISTERED, player__is_active=True)
    return list(there.select_related("player").order_by("registered", "pk"))


@transaction.atomic
def put_seeds_in_order(
    *, season_id: int, order: Sequence[int], who: Player, reason: str, now: datetime
) -> None:
    """Let an organiser place those of *order*, entries or teams by primary key, before all others.

    :raises LeagueRefused: *who* may not, also in own matters (STAND-18), there are no seeds, or somebody is
        named who isn't registered
    """
    season = lock_season(season_id)
    why = check_organiser(season.league, who, reason)
    there = list_seedable(season)
    if not there:
        raise LeagueRefused("no_seeds")
    if len(set(order)) < len(order) or not set(order) <= {one.pk for one in there}:
        raise LeagueRefused("seeds_changed")
    own_matter = check_own_matter(season.league, who, build_seeding_matter(season))
    for one in there:
        one.placed = order.index(one.pk) + 1 if one.pk in order else None
        one.save(update_fields=["placed"])
    placed = len(order)
    note(
        season.league,
        "seeds",
        who=who,
        season=season,
        now=now,
        reason=why,
        placed=placed,
        own_matter=own_matter,
    )


def choose_division_kind(settings: LeagueSettings) -> Kind:
    """Return the kind of the divisions with which a season begins."""
    kinds = {Schedule.KNOCK_OUT: Kind.KNOCK_OUT, Schedule.LADDER: Kind.LADDER}
    return kinds.get(settings.schedule, Kind.TABLE)
