"""Locks on rows of players, taken before a game is locked, so that no account is closed meanwhile."""

from typing import Any

from django.db.models import Q, QuerySet

from accounts.models import Player
from games.exceptions import Refused


def select_players_for_update(who: Q, **more: Any) -> QuerySet[Player]:
    """Return players whose rows are locked as they are read: their accounts are not closed meanwhile.

    Players come before games, as in ``close_account``, and in one order, so that no two wait for each other.
    The lock lets others owe them notices.
    """
    return Player.objects.select_for_update(no_key=True, of=("self",)).filter(who, **more).order_by("pk")


def lock_players_of(game: int) -> None:
    """Lock the rows of those who sit at the table with this primary key."""
    list(select_players_for_update(Q(seats__game=game)))


def lock_players(*players: Player) -> None:
    """Lock the rows of *players*, before anything else is locked."""
    list(select_players_for_update(Q(pk__in=[player.pk for player in players])))


def lock_player(player: Player) -> None:
    """Lock the row of *player*, who wants a seat: there is none for an account that has just been closed."""
    if not select_players_for_update(Q(pk=player.pk), is_active=True).exists():
        raise Refused("account_closed")
