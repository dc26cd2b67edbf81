"""Acts of staff on accounts, each with a reason and an append-only log entry.

An act applies to the version of the account that was shown (``expected_version``; ``None`` skips the check).
Staff who share an interest with the owner (``accounts.interests``) are refused while somebody else can act.
"""

from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.translation import gettext as _

from accounts import addresses, letters, sessions
from accounts.interests import CHANGE, Recusal, find_recusal
from accounts.models import AccountAct, AccountActKind, Player, PlayerPhoto
from accounts.ranks import may_change
from accounts.references import says
from accounts.security import log_security_event
from accounts.services import close_account


class ActRefused(PermissionDenied):
    """Refusal of an act on an account; its message is in the reader's language."""


def load_version(player: Player) -> int:
    """The version of *player*'s account, which grows with every act; one query."""
    acts = AccountAct.objects.filter(player=player).order_by("-pk")
    return acts.values_list("pk", flat=True).first() or 0


def must_be_as_shown(player: Player, expected_version: int | None) -> None:
    """Lock the account of *player*. :raises ActRefused: somebody has changed it since *expected_version*"""
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if expected_version in (None, load_version(player)):
        return
    last = AccountAct.objects.filter(player=player).select_related("actor").order_by("-pk").first()
    assert last is not None
    said = _("{who} has done something to the account {name} since you opened this page. Look again.")
    raise ActRefused(said.format(who=last.actor.username, name=player.username))


def find_account_recusal(actor: Player, player: Player) -> Recusal | None:
    """Return why *actor* leaves the account of *player* to others; ``None`` if they needn't."""
    return find_recusal(actor, player, permission=CHANGE)


@transaction.atomic
def record(
    act: AccountActKind,
    *,
    actor: Player,
    player: Player,
    why: str,
    now: datetime,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    expected_version: int | None = None,
) -> bool:
    """Log an act of *actor* on *player*, in the transaction that performs it. Return whether to perform it:
    not if this is the second click of a double click.

    :raises PermissionDenied: the rank of *actor* is not above that of *player*
    :raises ActRefused: *actor* is recused, or the account has changed since *expected_version*
    """
    if not may_change(actor, player):
        log_security_event("act-refused", player=player, act=act.value, actor=actor.pk)
        raise PermissionDenied(f"{actor} may not change the account of {player}")
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if _is_done(act, actor, player, why, expected_version):
        return False
    must_be_as_shown(player, expected_version)
    recused = find_account_recusal(actor, player)
    if recused is not None and not recused.may_act:
        log_security_event("act-refused", player=player, act=act.value, actor=actor.pk)
        raise ActRefused(recused.sentence)
    AccountAct.objects.create(
        actor=actor,
        player=player,
        act=act,
        why=why,
        at=now,
        before=before or {},
        after=after or {},
        own_matter=True if recused is not None else None,
    )
    log_security_event("act", player=player, act=act.value, actor=actor.pk)
    return True


def _is_done(
    act: AccountActKind, actor: Player, player: Player, why: str, expected_version: int | None
) -> bool:
    """Return whether the first act since *expected_version* is this very one, as after a double click."""
    if expected_version is None:
        return False
    first = AccountAct.objects.filter(player=player, pk__gt=expected_version).order_by("pk").first()
    return first is not None and (first.act, first.actor_id) == (act, actor.pk) and says(first, why=why)


@transaction.atomic
def close(
    *, actor: Player, player: Player, why: str, now: datetime, expected_version: int | None = None
) -> None:
    """Close the account of *player* at once. :raises PermissionDenied: as ``record``, or it is closed"""
    open_ = Player.objects.filter(pk=player.pk, closed=None).exists()
    if not record(
        AccountActKind.CLOSE, actor=actor, player=player, why=why, now=now, expected_version=expected_version
    ):
        return
    if not open_:
        raise ActRefused(_("The account {name} is closed already.").format(name=player.username))
    close_account(player=player, now=now)


@transaction.atomic
def sign_out(
    *, actor: Player, player: Player, why: str, now: datetime, expected_version: int | None = None
) -> None:
    """Sign *player* out everywhere. :raises PermissionDenied: as ``record``"""
    if record(
        AccountActKind.SIGN_OUT,
        actor=actor,
        player=player,
        why=why,
        now=now,
        expected_version=expected_version,
    ):
        sessions.end_all(player)


@transaction.atomic
def clear_profile(
    *, actor: Player, player: Player, why: str, now: datetime, expected_version: int | None = None
) -> None:
    """Remove photo and line of *player*, and tell them why. :raises PermissionDenied: as ``record``"""
    before = {"photo": player.photo, "about": player.about}
    if not record(
        AccountActKind.PROFILE,
        actor=actor,
        player=player,
        why=why,
        now=now,
        before=before,
        expected_version=expected_version,
    ):
        return
    PlayerPhoto.objects.filter(player=player).delete()
    player.photo = player.about = ""
    player.save(update_fields=["photo", "about"])
    letters.owe(player, "profile_cleared", why=why, now=now)


@transaction.atomic
def remove_second_factor(
    *, actor: Player, player: Player, why: str, now: datetime, expected_version: int | None = None
) -> None:
    """Remove the second factors that *player* has lost, and end all sessions. :raises PermissionDenied: as
    ``record``, or there are none"""
    factors = Authenticator.objects.filter(user=player)
    before = {"factors": sorted(factors.values_list("type", flat=True))}
    if not record(
        AccountActKind.SECOND_FACTOR,
        actor=actor,
        player=player,
        why=why,
        now=now,
        before=before,
        expected_version=expected_version,
    ):
        return
    if not before["factors"]:
        raise ActRefused(_("The account {name} has no second factor.").format(name=player.username))
    factors.delete()
    sessions.end_all(player)


@transaction.atomic
def change_address(
    *,
    actor: Player,
    player: Player,
    new: str,
    why: str,
    now: datetime,
    expected_version: int | None = None,
) -> None:
    """Replace the address of *player*, who has lost the old mailbox; the next sign-in confirms the new one.

    If the old address was confirmed, it gets a mail and can undo the change. :raises PermissionDenied: as
    ``record``
    """
    old, new = player.email, new.lower()
    if not record(
        AccountActKind.ADDRESS,
        actor=actor,
        player=player,
        why=why,
        now=now,
        before={"email": old},
        after={"email": new},
        expected_version=expected_version,
    ):
        return
    confirmed = EmailAddress.objects.filter(user=player, email=old, verified=True).exists()
    EmailAddress.objects.filter(user=player).delete()
    EmailAddress.objects.create(user=player, email=new, primary=True)
    Player.objects.filter(pk=player.pk).update(email=new)
    player.email = new
    sessions.end_all(player)
    if confirmed:
        addresses.record_change(player=player, old=old, new=new, now=now)
