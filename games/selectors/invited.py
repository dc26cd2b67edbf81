"""Whom invitations are for, as far as somebody may know."""

from __future__ import annotations

from accounts.models import Player
from games.models import Answer, Game, Invitation


def invited_name(invitation: Invitation, reader: Player | None) -> str:
    """The name of who was invited; for one invited by address that address, which its inviter alone knows.

    Nothing where *reader* may not know, or where the account was closed.
    """
    if invitation.address_mark:
        return invitation.address if reader is not None and invitation.inviter_id == reader.pk else ""
    if invitation.player is None or invitation.player.closed:
        return ""
    return invitation.player.username


def declined(game: Game, reader: Player) -> list[str]:
    """The names of those who have declined to play *game*, as far as *reader*, who sits there, may know."""
    asked = game.invitations.filter(answer=Answer.DECLINED).select_related("player").order_by("answered")
    names = (invited_name(one, reader) for one in asked)
    return list(dict.fromkeys(name for name in names if name))
