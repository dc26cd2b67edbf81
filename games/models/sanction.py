"""What moderators do about people: warnings, mutes, suspensions; appeals against them; the log of it all.

Whether a sanction is in force follows from its own row and the time: nothing has to run to end one.
"""

from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from accounts.references import PeopleLine, PeopleText, players_of

from .game import Undeletable
from .incident import Incident
from .moderation import WrittenOnce


class SanctionKind(models.TextChoices):
    """What a moderator may do about somebody."""

    WARNING = "warning", _("warning")
    MUTE = "mute", _("mute")
    SUSPENSION = "suspension", _("suspension")


class AppealOutcome(models.TextChoices):
    """What comes of an appeal."""

    UPHELD = "upheld", _("it stands")
    SHORTENED = "shortened", _("it ends earlier")
    LIFTED = "lifted", _("it is lifted")


class ConductActKind(models.TextChoices):
    """What stands in the log."""

    WARN = "warn", _("warned")
    MUTE = "mute", _("muted")
    SUSPEND = "suspend", _("suspended")
    LIFT = "lift", _("lifted what was done to")
    ANSWER = "answer", _("answered the appeal of")


class Sanctions(Undeletable):
    """Sanctions are kept, whatever becomes of the account."""

    def in_force(self, now: datetime) -> "Sanctions":
        """Those that count *now*: warnings until they are read, the others until their end."""
        unread = Q(kind=SanctionKind.WARNING, acknowledged=None)
        return self.filter(unread | Q(ends__gt=now), lifted=None)

    def suspending(self, now: datetime) -> "Sanctions":
        """The suspensions that count *now*."""
        return self.filter(kind=SanctionKind.SUSPENSION, lifted=None, ends__gt=now)

    def with_own_matter(self) -> "Sanctions":
        """With ``own_matter``: whether the moderator imposed it although they share an interest."""
        imposing = (ConductActKind.WARN, ConductActKind.MUTE, ConductActKind.SUSPEND)
        acts = ConductAct.objects.filter(sanction=OuterRef("pk"), kind__in=imposing, own_matter=True)
        return self.annotate(own_matter=Exists(acts))


class Sanction(models.Model):
    """Something that a moderator has done about *player*.

    *template* names a text in the reader's language (``games/words/sanctions.py``), *words* follow it as
    they were written. *reason* is for moderators, *about* says what it came from, such as an incident.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="sanctions", verbose_name=_("player")
    )
    kind = models.CharField(_("kind"), max_length=10, choices=SanctionKind)
    template = models.CharField(_("text"), max_length=20, blank=True)
    # That text by language, as it was when it was sent; none from before texts could be changed.
    texts = models.JSONField(_("text as it was sent"), null=True, blank=True)
    words = PeopleText(_("words for the player"), max_length=1000, blank=True)
    reason = PeopleText(_("reason"), max_length=500)
    about = PeopleLine(_("about"), max_length=100, blank=True)
    incident = models.ForeignKey(
        Incident,
        models.PROTECT,
        null=True,
        blank=True,
        db_index=False,  # nobody looks for sanctions by it, and making one would lock the table
        related_name="sanctions",
        verbose_name=_("incident that it comes from"),
    )
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

    def people_named(self) -> models.QuerySet[Player]:
        return players_of(self.player_id, self.who_id, self.lifted_by_id)

    def in_force(self, now: datetime) -> bool:
        """As ``Sanctions.in_force``."""
        if self.lifted is not None:
            return False
        return self.acknowledged is None if self.ends is None else now < self.ends


class Appeal(models.Model):
    """What somebody says against a sanction, once, and what another moderator has answered."""

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

    def people_named(self) -> models.QuerySet[Player]:
        return self.sanction.people_named() | players_of(self.answered_by_id)


class ConductAct(WrittenOnce):
    """What a moderator did to somebody, and why: append-only, as the database holds, too."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="conduct_acts", verbose_name=_("player")
    )
    kind = models.CharField(_("what was done"), max_length=10, choices=ConductActKind)
    sanction = models.ForeignKey(Sanction, models.PROTECT, related_name="acts", verbose_name=_("sanction"))
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("moderator")
    )
    at = models.DateTimeField(_("at"))
    why = PeopleText(_("why"), max_length=1000)
    before = models.JSONField(_("before"))  # ``conduct.sanctions.snapshot``
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
        return players_of(self.player_id, self.who_id)
