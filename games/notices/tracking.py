"""Delivery events of mails: delivered, bounced, reported as spam, refused; and their effects."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts import mail_pauses
from accounts.models import PauseCause, Player
from games.models import Channel, MailFate, Notice
from games.notices import fallback


def cut_provider_id(provider_id: str) -> str:
    """Return the part of a provider's id that is stored; real ones have up to a hundred characters."""
    return provider_id[:200]


@transaction.atomic
def note_fate(
    provider_id: str,
    fate: MailFate,
    at: datetime | None,
    *,
    pause: PauseCause | None = None,
    address: str = "",
) -> None:
    """Save the delivery event of a mail, and pause mails to its *address*, if named, for the cause *pause*.

    Unknown ids are ignored, and so are events if a worse one is known, or the same one as of *at* or later:
    providers repeat events, in any order.
    """
    if not provider_id:
        return
    better = MailFate.values[: MailFate.values.index(fate)]
    is_news = Q(fate__in=["", *better])
    if at is not None:  # otherwise the same event may be recorded twice
        is_news |= Q(fate=fate, fate_at__lt=at)  # a soft bounce, and then a hard one
    at = at or timezone.now()
    notices = Notice.objects.filter(is_news, provider_id=cut_provider_id(provider_id))
    if fate == MailFate.BOUNCED:
        for notice in notices.select_related("game", "recipient"):
            fallback.tell_otherwise(notice, at)
    if pause is not None:
        for player in Player.objects.filter(notices__in=notices):
            mail_pauses.pause(player, pause, address=address or player.email, now=at)
    notices.update(fate=fate, fate_at=at)


@transaction.atomic
def note_refusal(recipient: Player, now: datetime) -> None:
    """Pause mails to *recipient* after a permanent refusal, if the one before was refused, too, with no mail
    sent in between. *recipient* is as read when the mail was refused."""
    player = Player.objects.select_for_update(no_key=True).get(pk=recipient.pk)
    first = player.address_refused
    mails = Notice.objects.filter(recipient=player, channel=Channel.EMAIL)
    if first is None or mails.filter(sent__gte=first).exists():
        mail_pauses.note_first_refusal(player, address=recipient.email, now=now)
    else:
        mail_pauses.pause(player, PauseCause.REFUSED, address=recipient.email, now=now)
