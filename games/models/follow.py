"""Games of others, and people, that players follow."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from .game import Game


class Follow(models.Model):
    """Base class of games and players that a player follows. Only that player learns of it."""

    since = models.DateTimeField(_("since"))

    class Meta:
        abstract = True
        default_permissions = ()


class FollowedGame(Follow):
    """A game that a player watches without sitting there."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="followers", verbose_name=_("game"))
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="followed_games", verbose_name=_("player")
    )

    class Meta(Follow.Meta):
        verbose_name = _("followed game")
        verbose_name_plural = _("followed games")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["player", "game"], name="followed_game_once"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.player_id}"


class FollowedPlayer(Follow):
    """A player whom another one follows."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="followed_players", verbose_name=_("player")
    )
    followed = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="followers", verbose_name=_("followed player")
    )

    class Meta(Follow.Meta):
        verbose_name = _("followed player")
        verbose_name_plural = _("followed players")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["player", "followed"], name="followed_player_once"),
            models.CheckConstraint(condition=~Q(player=F("followed")), name="followed_player_is_another"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}/{self.followed_id}"
