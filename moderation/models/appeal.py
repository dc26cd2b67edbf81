"""Appeals against sanctions, and the log of moderators' acts on people."""

from collections.abc import Mapping
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from accounts.references import PeopleText, find_players
from core.append_only import AppendOnlyModel
from games.models import Sanction, SanctionKind, Undeletable
from games.words.sanctions import format_verdict

from .incident import Incident


class AppealOutcome(models.TextChoices):
    """Outcomes of an appeal."""

    UPHELD = "upheld", _("it stands")
    SHORTENED = "shortened", _("it ends earlier")
    LIFTED = "lifted", _("it is lifted")


class ConductActKind(models.TextChoices):
    """Kinds of acts in the log."""

    WARN = "warn", _("warned")
    MUTE = "mute", _("muted")
    SUSPEND = "suspend", _("suspended")
    LIFT = "lift", _("lifted what was done to")
    ANSWER = "answer", _("answered the appeal of")


IMPOSING: Mapping[str, ConductActKind] = {
    SanctionKind.WARNING: ConductActKind.WARN,
    SanctionKind.MUTE: ConductActKind.MUTE,
    SanctionKind.SUSPENSION: ConductActKind.SUSPEND,
}
"""The act that imposes each kind of sanction."""


class Appeal(models.Model):
    """A player's only appeal against a sanction, with another moderator's answer."""

    sanction = models.OneToOneField(
        Sanction, models.PROTECT, related_name="appeal", verbose_name=_("sanction")
    )
    words = PeopleText(_("words"), max_length=2000, blank=True)
    at = models.DateTimeField(_("at"))
    due = models.DateTimeField(_("to be answered by"))
    answer = PeopleText(_("answer"), max_length=1000, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("answered by"),
    )
    answered = models.DateTimeField(_("answered"), null=True, blank=True)
    outcome = models.CharField(_("outcome"), max_length=10, choices=AppealOutcome, blank=True)

    objects = Undeletable.as_manager()

    class Meta:
        verbose_name = _("appeal")
        verbose_name_plural = _("appeals")
        default_permissions = ("view",)
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(answered=None, answered_by=None, outcome="")
                | Q(answered__isnull=False, answered_by__isnull=False, outcome__in=AppealOutcome.values),
                name="appeal_answered_with_an_outcome",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["due"], condition=Q(answered=None), name="appeals_open"),
        ]

    def __str__(self) -> str:
        return f"{self.sanction}, {self.at:%Y-%m-%d}"

    @property
    def verdict(self) -> str:
        """Its outcome in a sentence; empty until it is answered."""
        return format_verdict(self.outcome) if self.outcome else ""

    def people_named(self) -> models.QuerySet[Player]:
        return self.sanction.people_named() | find_players(self.answered_by_id)


class ConductAct(AppendOnlyModel):
    """Log entry of a moderator's act on a person. Append-only, also in the database.

    *incident* is the source of a sanction, in the act that imposed it.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="conduct_acts", verbose_name=_("player")
    )
    kind = models.CharField(_("what was done"), max_length=10, choices=ConductActKind)
    sanction = models.ForeignKey(Sanction, models.PROTECT, related_name="acts", verbose_name=_("sanction"))
    incident = models.ForeignKey(
        Incident,
        models.PROTECT,
        null=True,
        blank=True,
        db_index=False,  # never queried, and building an index would lock the table
        related_name="+",
        verbose_name=_("incident that it comes from"),
    )
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("moderator")
    )
    at = models.DateTimeField(_("at"))
    why = PeopleText(_("why"), max_length=1000)
    before = models.JSONField(_("before"))  # ``moderation.acts.sanctions.snapshot``
    after = models.JSONField(_("after"))
    own_matter = models.BooleanField(_("own matter"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("act on a person")
        verbose_name_plural = _("acts on people")
        default_permissions = ("view",)
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(kind__in=ConductActKind.values), name="conduct_kind_known"),
            models.CheckConstraint(condition=~Q(why=""), name="conduct_says_why"),
        ]

    def __str__(self) -> str:
        return f"{self.who} {self.get_kind_display()} {self.player}"

    def people_named(self) -> models.QuerySet[Player]:
        return find_players(self.player_id, self.who_id)
