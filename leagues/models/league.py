"""Leagues, their organisers, logs and announcements."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import ClassVar

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.db import models
from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.models import OfName, Player
from accounts.references import PeopleLine, PeopleText, find_players
from core.append_only import AppendOnlyModel
from core.parsed_property import ParsedProperty
from games.models import Sanction, SanctionKind
from leagues.settings import LeagueSettings

MAY_FOUND = "leagues.found_league"
"""The permission to found leagues. Staff who have it look after leagues without organisers."""
LONG_SUSPENSION = timedelta(days=7)
"""Players who are suspended for longer hold no office in the meantime."""


def find_long_suspended(now: datetime) -> QuerySet[Player]:
    """Return the players who are suspended for long."""
    long = Sanction.objects.filter(kind=SanctionKind.SUSPENSION, ends__gt=F("begun") + LONG_SUSPENSION)
    return Player.objects.filter(pk__in=long.in_force(now).values("player"))


def find_staff() -> QuerySet[Player]:
    """Return the staff of the site who look after leagues without organisers."""
    return ModelBackend().with_perm(MAY_FOUND).filter(is_staff=True)


class League(models.Model):
    """A league with its seasons, or a tournament, which has one. It is changed only through
    ``leagues/seasons/``."""

    slug = models.SlugField(_("address"), max_length=40, unique=True)
    name = models.CharField(_("name"), max_length=60)
    # Null in rows that the previous release wrote during the deployment.
    name_key = OfName(names.build_key, of="name", max_length=names.ENOUGH_LOOKS)
    name_looks = OfName(names.build_lookalike_key, of="name", max_length=names.ENOUGH_LOOKS)
    text = models.TextField(_("what players should know"), max_length=4000, blank=True)
    founder = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="founded", verbose_name=_("founder")
    )
    organisers = models.ManyToManyField(
        settings.AUTH_USER_MODEL, related_name="organised", verbose_name=_("organisers")
    )
    agreed = models.JSONField(_("settings"))  # ``LeagueSettings.to_json``, for seasons to come
    settings = ParsedProperty("agreed", LeagueSettings.from_json)
    created = models.DateTimeField(_("founded"))
    closed = models.DateTimeField(_("closed"), null=True, blank=True)  # no further season opens
    desk_told = models.DateTimeField(_("organisers told of their desk"), null=True, blank=True)
    desk_known = models.JSONField(_("what they know of"), default=list, blank=True)
    vacant = models.DateTimeField(_("without organisers since"), null=True, blank=True)

    class Meta:
        verbose_name = _("league")
        verbose_name_plural = _("leagues")
        permissions = [("found_league", _("Can found leagues"))]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["name_key"], name="league_name_once"),
            models.UniqueConstraint(fields=["name_looks"], name="league_name_looks_once"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league:league", args=[self.slug])

    def find_acting_organisers(self, now: datetime) -> QuerySet[Player]:
        """Return the organisers whose account is open and not suspended for long."""
        return self.organisers.filter(is_active=True).exclude(pk__in=find_long_suspended(now).values("pk"))

    def find_deciders(self, now: datetime) -> QuerySet[Player]:
        """Return who decides: the acting organisers, or the staff where there are none."""
        acting = self.find_acting_organisers(now)
        return acting if acting.exists() else find_staff()

    def is_inherited_by(self, who: Player, now: datetime) -> bool:
        """Return whether *who* is of the staff, who look after the league while it has no acting organiser.
        One query for staff, none for others."""
        may = who.is_staff and who.has_perm(MAY_FOUND)
        return may and not self.find_acting_organisers(now).exists()


class LogEntry(AppendOnlyModel):
    """Act of a person or of the scheduler in a league; public and append-only."""

    league = models.ForeignKey(League, models.PROTECT, related_name="log", verbose_name=_("league"))
    season = models.ForeignKey(
        "Season", models.PROTECT, null=True, blank=True, related_name="log", verbose_name=_("season")
    )
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,  # null: the scheduler
        blank=True,
        related_name="+",
        verbose_name=_("who"),
    )
    at = models.DateTimeField(_("when"))
    act = models.CharField(_("act"), max_length=30)
    reason = PeopleLine(_("reason"), max_length=500, blank=True)
    details = models.JSONField(_("details"), default=dict)  # before and after, by name
    names: Mapping[int, str] | None = None
    private_reason = ""
    """Names of the people in the details, and a reason for organisers, where a selector has read them."""

    class Meta:
        verbose_name = _("entry of the log")
        verbose_name_plural = _("log")
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["league", "-at"], name="league_log_latest"),
        ]

    def __str__(self) -> str:
        return f"{self.act} {self.at:%Y-%m-%d}"

    def get_absolute_url(self) -> str:
        """Return its address in the log."""
        return f"{reverse('league:log', args=[self.league.slug])}?entry={self.pk}#entry-{self.pk}"

    def people_named(self) -> models.QuerySet[Player]:
        return find_people_of(self.league_id) | find_players(self.who_id, self.details.get("player"))


class PrivateReason(AppendOnlyModel):
    """Reason of an act that only organisers can read, beside the public one."""

    entry = models.OneToOneField(
        LogEntry, models.PROTECT, related_name="private", verbose_name=_("entry of the log")
    )
    text = PeopleLine(_("text"), max_length=500)

    class Meta:
        verbose_name = _("private reason")
        verbose_name_plural = _("private reasons")

    def __str__(self) -> str:
        return str(self.entry)

    def people_named(self) -> models.QuerySet[Player]:
        return self.entry.people_named()


class Announcement(AppendOnlyModel):
    """Public message of organisers; append-only."""

    league = models.ForeignKey(League, models.PROTECT, related_name="announcements", verbose_name=_("league"))
    who = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("who"))
    at = models.DateTimeField(_("when"))
    text = PeopleText(_("text"), max_length=2000)

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["league", "-at"], name="announcements_latest"),
        ]

    def __str__(self) -> str:
        return f"{self.league_id} {self.at:%Y-%m-%d}"

    def people_named(self) -> models.QuerySet[Player]:
        return find_people_of(self.league_id) | find_players(self.who_id)


def find_people_of(league: int) -> models.QuerySet[Player]:
    """Return the organisers of the league with this key, and all who have registered for it."""
    there = Q(organised=league) | Q(entries__season__league=league)
    return Player.objects.filter(pk__in=Player.objects.filter(there).values("pk"))
