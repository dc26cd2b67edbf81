"""Reading and writing the rows of ratings. Whoever writes holds the lock of the bookmark."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from accounts.models import Player
from leagues.models import CalibrationMonth, Place, Pool, RatedGame, Rating, RatingChange
from leagues.ratings.record import BATCH, PlayedGame, after, up_to
from leagues.skill import Career, Change, days_settled

CURRENT = ("mu", "sigma", "elo", "games", "ended", "settled_until")


@dataclass(frozen=True, slots=True)
class Outcome:
    """A rated game, and what it was for each of its seats."""

    played: PlayedGame
    changes: tuple[Change, ...]


def month_of(place: Place) -> date:
    """The first day of the month, in UTC, of a game at *place*."""
    return place.ended.date().replace(day=1)


def careers(pool: Pool, players: Iterable[int], place: Place | None) -> dict[int, Career]:
    """How *players* stood in *pool* after the game at *place*; without those who had no rated game."""
    if place is None:
        return {}
    changes = _latest(pool, players, up_to(place, "ended"))
    return {change.player_id: change.career for change in changes}


def stale(place: Place | None, limit: int) -> list[RatedGame]:
    """The first *limit* games that have been rated after *place*, and so are to be rated anew, in order."""
    return list(RatedGame.objects.filter(after(place, "ended")).order_by("ended", "code")[:limit])


def replace(old: Iterable[RatedGame], new: Iterable[Outcome]) -> None:
    """Put *new* games where *old* ones were, and let the ratings of all who played them follow."""
    new = list(new)
    # A game may have been rated at a later place than it has now.
    moved = RatedGame.objects.filter(pk__in=[outcome.played.game for outcome in new])
    gone = {game.pk: game for game in (*old, *moved)}
    players: dict[Pool, set[int]] = defaultdict(set)
    months = {month_of(game.place) for game in gone.values() if game.pool == Pool.DUEL}
    if gone:
        changes = RatingChange.objects.filter(rated_game__in=gone)
        for pool, player in changes.values_list("pool", "player").distinct():
            players[Pool(pool)].add(player)
        changes.delete()
        RatedGame.objects.filter(pk__in=gone).delete()
    for outcome in new:
        players[outcome.played.pool].update(outcome.played.players)
        if outcome.played.pool == Pool.DUEL:
            months.add(month_of(outcome.played.place))
    RatedGame.objects.bulk_create(_rated_game(outcome.played) for outcome in new)
    RatingChange.objects.bulk_create(row for outcome in new for row in _changes(outcome))
    for pool in players:
        _refresh(pool, players[pool])
    _note_months(months)


def outcomes(pool: Pool | None = None, month: date | None = None) -> Iterator[Outcome]:
    """The games as they have been rated, in order, perhaps those of one *pool* and *month* alone; no more
    than a batch of them in memory."""
    games = RatedGame.objects.order_by("ended", "code")
    if pool is not None:
        games = games.filter(pool=pool)
    if month is not None:
        games = games.filter(ended__year=month.year, ended__month=month.month)
    batch = list(games[:BATCH])
    while batch:
        yield from _outcomes(batch)
        batch = list(games.filter(after(batch[-1].place, "ended"))[:BATCH])


def count_games() -> int:
    """How many games have been rated."""
    return RatedGame.objects.count()


def as_rated(game: int) -> PlayedGame | None:
    """What was known of a *game* when it was rated; ``None`` if it was not."""
    rated = list(RatedGame.objects.filter(pk=game))
    return next((outcome.played for outcome in _outcomes(rated)), None)


def _outcomes(batch: list[RatedGame]) -> Iterator[Outcome]:
    rows = RatingChange.objects.filter(rated_game__in=batch).order_by("rated_game", "seat")
    seats = {game: list(rows) for game, rows in groupby(rows, key=lambda row: row.rated_game_id)}
    for game in batch:
        changes = seats.get(game.pk, [])
        yield Outcome(
            PlayedGame(
                game.pk,
                game.place,
                tuple(row.player_id for row in changes),
                tuple(row.rank for row in changes),
            ),
            tuple(Change(row.rank, row.before, row.expected, row.elo_before, row.career) for row in changes),
        )


def _latest(pool: Pool, players: Iterable[int], condition: Q) -> QuerySet[RatingChange]:
    """The last change of each of *players* in *pool* among those that meet *condition*."""
    own = RatingChange.objects.filter(condition, pool=pool, player=OuterRef("pk"))
    last = own.order_by("-ended", "-code").values("pk")[:1]
    keys = Player.objects.filter(pk__in=list(players)).annotate(change=Subquery(last))
    return RatingChange.objects.filter(pk__in=list(keys.values_list("change", flat=True)))


def _refresh(pool: Pool, players: set[int]) -> None:
    """Let the ratings of *players* in *pool* be those after their last rated game."""
    rows = [_rating(change) for change in _latest(pool, players, Q())]
    Rating.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["player", "pool"], update_fields=CURRENT
    )
    without = players - {row.player_id for row in rows}
    if without:
        Rating.objects.filter(pool=pool, player__in=without).delete()


def _note_months(months: Iterable[date]) -> None:
    """Note that the duels of *months* have changed, so that their calibration is counted anew."""
    known = sorted(months)
    CalibrationMonth.objects.bulk_create(
        [CalibrationMonth(month=month) for month in known], ignore_conflicts=True
    )
    CalibrationMonth.objects.filter(month__in=known).update(changed=F("changed") + 1)


def _rating(change: RatingChange) -> Rating:
    return Rating(
        player_id=change.player_id,
        pool=change.pool,
        mu=change.mu,
        sigma=change.sigma,
        elo=change.elo,
        games=change.games,
        ended=change.ended,
        settled_until=settled_until(change.career),
    )


def settled_until(career: Career) -> datetime | None:
    """Until when a player is not provisional who plays no more; ``None`` for who is."""
    days = days_settled(career.strength)
    return None if days is None or career.ended is None else career.ended + timedelta(days=days)


def _rated_game(played: PlayedGame) -> RatedGame:
    return RatedGame(game_id=played.game, pool=played.pool, ended=played.place.ended, code=played.place.code)


def _changes(outcome: Outcome) -> Iterator[RatingChange]:
    played = outcome.played
    for seat, (player, change) in enumerate(zip(played.players, outcome.changes, strict=True)):
        after = change.after
        yield RatingChange(
            rated_game_id=played.game,
            seat=seat,
            player_id=player,
            pool=played.pool,
            ended=played.place.ended,
            code=played.place.code,
            games=after.games,
            rank=change.rank,
            expected=change.expected,
            mu_before=change.before.mu,
            sigma_before=change.before.sigma,
            mu=after.strength.mu,
            sigma=after.strength.sigma,
            elo_before=change.elo_before,
            elo=after.elo,
        )
