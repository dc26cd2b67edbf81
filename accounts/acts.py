"""What the staff does to accounts: each act with its reason, in a log that nobody changes."""

from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.exceptions import PermissionDenied
from django.db import transaction

from accounts import addresses, sessions
from accounts.models import AccountAct, Act, Player
from accounts.ranks import may_change
from accounts.security import note
from accounts.services import close_account


@transaction.atomic
def record(
    act: Act,
    *,
    actor: Player,
    player: Player,
    why: str,
    now: datetime,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Write down what *actor* does to *player*, in the transaction that does it.

    :raises PermissionDenied: the rank of *actor* is not above that of *player*
    """
    if not may_change(actor, player):
        note("act-refused", player=player, act=act.value, actor=actor.pk)
        raise PermissionDenied(f"{actor} may not change the account of {player}")
    AccountAct.objects.create(
        actor=actor, player=player, act=act, why=why, at=now, before=before or {}, after=after or {}
    )
    note("act", player=player, act=act.value, actor=actor.pk)


@transaction.atomic
def close(*, actor: Player, player: Player, why: str, now: datetime) -> None:
    """Close the account of *player* at once. :raises PermissionDenied: as ``record``"""
    record(Act.CLOSE, actor=actor, player=player, why=why, now=now)
    close_account(player=player, now=now)


@transaction.atomic
def sign_out(*, actor: Player, player: Player, why: str, now: datetime) -> None:
    """Sign *player* out everywhere. :raises PermissionDenied: as ``record``"""
    record(Act.SIGN_OUT, actor=actor, player=player, why=why, now=now)
    sessions.end_all(player)


@transaction.atomic
def remove_second_factor(*, actor: Player, player: Player, why: str, now: datetime) -> None:
    """Let *player*, who has lost it, in without one again. :raises PermissionDenied: as ``record``"""
    factors = Authenticator.objects.filter(user=player)
    before = {"factors": sorted(factors.values_list("type", flat=True))}
    record(Act.SECOND_FACTOR, actor=actor, player=player, why=why, now=now, before=before)
    factors.delete()
    sessions.end_all(player)


@transaction.atomic
def change_address(*, actor: Player, player: Player, new: str, why: str, now: datetime) -> None:
    """Give *player*, who has lost the old mailbox, another address, to be confirmed at the next sign-in.

    The old one is told and can undo it, as ever. :raises PermissionDenied: as ``record``
    """
    old, new = player.email, new.lower()
    record(
        Act.ADDRESS,
        actor=actor,
        player=player,
        why=why,
        now=now,
        before={"email": old},
        after={"email": new},
    )
    confirmed = EmailAddress.objects.filter(user=player, email=old, verified=True).exists()
    EmailAddress.objects.filter(user=player).delete()
    EmailAddress.objects.create(user=player, email=new, primary=True)
    Player.objects.filter(pk=player.pk).update(email=new)
    player.email = new
    sessions.end_all(player)
    if confirmed:
        addresses.changed(player=player, old=old, new=new, now=now)
