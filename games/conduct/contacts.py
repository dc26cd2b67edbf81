"""Contacts: acts that make the site write to others. They are counted and limited, and refused after a "no".

The caller holds the locks of the sender's row and of those of the recipients, so that concurrent acts are
counted one by one. The rows are written in the transaction of the act, so a refused one leaves none.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Count, Q, QuerySet

from accounts.models import Player
from games.conduct import limits
from games.conduct.limits import Limit, Scope
from games.exceptions import Refused, TooMany
from games.models import Contact

REST = timedelta(days=7)
"""Time after a "no" during which the same person, team or host may not ask again."""

KEPT = timedelta(days=30)
"""Time for which the rows are kept; longer than any limit looks back."""

DECLINED, DECLINED_ADDRESS = "declined", "declined_address"


def build_host_group(host: int) -> str:
    """The group of all tables of the player with this primary key."""
    return f"host.{host}"


def record_contacts(
    act: str,
    sender: Player,
    recipients: Collection[Player | None],
    *,
    now: datetime,
    group: str = "",
) -> None:
    """Check the limits of *act* and store a contact for each of the *recipients*, as
    :func:`check_contacts`."""
    check_contacts(act, sender, recipients, now=now, group=group)
    Contact.objects.bulk_create(
        Contact(act=act, sender=sender, recipient=recipient, group=group, at=now) for recipient in recipients
    )


def check_contacts(
    act: str,
    sender: Player,
    recipients: Collection[Player | None],
    *,
    now: datetime,
    group: str = "",
) -> None:
    """Check the limits of *act* of *sender* that writes to *recipients*; ``None`` stands for somebody without
    an account, or for all of *group*.

    :raises Refused: *sender* has not confirmed their address, and is no guest at a table
    :raises TooMany: a limit is exceeded, or somebody has declined lately
    """
    if not sender.provisional and not Player.objects.confirmed().filter(pk=sender.pk).exists():
        raise Refused("unconfirmed")
    known = [recipient.pk for recipient in recipients if recipient is not None]
    if act in limits.RESTING and has_declined(sender, known, now=now, group=group):
        raise TooMany("declined_lately")
    for limit in limits.find_limits_of_act(act):
        if limits.is_exceeded(limit, _count(limit, sender, known, len(recipients), group, now), sender):
            raise TooMany(limit.code)


def has_declined(
    sender: Player, recipients: Collection[int], *, now: datetime, group: str = "", act: str = DECLINED
) -> bool:
    """Return whether any of *recipients* has declined an act of *sender* or *group* within :data:`REST`."""
    who = Q(sender=sender) | Q(group=group) if group else Q(sender=sender)
    return Contact.objects.filter(who, act=act, recipient__in=recipients, at__gt=now - REST).exists()


def note_declined(
    sender: Player, recipient: Player, *, now: datetime, group: str = "", act: str = DECLINED
) -> None:
    """Store that *recipient* has declined an act of *sender*."""
    Contact.objects.create(act=act, sender=sender, recipient=recipient, group=group, at=now)


def is_at_limit(act: str, sender: Player, recipient: Player, *, now: datetime) -> bool:
    """Return whether *recipient* has got as many contacts by *act* as allowed, from *sender* or from all."""
    by_recipient = [
        limit for limit in limits.find_limits_of_act(act) if limit.scope in (Scope.RECIPIENT, Scope.PAIR)
    ]
    return any(_count(limit, sender, [recipient.pk], 1, "", now) >= limit.most for limit in by_recipient)


def is_group_at_limit(act: str, group: str, *, now: datetime) -> bool:
    """Return whether *group* has got as many contacts by *act* as allowed."""
    of_group = [limit for limit in limits.find_limits_of_act(act) if limit.scope is Scope.GROUP]
    done = Contact.objects.filter(act=act, group=group)
    return any(
        limit.within is not None and done.filter(at__gt=now - limit.within).count() >= limit.most
        for limit in of_group
    )


def forget_old(now: datetime) -> None:
    """Delete the rows that no limit counts any more."""
    Contact.objects.filter(at__lt=now - KEPT).delete()


def forget(player: Player) -> None:
    """Delete the rows of *player*, whose account is being closed."""
    Contact.objects.filter(Q(sender=player) | Q(recipient=player)).delete()


def _count(
    limit: Limit, sender: Player, recipients: Collection[int], acts: int, group: str, now: datetime
) -> int:
    """The contacts that *limit* counts already, for the recipient who has most. If an act writes to several
    at once, all must be within the limit of the sender."""
    assert limit.within is not None
    lately: QuerySet[Contact] = Contact.objects.filter(act__in=limit.acts, at__gt=now - limit.within)
    if limit.scope is Scope.SENDER:
        return lately.filter(sender=sender).count() + acts - 1
    if limit.scope is Scope.GROUP:
        return lately.filter(group=group).count() + acts - 1
    if limit.scope is Scope.PAIR:
        lately = lately.filter(sender=sender)
    counts = lately.filter(recipient__in=recipients).values("recipient").annotate(n=Count("pk"))
    return max(counts.values_list("n", flat=True), default=0)
