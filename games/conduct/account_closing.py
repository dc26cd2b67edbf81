"""What closing an account does to what was between the player and others."""

from datetime import datetime

from accounts.models import Player
from games.conduct import blocks, contacts, moderator_notes, reports, sanctions


def say_goodbye(player: Player, now: datetime) -> None:
    """Forget what only *player* wanted; what moderators have decided stays (docs/sanctions.md)."""
    blocks.forget(player)
    contacts.forget(player)
    sanctions.keep_suspension(player, now)
    reports.forget(player)
    moderator_notes.forget(player)
