"""Invitations, removals, chat and notes of a table."""

import secrets
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.address_hashes import mask_address

from .game import Game, Seat


def new_token() -> str:
    """Return a random secret of 128 bits for a link."""
    return secrets.token_urlsafe(16)


class Answer(models.TextChoices):
    PENDING = "pending", _("not answered yet")
    ACCEPTED = "accepted", _("accepted")
    DECLINED = "declined", _("declined")
    WITHDRAWN = "withdrawn", _("withdrawn")
    EXPIRED = "expired", _("expired")


class Invitation(models.Model):
    """A seat kept for a player, for the reader of mail to an address, or for whoever has its link."""

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
    address = models.EmailField(_("email address"), blank=True)  # deleted some time after the answer
    address_mark = models.CharField(  # stays: ``accounts.address_hashes``
        _("hash of the address"), max_length=64, blank=True, default="", db_default="", editable=False
    )
    by_link = models.BooleanField(_("for anyone with the link"), default=False)
    greeting = models.CharField(_("greeting"), max_length=200, blank=True)  # the inviter's own line
    token = models.CharField(_("token"), max_length=32, unique=True, default=new_token, editable=False)
    answer = models.CharField(_("answer"), max_length=10, choices=Answer, default=Answer.PENDING)
    created = models.DateTimeField(_("created"))
    answered = models.DateTimeField(_("answered"), null=True, blank=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=~Q(player=None) | ~Q(address="") | ~Q(address_mark="") | Q(by_link=True),
                name="invitation_for_somebody",
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
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["address"],
                condition=Q(answer="pending") & ~Q(address=""),
                name="invitations_to_address",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.player or mask_address(self.address)}"

    def get_absolute_url(self) -> str:
        return reverse("games:invitation", args=[self.token])


class Removal(models.Model):
    """Removal of a guest by the host before the game began. It keeps the guest out for a day."""

    game = models.ForeignKey(Game, models.PROTECT, related_name="removals", verbose_name=_("game"))
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="removals", verbose_name=_("player")
    )
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("removal of a guest")
        verbose_name_plural = _("removals of guests")
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["game", "player"], name="removal_once_per_game"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.player_id}"


class Room(models.TextChoices):
    """Room of a chat. Spectators have their own, so that nobody helps a player."""

    TABLE = "talk", _("table talk")
    GALLERY = "gallery", _("spectators")


class Message(models.Model):
    """A line in the chat of the players, or of the spectators."""

    game = models.ForeignKey(
        Game, models.PROTECT, related_name="talk", db_index=False, verbose_name=_("game")
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="said", verbose_name=_("author")
    )
    room = models.CharField(_("room"), max_length=10, choices=Room, default=Room.TABLE)
    text = models.TextField(_("text"), max_length=1000)  # empty once it is deleted
    at = models.DateTimeField(_("at"))
    deleted = models.DateTimeField(_("deleted"), null=True, blank=True)
    deleted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("deleted by"),
    )

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("table talk")
        ordering = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=(~Q(text="") & Q(deleted=None, deleted_by=None))
                | Q(text="", deleted__isnull=False, deleted_by__isnull=False),
                name="message_says_something_or_is_deleted",
            ),
            models.CheckConstraint(condition=Q(room__in=Room.values), name="message_room_known"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["game", "room", "id"], name="talk_of_a_room")
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.text[:30]}"

    def get_absolute_url(self) -> str:
        """The room in which it was written, on the page of its game."""
        return f"{self.game.get_absolute_url()}#{self.room}"


class Note(models.Model):
    """A player's private note about a game, or about one of its plies.

    *revision* counts its changes, so that a second window can't overwrite a change it has not shown.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="notes", verbose_name=_("game"))
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="notes", verbose_name=_("player")
    )
    ply = models.PositiveIntegerField(_("ply"), null=True, blank=True)  # none for the game as a whole
    text = models.TextField(_("text"), max_length=4000)
    revision = models.PositiveIntegerField(_("revision"), default=1)
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("note")
        verbose_name_plural = _("notes")
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["game", "player", "ply"], name="note_one_per_ply"),
            models.UniqueConstraint(
                fields=["game", "player"], condition=Q(ply=None), name="note_one_per_game"
            ),
        ]

    def __str__(self) -> str:
        return "a note"
