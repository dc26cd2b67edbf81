"""A draw that several games share, so that luck cancels out when their results are compared."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .game import Undeletable, new_code


class Deal(models.Model):
    """An order of tiles for several games of one rule set and number of seats.

    It is derived from its own seed and code, as a game's from the game's. The seed is shown when the deal is
    closed and all its games are over; until then ``games.access.build_unsealed_filter`` hides the boards.
    Only ``games/play/deals.py`` changes deals.
    """

    code = models.CharField(_("code"), max_length=16, unique=True, default=new_code, editable=False)
    rule_set = models.JSONField(_("rule set"))
    places = models.PositiveSmallIntegerField(_("seats"))
    seed_hash = models.CharField(_("SHA-256 of the seed"), max_length=64)
    seed = models.CharField(_("seed"), max_length=64, blank=True)  # hex; shown when all its games are over
    created = models.DateTimeField(_("created"))
    closed = models.DateTimeField(_("since when no game joins"), null=True, blank=True)

    objects = Undeletable.as_manager()

    class Meta:
        verbose_name = _("shared draw")
        verbose_name_plural = _("shared draws")
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(seed="") | Q(closed__isnull=False), name="deal_shown_if_closed"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["created"], condition=Q(closed=None), name="deals_open"),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def sealed(self) -> bool:
        """Return whether its seed is still secret."""
        return not self.seed

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("shared draws are never deleted")


class DealSecret(models.Model):
    """The seed of a deal before it is shown. Only ``games/play/`` reads it; nothing shows it."""

    deal = models.OneToOneField(Deal, models.PROTECT, primary_key=True, related_name="+")
    seed = models.BinaryField(max_length=32)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return "a secret"

    __repr__ = __str__
