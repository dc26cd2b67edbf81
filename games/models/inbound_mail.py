"""The inbox: mail sent to the address for replies, and its outcome."""

from datetime import timedelta
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from .notice import Notice

MAX_BYTES = 1024 * 1024
"""Maximum size of a message that is accepted: a reply with a quoted board in it is a third of that."""

MAX_LINES = 50_000
MAX_BOUNDARIES = 64
"""Maximum numbers in a message that is accepted: a megabyte of pictures has 14,000 lines. Of more than 50
parts nothing is read."""

MAILS_KEPT = timedelta(days=30)
"""Time for which a message is kept, answered or not (``games/mail_in/receiving.py``)."""


class MailState(models.TextChoices):
    """Processing state of an incoming message."""

    WAITING = "waiting"
    DONE = "done"
    IGNORED = "ignored"
    FAILED = "failed"


class MailOutcome(models.TextChoices):
    """Outcome of a message: its effect, why it had none, or why it was ignored (``docs/mail.md``)."""

    PLAYED = "played"
    TALKED = "talked"
    NOTED = "noted"
    STATUS = "status"
    UNDONE = "undone"
    PROPOSED = "proposed"
    RESIGN_ASKED = "resign_asked"
    CONFIRM_ASKED = "confirm_asked"
    RESIGNED = "resigned"

    EXPLAINED = "explained"
    STALE = "stale"
    REFUSED = "refused"

    MACHINE = "machine"
    FORGED = "forged"
    STRANGER = "stranger"
    TOO_MANY = "too_many"


NOTHING_DONE = frozenset({MailOutcome.EXPLAINED, MailOutcome.STALE, MailOutcome.REFUSED})
"""Outcomes of requests that couldn't be carried out."""

WITHOUT_EFFECT = NOTHING_DONE | {MailOutcome.CONFIRM_ASKED}
"""Outcomes of mails that are answered and have changed nothing."""


class InboundMail(models.Model):
    """An incoming message. It is stored before its receipt is confirmed to the sender, so nothing is lost.

    ``key`` is the hash of its Message-ID, or of its bytes where it has none, so the same message to one
    recipient is stored only once. ``size`` is its length; ``raw`` is emptied if the message is ignored.
    ``player`` is that of the reply address. ``said`` is the outcome in the player's language; ``answer`` is
    the mail that tells it. ``spf``, ``dkim`` and ``dmarc`` are the results of the mail server before us, if
    it is named (``MAIL_AUTHSERV_ID``).
    """

    key = models.CharField(max_length=64, editable=False)
    raw = models.BinaryField()
    size = models.PositiveIntegerField(db_default=0)
    sender = models.CharField(max_length=320, blank=True)  # from the envelope; empty for a bounce
    recipient = models.CharField(max_length=320)  # in lower case
    received = models.DateTimeField()
    spf = models.CharField(max_length=10, blank=True)
    dkim = models.CharField(max_length=10, blank=True)
    dmarc = models.CharField(max_length=10, blank=True)
    state = models.CharField(max_length=10, choices=MailState, default=MailState.WAITING)
    next_try = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="inbound_mails",
    )
    outcome = models.CharField(max_length=20, choices=MailOutcome, blank=True)
    said = models.TextField(blank=True)
    answer = models.OneToOneField(
        Notice,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="answered_mail",
    )
    answered = models.DateTimeField(null=True, blank=True)

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["key", "recipient"], name="inbound_mail_once_a_recipient"),
            models.CheckConstraint(condition=Q(state__in=MailState.values), name="inbound_mail_state_known"),
            models.CheckConstraint(
                condition=Q(outcome__in=["", *MailOutcome.values]), name="inbound_mail_outcome_known"
            ),
            models.CheckConstraint(
                condition=Q(answer=None) | Q(state=MailState.DONE), name="inbound_mail_answered_when_done"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["next_try"], condition=Q(state=MailState.WAITING), name="inbound_mails_waiting"
            ),
            models.Index(fields=["received"], name="inbound_mails_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.state} {self.outcome}".strip()
