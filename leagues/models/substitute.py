"""Offers to substitutes."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from accounts.references import PeopleLine

from .league import find_people_of
from .season import Entry


class OfferState(models.TextChoices):
    """States of an offer."""

    ASKED = "asked", _("not answered yet")
    ACCEPTED = "accepted", _("accepted")
    DECLINED = "declined", _("declined")
    LAPSED = "lapsed", _("not answered in time")
    VOID = "void", _("no longer needed")


class SubstituteOffer(models.Model):
    """The question whether *player* plays on in the place of *entry*; asked by an organiser (*who*), or
    automatically."""

    entry = models.ForeignKey(Entry, models.PROTECT, related_name="offers", verbose_name=_("whose place"))
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("who may play on")
    )
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("organiser who asks"),
    )
    reason = PeopleLine(_("reason"), max_length=500, blank=True)
    own_matter = models.BooleanField(_("in own matters"), default=False)
    asked = models.DateTimeField(_("when"))
    state = models.CharField(_("state"), max_length=8, choices=OfferState, default=OfferState.ASKED)
    answered = models.DateTimeField(_("answered"), null=True, blank=True)

    class Meta:
        verbose_name = _("offer to a substitute")
        verbose_name_plural = _("offers to substitutes")
        ordering = ["asked", "pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["entry"], condition=Q(state=OfferState.ASKED), name="substitutes_asked_one_by_one"
            ),
            models.CheckConstraint(condition=Q(state__in=OfferState.values), name="offer_state_known"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} for {self.entry_id}"

    def get_absolute_url(self) -> str:
        """Return the address where the player answers."""
        return reverse("league:offer", args=[self.entry.season.league.slug, self.pk])

    def people_named(self) -> models.QuerySet[Player]:
        return find_people_of(self.entry.season.league_id)
