"""The recipients of invitations, as far as somebody may know."""

from __future__ import annotations

from urllib.parse import urlencode

from django.core.signing import Signer
from django.urls import reverse
from django.utils.crypto import constant_time_compare

from accounts.models import Player
from games.models import Answer, Game, Invitation, Status

MAILED_LINK = "invitation"
"""The kind of its links, as ``accounts.proofs`` knows them."""
MAILED = "mailed"
"""The parameter that proves a link to be from the mail: what shows in an address bar proves nothing."""


def find_invited_name(invitation: Invitation, reader: Player | None) -> str:
    """The name of who was invited; for one invited by address that address, which its inviter alone knows.

    Nothing where *reader* may not know, or where the account was closed.
    """
    if invitation.address_mark:
        return invitation.address if reader is not None and invitation.inviter_id == reader.pk else ""
    if invitation.player is None or invitation.player.closed:
        return ""
    return invitation.player.username


def list_declined_names(game: Game, reader: Player) -> list[str]:
    """The names of those who have declined to play *game*, as far as *reader*, who sits there, may know."""
    asked = game.invitations.filter(answer=Answer.DECLINED).select_related("player").order_by("answered")
    names = (find_invited_name(one, reader) for one in asked)
    return list(dict.fromkeys(name for name in names if name))


def build_mailed_link(asked: Invitation) -> str:
    """The path that only the mail to an address holds: the page of *asked*, with proof that it was mailed."""
    path = reverse("games:invitation", args=[asked.token])
    return f"{path}?{urlencode({MAILED: _signer().signature(asked.token)})}"


def is_mailed_link(token: str, signature: str) -> bool:
    """Return whether *signature* stood in the link of the mail about the invitation with this *token*."""
    return constant_time_compare(signature, _signer().signature(token))


def find_invited_address(token: str) -> str:
    """The address to which the link with this *token* was mailed; empty once the invitation has been
    answered, cancelled or forgotten, or its table has gone, and where the mail went to somebody's account.
    One query."""
    waiting = Invitation.objects.filter(answer=Answer.PENDING, game__status=Status.OPEN)
    found = waiting.filter(token=token, player=None)
    return found.values_list("address", flat=True).first() or ""


def _signer() -> Signer:
    return Signer(salt="games.invitations.mailed")
