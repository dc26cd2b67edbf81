"""Following games of others, and people. Only the player learns of it."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q

from accounts.models import Player
from games import access
from games.conduct import limits
from games.exceptions import Refused
from games.models import FollowedGame, FollowedPlayer, Game


def follow_game(*, game: Game, player: Player, now: datetime) -> None:
    """Add *game*, which *player* may see, to the games that *player* follows.

    Raises :class:`Refused` if it can't be followed, or there are too many.
    """
    if not access.may_follow(player, game):
        raise Refused("may_not_follow")
    mine = FollowedGame.objects.filter(player=player)
    if mine.filter(game=game).exists():
        return
    if mine.filter(game__finished=None).count() >= limits.get_maximum("games_followed"):
        raise Refused("too_many_followed")
    FollowedGame.objects.get_or_create(game=game, player=player, defaults={"since": now})


def unfollow_game(*, game: Game, player: Player) -> None:
    FollowedGame.objects.filter(game=game, player=player).delete()


def follow_player(*, followed: Player, player: Player, now: datetime) -> None:
    """Add *followed* to the people whom *player* follows.

    Raises :class:`Refused` if this account can't be followed, or there are too many.
    """
    if followed == player or followed.closed or not followed.is_active or followed.provisional:
        raise Refused("may_not_follow")
    mine = FollowedPlayer.objects.filter(player=player)
    if mine.filter(followed=followed).exists():
        return
    if mine.count() >= limits.get_maximum("players_followed"):
        raise Refused("too_many_followed")
    FollowedPlayer.objects.get_or_create(followed=followed, player=player, defaults={"since": now})


def unfollow_player(*, followed: Player, player: Player) -> None:
    FollowedPlayer.objects.filter(followed=followed, player=player).delete()


def forget(player: Player) -> None:
    """Delete whom and what *player* follows, and *player* from what others follow."""
    FollowedGame.objects.filter(player=player).delete()
    FollowedPlayer.objects.filter(Q(player=player) | Q(followed=player)).delete()
