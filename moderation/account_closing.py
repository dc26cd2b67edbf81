"""Closing of an account: what moderators know of it."""

from datetime import datetime

from accounts.models import Player
from moderation.acts import moderator_notes, reports, sanctions
from moderation.fair_play import signals


def forget_player(*, player: Player, now: datetime) -> None:
    """Forget what only *player* wanted; what moderators have decided stays (docs/sanctions.md)."""
    sanctions.keep_suspension(player, now)
    reports.forget(player)
    moderator_notes.forget(player)
    signals.forget(player)
