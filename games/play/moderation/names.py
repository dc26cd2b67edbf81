"""Giving a game that has begun another name."""

from __future__ import annotations

from games.models import ActKind
from games.play.moderation.door import Opened, door


@door(ActKind.RENAME)
def rename(opened: Opened, name: str) -> None:
    """Call the game *name*, which its table accepts as one. The record does not keep the one before it:
    everybody at the table reads the record."""
    opened.note("rename")
    opened.write()
    opened.game.name = name
    opened.game.save(update_fields=["name"])
