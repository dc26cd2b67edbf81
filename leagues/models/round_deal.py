"""Rounds in which all tables draw the same tiles."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Deal

from .season import Division


class RoundDeal(models.Model):
    """The draw that the games called *number* of the matches of a round share, at tables of so many seats."""

    division = models.ForeignKey(Division, models.PROTECT, related_name="deals", verbose_name=_("division"))
    round = models.PositiveSmallIntegerField(_("round"))
    number = models.PositiveSmallIntegerField(_("number"))  # of the game in its match, from 1
    seats = models.PositiveSmallIntegerField(_("seats"))
    deal = models.OneToOneField(Deal, models.PROTECT, related_name="+", verbose_name=_("shared draw"))

    class Meta:
        verbose_name = _("shared draw of a round")
        verbose_name_plural = _("shared draws of rounds")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["division", "round", "number", "seats"], name="round_deal_once"),
        ]

    def __str__(self) -> str:
        return f"{self.division_id}/{self.round}/{self.number}"
