"""Which games are rated, and in which order (RATE-2): read from the rows of ``games``, never from ours."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Game, Seat, SeatState, Status
from leagues.models import Place, Pool

BATCH = 1000


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """What a game says of strengths: who sat at its seats, by primary key, and how they ended."""

    game: int
    place: Place
    players: tuple[int, ...]
    ranks: tuple[int, ...]

    @property
    def pool(self) -> Pool:
        return Pool.of(len(self.players))


NOT_A_PERSON = (
    Q(player=None)
    | ~Q(bot="")
    | Q(player__is_bot=True)
    | Q(state__in=[SeatState.OFFERED, SeatState.REPLACED])
    | Q(rank=None)
)
"""A seat that keeps its game from being rated: free, a bot's, or the caretaker's at the end."""


def rated() -> QuerySet[Game]:
    """The games that are rated (RATE-2).

    A seat is the caretaker's that is still offered when the game ends; one that somebody has taken over is
    theirs. Who has resigned or lost on time is rated with the rank that came of it.
    """
    of_others = Seat.objects.filter(NOT_A_PERSON, game=OuterRef("pk"))
    return Game.objects.filter(~Exists(of_others), status=Status.FINISHED, rated=True)


def after(place: Place | None, ended: str = "finished") -> Q:
    """Whatever comes after *place*; all if there is none. *ended*: the column that says when a game ended.

    Codes have small letters and digits only, which every database puts in the same order.
    """
    if place is None:
        return Q()
    return Q(**{f"{ended}__gte": place.ended}) & (Q(**{f"{ended}__gt": place.ended}) | Q(code__gt=place.code))


def up_to(place: Place, ended: str = "finished") -> Q:
    """Whatever comes before *place* or stands there."""
    return Q(**{f"{ended}__lte": place.ended}) & (
        Q(**{f"{ended}__lt": place.ended}) | Q(code__lte=place.code)
    )


def games_after(place: Place | None, limit: int, but: Collection[int] = ()) -> list[PlayedGame]:
    """The first *limit* games that are rated after *place*, in order, *but* these; two queries."""
    return _played(rated().filter(after(place)).exclude(pk__in=but).order_by("finished", "code")[:limit])


def as_it_is(game: int) -> PlayedGame | None:
    """A *game* as it is to be rated now; ``None`` if it is not rated."""
    return next(iter(_played(rated().filter(pk=game))), None)


def all_games() -> Iterator[PlayedGame]:
    """All games that are rated, in order; no more than a batch of them in memory."""
    batch = games_after(None, BATCH)
    while batch:
        yield from batch
        batch = games_after(batch[-1].place, BATCH)


def _played(games: QuerySet[Game]) -> list[PlayedGame]:
    found = {game: (ended, code) for game, ended, code in games.values_list("pk", "finished", "code")}
    players: dict[int, list[int]] = {game: [] for game in found}
    ranks: dict[int, list[int]] = {game: [] for game in found}
    seats = Seat.objects.filter(game__in=found).order_by("game", "index")
    for game, player, rank in seats.values_list("game", "player", "rank"):
        assert player is not None and rank is not None, "only such seats are rated"
        players[game].append(player)
        ranks[game].append(rank)
    return [
        PlayedGame(game, Place(_ended(ended), code), tuple(players[game]), tuple(ranks[game]))
        for game, (ended, code) in found.items()
    ]


def _ended(at: datetime | None) -> datetime:
    """The rows see to it that a finished game has one."""
    assert at is not None
    return at
