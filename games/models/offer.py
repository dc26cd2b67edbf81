"""Offers of one seat to which the others must agree: to end a game, to pause it, to undo a turn."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .game import Game


class Proposal(models.TextChoices):
    """Kind of a proposal to a table."""

    END = "end", _("to end the game")
    PAUSE = "pause", _("to pause the game")
    UNDO = "undo", _("to undo a turn")


class Outcome(models.TextChoices):
    """Outcome of an offer."""

    AGREED = "agreed", _("agreed")
    DECLINED = "declined", _("declined")
    WITHDRAWN = "withdrawn", _("withdrawn")
    LAPSED = "lapsed", _("lapsed")


class Offer(models.Model):
    """A proposal of the seat *seat*, which takes effect when all others have agreed."""

    game = models.ForeignKey(Game, models.PROTECT, related_name="offers", verbose_name=_("game"))
    kind = models.CharField(_("what is proposed"), max_length=10, choices=Proposal)
    seat = models.PositiveSmallIntegerField(_("seat"))
    agreed = models.JSONField(_("seats that have agreed"), default=list)
    until = models.DateTimeField(_("until"), null=True, blank=True)  # a pause
    made = models.DateTimeField(_("made"))
    answered = models.DateTimeField(_("answered"), null=True, blank=True)
    outcome = models.CharField(_("outcome"), max_length=10, choices=Outcome, blank=True)

    class Meta:
        verbose_name = _("offer")
        verbose_name_plural = _("offers")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(kind__in=Proposal.values), name="offer_kind_known"),
            models.CheckConstraint(
                condition=Q(answered=None, outcome="")
                | Q(answered__isnull=False, outcome__in=Outcome.values),
                name="offer_answered_has_an_outcome",
            ),
            models.CheckConstraint(
                condition=Q(kind=Proposal.PAUSE, until__isnull=False)
                | (~Q(kind=Proposal.PAUSE) & Q(until=None)),
                name="offer_of_a_pause_has_an_end",
            ),
            models.UniqueConstraint(
                fields=["game", "kind"], condition=Q(answered=None), name="offer_one_of_a_kind"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.kind}"
