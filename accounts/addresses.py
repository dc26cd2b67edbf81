"""Changing the address of an account: the old one is told, and can undo it for a week."""

from datetime import datetime, timedelta
from typing import Literal

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core import signing
from django.db import transaction
from django.urls import reverse

from accounts import letters, mail_pauses, sessions
from accounts.models import AddressChange, Player
from accounts.security import note

TIME_TO_UNDO = timedelta(days=7)
SALT = "accounts.addresses"


@transaction.atomic
def record_change(*, player: Player, old: str, new: str, now: datetime) -> None:
    """*player* had the confirmed address *old*, and has *new*: tell the old one, with a link to undo it."""
    change = AddressChange.objects.create(player=player, old=old, new=new, at=now)
    link = settings.SITE_URL + reverse("accounts:undo_address", args=[token_for(change)])
    letters.owe(player, "address_changed", to=old, now=now, new=new, undo_url=link)
    note("address-changed", player=player)


def token_for(change: AddressChange) -> str:
    """Return the token that undoes *change*."""
    return signing.Signer(salt=SALT).sign(str(change.pk))


def find_by_token(token: str, *, now: datetime) -> AddressChange | None:
    """Return which change *token* undoes; none if it is none of ours, too late, or undone already."""
    try:
        pk = signing.Signer(salt=SALT).unsign(token)
    except signing.BadSignature:
        return None
    recent = AddressChange.objects.filter(at__gt=now - TIME_TO_UNDO, player__closed=None)
    return recent.select_related("player").filter(pk=int(pk)).first()


@transaction.atomic
def undo(change: AddressChange, *, now: datetime) -> Literal["undone", "taken"]:
    """Give the account its old address back, and take from whoever changed it every way in.

    All sessions end, and the password; second factors that came after the change go, and so does a closing
    that was asked for. Later changes are undone with it. ``taken``: the address has another account by now,
    and nothing is changed.
    """
    player = Player.objects.select_for_update(no_key=True).get(pk=change.player_id)
    if not AddressChange.objects.filter(pk=change.pk).exists():
        return "undone"  # a moment ago: by a second click, or with an earlier change
    if EmailAddress.objects.filter(email__iexact=change.old, verified=True).exclude(user=player).exists():
        return "taken"
    # Whoever signed up with it since has not confirmed it, and must not stand in the way.
    Player.objects.filter(email__iexact=change.old).exclude(pk=player.pk).update(email="")
    EmailAddress.objects.filter(email__iexact=change.old).exclude(user=player).delete()
    EmailAddress.objects.filter(user=player).delete()
    EmailAddress.objects.create(user=player, email=change.old, verified=True, primary=True)
    Authenticator.objects.filter(user=player, created_at__gte=change.at).delete()
    player.email = change.old
    player.set_unusable_password()
    player.closes = None
    player.save(update_fields=["email", "password", "closes"])
    mail_pauses.lift(player)
    AddressChange.objects.filter(player=player, at__gte=change.at).delete()
    sessions.end_all(player)
    letters.owe(player, "address_restored", now=now)
    note("address-restored", player=player)
    return "undone"


def forget_old(*, now: datetime) -> None:
    """Forget the changes that nobody can undo any more."""
    AddressChange.objects.filter(at__lt=now - TIME_TO_UNDO).delete()
