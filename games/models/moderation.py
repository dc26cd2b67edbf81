"""The audit log of moderation: acts of moderators on games, with their reasons and effects, and the stops
that they imposed in matters of their own."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from accounts.references import PeopleText, find_players
from core.append_only import AppendOnlyModel

from .game import Game, Move
from .sanction import Sanction


class ActKind(models.TextChoices):
    """Kind of an act of a moderator on a game."""

    PAUSE = "pause", _("pause")
    RESUME = "resume", _("end a pause")
    EXTEND = "extend", _("give time")
    ROLL_BACK = "roll_back", _("roll back")
    ADJUDICATE = "adjudicate", _("decide the result")
    ABORT = "abort", _("end early, unrated")
    REOPEN = "reopen", _("let it go on")
    REPLACE = "replace", _("replace a player")
    GIVE_BACK = "give_back", _("give a seat back")
    LADDER = "ladder", _("treat as lost on time")
    UNRATE = "unrate", _("make it unrated")
    RATE = "rate", _("make it rated again")
    RENAME = "rename", _("rename the table")


UNDONE_BY: dict[str, str] = {
    ActKind.RESUME: ActKind.PAUSE,
    ActKind.REOPEN: ActKind.ADJUDICATE,
    ActKind.GIVE_BACK: ActKind.REPLACE,
    ActKind.RATE: ActKind.UNRATE,
}
"""Act that each act undoes; ``REOPEN`` undoes ``ABORT``, too."""


class ModerationAct(AppendOnlyModel):
    """An act of a moderator. Append-only, which the database enforces, too."""

    game = models.ForeignKey(Game, models.PROTECT, related_name="moderation", verbose_name=_("game"))
    version = models.PositiveIntegerField(_("version"))  # version of the move that records it
    kind = models.CharField(_("what was done"), max_length=10, choices=ActKind)
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("moderator")
    )
    at = models.DateTimeField(_("at"))
    reason = PeopleText(_("reason"), max_length=500)
    before = models.JSONField(_("before"))  # ``play.moderation.snapshot``
    after = models.JSONField(_("after"))
    undoes = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="undone_by", verbose_name=_("undoes")
    )
    own_matter = models.BooleanField(_("own matter"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("act of a moderator")
        verbose_name_plural = _("acts of moderators")
        default_permissions = ("view",)
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["game", "version"], name="moderation_one_per_version"),
            models.CheckConstraint(condition=Q(kind__in=ActKind.values), name="moderation_kind_known"),
            models.CheckConstraint(condition=~Q(reason=""), name="moderation_says_why"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.version}: {self.kind}"

    def get_absolute_url(self) -> str:
        """Return the address of its game at the moderators' desk."""
        return self.game.get_desk_url()

    def people_named(self) -> models.QuerySet[Player]:
        return find_people_at(self.game_id) | find_players(self.who_id)


def find_people_at(game: int | None) -> models.QuerySet[Player]:
    """Return the players who have a seat in the game with this key, or had one until they were replaced."""
    seated = Player.objects.filter(seats__game=game).values("pk")
    came = Move.objects.filter(game=game, action__has_key="gone")
    gone = list(came.values_list("action__gone", flat=True))
    return Player.objects.filter(Q(pk__in=seated) | Q(pk__in=gone))


class OwnStop(models.Model):
    """Mute or suspension of *player*, or stop of a game of theirs, by a moderator with an interest in it.

    One row for all kinds, so that they have one limit together (``games.conduct.own_stops``).
    """

    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("moderator")
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="own_stops", verbose_name=_("player")
    )
    at = models.DateTimeField(_("at"))
    sanction = models.OneToOneField(
        Sanction, models.PROTECT, null=True, blank=True, related_name="own_stop", verbose_name=_("sanction")
    )
    act = models.ForeignKey(
        ModerationAct,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="own_stops",
        verbose_name=_("act of a moderator"),
    )
    seen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("seen by"),
    )
    seen = models.DateTimeField(_("seen"), null=True, blank=True)

    class Meta:
        verbose_name = _("stop in an own matter")
        verbose_name_plural = _("stops in own matters")
        default_permissions = ()
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["who", "player"], condition=Q(seen=None), name="own_stop_once_until_seen"
            ),
            models.CheckConstraint(
                condition=Q(sanction=None, act__isnull=False) | Q(sanction__isnull=False, act=None),
                name="own_stop_of_one_thing",
            ),
            models.CheckConstraint(
                condition=Q(seen=None, seen_by=None)
                | Q(seen__isnull=False, seen_by__isnull=False) & ~Q(seen_by=F("who")),
                name="own_stop_seen_by_another",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.who_id}: {self.player_id}, {self.at:%Y-%m-%d}"

    def get_absolute_url(self) -> str:
        return reverse("moderation:own_stop", args=[self.pk])
