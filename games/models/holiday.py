"""Players' holidays and emergencies (CLOCK-22), and how reliably they keep time."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.clocks import Piece, Reliability

from .game import Game


class PersonalTime(models.Model):
    """A player's reliability, and up to which change of holidays the clocks of their games are updated.

    Its row is the lock of the player's holidays and emergencies. It is taken after that of a game, and its
    holder waits for no other lock.
    """

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        primary_key=True,
        related_name="personal_time",
        verbose_name=_("player"),
    )
    turns = models.PositiveIntegerField(_("turns counted"), default=0)
    weight = models.FloatField(_("their weight"), default=0.0)
    in_time = models.FloatField(_("the weight of those in time"), default=0.0)
    log_seconds = models.FloatField(_("weighted logarithms of seconds"), default=0.0)
    away = models.JSONField(_("away"), default=list, blank=True)  # [why, from, to], what is to come in order
    changes = models.PositiveIntegerField(_("changes of holidays"), default=0)
    followed = models.PositiveIntegerField(_("the change up to which deadlines follow"), default=0)

    class Meta:
        verbose_name = _("personal time")
        verbose_name_plural = _("personal times")
        default_permissions = ()
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["changes"], condition=Q(changes__gt=F("followed")), name="deadlines_to_follow"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}"

    @property
    def reliability(self) -> Reliability:
        """Return how the player keeps time, as a value."""
        return Reliability(self.turns, self.weight, self.in_time, self.log_seconds)


class Holiday(models.Model):
    """A player's holiday, which others see from when it was entered."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="holidays", verbose_name=_("player")
    )
    begin = models.DateTimeField(_("from"))
    end = models.DateTimeField(_("to"))
    entered = models.DateTimeField(_("entered"))
    automatic = models.BooleanField(_("started automatically at a time-out"), default=False)

    class Meta:
        verbose_name = _("holiday")
        verbose_name_plural = _("holidays")
        ordering = ["begin"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(end__gt=F("begin")), name="holiday_has_a_length"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["player", "end"], name="holidays_to_come"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.begin:%Y-%m-%d} to {self.end:%Y-%m-%d}"

    def get_absolute_url(self) -> str:
        """Return the address of its player's page of holidays."""
        return reverse("games:time")

    @property
    def piece(self) -> Piece:
        """The holiday as a value."""
        return Piece(self.begin, self.end)


class Emergency(models.Model):
    """A stop of all games that a player plays at the time; moderators see it."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="emergencies", verbose_name=_("player")
    )
    begin = models.DateTimeField(_("from"))
    end = models.DateTimeField(_("to"))
    # No constraint: checking it would wait for the locks of the games, and games are never deleted.
    games = models.ManyToManyField(
        Game, related_name="emergencies", db_constraint=False, verbose_name=_("games")
    )

    class Meta:
        verbose_name = _("emergency pause")
        verbose_name_plural = _("emergency pauses")
        ordering = ["-begin"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(end__gte=F("begin")), name="emergency_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.begin:%Y-%m-%d} to {self.end:%Y-%m-%d}"
