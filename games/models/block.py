"""Blocks between players, and contacts: acts that make the site write to others and that limits count."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Block(models.Model):
    """*player*'s wish to be kept apart from *blocked*. Nobody else learns of it, *blocked* least of all."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="blocks", verbose_name=_("player")
    )
    blocked = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="blocked_by", verbose_name=_("blocked player")
    )
    since = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["player", "blocked"], name="block_once"),
            models.CheckConstraint(condition=~Q(player=F("blocked")), name="block_is_of_another"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}/{self.blocked_id}"


class Contact(models.Model):
    """An act by which *sender* made the site write to *recipient*, or to a whole group if there is none.

    It is kept when its cause is gone, as when an invitation is withdrawn or a member removed. *group* is the
    host of the table, the team or the league, such as ``team.5``. ``games/conduct/contacts.py`` writes these
    rows and deletes old ones.
    """

    act = models.CharField(_("act"), max_length=20)
    sender = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="+",
        verbose_name=_("sender"),
        db_index=False,  # ``contacts_of_sender`` begins with it
    )
    recipient = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("recipient"),
        db_index=False,
    )
    group = models.CharField(_("group"), max_length=30, blank=True)
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("contact")
        verbose_name_plural = _("contacts")
        default_permissions = ()
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["sender", "at"], name="contacts_of_sender"),
            models.Index(
                fields=["recipient", "at"],
                condition=Q(recipient__isnull=False),
                name="contacts_of_recipient",
            ),
            models.Index(fields=["group", "at"], condition=~Q(group=""), name="contacts_of_group"),
        ]

    def __str__(self) -> str:
        return f"{self.sender_id} to {self.recipient_id or self.group}: {self.act}"
