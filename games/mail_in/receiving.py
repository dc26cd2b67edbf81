"""Storing of incoming messages, and deleting of old ones."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q

from accounts.models import Player
from core.task_queue import queue_on_commit
from games.inbox.authentication import read_authentication
from games.inbox.envelope import read_envelope
from games.models import InboundMail
from games.models.inbound_mail import MAILS_KEPT, MAX_BYTES

LONGEST_ADDRESS = 320
BATCH = 500


def store_mail(raw: bytes, *, sender: str, recipient: str, now: datetime) -> InboundMail | None:
    """Store the message *raw* in the inbox, to be answered soon. Return ``None`` if it has come before.

    *sender* and *recipient* are those of the envelope. Once this returns, the message is safe: if its task is
    lost, a sweep answers it.

    :raises ValueError: it is too long
    """
    if len(raw) > MAX_BYTES:
        raise ValueError("The message is too long")
    try:
        with transaction.atomic():
            mail = InboundMail.objects.create(
                key=read_envelope(raw).key,
                raw=_build_return_path(sender) + raw,
                sender=sender[:LONGEST_ADDRESS],
                recipient=recipient[:LONGEST_ADDRESS],
                received=now,
                next_try=now,
                **asdict(read_authentication(raw, settings.MAIL_AUTHSERV_ID)),
            )
            queue_on_commit("games.mail_tasks.answer_mail", mail.pk)
    except IntegrityError:
        return None
    return mail


def _build_return_path(sender: str) -> bytes:
    """Build the line in which final delivery records the sender (RFC 5321, 4.4); a bounce has none."""
    address = "".join(sender.split()).strip("<>")
    return f"Return-Path: <{address}>\r\n".encode("utf-8", "replace")


def prune_mails(now: datetime) -> bool:
    """Delete old messages. Return whether there are more."""
    old = InboundMail.objects.filter(received__lt=now - MAILS_KEPT).order_by("received")
    keys = list(old.values_list("pk", flat=True)[:BATCH])
    InboundMail.objects.filter(pk__in=keys).delete()
    return len(keys) == BATCH


def forget_mails(player: Player) -> None:
    """Delete the messages of *player*, whose account is being closed."""
    theirs = Q(player=player)
    if player.email:
        theirs |= Q(sender__iexact=player.email)
    InboundMail.objects.filter(theirs).delete()
