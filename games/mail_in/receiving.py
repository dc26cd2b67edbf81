"""Storing of incoming messages within limits, and deleting of old ones. Every way in leads here."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q

from accounts.models import Player
from core.task_queue import queue_on_commit
from games.conduct import limits
from games.inbox.authentication import read_authentication
from games.inbox.envelope import read_envelope
from games.models import InboundMail
from games.models.inbound_mail import MAILS_KEPT, MAX_BOUNDARIES, MAX_BYTES, MAX_LINES
from games.notices.reply_address import build_reply_address, read_reply_address

LONGEST_ADDRESS = 320
BATCH = 500


class MailTooLarge(ValueError):
    """A message is longer than any reply, or in more lines or parts. It will be so when it comes again."""


def check_size(raw: bytes) -> None:
    """Check that *raw* is no larger than a reply can be.

    :raises MailTooLarge: it is
    """
    if len(raw) > MAX_BYTES or raw.count(b"\n") > MAX_LINES:
        raise MailTooLarge("The message is too long")
    if raw.lower().count(b"boundary") > MAX_BOUNDARIES:
        raise MailTooLarge("The message has too many parts")


def check_intake(*, sender: str, recipient: str, size: int = 0, now: datetime) -> int | None:
    """Check that one more message of this envelope may be stored. Return the primary key of the player whose
    reply address it is; ``None`` if there is none.

    :raises TooMany: too much has come from the sender, or to the address
    """
    token = read_reply_address(recipient)
    player = Player.objects.filter(pk=token.player).first() if token else None
    key = player.pk if player else None
    limits.check_mails_stored(
        player=key, sender=_clean(sender), recipient=_name_recipient(recipient), size=size, now=now
    )
    return key


def store_mail(raw: bytes, *, sender: str, recipient: str, now: datetime) -> InboundMail | None:
    """Store the message *raw* in the inbox, to be answered soon. Return ``None`` if it has come before to the
    same *recipient*.

    *sender* and *recipient* are those of the envelope. Once this returns, the message is safe: if its task is
    lost, a sweep answers it.

    :raises MailTooLarge: it is larger than a reply can be
    :raises TooMany: too much has come from the sender, or to the recipient; it may come again later
    """
    check_size(raw)
    player = check_intake(sender=sender, recipient=recipient, size=len(raw), now=now)
    try:
        with transaction.atomic():
            mail = InboundMail.objects.create(
                key=read_envelope(raw).key,
                raw=_build_return_path(sender) + raw,
                size=len(raw),
                sender=_clean(sender),
                recipient=_name_recipient(recipient),
                player_id=player,
                received=now,
                next_try=now,
                **asdict(read_authentication(raw, settings.MAIL_AUTHSERV_ID)),
            )
            queue_on_commit("games.mail_tasks.answer_mail", mail.pk)
    except IntegrityError:
        return None
    return mail


def is_account_closed(recipient: str) -> bool:
    """Return whether the account is closed to which we gave the address *recipient*: there is no other way to
    tell its sender than to refuse the message."""
    token = read_reply_address(recipient)
    return token is not None and Player.objects.filter(pk=token.player, is_active=False).exists()


def _name_recipient(address: str) -> str:
    """Write a reply *address* in one way: a token has several spellings, in capitals or with another last
    letter, of which some bits mean nothing."""
    token = read_reply_address(address)
    return build_reply_address(token) if token else _clean(address)


def _clean(address: str) -> str:
    return "".join(address.split()).strip("<>").replace("\0", "").lower()[:LONGEST_ADDRESS]


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
