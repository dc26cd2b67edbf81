"""Giving a game that has begun another name."""

from __future__ import annotations

from games.models import ActKind
from games.play.moderation.base import ModerationContext, moderation_act


@moderation_act(ActKind.RENAME)
def rename(opened: ModerationContext, name: str) -> None:
    """Call the game *name*, which its table accepts as one. The record does not keep the one before it:
    everybody at the table reads the record."""
    opened.note("rename")
    opened.write()
    opened.game.name = name
    opened.game.save(update_fields=["name"])
