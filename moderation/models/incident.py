"""Reports of behaviour, with their evidence, incidents and log."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from accounts.references import PeopleText, find_players
from core.append_only import AppendOnlyModel, AppendOnlyQuerySet
from games.models import Game, Message, Undeletable, find_people_at


class Category(models.TextChoices):
    """Categories of reports."""

    STALLING = "stalling", _("stalling")
    ABANDONED = "abandoned", _("game abandoned")
    THROWN = "thrown", _("lost on purpose")
    COLLUSION = "collusion", _("playing together")
    INSULTS = "insults", _("insults")
    NAME = "name", _("name")
    PROGRAM = "program", _("help by a program")
    OTHER = "other", _("something else")


class Verdict(models.TextChoices):
    """Verdicts with which moderators close an incident."""

    UPHELD = "upheld", _("upheld")
    NOT_UPHELD = "not_upheld", _("not upheld")
    NOTHING = "nothing", _("nothing to do")


class Incident(models.Model):
    """Reports of one person in one game, or in none.

    While it is open all reports of the same person in the same game belong to it.
    """

    about = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="incidents", verbose_name=_("about")
    )
    game = models.ForeignKey(
        Game, models.PROTECT, null=True, blank=True, related_name="incidents", verbose_name=_("game")
    )
    opened = models.DateTimeField(_("opened"))
    looked_at_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("who looks at it"),
    )
    closed = models.DateTimeField(_("closed"), null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("closed by"),
    )
    verdict = models.CharField(_("verdict"), max_length=10, choices=Verdict, blank=True)
    remark = PeopleText(_("what the moderator wrote"), max_length=1000, blank=True)

    objects = Undeletable.as_manager()

    class Meta:
        verbose_name = _("incident")
        verbose_name_plural = _("incidents")
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(closed=None, closed_by=None, verdict="")
                | Q(closed__isnull=False, closed_by__isnull=False, verdict__in=Verdict.values),
                name="incident_closed_with_a_verdict",
            ),
            models.CheckConstraint(
                condition=Q(closed_by=None) | ~Q(closed_by=models.F("about")),
                name="incident_closed_by_somebody_else",
            ),
            models.UniqueConstraint(
                fields=["about", "game"], condition=Q(closed=None), name="incident_open_once_per_game"
            ),
            models.UniqueConstraint(
                fields=["about"],
                condition=Q(closed=None, game=None),
                name="incident_open_once_without_game",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["opened"], condition=Q(closed=None), name="incidents_open"),
            models.Index(fields=["closed"], name="incidents_closed"),
        ]

    def __str__(self) -> str:
        return f"{self.pk}: {self.about_id}/{self.game_id}"

    def get_absolute_url(self) -> str:
        return reverse("moderation:desk_incident", args=[self.pk])

    def get_category_display(self) -> str:
        """The category of the first report, of an incident with its ``category`` (``annotate_reports``)."""
        return str(Category(self.category).label)  # type: ignore[attr-defined]

    def people_named(self) -> models.QuerySet[Player]:
        own = Q(pk__in=(self.about_id, self.closed_by_id)) | Q(reports__incident=self.pk)
        people = Player.objects.filter(pk__in=Player.objects.filter(own).values("pk"))
        return people if self.game_id is None else people | find_people_at(self.game_id)


class Report(models.Model):
    """A report of somebody for a message, a turn, or in general."""

    incident = models.ForeignKey(Incident, models.PROTECT, related_name="reports", verbose_name=_("incident"))
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="reports", verbose_name=_("reporter")
    )
    category = models.CharField(_("category"), max_length=10, choices=Category)
    words = PeopleText(_("words"), max_length=1000, blank=True)
    message = models.ForeignKey(
        Message, models.PROTECT, null=True, blank=True, related_name="reports", verbose_name=_("message")
    )
    ply = models.PositiveIntegerField(_("turn"), null=True, blank=True)
    at = models.DateTimeField(_("at"))
    verdict = models.CharField(
        _("verdict"), max_length=10, choices=Verdict, blank=True, default="", db_default=""
    )
    """Empty while the incident is open, and in old reports, for which the verdict of the incident counts."""

    objects = Undeletable.as_manager()

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(category__in=Category.values), name="report_category_known"),
            models.CheckConstraint(
                condition=Q(message=None) | Q(ply=None), name="report_of_a_message_or_a_turn"
            ),
            models.UniqueConstraint(
                fields=["incident", "reporter", "message"], name="report_once_of_a_message"
            ),
            models.UniqueConstraint(
                fields=["incident", "reporter"],
                condition=Q(message=None),
                name="report_once_of_the_whole",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["reporter", "at"], name="reports_of_a_reporter"),
        ]

    def __str__(self) -> str:
        return f"{self.incident_id}: {self.category}"

    def get_absolute_url(self) -> str:
        """The page of its incident."""
        return reverse("moderation:desk_incident", args=[self.incident_id])

    def get_verdict_of_it_display(self) -> str:
        """Its own verdict or that of its incident, of a report with ``verdict_of_it``
        (``annotate_verdict``); empty while it is open."""
        verdict: str = self.verdict_of_it  # type: ignore[attr-defined]
        return str(Verdict(verdict).label) if verdict else ""

    def people_named(self) -> models.QuerySet[Player]:
        return self.incident.people_named() | find_players(self.reporter_id)


class EvidenceRows(AppendOnlyQuerySet):
    """Append-only rows, deleted when they expire."""

    def forget(self) -> int:
        """Delete these rows, which have expired. Return their number."""
        return models.QuerySet.delete(self)[0]


class Evidence(AppendOnlyModel):
    """Evidence of a report as it was then, or the copy of a deleted message. Immutable in code and
    database."""

    incident = models.ForeignKey(
        Incident, models.PROTECT, null=True, blank=True, related_name="evidence", verbose_name=_("incident")
    )
    message = models.ForeignKey(
        Message, models.PROTECT, null=True, blank=True, related_name="evidence", verbose_name=_("message")
    )
    ply = models.PositiveIntegerField(_("turn"), null=True, blank=True)
    at = models.DateTimeField(_("at"))
    found = models.JSONField(_("what was found"))  # built by ``moderation.acts.evidence``

    objects: ClassVar = EvidenceRows.as_manager()

    class Meta:
        verbose_name = _("evidence")
        verbose_name_plural = _("evidence")
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(incident__isnull=False) | Q(message__isnull=False),
                name="evidence_of_something",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["at"], condition=Q(incident=None), name="evidence_of_deleted"),
        ]

    def __str__(self) -> str:
        return f"{self.incident_id}: {self.at:%Y-%m-%d}"


class IncidentAct(AppendOnlyModel):
    """Log entry of a moderator's act on an incident. Append-only, as the log of games is."""

    class Kind(models.TextChoices):
        TAKE = "take", _("takes a look")
        CLOSE = "close", _("closes it")
        REOPEN = "reopen", _("opens it again")
        DELETE = "delete", _("deletes a message")

    incident = models.ForeignKey(Incident, models.PROTECT, related_name="acts", verbose_name=_("incident"))
    kind = models.CharField(_("what was done"), max_length=10, choices=Kind)
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("moderator")
    )
    at = models.DateTimeField(_("at"))
    verdict = models.CharField(_("verdict"), max_length=10, choices=Verdict, blank=True)
    remark = PeopleText(_("what the moderator wrote"), max_length=1000, blank=True)
    message = models.ForeignKey(
        Message, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("message")
    )
    own_matter = models.BooleanField(_("own matter"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("act on an incident")
        verbose_name_plural = _("acts on incidents")
        default_permissions = ()
        ordering: ClassVar = ["-pk"]

    def __str__(self) -> str:
        return f"{self.incident_id}: {self.kind}"

    def people_named(self) -> models.QuerySet[Player]:
        return self.incident.people_named() | find_players(self.who_id)
