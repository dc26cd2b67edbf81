"""Sanctions: warnings, mutes and suspensions that moderators have imposed.

A sanction's row and the time decide whether it is in force; no task has to end it.
"""

from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from accounts.references import PeopleLine, PeopleText, find_players
from games.words.sanctions import SANCTIONS, list_paragraphs

from .game import Undeletable


class SanctionKind(models.TextChoices):
    """Kind of a sanction."""

    WARNING = "warning", _("warning")
    MUTE = "mute", _("mute")
    SUSPENSION = "suspension", _("suspension")


class Sanctions(Undeletable):
    """Sanctions, which are kept even if the account is closed."""

    def in_force(self, now: datetime) -> "Sanctions":
        """Return those in force *now*: warnings until they are read, the others until their end."""
        unread = Q(kind=SanctionKind.WARNING, acknowledged=None)
        return self.filter(unread | Q(ends__gt=now), lifted=None)

    def suspending(self, now: datetime) -> "Sanctions":
        """Return the suspensions in force *now*."""
        return self.filter(kind=SanctionKind.SUSPENSION, lifted=None, ends__gt=now)


class Sanction(models.Model):
    """A warning, mute or suspension that a moderator has imposed on *player*.

    *template* names a text in the reader's language (``games/words/sanctions.py``), after which *words* are
    shown as written. *reason* is for moderators; *about* is its origin, such as an incident.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="sanctions", verbose_name=_("player")
    )
    kind = models.CharField(_("kind"), max_length=10, choices=SanctionKind)
    template = models.CharField(_("text"), max_length=20, blank=True)
    # That text by language, as it was sent; empty for sanctions older than editable texts.
    texts = models.JSONField(_("text as it was sent"), null=True, blank=True)
    words = PeopleText(_("words for the player"), max_length=1000, blank=True)
    reason = PeopleText(_("reason"), max_length=500)
    about = PeopleLine(_("about"), max_length=100, blank=True)
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("moderator")
    )
    begun = models.DateTimeField(_("begun"))
    ends = models.DateTimeField(_("ends"), null=True, blank=True)  # only a warning has no end
    acknowledged = models.DateTimeField(_("read by the player"), null=True, blank=True)
    lifted = models.DateTimeField(_("lifted"), null=True, blank=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("lifted by"),
    )
    lifted_why = PeopleText(_("why it was lifted"), max_length=500, blank=True)

    objects = Sanctions.as_manager()

    class Meta:
        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        default_permissions = ("view",)
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(kind__in=SanctionKind.values), name="sanction_kind_known"),
            models.CheckConstraint(
                condition=Q(kind=SanctionKind.WARNING, ends=None)
                | ~Q(kind=SanctionKind.WARNING) & Q(ends__isnull=False, ends__gte=F("begun")),
                name="sanction_ends_unless_a_warning",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="sanction_says_why"),
            models.CheckConstraint(
                condition=Q(lifted=None, lifted_by=None, lifted_why="")
                | Q(lifted__isnull=False, lifted_by__isnull=False) & ~Q(lifted_why=""),
                name="sanction_lifted_by_somebody",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["ends"], condition=Q(kind="suspension", lifted=None), name="suspensions"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.kind}"

    def get_absolute_url(self) -> str:
        """Return its address at the moderators' desk."""
        return reverse("moderation:desk_sanction", args=[self.pk])

    def people_named(self) -> models.QuerySet[Player]:
        return find_players(self.player_id, self.who_id, self.lifted_by_id)

    @property
    def heading(self) -> str:
        """The heading of its player's page and mail."""
        return str(SANCTIONS[self.kind].heading)

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """The message for its player, in the reader's language."""
        return list_paragraphs(self.template, self.words, self.texts)

    @property
    def rule(self) -> str:
        """Its consequences while it is in force."""
        return str(SANCTIONS[self.kind].rule)

    @property
    def lets_play(self) -> bool:
        """Return whether its player's games go on while it is in force."""
        return self.kind not in (SanctionKind.WARNING, SanctionKind.SUSPENSION)

    def in_force(self, now: datetime) -> bool:
        """Return whether it is in force *now*, as in ``Sanctions.in_force``."""
        if self.lifted is not None:
            return False
        return self.acknowledged is None if self.ends is None else now < self.ends
