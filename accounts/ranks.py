"""Ranks, which decide who may change whose account."""

from collections.abc import Collection, Mapping
from enum import IntEnum

from accounts.models import Player
from accounts.roles import ADMINISTRATOR


class Rank(IntEnum):
    """Ranks by rights in the admin."""

    PLAYER = 0
    STAFF = 1
    ADMINISTRATOR = 2
    SUPERUSER = 3


def load_rank(player: Player) -> Rank:
    """Return the rank of *player*; one query unless they are a superuser."""
    if player.is_superuser:
        return Rank.SUPERUSER
    return _rank(player, bool(player.pk) and player.groups.filter(name=ADMINISTRATOR).exists())


def load_ranks(players: Collection[Player]) -> Mapping[int, Rank]:
    """Return the rank of each of *players*, by primary key; one query."""
    keys = [player.pk for player in players]
    administrators = set(
        Player.objects.filter(pk__in=keys, groups__name=ADMINISTRATOR).values_list("pk", flat=True)
    )
    return {player.pk: _rank(player, player.pk in administrators) for player in players}


def _rank(player: Player, administrator: bool) -> Rank:
    if player.is_superuser:
        return Rank.SUPERUSER
    if administrator:
        return Rank.ADMINISTRATOR
    return Rank.STAFF if player.is_staff else Rank.PLAYER


def may_change(actor: Player, player: Player) -> bool:
    """Return whether *actor* may change the account of *player*: of lower rank, or any as a superuser."""
    return outranks(load_rank(actor), load_rank(player))


def outranks(rank: Rank, other: Rank) -> bool:
    """Return whether somebody of *rank* may change the account of somebody of the *other* one."""
    return rank == Rank.SUPERUSER or rank > other
