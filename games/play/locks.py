"""Locks on rows of players, taken before a game is locked, so that no account is closed meanwhile."""

from typing import Any

from django.db.models import Q, QuerySet

from accounts.models import Player
from games.exceptions import Refused


def select_players_for_update(who: Q, **more: Any) -> QuerySet[Player]:
    """Return a query for players that locks their rows, so that their accounts are not closed meanwhile.

    Players are locked before games, as in ``close_account``, and in the order of their keys, to avoid
    deadlocks. The lock lets other transactions insert notices to them.
    """
    return Player.objects.select_for_update(no_key=True, of=("self",)).filter(who, **more).order_by("pk")


def lock_players_of(game: int) -> None:
    """Lock the rows of the players seated in the game with this primary key."""
    list(select_players_for_update(Q(seats__game=game)))


def lock_players(*players: Player) -> None:
    """Lock the rows of *players*, before anything else is locked."""
    list(select_players_for_update(Q(pk__in=[player.pk for player in players])))


def lock_player(player: Player) -> None:
    """Lock the row of *player*, who wants a seat.

    :raises Refused: the account has just been closed
    """
    if not select_players_for_update(Q(pk=player.pk), is_active=True).exists():
        raise Refused("account_closed")
