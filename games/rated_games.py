"""Rated games (RATE-2) as results for ``ratings``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from datetime import datetime
from functools import partial

from django.db.models import Exists, OuterRef, Q, QuerySet

from core import batches
from core.task_queue import queue_on_commit
from games.models import Game, ModerationAct, Seat, SeatState, Status
from ratings import beta_search, checking, progress
from ratings.models import RatedGame, RatingPlace
from ratings.results import RatedResult, comes_after, comes_up_to
from ratings.rows import RatedOutcome
from ratings.skill import Fit

NOT_A_PERSON = (
    Q(player=None)
    | ~Q(bot="")
    | Q(player__is_bot=True)
    | Q(state__in=[SeatState.OFFERED, SeatState.REPLACED])
    | Q(rank=None)
)
"""Filter for seats that keep their game from being rated: free, a bot's, or the caretaker's at the end."""


def rated_games() -> QuerySet[Game]:
    """Return the rated games (RATE-2).

    A seat still offered at the end of a game is the caretaker's; one that was taken over is its player's.
    Players who resigned or lost on time are rated with their rank.
    """
    of_others = Seat.objects.filter(NOT_A_PERSON, game=OuterRef("pk"))
    return Game.objects.filter(~Exists(of_others), status=Status.FINISHED, rated=True)


def unrated_games() -> QuerySet[Game]:
    """Return the rated games whose ratings have not been computed yet."""
    return rated_games().filter(~Exists(RatedGame.objects.filter(pk=OuterRef("pk"))))


class GameResults:
    """Results read from the rows of games (``ratings.results.ResultSource``)."""

    def after(self, place: RatingPlace | None, limit: int, but: Collection[int] = ()) -> list[RatedResult]:
        """Return the next *limit* results after *place*. Two queries."""
        games = rated_games().filter(comes_after(place)).exclude(pk__in=but)
        return _load_results(games.order_by("finished", "code")[:limit])

    def get(self, reference: int) -> RatedResult | None:
        return next(iter(_load_results(rated_games().filter(pk=reference))), None)

    def first_missing(
        self, reached: RatingPlace, since: datetime, but: Collection[int] = ()
    ) -> datetime | None:
        games = unrated_games().filter(comes_up_to(reached), finished__gte=since).exclude(pk__in=but)
        return games.order_by("finished", "code").values_list("finished", flat=True).first()


RESULTS = GameResults()


def rate_games(*, seconds: float) -> bool:
    """Rate remaining games for about so many *seconds*. Return whether all are rated."""
    return progress.rate_games(RESULTS, seconds=seconds)


def follow(game: int) -> None:
    """Update ratings after *game*, a primary key, has ended, or its result, players or rated mark changed:
    soon after the commit (RATE-6)."""
    if progress.rewind_to_game(RESULTS, game):
        queue_on_commit("games.upkeep_tasks.rate_games")


def follow_moderators(now: datetime) -> None:
    """Update ratings after recent moderators' acts, in case a message was lost."""
    acts = ModerationAct.objects.filter(at__gte=now - progress.LATE)
    for game in acts.order_by("game").values_list("game", flat=True).distinct():
        batches.run_row(f"result {game}", partial(follow, game))


def find_differences(tell: Callable[[RatedOutcome], object] = lambda outcome: None) -> Iterator[str]:
    """Yield differences between stored and recomputed ratings (``ratings.checking``)."""
    return checking.find_differences(RESULTS, tell)


def fit_beta() -> list[Fit]:
    """Return the log loss of several betas over all rated duels (RATE-7)."""
    return beta_search.fit_betas(RESULTS)


def _load_results(games: QuerySet[Game]) -> list[RatedResult]:
    results = {game: (ended, code) for game, ended, code in games.values_list("pk", "finished", "code")}
    players: dict[int, list[int]] = {game: [] for game in results}
    ranks: dict[int, list[int]] = {game: [] for game in results}
    seats = Seat.objects.filter(game__in=results).order_by("game", "index")
    for game, player, rank in seats.values_list("game", "player", "rank"):
        assert player is not None and rank is not None, "only such seats are rated"
        players[game].append(player)
        ranks[game].append(rank)
    return [
        RatedResult(game, RatingPlace(_require_end(ended), code), tuple(players[game]), tuple(ranks[game]))
        for game, (ended, code) in results.items()
    ]


def _require_end(at: datetime | None) -> datetime:
    """Return the end of a finished game, which a database constraint guarantees."""
    assert at is not None
    return at
