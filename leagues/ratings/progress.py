"""Rating what is left to rate, exactly once and in order (RATE-2), and anew what has changed (RATE-6).

A bookmark says up to where all is as it should be. What comes after it is rated in chunks, each in one
transaction that moves the bookmark on, under its lock: so nothing is rated twice by two workers, nor after
one was killed. A change in the past moves the bookmark back. The games after it keep what they had until
their chunk comes, and a rating is always that after its player's last rated game: while much is rated anew,
nobody's number goes back to what it was long ago.

A game whose rating has killed the worker is passed over while it rests (``carcassonne/attempts.py``), and
rated in its place when it is tried again.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from carcassonne import attempts
from carcassonne.celery import on_commit
from games.models import ModerationAct
from leagues.models import Place, Pool, RatingBookmark
from leagues.ratings import record, rows
from leagues.ratings.record import PlayedGame
from leagues.skill import BEGINNING, Career, after_game

BOOKMARK = "ratings"
CHUNK = 2000
LATE = timedelta(days=1)
"""How long a game may take from the moment at which it ended to its commit, if the message is lost, too."""


def rate_games(*, seconds: float) -> bool:
    """Rate what is left to rate, for about so many *seconds*. Answers whether all is."""
    stop = time.monotonic() + seconds
    _go_back_for_who_came_late()
    for game in attempts.keys(attempts.units(resting=False), "game"):
        follow(game)
    rate = _rate_next if attempts.careful() else _rate_some
    while rate():
        if time.monotonic() > stop:
            return False
    return True


def follow(game: int) -> None:
    """Let ratings follow *game*, by primary key, that has ended, or whose result, players or mark as rated
    have changed: soon after the commit. What has not changed leads to nothing (RATE-6)."""
    is_now, was = record.as_it_is(game), rows.as_rated(game)
    if is_now == was:
        return
    go_back(min(played.place for played in (is_now, was) if played is not None))
    on_commit("leagues.tasks.rate_games")


def follow_moderators(now: datetime) -> None:
    """Let ratings follow the games in which moderators have done something of late, if a message was lost."""
    acts = ModerationAct.objects.filter(at__gte=now - LATE)
    for game in acts.order_by("game").values_list("game", flat=True).distinct():
        follow(game)


def rebuild() -> None:
    """Have everything rated, and its calibration counted, anew."""
    with transaction.atomic():
        _move(_locked(), None)
        rows.note_all_months()


def go_back(place: Place) -> None:
    """Have everything rated anew from *place* on. A bookmark that is not there yet is not locked: what comes
    next will be rated, and the sweep finds what slips through at this very moment."""
    known = RatingBookmark.objects.filter(name=BOOKMARK).first()
    if known is None or _is_after(place, known):
        return
    with transaction.atomic():
        bookmark = _locked()
        if not _is_after(place, bookmark):
            _move(bookmark, place.before_all_of_its_moment)


def _rate_next() -> bool:
    """Rate the next game alone. Answers whether there may be more."""
    bookmark = RatingBookmark.objects.filter(name=BOOKMARK).first()
    upcoming = record.games_after(bookmark.place if bookmark else None, 1, but=_resting())
    if not upcoming:
        return _rate_some()
    attempts.run(f"game {upcoming[0].game}", lambda: _rate_some(1))
    return True


def _resting() -> list[int]:
    return attempts.keys(attempts.units(resting=True), "game")


@transaction.atomic
def _rate_some(most: int | None = None) -> bool:
    """Rate so many games, or a chunk. Answers whether there may be more."""
    most = most or CHUNK
    bookmark = _locked()
    if bookmark.beta != settings.RATING_BETA:
        bookmark.beta = settings.RATING_BETA
        _move(bookmark, None)
    begin = bookmark.place
    games, old = record.games_after(begin, most, but=_resting()), rows.stale(begin, most)
    # A list that is full goes on beyond its end: both are taken up to the nearer end of a full one.
    ends = [chunk[-1].place for chunk in (games, [one.played for one in old]) if len(chunk) == most]
    if ends:
        games = [game for game in games if game.place <= min(ends)]
        old = [one for one in old if one.played.place <= min(ends)]
    if games or old:
        rows.replace(old, _rate(games, begin, bookmark.beta))
    reached = min(ends, default=games[-1].place if games else None)
    if reached is not None:
        _move(bookmark, reached)
    return bool(ends)


def _rate(games: Sequence[PlayedGame], begin: Place | None, beta: float) -> list[rows.Outcome]:
    """What *games*, which come next after *begin*, are for those who played them."""
    careers: dict[Pool, dict[int, Career]] = {}
    for pool in {game.pool for game in games}:
        players = {player for game in games if game.pool == pool for player in game.players}
        careers[pool] = rows.careers(pool, players, begin)
    return [outcome_of(game, careers[game.pool], beta) for game in games]


def outcome_of(game: PlayedGame, careers: dict[int, Career], beta: float) -> rows.Outcome:
    """What *game* is for those who played it; *careers* of its pool, by player, go on by it."""
    before = [careers.get(player, BEGINNING) for player in game.players]
    changes = after_game(before, game.ranks, game.place.ended, beta)
    careers.update((player, change.after) for player, change in zip(game.players, changes, strict=True))
    return rows.Outcome(game, changes)


@transaction.atomic
def _go_back_for_who_came_late() -> None:
    """A game may be committed after one that ended later has been rated."""
    bookmark = _locked()
    reached = bookmark.place
    if reached is None:
        return
    games = record.rated().filter(record.up_to(reached), finished__gte=reached.ended - LATE, rated_game=None)
    games = games.exclude(pk__in=_resting())
    first = games.order_by("finished", "code").values_list("finished", flat=True).first()
    if first is not None:
        _move(bookmark, Place(first, ""))


def _locked() -> RatingBookmark:
    """The bookmark, whose lock is that of all ratings."""
    defaults = {"beta": settings.RATING_BETA}
    bookmark, _new = RatingBookmark.objects.select_for_update().get_or_create(
        name=BOOKMARK, defaults=defaults
    )
    return bookmark


def _is_after(place: Place, bookmark: RatingBookmark) -> bool:
    """Whether *place* is yet to be reached."""
    reached = bookmark.place
    return reached is None or place > reached


def _move(bookmark: RatingBookmark, place: Place | None) -> None:
    bookmark.ended, bookmark.code = (place.ended, place.code) if place else (None, "")
    bookmark.save(update_fields=["ended", "code", "beta"])
