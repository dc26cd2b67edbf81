"""Renaming of a game that has begun."""

from __future__ import annotations

from games.models import ActKind
from games.play.moderation.base import ModerationContext, moderation_act


@moderation_act(ActKind.RENAME)
def rename(opened: ModerationContext, name: str) -> None:
    """Rename the game. *name* has been accepted by the table's checks. The old name is not recorded, as
    everybody at the table reads the record."""
    opened.record_act("rename")
    opened.write()
    opened.game.name = name
    opened.game.save(update_fields=["name"])
