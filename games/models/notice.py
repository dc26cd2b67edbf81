"""The outbox of notices; also the heartbeat of the sweep, and bookmarks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.notice_preferences import Channel, Timing

from .game import Game, Seat
from .table import Invitation

if TYPE_CHECKING:
    from games.selectors.contests import GameContest

FAILED = 5
"""Number of attempts at a notice that are more than a hiccup of the mail server."""


class Kind(models.TextChoices):
    """Subject of a notice. A player may switch most off (``games.outbox.EVENTS``)."""

    YOUR_TURN = "your_turn", _("your turn")
    STARTED = "started", _("the game has started")
    REMINDER = "reminder", _("reminder")
    TIME_OUT = "time_out", _("time has run out")
    GAME_OVER = "game_over", _("game over")
    INVITATION = "invitation", _("invitation")
    DECLINED = "declined", _("invitation declined")
    NUDGE = "nudge", _("a table of yours that no one has joined")
    TABLE = "table", _("what happens at the table besides turns")
    LEAGUE = "league", _("leagues and tournaments")
    MODERATION = "moderation", _("what a moderator does in a game")
    REMOVED = "removed", _("removed from a table by its host")
    CONDUCT = "conduct", _("warnings, mutes and suspensions of mine")
    REPORT = "report", _("what came of your reports")
    REPLY = "reply", _("answers to your emails")


KEPT = timedelta(days=90)
"""Time for which a notice is kept once it is sent or dropped (``games/notices/pruning.py``)."""


class MailFate(models.TextChoices):
    """Fate of a mail as its provider reports it later; the one further down overrides the others."""

    DELIVERED = "delivered", _("delivered")
    BOUNCED = "bounced", _("bounced")
    COMPLAINED = "complained", _("reported as spam")


class DropReason(models.TextChoices):
    """Reason why a notice was not sent, as its recipient reads it."""

    STALE = "stale", _("it was no longer needed")
    MOVED = "moved", _("the deadline it was about changed")
    TOLD = "told", _("another email had already told you")
    UNWANTED = "unwanted", _("you've turned these emails off")
    PAUSED = "paused", _("emails to your address are paused")
    REFUSED = "refused", _("your mail server didn't accept it")
    GIVEN_UP = "given_up", _("it couldn't be sent, which is our fault")


GIVEN_UP = DropReason.GIVEN_UP.value
"""Reason for dropping a notice whose sending has killed workers."""


@dataclass(frozen=True)
class NoticeFacts:
    """Facts about a notice of a game and its reader that are not in its row."""

    seats: Sequence[Seat]  # of the game, in order, with their players
    seat: Seat | None  # the reader's
    seen: int | None  # the version that the reader has seen, if they have ever looked
    told_before: bool  # whether an earlier mail announced the beginning of the game, or this turn
    last_mail: datetime | None  # about the same turn
    planned: bool  # whether the reader has, or had, plans there
    holiday_ends: datetime | None  # the reader's, if they are on one
    contest: "GameContest | None" = None  # of the game


class Notice(models.Model):
    """A message owed to somebody: to be sent once, when ``due``, or dropped when it has become stale.

    ``claimed`` is a lease: whoever sets it sends. One that ran out is free again, and counts as ``lost``.
    ``attempts`` counts the times that sending was begun. ``key`` is derived from the event and the recipient,
    so that nothing is owed twice, and gives the mail its Message-ID. ``fate`` is what a mail provider reports
    of the mail that it calls ``provider_id`` (``games/notices/tracking.py``). By ``timing`` some are sent
    together (``games/notices/folding.py``); ``due`` and ``next_try`` are when the recipient wants them.

    A notice that is not about a game has ``about`` instead, which only the code registered for its kind
    understands (``games.hooks.LETTERS``).
    """

    key = models.CharField(_("key"), max_length=120)
    kind = models.CharField(_("kind"), max_length=20, choices=Kind)
    channel = models.CharField(_("channel"), max_length=10, choices=Channel, default=Channel.EMAIL)
    timing = models.CharField(
        _("timing"), max_length=10, choices=Timing, default=Timing.AT_ONCE, db_default=Timing.AT_ONCE
    )
    game = models.ForeignKey(
        Game,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="notices",
        verbose_name=_("game"),
        db_index=False,  # ``notices_of_a_turn`` begins with it
    )
    # A topic and keys of rows, which only the application that registered the kind understands
    # (``games.hooks.LETTERS``). A foreign key for each would make games know the tables of leagues.
    about = models.JSONField(_("about"), default=dict, blank=True)
    version = models.PositiveIntegerField(_("version"), default=0)
    recipient = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="notices",
        verbose_name=_("recipient"),
        db_index=False,  # ``notices_of_a_player`` begins with it
    )
    address = models.EmailField(_("address"), blank=True)  # of a recipient without account; deleted later
    address_mark = models.CharField(
        _("hash of the address"), max_length=64, blank=True, default="", db_default="", editable=False
    )
    invitation = models.ForeignKey(
        Invitation,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="notices",
        verbose_name=_("invitation"),
        db_index=False,  # hardly any has one: see below
    )
    created = models.DateTimeField(_("created"))
    due = models.DateTimeField(_("due"))
    next_try = models.DateTimeField(_("next try"))
    claimed = models.DateTimeField(_("claimed"), null=True, blank=True)
    attempts = models.PositiveIntegerField(_("attempts"), default=0)
    lost = models.PositiveSmallIntegerField(_("claims lost"), default=0, db_default=0)
    last_error = models.TextField(_("last error"), blank=True)
    sent = models.DateTimeField(_("sent"), null=True, blank=True)
    dropped = models.DateTimeField(_("dropped"), null=True, blank=True)
    why_dropped = models.CharField(_("why dropped"), max_length=20, choices=DropReason, blank=True)
    provider_id = models.CharField(
        _("mail provider's number"), max_length=200, blank=True, default="", db_default=""
    )
    fate = models.CharField(_("fate"), max_length=10, choices=MailFate, blank=True, default="", db_default="")
    fate_at = models.DateTimeField(_("fate since"), null=True, blank=True)

    facts: NoticeFacts | None = None  # not stored; read by ``notices.notice_facts``

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("outbox")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            # No ``unique=True``: PostgreSQL would get a second index, for ``LIKE``, of 5 KB a game.
            models.UniqueConstraint(fields=["key"], name="notice_once"),
            models.CheckConstraint(condition=Q(kind__in=Kind.values), name="notice_kind_known"),
            models.CheckConstraint(
                condition=~Q(recipient=None) | ~Q(address="") | ~Q(address_mark=""),
                name="notice_for_somebody",
            ),
            models.CheckConstraint(condition=Q(sent=None) | Q(dropped=None), name="notice_sent_or_dropped"),
            models.CheckConstraint(
                condition=Q(why_dropped__in=["", *DropReason.values]), name="notice_drop_reason_known"
            ),
            models.CheckConstraint(condition=Q(fate__in=["", *MailFate.values]), name="notice_fate_known"),
            models.CheckConstraint(condition=Q(timing__in=Timing.values), name="notice_timing_known"),
            models.CheckConstraint(
                condition=Q(game__isnull=False) | Q(kind__in=[Kind.LEAGUE, Kind.CONDUCT, Kind.REPORT]),
                name="notice_about_a_game_or_elsewhere",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["next_try"], condition=Q(sent=None, dropped=None), name="notices_owed"),
            models.Index(
                fields=["created"],
                condition=Q(sent=None, dropped=None, attempts__gte=FAILED),
                name="notices_failing",
            ),
            models.Index(fields=["dropped"], condition=Q(why_dropped=GIVEN_UP), name="notices_given_up"),
            models.Index(fields=["provider_id"], condition=~Q(provider_id=""), name="notices_at_provider"),
            models.Index(fields=["game", "version", "kind"], name="notices_of_a_turn"),
            models.Index(fields=["recipient", "id"], name="notices_of_a_player"),
            models.Index(
                fields=["invitation"], condition=Q(invitation__isnull=False), name="notices_of_invitations"
            ),
        ]

    def __str__(self) -> str:
        return self.key

    def get_absolute_url(self) -> str:
        """Return the address of the list of its recipient's mails."""
        return reverse("games:mails")

    @property
    def of_game(self) -> Game:
        """The game that it is about."""
        assert self.game is not None, f"{self.key} is about no game"
        return self.game

    @property
    def outcome(self) -> str:
        """Its fate so far, in words."""
        if self.sent is not None:
            return self.get_fate_display() or gettext("sent")
        if self.dropped is not None:
            if self.channel == Channel.PUSH and self.why_dropped == DropReason.REFUSED:
                return gettext("not sent: no device accepted it")
            if self.channel == Channel.WEBHOOK and self.why_dropped == DropReason.REFUSED:
                return gettext("not sent: the service didn't accept it")
            about_turn = self.kind in (Kind.YOUR_TURN, Kind.REMINDER)
            if about_turn and self.why_dropped == DropReason.STALE:
                return gettext("not sent: you had already played")
            return gettext("not sent: {why}").format(why=self.get_why_dropped_display())
        if self.attempts:
            return gettext("not sent yet: we'll try again")
        return gettext("waiting to be sent")


class PrunedNotice(models.Model):
    """Remains of an old notice that may have been delivered, under its key: the link in its mail can stop
    others for a year (``games/notices/unsubscribe.py``), and nobody is notified twice that a game has begun.

    ``sent`` is empty if a sender claimed it and never reported the result.
    """

    id = models.BigIntegerField(_("key"), primary_key=True)
    game = models.ForeignKey(Game, models.PROTECT, related_name="+", verbose_name=_("game"), db_index=False)
    recipient = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        verbose_name=_("recipient"),
        db_index=False,  # ``pruned_notices_of`` begins with it
    )
    kind = models.CharField(_("kind"), max_length=20, choices=Kind)
    version = models.PositiveIntegerField(_("version"))
    sent = models.DateTimeField(_("sent"), null=True, blank=True)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("outbox")
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(kind__in=Kind.values), name="pruned_notice_kind_known"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["recipient", "game"], name="pruned_notices_of"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}.{self.game_id}.{self.version}.{self.recipient_id}"


class Heartbeat(models.Model):
    """Time of the sweep's last run. A gap is an outage, in which nobody may lose on time; it has a row of its
    own until it is credited to all clocks (``games/heartbeat.py``)."""

    name = models.CharField(_("name"), max_length=20, primary_key=True)
    at = models.DateTimeField(_("at"))
    reached = models.BigIntegerField(_("the game up to which players know of the outage"), default=0)

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")

    def __str__(self) -> str:
        return self.name


class Bookmark(models.Model):
    """Position up to which a task has read the record of all games, or the outbox."""

    name = models.CharField(_("name"), max_length=20, primary_key=True)
    reached = models.BigIntegerField(_("the move up to which it is read"), default=0)

    class Meta:
        verbose_name = _("bookmark")
        verbose_name_plural = _("bookmarks")
        default_permissions = ()

    def __str__(self) -> str:
        return self.name


class SilentAddress(models.Model):
    """The keyed hash of an address without an account whose owner has opted out of invitations
    (``accounts.address_hashes``)."""

    mark = models.CharField(_("hash"), max_length=254, unique=True, db_column="address")  # once an address
    since = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("silent address")
        verbose_name_plural = _("silent addresses")

    def __str__(self) -> str:
        return self.mark[:8]
