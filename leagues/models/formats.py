"""Models of knock-outs and ladders: seeds and challenges."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Player

from .match import Match
from .season import Division
from .team import Team


class Seed(models.Model):
    """A player's or team's seed in a knock-out, and rank in it."""

    division = models.ForeignKey(Division, models.PROTECT, related_name="seeds", verbose_name=_("division"))
    number = models.PositiveSmallIntegerField(_("seed"))  # from 1, the strongest
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("player"),
    )
    team = models.ForeignKey(
        Team, models.PROTECT, null=True, blank=True, related_name="seeds", verbose_name=_("team")
    )
    rank = models.PositiveSmallIntegerField(_("rank"), default=1)  # written with every result

    class Meta:
        verbose_name = _("seed")
        verbose_name_plural = _("seeds")
        ordering = ["division", "number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["division", "number"], name="seed_once"),
            models.UniqueConstraint(fields=["division", "player"], name="seed_player_once"),
            models.UniqueConstraint(fields=["division", "team"], name="seed_team_once"),
            models.CheckConstraint(
                condition=Q(player=None, team__isnull=False) | Q(player__isnull=False, team=None),
                name="seed_of_player_or_team",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.holder} as {self.number} in {self.division_id}"

    @property
    def contender(self) -> Player | Team:
        """The player or team, with which it was read."""
        contender = self.team or self.player
        assert contender is not None
        return contender

    @property
    def holder(self) -> int:
        """The primary key of the player, or of the team."""
        holder = self.player_id or self.team_id
        assert holder is not None
        return holder


class Challenge(models.Model):
    """A challenge on a ladder for the place of a player above."""

    match = models.OneToOneField(Match, models.PROTECT, related_name="challenge", verbose_name=_("match"))
    division = models.ForeignKey(
        Division, models.PROTECT, related_name="challenges", verbose_name=_("division")
    )
    challenger = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("challenger")
    )
    challenged = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("challenged")
    )
    made = models.DateTimeField(_("made"))
    ended = models.DateTimeField(_("ended"), null=True, blank=True)  # the new order holds from then on
    declined = models.BooleanField(_("declined"), default=False)

    class Meta:
        verbose_name = _("challenge")
        verbose_name_plural = _("challenges")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["division", "challenger"], condition=Q(ended=None), name="challenge_one_at_a_time"
            ),
            models.UniqueConstraint(
                fields=["division", "challenged"], condition=Q(ended=None), name="challenged_one_at_a_time"
            ),
            models.CheckConstraint(
                condition=~Q(challenger=F("challenged")), name="challenge_of_somebody_else"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.challenger_id} against {self.challenged_id}"
