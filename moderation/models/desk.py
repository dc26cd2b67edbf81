"""Models of the moderators' desk: notes, changed names and warning texts."""

from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from accounts.references import PeopleText, find_players
from core.append_only import AppendOnlyModel, AppendOnlyQuerySet

from .incident import Report


class ModeratorNotes(AppendOnlyQuerySet):
    """Append-only notes, deleted with the account that they are about."""

    def forget(self, player: models.Model) -> None:
        """Remove the notes about *player*, whose account is being closed."""
        models.QuerySet.delete(self.filter(player=player))


class ModeratorNote(AppendOnlyModel):
    """Note about a player for other moderators. A trigger of the database refuses changes."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="moderator_notes", verbose_name=_("player")
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("moderator")
    )
    at = models.DateTimeField(_("at"))
    text = PeopleText(_("text"), max_length=2000)

    objects: ClassVar = ModeratorNotes.as_manager()

    class Meta:
        verbose_name = _("note of a moderator")
        verbose_name_plural = _("notes of moderators")
        default_permissions = ()
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=~Q(text=""), name="moderator_note_says_something"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.at:%Y-%m-%d}"

    def get_absolute_url(self) -> str:
        """Return its address on the page of its player at the moderators' desk."""
        return f"{self.player.get_desk_url()}#notes"

    def people_named(self) -> models.QuerySet[Player]:
        return find_players(self.player_id, self.author_id)


class NamedKind(models.TextChoices):
    """Kinds of things that players name."""

    TABLE = "table", _("table")
    TEAM = "team", _("team")
    LEAGUE = "league", _("league")


class NameChanges(AppendOnlyQuerySet):
    """Append-only changes of names; the old names are deleted as evidence is."""

    def forget(self) -> int:
        """Delete the old names. Return their number."""
        return models.QuerySet.update(self.exclude(before=""), before="")

    def forget_old(self, before: datetime) -> int:
        """Delete the old names of changes made *before* then. Return their number."""
        return self.filter(at__lt=before).forget()


class NameChange(AppendOnlyModel):
    """Change of the name of a table, a team or a league by a moderator.

    *key* is the code of a game, else a primary key; *owner* had given it the name *before*.
    """

    kind = models.CharField(_("kind"), max_length=10, choices=NamedKind)
    key = models.CharField(_("key"), max_length=20)
    before = models.CharField(_("before"), max_length=60, blank=True)
    after = models.CharField(_("after"), max_length=60)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="name_changes", verbose_name=_("who named it")
    )
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("moderator")
    )
    at = models.DateTimeField(_("at"))
    reason = PeopleText(_("reason"), max_length=500)

    objects: ClassVar = NameChanges.as_manager()

    class Meta:
        verbose_name = _("change of a name")
        verbose_name_plural = _("changes of names")
        default_permissions = ()
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(kind__in=NamedKind.values), name="name_change_kind_known"),
            models.CheckConstraint(condition=~Q(reason=""), name="name_change_says_why"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["kind", "key"], name="name_changes_of_a_thing"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"

    def people_named(self) -> models.QuerySet[Player]:
        return find_players(self.owner_id, self.who_id)


class ReportedName(models.Model):
    """The reported name of a table, a team or a league, as it was then."""

    report = models.ForeignKey(
        Report, models.PROTECT, related_name="reported_names", verbose_name=_("report")
    )
    kind = models.CharField(_("kind"), max_length=10, choices=NamedKind)
    key = models.CharField(_("key"), max_length=20)
    name = models.CharField(_("name"), max_length=60, blank=True)  # until evidence is forgotten

    class Meta:
        verbose_name = _("reported name")
        verbose_name_plural = _("reported names")
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["report", "kind", "key"], name="reported_name_once"),
            models.CheckConstraint(condition=Q(kind__in=NamedKind.values), name="reported_name_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class WarningTemplate(AppendOnlyModel):
    """A version of a warning text in one language. The latest counts; an empty one restores the built-in
    text, if there is one."""

    name = models.SlugField(_("name"), max_length=20, db_index=False)
    language = models.CharField(_("language"), max_length=10, choices=settings.LANGUAGES)
    version = models.PositiveIntegerField(_("version"))  # from 1
    title = models.CharField(_("title"), max_length=60, blank=True)
    text = models.TextField(_("text"), max_length=1000, blank=True)
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("moderator")
    )
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("text of warnings")
        verbose_name_plural = _("texts of warnings")
        default_permissions = ()
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(title="", text="") | ~Q(title="") & ~Q(text=""), name="warning_template_whole"
            ),
            models.UniqueConstraint(fields=["name", "language", "version"], name="warning_template_version"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.language})"
