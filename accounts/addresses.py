"""Changes of an account's address: the old address is notified, and can undo the change for a week."""

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
from accounts.security import log_security_event

TIME_TO_UNDO = timedelta(days=7)
SALT = "accounts.addresses"


@transaction.atomic
def record_change(*, player: Player, old: str, new: str, now: datetime) -> None:
    """Record that *player*'s confirmed address *old* was replaced, and mail it a link to undo that."""
    change = AddressChange.objects.create(player=player, old=old, new=new, at=now)
    link = settings.SITE_URL + reverse("accounts:undo_address", args=[token_for(change)])
    letters.owe(player, "address_changed", to=old, now=now, new=new, undo_url=link)
    log_security_event("address-changed", player=player)


def token_for(change: AddressChange) -> str:
    """Return the token that undoes *change*."""
    return signing.Signer(salt=SALT).sign(str(change.pk))


def find_by_token(token: str, *, now: datetime) -> AddressChange | None:
    """Return the change that *token* undoes; ``None`` if the token is invalid, too old, or used already."""
    try:
        pk = signing.Signer(salt=SALT).unsign(token)
    except signing.BadSignature:
        return None
    recent = AddressChange.objects.filter(at__gt=now - TIME_TO_UNDO, player__closed=None)
    return recent.select_related("player").filter(pk=int(pk)).first()


@transaction.atomic
def undo(change: AddressChange, *, now: datetime) -> Literal["undone", "taken"]:
    """Restore the old address of the account, and revoke all access of whoever changed it.

    All sessions, the password, and second factors added since the change are removed, a requested closing is
    cancelled, and later changes of address are undone, too. ``taken``: the address belongs to another account
    by now, and nothing changes.
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
    log_security_event("address-restored", player=player)
    return "undone"


def forget_old(*, now: datetime) -> None:
    """Delete the changes that can no longer be undone."""
    AddressChange.objects.filter(at__lt=now - TIME_TO_UNDO).delete()
