"""Reading and writing of the models of ratings. Writers must hold the lock of the bookmark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from accounts.models import Player
from ratings.models import CalibrationMonth, Pool, RatedGame, Rating, RatingChange, RatingPlace
from ratings.results import BATCH, RatedResult, comes_after, comes_up_to
from ratings.skill import Career, CareerChange, Strength, count_settled_days

BEFORE = ("rank", "mu_before", "sigma_before", "expected", "elo_before")
AFTER = ("mu", "sigma", "games", "ended", "elo")
CURRENT = ("mu", "sigma", "elo", "games", "ended", "settled_until")


@dataclass(frozen=True, slots=True)
class RatedOutcome:
    """Rated game with its effect on each seat."""

    played: RatedResult
    changes: tuple[CareerChange, ...]


def find_month(place: RatingPlace) -> date:
    """The first day of the month, in UTC, of a game at *place*."""
    return place.ended.date().replace(day=1)


def load_careers(pool: Pool, players: Iterable[int], place: RatingPlace | None) -> dict[int, Career]:
    """Return the careers of *players* in *pool* up to and including *place*, without newcomers."""
    if place is None:
        return {}
    changes = _latest(pool, players, comes_up_to(place, "ended"))
    return {change.player_id: change.career for change in changes}


def load_stale(place: RatingPlace | None, limit: int) -> list[RatedOutcome]:
    """The first *limit* games that have been rated after *place*, and so are to be rated anew, in order."""
    return _outcomes(RatedGame.objects.filter(comes_after(place, "ended")).order_by("ended", "code")[:limit])


def replace(old: Sequence[RatedOutcome], new: Sequence[RatedOutcome]) -> None:
    """Replace the rows of *old* games by *new* ones, unless they are equal, and update their players'
    ratings."""
    # A game may have been rated at a later place than it has now.
    known = {outcome.played.reference for outcome in old}
    later = [outcome.played.reference for outcome in new if outcome.played.reference not in known]
    old = [*old, *_outcomes(RatedGame.objects.filter(pk__in=later))]
    were, are = set(old), set(new)
    gone = [outcome for outcome in old if outcome not in are]
    come = [outcome for outcome in new if outcome not in were]
    if gone:
        keys = [outcome.played.reference for outcome in gone]
        RatingChange.objects.filter(rated_game__in=keys).delete()
        RatedGame.objects.filter(pk__in=keys).delete()
    RatedGame.objects.bulk_create(_rated_game(outcome.played) for outcome in come)
    RatingChange.objects.bulk_create(row for outcome in come for row in _changes(outcome))
    for pool in Pool:
        games_of_pool = [game.played for game in were | are if game.played.pool == pool]
        _refresh(pool, {player for played in games_of_pool for player in played.players})
    _note_months({find_month(game.played.place) for game in (*gone, *come) if game.played.pool == Pool.DUEL})


def iterate_outcomes(pool: Pool | None = None, month: date | None = None) -> Iterator[RatedOutcome]:
    """Yield the rated games in order, perhaps of one *pool* and *month* alone, a batch at a time in
    memory."""
    games = RatedGame.objects.order_by("ended", "code")
    if pool is not None:
        games = games.filter(pool=pool)
    if month is not None:
        # A range, which an index finds; the month of each row would have to be worked out.
        begin = datetime(month.year, month.month, 1, tzinfo=UTC)
        next_one = datetime(month.year + month.month // 12, month.month % 12 + 1, 1, tzinfo=UTC)
        games = games.filter(ended__gte=begin, ended__lt=next_one)
    batch = _outcomes(games[:BATCH])
    while batch:
        yield from batch
        batch = _outcomes(games.filter(comes_after(batch[-1].played.place, "ended"))[:BATCH])


def count_games() -> int:
    """Count the games that have been rated."""
    return RatedGame.objects.count()


def load_rated_result(game: int) -> RatedResult | None:
    """Return the result of *game* as it was rated; ``None`` if it was not."""
    return next((outcome.played for outcome in _outcomes(RatedGame.objects.filter(pk=game))), None)


def _outcomes(games: QuerySet[RatedGame]) -> list[RatedOutcome]:
    """*games* with their effect on each seat; two queries. Built without model instances, for speed."""
    places = {
        game: RatingPlace(ended, code) for game, ended, code in games.values_list("pk", "ended", "code")
    }
    players: dict[int, list[int]] = {game: [] for game in places}
    changes: dict[int, list[CareerChange]] = {game: [] for game in places}
    # A row that says another pool or code than its game is none of its rows.
    seats = RatingChange.objects.filter(
        rated_game__in=places, pool=F("rated_game__pool"), code=F("rated_game__code")
    )
    rows = seats.order_by("rated_game", "seat").values_list("rated_game", "player", *BEFORE, *AFTER)
    for game, player, rank, mu_0, sigma_0, expected, elo_0, mu, sigma, number, ended, elo in rows:
        career = Career(Strength(mu, sigma), number, ended, elo)
        players[game].append(player)
        changes[game].append(CareerChange(rank, Strength(mu_0, sigma_0), expected, elo_0, career))
    return [
        RatedOutcome(
            RatedResult(game, place, tuple(players[game]), tuple(change.rank for change in changes[game])),
            tuple(changes[game]),
        )
        for game, place in places.items()
    ]


def _latest(pool: Pool, players: Iterable[int], condition: Q) -> QuerySet[RatingChange]:
    """The last change of each of *players* in *pool* among those that meet *condition*."""
    own = RatingChange.objects.filter(condition, pool=pool, player=OuterRef("pk"))
    last = own.order_by("-ended", "-code").values("pk")[:1]
    keys = Player.objects.filter(pk__in=list(players)).annotate(change=Subquery(last))
    return RatingChange.objects.filter(pk__in=list(keys.values_list("change", flat=True)))


def _refresh(pool: Pool, players: set[int]) -> None:
    if not players:
        return
    rows = [_rating(change) for change in _latest(pool, players, Q())]
    Rating.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["player", "pool"], update_fields=CURRENT
    )
    without = players - {row.player_id for row in rows}
    if without:
        Rating.objects.filter(pool=pool, player__in=without).delete()


def note_all_months() -> None:
    """Mark every month of calibration for a recount."""
    CalibrationMonth.objects.update(changed=F("changed") + 1)


def _note_months(months: Iterable[date]) -> None:
    known = sorted(months)
    if not known:
        return
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
        settled_until=compute_settled_until(change.career),
    )


def compute_settled_until(career: Career) -> datetime | None:
    """Return when a player who rests becomes provisional; ``None`` if they are already."""
    days = count_settled_days(career.strength)
    return None if days is None or career.ended is None else career.ended + timedelta(days=days)


def _rated_game(played: RatedResult) -> RatedGame:
    place = played.place
    return RatedGame(reference=played.reference, pool=played.pool, ended=place.ended, code=place.code)


def _changes(outcome: RatedOutcome) -> Iterator[RatingChange]:
    played = outcome.played
    for seat, (player, change) in enumerate(zip(played.players, outcome.changes, strict=True)):
        after = change.after
        yield RatingChange(
            rated_game_id=played.reference,
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
