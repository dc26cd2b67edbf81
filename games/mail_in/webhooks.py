"""Webhooks of mail providers, through django-anymail: incoming mail, and delivery events of sent mail.

Anymail authenticates the requests (``carcassonne/urls.py`` has the URLs). An error here is a 500, after which
the provider tries again later.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from anymail import signals
from anymail.inbound import AnymailInboundMessage
from anymail.signals import AnymailInboundEvent, AnymailTrackingEvent, EventType, RejectReason
from django.utils import timezone

from accounts.models import PauseCause
from games.inbox.envelope import MailEnvelope, read_envelope
from games.mail_in.receiving import MailTooLarge, store_mail
from games.models import MailFate
from games.notices import tracking
from games.notices.reply_address import read_reply_address

FATES = {
    EventType.DELIVERED: MailFate.DELIVERED,
    EventType.BOUNCED: MailFate.BOUNCED,
    EventType.REJECTED: MailFate.BOUNCED,
    EventType.COMPLAINED: MailFate.COMPLAINED,
}

SOFT: dict[str, frozenset[Any]] = {
    "Type": frozenset({"SoftBounce"}),  # Postmark
    "event": frozenset({"soft_bounce"}),  # Brevo, Mandrill
    "type": frozenset({"activity.soft_bounced", "blocked", "Transient"}),  # MailerSend, SendGrid, Resend
    "bounceType": frozenset({"Transient", "Undetermined"}),  # Amazon SES
    "bounce_class": frozenset({"20", "21", "22", "23", "24", "40", "70"}),  # SparkPost
    "hard_bounce": frozenset({False}),  # Mailjet
}
"""Values in a provider's own report, by key, that mark a bounce as soft, because of this mail or for the time
being: anymail has one word for all bounces."""

logger = logging.getLogger(__name__)


def connect() -> None:
    """Connect to the signals of the webhooks."""
    signals.inbound.connect(take_mail, dispatch_uid="games.take_mail")
    signals.tracking.connect(note_fate, dispatch_uid="games.note_fate")


def take_mail(sender: Any, event: AnymailInboundEvent, **kwargs: Any) -> None:
    """Store a message in the inbox, if it is to an address with our signature."""
    raw = event.message.as_bytes()
    envelope = read_envelope(raw)
    recipient = _find_recipient(event.message, envelope)
    if recipient is None:
        logger.info("A mail to no address of ours was dropped")
        return
    try:
        store_mail(raw, sender=_find_sender(event.message, envelope), recipient=recipient, now=timezone.now())
    except MailTooLarge as error:  # a retry would fail again
        logger.warning("A mail to %s was dropped: %s", recipient, error)


def note_fate(sender: Any, event: AnymailTrackingEvent, **kwargs: Any) -> None:
    """Save a delivery event to the notice."""
    fate = FATES.get(event.event_type)
    if fate is not None:
        tracking.note_fate(
            event.message_id or "",
            fate,
            event.timestamp,
            pause=_find_pause_cause(event),
            address=event.recipient or "",
        )


def _find_pause_cause(event: AnymailTrackingEvent) -> PauseCause | None:
    """Return why mails to the recipient of *event* should be paused; ``None`` if they shouldn't."""
    if event.event_type == EventType.COMPLAINED:
        return PauseCause.COMPLAINED
    no_mailbox = event.reject_reason in (RejectReason.BOUNCED, RejectReason.INVALID)
    return PauseCause.BOUNCED if no_mailbox and not _is_soft(event.esp_event) else None


def _is_soft(report: Any) -> bool:
    """Return whether a provider's *report* classifies a bounce as soft."""
    if not isinstance(report, Mapping):
        return False
    return any(
        _is_soft(value) or (isinstance(value, str | bool) and value in SOFT.get(name, ()))
        for name, value in report.items()
    )


def _find_recipient(message: AnymailInboundMessage, envelope: MailEnvelope) -> str | None:
    """Return the envelope's recipient with our signature; for providers that don't report it, the first such
    address in To or Cc."""
    if message.envelope_recipient:
        named = [part.strip() for part in str(message.envelope_recipient).split(",")]
    else:
        named = list(envelope.recipients)
    return next((address for address in named if read_reply_address(address) is not None), None)


def _find_sender(message: AnymailInboundMessage, envelope: MailEnvelope) -> str:
    """Return the envelope's sender, empty for a bounce; for providers that don't report it, the author."""
    if message.envelope_sender is not None:
        return str(message.envelope_sender)
    return min(envelope.senders, default="")
