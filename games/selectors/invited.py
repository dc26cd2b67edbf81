"""Whom invitations are for, as far as somebody may know."""

from __future__ import annotations

from accounts.models import Player
from games.models import Answer, Game, Invitation, Status

MAILED_LINK = "invitation"
"""The kind of its links, as ``accounts.proofs`` knows them."""


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


def invited_address(token: str) -> str:
    """The address to which the link with this *token* was mailed; empty once the invitation has been
    answered, cancelled or forgotten, or its table has gone, and where the mail went to somebody's account,
    whatever address that has by now. One query."""
    waiting = Invitation.objects.filter(answer=Answer.PENDING, game__status=Status.OPEN)
    found = waiting.filter(token=token, player=None)
    return found.values_list("address", flat=True).first() or ""
