"""Who may change whose account."""

from enum import IntEnum

from accounts.models import Player
from accounts.roles import ADMINISTRATOR


class Rank(IntEnum):
    """How much somebody may do in the admin."""

    PLAYER = 0
    STAFF = 1
    ADMINISTRATOR = 2
    SUPERUSER = 3


def rank_of(player: Player) -> Rank:
    """The rank of *player*; the group is asked for by its name."""
    if player.is_superuser:
        return Rank.SUPERUSER
    if player.pk and player.groups.filter(name=ADMINISTRATOR).exists():
        return Rank.ADMINISTRATOR
    return Rank.STAFF if player.is_staff else Rank.PLAYER


def may_change(actor: Player, player: Player) -> bool:
    """Whether *actor* may change the account of *player*: only of lower rank; superusers anybody's."""
    rank = rank_of(actor)
    return rank == Rank.SUPERUSER or rank > rank_of(player)
