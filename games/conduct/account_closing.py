"""Account closing: removal of blocks and contacts between the player and others."""

from accounts.models import Player
from games.conduct import blocks, contacts


def say_goodbye(player: Player) -> None:
    """Delete the blocks and contacts of *player*."""
    blocks.forget(player)
    contacts.forget(player)
