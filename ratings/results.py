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
    """The players at the seats, by primary key, and how they ended. *reference* is the game's own key."""

    reference: int
    place: RatingPlace
    players: tuple[int, ...]
    ranks: tuple[int, ...]

    @property
    def pool(self) -> Pool:
        return Pool.of(len(self.players))


class ResultSource(Protocol):
    """Results as they are now, from whoever keeps the games."""

    def after(self, place: RatingPlace | None, limit: int, but: Collection[int] = ()) -> list[RatedResult]:
        """Return the first *limit* results after *place*, in order, *but* those of these references."""

    def get(self, reference: int) -> RatedResult | None:
        """Return the result of one game; ``None`` if it is not rated."""

    def first_missing(
        self, reached: RatingPlace, since: datetime, but: Collection[int] = ()
    ) -> datetime | None:
        """Return when the first game ended, *since* then and up to *reached*, that has no ``RatedGame``."""


def iterate_results(source: ResultSource) -> Iterator[RatedResult]:
    """Yield all results in order; no more than a batch of them in memory."""
    batch = source.after(None, BATCH)
    while batch:
        yield from batch
        batch = source.after(batch[-1].place, BATCH)


def comes_after(place: RatingPlace | None, ended: str = "finished") -> Q:
    """Return the condition of coming after *place*; of all if there is none.

    *ended* is the column that says when a game ended. Codes have small letters and digits only, which every
    database puts in the same order.
    """
    if place is None:
        return Q()
    return Q(**{f"{ended}__gte": place.ended}) & (Q(**{f"{ended}__gt": place.ended}) | Q(code__gt=place.code))


def comes_up_to(place: RatingPlace, ended: str = "finished") -> Q:
    """Return the condition of coming before *place* or standing there."""
    return Q(**{f"{ended}__lte": place.ended}) & (
        Q(**{f"{ended}__lt": place.ended}) | Q(code__lte=place.code)
    )
