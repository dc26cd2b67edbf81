"""Read-only check that the stored ratings equal those of rating everything from the beginning."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import astuple
from datetime import date

from django.conf import settings
from django.db.models import F

from ratings import rows
from ratings.models import CalibrationMonth, Pool, Rating
from ratings.progress import rate_result
from ratings.results import BATCH, ResultSource, iterate_results
from ratings.rows import RatedOutcome
from ratings.skill import Calibration, Career

EXACT = 1e-9
"""Maximum difference between a stored number and the recomputed one."""

Careers = dict[Pool, dict[int, Career]]


def find_differences(
    source: ResultSource, tell: Callable[[RatedOutcome], object] = lambda outcome: None
) -> Iterator[str]:
    """Yield each difference between stored and recomputed ratings as a line; unrated games, too.

    It reads all games once, and keeps each player's career in memory. *tell* is called with each recomputed
    game. Games that end meanwhile may be reported as differences.
    """
    careers: Careers = {pool: {} for pool in Pool}
    months: dict[date, Calibration] = defaultdict(Calibration)
    for anew, stored in _side_by_side(_anew(source, careers), rows.iterate_outcomes()):
        if anew is not None:
            tell(anew)
            if anew.played.pool == Pool.DUEL:
                month = rows.find_month(anew.played.place)
                months[month] = months[month].after(anew.played.players, anew.changes)
        yield from _differences_of_game(anew, stored)
    yield from _differences_of_ratings(careers)
    yield from _differences_of_months(months)


def _anew(source: ResultSource, careers: Careers) -> Iterator[RatedOutcome]:
    """Yield every game as recomputed, in order; fills *careers*."""
    for game in iterate_results(source):
        yield rate_result(game, careers[game.pool], settings.RATING_BETA)


def _side_by_side(
    anew: Iterator[RatedOutcome], stored: Iterator[RatedOutcome]
) -> Iterator[tuple[RatedOutcome | None, RatedOutcome | None]]:
    """Merge two sorted iterators; games at the same place are paired."""
    one, other = next(anew, None), next(stored, None)
    while one is not None or other is not None:
        if other is None or (one is not None and one.played.place < other.played.place):
            yield one, None
            one = next(anew, None)
        elif one is None or other.played.place < one.played.place:
            yield None, other
            other = next(stored, None)
        else:
            yield one, other
            one, other = next(anew, None), next(stored, None)


def _differences_of_game(anew: RatedOutcome | None, stored: RatedOutcome | None) -> Iterator[str]:
    if anew is None and stored is not None:
        yield f"{stored.played.place.code} is rated at {stored.played.place.ended}, and should not be"
    elif stored is None and anew is not None:
        yield f"{anew.played.place.code} is not rated at {anew.played.place.ended}"
    elif anew is not None and stored is not None:
        code = anew.played.place.code
        if anew.played != stored.played:
            yield f"{code} was rated with {stored.played.players} ranked {stored.played.ranks}, not" + (
                f" {anew.played.players} ranked {anew.played.ranks}"
            )
            return
        for seat, (one, other) in enumerate(zip(anew.changes, stored.changes, strict=True)):
            if one != other and not _same(astuple(one), astuple(other)):
                yield f"{code} seat {seat} is {other}, not {one}"


def _differences_of_ratings(careers: Careers) -> Iterator[str]:
    missing = {(pool, player) for pool in Pool for player in careers[pool]}
    for rating in Rating.objects.order_by("pk").iterator(chunk_size=BATCH):
        pool = Pool(rating.pool)
        missing.discard((pool, rating.player_id))
        career = careers[pool].get(rating.player_id)
        if career is None:
            yield f"player {rating.player_id} has a rating in {pool}, and no rated game"
        elif not _same(astuple(career), astuple(rating.career)):
            yield f"player {rating.player_id} in {pool} is {rating.career}, not {career}"
        elif rows.compute_settled_until(career) != rating.settled_until:
            yield f"player {rating.player_id} in {pool} is settled until {rating.settled_until}"
    for pool, player in sorted(missing):
        yield f"player {player} has no rating in {pool}"


def _differences_of_months(months: dict[date, Calibration]) -> Iterator[str]:
    """Compare the counted months; others may wait for their count."""
    for row in CalibrationMonth.objects.filter(changed=F("counted")).order_by("month"):
        anew = months.get(row.month, Calibration())
        if not _same(astuple(anew), astuple(row.calibration)):
            yield f"the calibration of {row.month:%Y-%m} is {row.calibration}, not {anew}"


def _same(one: object, other: object) -> bool:
    """Return whether two values or nested tuples are equal, with floats to :data:`EXACT`."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=0, abs_tol=EXACT)
    return one == other
