"""Devices that receive notifications (web push)."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

LONGEST_ENDPOINT = 1000


class PushSubscription(models.Model):
    """A browser of *player* that receives notifications, for as long as its session lasts.

    ``endpoint`` is an address at the browser's push service: with it and our key one can send there.
    ``p256dh`` and ``auth`` are the browser's keys (RFC 8291), by which only it can read a message.
    ``session_key`` is the session in which notifications were switched on; when that ends, the row goes.
    ``failures`` counts consecutive ones.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="push_subscriptions",
        verbose_name=_("player"),
    )
    endpoint = models.CharField(_("address at the push service"), max_length=LONGEST_ENDPOINT)
    p256dh = models.CharField(_("public key of the browser"), max_length=100)
    auth = models.CharField(_("shared secret of the browser"), max_length=30)
    session_key = models.CharField(_("session"), max_length=40, editable=False)
    browser = models.CharField(_("browser"), max_length=20, blank=True)
    device = models.CharField(_("device"), max_length=20, blank=True)
    since = models.DateTimeField(_("since"))
    last_success = models.DateTimeField(_("last success"), null=True, blank=True)
    failures = models.PositiveSmallIntegerField(_("failures in a row"), default=0)
    tested = models.DateTimeField(_("last test"), null=True, blank=True)

    class Meta:
        verbose_name = _("device with notifications")
        verbose_name_plural = _("devices with notifications")
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            # No ``unique=True``: PostgreSQL would get a second index, for ``LIKE``.
            models.UniqueConstraint(fields=["endpoint"], name="push_endpoint_once"),
            models.UniqueConstraint(fields=["session_key"], name="push_subscription_once_a_session"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}/{self.pk}"
