"""Visits: up to which version players have seen the games they look at."""

from typing import ClassVar, NamedTuple

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .game import Game


class Visit(models.Model):
    """A player's current visit to a game, or the last one; only ``games/tables/visits.py`` writes it.

    It stores versions of the game, not times, so a system clock that is set back loses nothing. It is private
    to the player, and deleted when the account is closed.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="visits", verbose_name=_("game"))
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="visits", verbose_name=_("player")
    )
    since = models.PositiveIntegerField(_("version seen before"), null=True)  # none on the first visit
    seen = models.PositiveIntegerField(_("version seen"))
    at = models.DateTimeField(_("last look"))

    class Meta:
        verbose_name = _("visit")
        verbose_name_plural = _("visits")
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["player", "game"], name="visit_one_per_player_and_game"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.player_id}"


class ViewerContext(NamedTuple):
    """Values about the visitor that are loaded together with a game, to save most pages a query."""

    visitor: int | None
    seat: int | None
    visit: Visit | None
    planned: bool  # has, or had, plans in it
    noted: bool
    talked: bool  # somebody has said something there
