"""Webhooks: addresses at chat services to which players' notices are posted."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core import encryption
from core.outgoing_urls import HostFault, UnusableUrl, parse_target
from games.words.times import format_instant

PURPOSE = "games.webhook"
SHOWN = 4
"""Number of letters at the end of an address that its owner is shown, to tell it from others."""


def mask_url(url: str) -> str:
    """
    >>> mask_url("https://hooks.slack.com/services/T0/B0/secret"), mask_url("")
    ('hooks.slack.com/…cret', '')
    """
    try:
        target = parse_target(url)
    except UnusableUrl:
        return ""
    return f"{target.host}/…{target.path[-SHOWN:]}" if len(target.path) > 4 * SHOWN else target.host


class WebhookShape(models.TextChoices):
    """Service whose message format a webhook uses."""

    DISCORD = "discord", "Discord"
    SLACK = "slack", "Slack"
    MATTERMOST = "mattermost", "Mattermost"


class SwitchOffReason(models.TextChoices):
    """Reason why a webhook was switched off."""

    GONE = "gone", _("the service says that it no longer exists")
    FAILING = "failing", _("it failed too often in a row")


class WebhookError(models.TextChoices):
    """Reason why the last message failed. Never a text of the other server, which may even be a secret."""

    UNKNOWN_HOST = HostFault.UNKNOWN.value, _("there is no such server")
    LOOKUP = HostFault.LOOKUP.value, _("its server's name couldn't be looked up")
    NOT_PUBLIC = HostFault.NOT_PUBLIC.value, _("its server isn't on the public internet")
    CONNECTION = HostFault.CONNECTION.value, _("its server couldn't be reached")
    CERTIFICATE = HostFault.CERTIFICATE.value, _("its server has no valid certificate")
    TIMEOUT = HostFault.TIMEOUT.value, _("its server took too long")
    STATUS = "status", _("its server didn't accept the message")
    UNREADABLE = "unreadable", _("we can't read its address any more; please add it again")


class Webhook(models.Model):
    """An address to which *player* has notices posted.

    The address is a secret, as it is enough to post there, so it is encrypted and not shown again.
    ``failures`` counts consecutive ones; after each the webhook rests for a while. ``taken`` are the primary
    keys of notices that it has got and that are retried because another webhook of the player has not.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="webhooks", verbose_name=_("player")
    )
    shape = models.CharField(_("service"), max_length=10, choices=WebhookShape)
    encrypted_url = models.TextField(_("encrypted address"))
    since = models.DateTimeField(_("since"))
    last_sent = models.DateTimeField(_("last message"), null=True, blank=True)
    failures = models.PositiveSmallIntegerField(_("failures in a row"), default=0)
    rests_until = models.DateTimeField(_("rests until"), null=True, blank=True)
    last_error = models.CharField(_("last error"), max_length=20, choices=WebhookError, blank=True)
    last_status = models.PositiveSmallIntegerField(_("status of the last error"), null=True, blank=True)
    failed = models.DateTimeField(_("last failure"), null=True, blank=True)
    off = models.DateTimeField(_("switched off"), null=True, blank=True)
    why_off = models.CharField(_("why switched off"), max_length=10, choices=SwitchOffReason, blank=True)
    taken = models.JSONField(_("notices it has received"), default=list, blank=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(off=None, why_off="") | Q(off__isnull=False, why_off__in=SwitchOffReason.values),
                name="webhook_off_for_a_reason",
            ),
            models.CheckConstraint(condition=Q(shape__in=WebhookShape.values), name="webhook_shape_known"),
        ]

    def __str__(self) -> str:
        return f"{self.shape} of {self.player_id}"

    def hide(self, url: str) -> None:
        """Set the address to *url*, encrypted; the caller saves the row."""
        self.encrypted_url = encryption.encrypt(url, purpose=PURPOSE)

    def reveal(self) -> str:
        """Return the address, which is a secret; empty if its encryption key is gone."""
        try:
            return encryption.decrypt(self.encrypted_url, purpose=PURPOSE)
        except encryption.InvalidToken:
            return ""

    @property
    def masked_url(self) -> str:
        """The host and the end of the address, of which no more is shown."""
        return mask_url(self.reveal())

    @property
    def error(self) -> str:
        """The reason why the last message did not arrive, in a sentence; empty if none has failed."""
        if self.failed is None:
            return ""
        why = self.get_last_error_display()
        if self.last_status is not None:
            why = gettext("{why} (error {status})").format(why=why, status=self.last_status)
        said = gettext("The message of {when} didn't arrive: {why}.")
        return said.format(when=format_instant(self.failed), why=why)
