"""Results of rated games as values, in the order in which they are rated (RATE-2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from django.db.models import Q

from ratings.models import Pool, RatingPlace

BATCH = 1000


@dataclass(frozen=True, slots=True)
class RatedResult:
    """Players by seat, as primary keys, with their ranks. *reference* is the game's primary key."""

    reference: int
    place: RatingPlace
    players: tuple[int, ...]
    ranks: tuple[int, ...]

    @property
    def pool(self) -> Pool:
        return Pool.of(len(self.players))


class ResultSource(Protocol):
    """Provider of current results, implemented by the application with the games."""

    def after(self, place: RatingPlace | None, limit: int, but: Collection[int] = ()) -> list[RatedResult]:
        """Return the first *limit* results after *place*, in order, without the references in *but*."""

    def get(self, reference: int) -> RatedResult | None:
        """Return the result of one game; ``None`` if it is not rated."""

    def first_missing(
        self, reached: RatingPlace, since: datetime, but: Collection[int] = ()
    ) -> datetime | None:
        """Return the earliest end, *since* then and up to *reached*, of a game without a ``RatedGame``."""


def iterate_results(source: ResultSource) -> Iterator[RatedResult]:
    """Yield all results in order, with one batch at a time in memory."""
    batch = source.after(None, BATCH)
    while batch:
        yield from batch
        batch = source.after(batch[-1].place, BATCH)


def comes_after(place: RatingPlace | None, ended: str = "finished") -> Q:
    """Return the condition for places after *place*; without it, for all.

    *ended* is the column with a game's end. Codes consist of small letters and digits, which every database
    sorts in the same order.
    """
    if place is None:
        return Q()
    return Q(**{f"{ended}__gte": place.ended}) & (Q(**{f"{ended}__gt": place.ended}) | Q(code__gt=place.code))


def comes_up_to(place: RatingPlace, ended: str = "finished") -> Q:
    """Return the condition for places up to and including *place*."""
    return Q(**{f"{ended}__lte": place.ended}) & (
        Q(**{f"{ended}__lt": place.ended}) | Q(code__lte=place.code)
    )
