"""Finished games, the latest first, page by page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Player
from games import access
from games.access import Visitor
from games.models import Game, Seat, Status, Visibility
from games.selectors.lists import NOT_LISTED_OF_BEGUN
from games.selectors.paging import KeyPage, Order, PagePlace

BY_GAME = Order(Game, ("-finished", "-pk"))
BY_SEAT = Order(Seat, ("-ended", "-game_id"))
"""The same order for the seats of a player."""

MOST_COUNTED = 500
"""Maximum number of finished games of a player that are counted, to compare two players."""

Asked = Mapping[str, Any]


def load_finished_games(visitor: Visitor, asked: Asked, size: int) -> KeyPage[Game]:
    """Return the page *asked* for of the games that *visitor* may find: public ones and their own. At most
    two queries."""
    place = BY_GAME.place(asked)
    public = Game.objects.filter(
        access.build_unsealed_filter(visitor), status=Status.FINISHED, visibility=Visibility.PUBLIC
    )
    read = list(BY_GAME.rows_from(public.defer(*NOT_LISTED_OF_BEGUN), place)[: size + 1])
    if visitor.is_authenticated:
        read = _with_own(read, visitor, place, size)
    return BY_GAME.cut(read, place, size, BY_GAME.key_of)


def _with_own(read: list[Game], visitor: Player, place: PagePlace, size: int) -> list[Game]:
    """Merge the non-public games of *visitor* into the games *read*. Two indexes are used, as neither answers
    a combined condition."""
    seats = _over(visitor).exclude(game__visibility=Visibility.PUBLIC)
    if len(read) > size:
        last = read[-1].finished
        seats = seats.filter(ended__lte=last) if place.back else seats.filter(ended__gte=last)
    own = [seat.game for seat in BY_SEAT.rows_from(seats, place)[: size + 1]]
    both = sorted([*read, *own], key=lambda game: (game.finished, game.pk), reverse=not place.back)
    return both[: size + 1]


def load_finished_games_of(
    players: Sequence[Player], visitor: Visitor, asked: Asked, size: int
) -> KeyPage[Game]:
    """Return the page *asked* for of the games of all *players* that *visitor* may find. One query, which
    reads only one player's games; with several players, one more for each, to find who has played fewest."""
    first, *others = sorted(players, key=_number_over) if len(players) > 1 else players
    condition = Q(game__visibility=Visibility.PUBLIC) | access.build_own_table_filter(visitor, "game")
    seats = _over(first).filter(access.build_unsealed_filter(visitor, "game"), condition)
    for other in others:
        seats = seats.filter(Exists(Seat.objects.filter(game=OuterRef("game"), player=other)))
    page = BY_SEAT.page(seats, BY_SEAT.place(asked), size)
    return KeyPage([seat.game for seat in page], page.previous, page.further)


def _number_over(player: Player) -> int:
    """Return the number of *player*'s finished games, at most ``MOST_COUNTED``."""
    return Seat.objects.filter(player=player, ended__isnull=False).order_by()[:MOST_COUNTED].count()


def _over(player: Player) -> QuerySet[Seat]:
    """The seats of *player* in finished games, with the games' columns that lists show."""
    seats = Seat.objects.filter(player=player, ended__isnull=False, game__status=Status.FINISHED)
    return seats.select_related("game").defer(*(f"game__{name}" for name in NOT_LISTED_OF_BEGUN))
