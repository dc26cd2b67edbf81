"""Account closing: removal of blocks and contacts between the player and others."""

from accounts.models import Player
from games.conduct import blocks, contacts


def say_goodbye(player: Player) -> None:
    """Forget what only *player* wanted."""
    blocks.forget(player)
    contacts.forget(player)
