"""The page of a game whose board is hidden, as others draw the same tiles."""

from __future__ import annotations

from typing import NamedTuple

from django.urls import reverse

from games.access import Visitor
from games.models import Game
from games.selectors.contests import GameContest, load_contest
from games.selectors.lists import build_profile_url
from games.selectors.seats import find_own_seat, list_seat_names, load_seats_of


class SealedSeat(NamedTuple):
    """A seat of a hidden game, and its player."""

    name: str
    url: str  # empty for a closed account
    score: int | None  # none before the game is over


class SealedPage(NamedTuple):
    """A hidden game: its players, the progress of all games with its draw, and the visitor's own."""

    game: Game
    seats: tuple[SealedSeat, ...]
    games: int
    over: int
    contest: GameContest | None
    own_url: str  # of the visitor's own game with this draw that goes on


def build_sealed_page(game: Game, visitor: Visitor) -> SealedPage:
    """Build the page of *game*, whose board *visitor* may not see. Three queries, and those of its
    contest."""
    seats = load_seats_of(game)
    assert game.deal is not None
    sharing = list(game.deal.games.prefetch_related("seats").order_by("pk"))
    own = next(
        (one for one in sharing if not one.ended and find_own_seat(list(one.seats.all()), visitor)), None
    )
    return SealedPage(
        game=game,
        seats=tuple(
            SealedSeat(name, build_profile_url(seat.player), seat.score if game.ended else None)
            for seat, name in zip(seats, list_seat_names(seats), strict=True)
        ),
        games=len(sharing),
        over=sum(one.ended for one in sharing),
        contest=load_contest(game),
        own_url=reverse("games:table", args=[own.code]) if own is not None else "",
    )
