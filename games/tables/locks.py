"""Rows that a table's changes lock, players before games, and whether a table still stands open."""

from typing import Any

from django.db.models import Q, QuerySet

from accounts.models import Player
from games.exceptions import Refused
from games.models import Game, Invitation, Seat, Status


def locked_players(who: Q, **more: Any) -> QuerySet[Player]:
    """Players whose rows are locked as they are read: their accounts are not closed meanwhile.

    Players come before games, as in ``close_account``, and in one order, so that no two wait for each other.
    The lock lets others owe them notices.
    """
    return Player.objects.select_for_update(no_key=True, of=("self",)).filter(who, **more).order_by("pk")


def lock_player(player: Player) -> None:
    """Lock the row of *player*, who wants a seat: there is none for an account that has just been closed."""
    if not locked_players(Q(pk=player.pk), is_active=True).exists():
        raise Refused("account_closed")


def lock_games_of(player: Player, pending: QuerySet[Invitation]) -> None:
    """Lock the games that *player* is about to leave or is invited to: none begins or ends meanwhile."""
    at_table = Q(host=player) | Q(pk__in=Seat.objects.filter(player=player).values("game"))
    going_on = Q(at_table, status__in=[Status.OPEN, Status.PLAYING])
    games = Game.objects.filter(going_on | Q(pk__in=pending.values("game")))
    list(games.select_for_update().order_by("pk").values_list("pk"))


def locked(game_id: int) -> Game:
    return Game.objects.select_for_update().get(pk=game_id)


def must_be_open(game: Game) -> None:
    if game.status != Status.OPEN:
        raise Refused("not_open")
