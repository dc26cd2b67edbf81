"""In which order those who begin a season stand at first, and what decides between them then."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from leagues.models import Kind
from leagues.settings import LeagueSettings, Schedule, Seeding


class Rated(Protocol):
    """A player's entry, or a team."""

    rating: float


Some = TypeVar("Some", bound=Rated)


def in_first_order(there: Iterable[Some], settings: LeagueSettings) -> list[Some]:
    """Those who are *there*, in order of registration, as the first seed stands first."""
    if settings.seeding == Seeding.RATING:
        return sorted(there, key=lambda one: -one.rating)  # stable: then as they came
    return list(there)


def kind_of(settings: LeagueSettings) -> Kind:
    """What the divisions are with which a season begins."""
    kinds = {Schedule.KNOCK_OUT: Kind.KNOCK_OUT, Schedule.LADDER: Kind.LADDER}
    return kinds.get(settings.schedule, Kind.TABLE)
