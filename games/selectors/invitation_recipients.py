"""The recipients of invitations, as far as a reader may know them."""

from __future__ import annotations

from urllib.parse import urlencode

from django.core.signing import Signer
from django.utils.crypto import constant_time_compare

from accounts.models import Player
from games.models import Answer, Game, Invitation, Status

MAILED_LINK = "invitation"
"""Kind of the links in mailed invitations, as in ``accounts.proofs``."""
MAILED = "mailed"
"""Query parameter that proves a link to be from the mail. A redirect removes it, because an address copied
from an address bar proves nothing."""


def find_invited_name(invitation: Invitation, reader: Player | None) -> str:
    """Return the name of the player invited; if invited by address, that address, for the inviter alone.

    Return nothing if *reader* may not know, or if the account was closed.
    """
    if invitation.address_mark:
        return invitation.address if reader is not None and invitation.inviter_id == reader.pk else ""
    if invitation.player is None or invitation.player.closed:
        return ""
    return invitation.player.username


def list_declined_names(game: Game, reader: Player) -> list[str]:
    """The names of those who have declined to play *game*, as far as *reader*, who sits there, may know."""
    asked = game.invitations.filter(answer=Answer.DECLINED).select_related("player").order_by("answered")
    names = (find_invited_name(invited, reader) for invited in asked)
    return list(dict.fromkeys(name for name in names if name))


def build_mailed_link(asked: Invitation) -> str:
    """Build the link in the mail of an invitation: the path of its page, signed as proof of the mail."""
    signature = urlencode({MAILED: _signer().signature(asked.token)})
    return f"{asked.get_absolute_url()}?{signature}"


def is_mailed_link(token: str, signature: str) -> bool:
    """Return whether *signature* stood in the link of the mail about the invitation with this *token*."""
    return constant_time_compare(signature, _signer().signature(token))


def find_invited_address(token: str) -> str:
    """Return the address to which the link with this *token* was mailed. Empty if the invitation was
    answered, cancelled or deleted, if its table is gone, and if it went to an account. One query."""
    waiting = Invitation.objects.filter(answer=Answer.PENDING, game__status=Status.OPEN)
    invitations = waiting.filter(token=token, player=None)
    return invitations.values_list("address", flat=True).first() or ""


def _signer() -> Signer:
    return Signer(salt="games.invitations.mailed")
