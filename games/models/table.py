"""What belongs to a table beside the game: invitations and talk."""

import secrets
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .game import Game, Seat


def new_token() -> str:
    """A secret for a link: 128 bits."""
    return secrets.token_urlsafe(16)


class Answer(models.TextChoices):
    PENDING = "pending", _("not answered yet")
    ACCEPTED = "accepted", _("accepted")
    DECLINED = "declined", _("declined")
    WITHDRAWN = "withdrawn", _("withdrawn")
    EXPIRED = "expired", _("expired")


class Invitation(models.Model):
    """A seat kept for a player, or for whoever reads the mail to an address."""

    game = models.ForeignKey(Game, models.PROTECT, related_name="invitations", verbose_name=_("game"))
    seat = models.ForeignKey(Seat, models.PROTECT, related_name="invitations", verbose_name=_("seat"))
    inviter = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="invited", verbose_name=_("inviter")
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="invitations",
        verbose_name=_("player"),
    )
    address = models.EmailField(_("e-mail address"), blank=True)
    token = models.CharField(_("token"), max_length=32, unique=True, default=new_token, editable=False)
    answer = models.CharField(_("answer"), max_length=10, choices=Answer, default=Answer.PENDING)
    created = models.DateTimeField(_("created"))
    answered = models.DateTimeField(_("answered"), null=True, blank=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=~Q(player=None) | ~Q(address=""), name="invitation_for_somebody"
            ),
            models.CheckConstraint(condition=Q(answer__in=Answer.values), name="invitation_answer_known"),
            models.UniqueConstraint(
                fields=["seat"], condition=Q(answer="pending"), name="invitation_one_per_seat"
            ),
            models.UniqueConstraint(
                fields=["game", "player"], condition=Q(answer="pending"), name="invitation_one_per_player"
            ),
            models.UniqueConstraint(
                fields=["game", "address"],
                condition=Q(answer="pending") & ~Q(address=""),
                name="invitation_one_per_address",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.player or self.address}"


class Message(models.Model):
    """A line of table talk."""

    game = models.ForeignKey(Game, models.PROTECT, related_name="talk", verbose_name=_("game"))
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="said", verbose_name=_("author")
    )
    text = models.TextField(_("text"), max_length=1000)
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("table talk")
        ordering = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=~Q(text=""), name="message_says_something"),
        ]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["game", "id"], name="talk_of_a_game")]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.text[:30]}"
