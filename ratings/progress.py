"""Rating of new games, exactly once and in order (RATE-2), and of changed ones anew (RATE-6).

A bookmark marks the place up to which all is rated. Games after it are rated in chunks, each in one
transaction that advances the bookmark under its lock: so nothing is rated twice by two workers, nor after a
worker was killed. A change in the past moves the bookmark back. The games after it keep their rows until
their chunk is rated, and a rating is always that after its player's last rated game: while much is rated
anew, nobody's number falls back to an old one.

A game whose rating has failed, or killed the worker, is skipped while it rests (``core/batches.py``), and
rated in its place when it is retried.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import transaction

from core import attempts, batches
from ratings import rows
from ratings.models import Pool, RatingBookmark, RatingPlace
from ratings.results import RatedResult, ResultSource
from ratings.skill import BEGINNING, Career, apply_game

BOOKMARK = "ratings"
CHUNK = 2000
LATE = timedelta(days=1)
"""Maximum time from the end of a game to its commit, even if the message is lost, too."""

logger = logging.getLogger(__name__)


def rate_games(source: ResultSource, *, seconds: float) -> bool:
    """Rate new and changed games for about so many *seconds*. Return whether all are rated."""
    stop = time.monotonic() + seconds
    _go_back_for_who_came_late(source)
    for unit in batches.list_to_retry("game"):
        if not rewind_to_game(source, *attempts.parse_keys([unit], "game")):
            batches.forget(unit)
    rate = _rate_next if attempts.must_go_one_by_one() else _rate_some
    while True:
        try:
            more = rate(source)
        except Exception as error:
            batches.raise_unless_of_row(error)
            if rate is _rate_next or not attempts.get_task():
                raise
            logger.warning("Games can't be rated together: each is rated by itself", exc_info=True)
            rate, more = _rate_next, True
        if not more:
            return True
        if time.monotonic() > stop:
            return False


def rewind_to_game(source: ResultSource, reference: int) -> bool:
    """Move the bookmark back to a game that has ended, or whose result, players or rated flag have changed
    (RATE-6). Return whether there is anything to rate."""
    is_now, was = source.get(reference), rows.load_rated_result(reference)
    if is_now == was:
        return False
    go_back(min(played.place for played in (is_now, was) if played is not None))
    return True


def rebuild() -> None:
    """Move the bookmark to the beginning, and mark all months of calibration for a recount."""
    with transaction.atomic():
        _move(_lock_bookmark(), None)
        rows.note_all_months()


def go_back(place: RatingPlace) -> None:
    """Move the bookmark back to *place*. If there is none yet nothing is locked: the next games will be rated
    anyway, and the sweep finds what slips through at this moment."""
    known = RatingBookmark.objects.filter(name=BOOKMARK).first()
    if known is None or _is_after(place, known):
        return
    with transaction.atomic():
        bookmark = _lock_bookmark()
        if not _is_after(place, bookmark):
            _move(bookmark, place.before_all_of_its_moment)


def _rate_next(source: ResultSource) -> bool:
    """Rate the next game alone. Return whether there may be more."""
    bookmark = RatingBookmark.objects.filter(name=BOOKMARK).first()
    upcoming = source.after(bookmark.place if bookmark else None, 1, but=batches.list_resting("game"))
    if not upcoming:
        return _rate_some(source)
    batches.run_row(f"game {upcoming[0].reference}", lambda: _rate_some(source, 1))
    return True


@transaction.atomic
def _rate_some(source: ResultSource, most: int | None = None) -> bool:
    """Rate so many games, or a chunk. Return whether there may be more."""
    most = most or CHUNK
    bookmark = _lock_bookmark()
    if bookmark.beta != settings.RATING_BETA:
        bookmark.beta = settings.RATING_BETA
        _move(bookmark, None)
    begin = bookmark.place
    games, old = source.after(begin, most, but=batches.list_resting("game")), rows.load_stale(begin, most)
    # A list that is full goes on beyond its end: both are taken up to the nearer end of a full one.
    ends = [chunk[-1].place for chunk in (games, [game.played for game in old]) if len(chunk) == most]
    if ends:
        games = [game for game in games if game.place <= min(ends)]
        old = [game for game in old if game.played.place <= min(ends)]
    if games or old:
        rows.replace(old, _rate(games, begin, bookmark.beta))
    reached = min(ends, default=games[-1].place if games else None)
    if reached is not None:
        _move(bookmark, reached)
    return bool(ends)


def _rate(games: Sequence[RatedResult], begin: RatingPlace | None, beta: float) -> list[rows.RatedOutcome]:
    careers: dict[Pool, dict[int, Career]] = {}
    for pool in {game.pool for game in games}:
        players = {player for game in games if game.pool == pool for player in game.players}
        careers[pool] = rows.load_careers(pool, players, begin)
    return [rate_result(game, careers[game.pool], beta) for game in games]


def rate_result(game: RatedResult, careers: dict[int, Career], beta: float) -> rows.RatedOutcome:
    """Rate *game*, and update *careers* of its pool, by player."""
    before = [careers.get(player, BEGINNING) for player in game.players]
    changes = apply_game(before, game.ranks, game.place.ended, beta)
    careers.update((player, change.after) for player, change in zip(game.players, changes, strict=True))
    return rows.RatedOutcome(game, changes)


@transaction.atomic
def _go_back_for_who_came_late(source: ResultSource) -> None:
    """Move the bookmark back to games that were committed after later ones had been rated."""
    bookmark = _lock_bookmark()
    reached = bookmark.place
    if reached is None:
        return
    first = source.first_missing(reached, reached.ended - LATE, but=batches.list_resting("game"))
    if first is not None:
        _move(bookmark, RatingPlace(first, ""))


def _lock_bookmark() -> RatingBookmark:
    """Return the locked bookmark; its lock protects all rows of ratings."""
    defaults = {"beta": settings.RATING_BETA}
    bookmark, _new = RatingBookmark.objects.select_for_update().get_or_create(
        name=BOOKMARK, defaults=defaults
    )
    return bookmark


def _is_after(place: RatingPlace, bookmark: RatingBookmark) -> bool:
    reached = bookmark.place
    return reached is None or place > reached


def _move(bookmark: RatingBookmark, place: RatingPlace | None) -> None:
    bookmark.ended, bookmark.code = (place.ended, place.code) if place else (None, "")
    bookmark.save(update_fields=["ended", "code", "beta"])
