"""Requests of players to the organisers of a league, and their answers."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from accounts.references import PeopleText, find_players

from .league import League, find_people_of


class RequestKind(models.TextChoices):
    """Topics of requests."""

    PAIRING = "pairing", _("A pairing")
    TIME = "time", _("Time for a game")
    RESULT = "result", _("A result")
    WITHDRAWAL = "withdrawal", _("Withdrawing")
    OTHER = "other", _("Something else")


class OrganiserRequest(models.Model):
    """A request that only its player and organisers can read, with its answer."""

    league = models.ForeignKey(League, models.PROTECT, related_name="requests", verbose_name=_("league"))
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("who asks")
    )
    kind = models.CharField(_("about"), max_length=12, choices=RequestKind)
    text = PeopleText(_("text"), max_length=1000)
    asked = models.DateTimeField(_("when"))
    answer = PeopleText(_("answer"), max_length=1000, blank=True)
    answered = models.DateTimeField(_("answered"), null=True, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("organiser who answered"),
    )

    class Meta:
        verbose_name = _("request")
        verbose_name_plural = _("requests")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["league", "player", "kind"], condition=Q(answered=None), name="request_open_once"
            ),
            models.CheckConstraint(condition=Q(kind__in=RequestKind.values), name="request_kind_known"),
            models.CheckConstraint(
                condition=Q(answered=None, answered_by=None, answer="")
                | Q(answered__isnull=False, answered_by__isnull=False),
                name="request_answered_by_somebody",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["asked"], name="requests_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} asks {self.league_id}"

    def people_named(self) -> models.QuerySet[Player]:
        return find_people_of(self.league_id) | find_players(self.player_id, self.answered_by_id)
