"""Players and the secrets of their feeds."""

from collections.abc import Callable
from typing import Any, ClassVar

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Exists, OuterRef
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from accounts import names, pictures, texts
from accounts.audit_records import (
    AccountAct,
    AccountActKind,
    AddressChange,
    BarredAddress,
    ClosedName,
    DataExport,
    Letter,
    Trace,
    TraceKind,
)
from core.time_zones import list_zones
from core.undo_window import LONGEST_UNDO

__all__ = [
    "AccountAct",
    "AccountActKind",
    "AddressChange",
    "BarredAddress",
    "ClosedName",
    "DataExport",
    "FeedSecret",
    "Letter",
    "PauseCause",
    "Player",
    "PlayerPhoto",
    "Theme",
    "Trace",
    "TraceKind",
]

TAKEN = _("This name is taken, or looks like one that is.")


def validate_time_zone(name: str) -> None:
    """:raises ValidationError: there is no such zone"""
    if name not in list_zones():
        raise ValidationError(_("There is no such time zone."), code="time_zone")


class Theme(models.TextChoices):
    """Colour schemes of the pages."""

    DEVICE = "device", _("As the device")
    LIGHT = "light", _("Light")
    DARK = "dark", _("Dark")


class PauseCause(models.TextChoices):
    """Causes of a pause of mails (``accounts.mail_pauses``)."""

    REFUSED = "refused", _("the mail server rejects this address")
    BOUNCED = "bounced", _("an email bounced")
    COMPLAINED = "complained", _("an email was reported as spam")


class OfName(models.CharField):
    """Normalised form of the column *of*, written with it: no database folds case in all alphabets."""

    def __init__(
        self, make: Callable[[str], str], *, of: str = "username", max_length: int = 60, **options: Any
    ) -> None:
        self.make, self.of = make, of
        super().__init__(max_length=max_length, editable=False, **options)

    def deconstruct(self) -> Any:
        name, path, args, options = super().deconstruct()
        del options["editable"]
        if options["max_length"] == 60:
            del options["max_length"]
        if self.of != "username":
            options["of"] = self.of
        return name, path, [self.make, *args], options

    def pre_save(self, row: models.Model, add: bool) -> str:
        made = self.make(getattr(row, self.of))
        setattr(row, self.attname, made)
        return made


class Players(BaseUserManager["Player"]):
    """Manager that creates accounts by program; people sign up through allauth."""

    def create_user(
        self, username: str, email: str = "", password: str | None = None, **fields: Any
    ) -> "Player":
        """A new account; without a password its owner signs in by a code sent to *email*."""
        player = self.model(username=names.normalize_name(username), email=email.lower(), **fields)
        player.set_password(password)
        player.save(using=self._db)
        return player

    def create_superuser(
        self, username: str, email: str = "", password: str | None = None, **fields: Any
    ) -> "Player":
        """A new account that may do everything in the admin."""
        return self.create_user(username, email, password, is_staff=True, is_superuser=True, **fields)

    def confirmed(self) -> models.QuerySet["Player"]:
        """Return the players who have confirmed an address; other addresses may be somebody else's."""
        return self.filter(Exists(EmailAddress.objects.filter(user=OuterRef("pk"), verified=True)))

    def with_account(self) -> models.QuerySet["Player"]:
        """Return the confirmed players who are no guests (``accounts.provisional``)."""
        return self.confirmed().filter(provisional=False)

    def unconfirmed(self) -> models.QuerySet["Player"]:
        """Return the open accounts of sign-ups that have neither confirmed an address nor signed in."""
        never = self.filter(closed=None, last_login=None, is_bot=False, is_staff=False, is_superuser=False)
        never = never.filter(provisional=False)
        return never.exclude(pk__in=self.confirmed())

    def get_by_natural_key(self, username: str | None) -> "Player":
        return self.get(name_key=names.build_key(username or ""))

    def named(self, typed: str) -> models.QuerySet["Player"]:
        """Return the player with the name *typed* by somebody, ignoring case; one at most."""
        return self.filter(name_key=names.build_key(texts.normalize_text("player", typed)))

    def called(self, name: str) -> models.QuerySet["Player"]:
        """Return the confirmed player or guest with that *name*, ignoring case; one at most."""
        return (self.confirmed() | self.filter(provisional=True)) & self.named(name)

    def resembling(self, name: str) -> models.QuerySet["Player"]:
        """Return players whose name may be mistaken for *name*."""
        return self.filter(
            models.Q(name_key=names.build_key(name)) | models.Q(name_looks=names.build_lookalike_key(name))
        )

    def of_staff(self, name: str) -> models.QuerySet["Player"]:
        """Return the members of staff for whom a hasty reader may take *name*."""
        bare = names.strip_name(name)
        staff = self.filter(models.Q(is_staff=True) | models.Q(groups__isnull=False), closed=None)
        known = staff.values_list("pk", "username")
        return self.filter(pk__in=[pk for pk, other in known if bare and names.strip_name(other) == bare])


class Player(AbstractBaseUser, PermissionsMixin):
    """An account, or a guest without one (``provisional``). Others see the ``username`` only, never the
    address.

    Closing an account (``services.close_account``) keeps the row and all rows that refer to it, without
    personal data.
    """

    username = models.CharField(
        _("name"),
        max_length=30,
        unique=True,
        validators=[names.validate],
        error_messages={"unique": TAKEN},
    )
    name_key = OfName(names.build_key, unique=True)
    name_looks = OfName(names.build_lookalike_key)
    email = models.EmailField(_("email address"), blank=True)
    language = models.CharField(
        _("language"), max_length=10, choices=settings.LANGUAGES, default=settings.LANGUAGE_CODE
    )
    time_zone = models.CharField(
        _("time zone"), max_length=64, default=settings.TIME_ZONE, validators=[validate_time_zone]
    )
    rest_from = models.TimeField(_("rest from"), null=True, blank=True)  # local; both equal: none
    rest_to = models.TimeField(_("rest to"), null=True, blank=True)
    weekend_days = models.JSONField(_("weekend days"), default=list, blank=True)  # Monday is 0
    auto_holiday = models.BooleanField(_("start a holiday automatically when my time runs out"), default=True)
    theme = models.CharField(_("colours"), max_length=10, choices=Theme, default=Theme.DEVICE)
    # By channel and event, where it differs from the defaults (``accounts.notice_preferences``).
    notice_timings = models.JSONField(_("notifications"), default=dict, blank=True)
    digest_hour = models.PositiveSmallIntegerField(
        _("daily email at"), default=8, validators=[MaxValueValidator(23)]
    )
    # Hours before a deadline, the most first; empty: at half time and a day before.
    reminder_hours = models.JSONField(_("reminders before the deadline"), default=list, blank=True)
    # The channels by which they were told once, and have not been here since; each with a space behind it.
    told_once = models.CharField(max_length=60, blank=True, default="", editable=False)
    mail_paused = models.DateTimeField(_("no emails since"), null=True, blank=True)
    mail_pause_cause = models.CharField(
        _("why no emails"), max_length=10, choices=PauseCause, blank=True, default=""
    )
    # once; the next refusal pauses mails
    address_refused = models.DateTimeField(null=True, blank=True, editable=False)
    shows_looks = models.BooleanField(_("let others see when I have looked at my turn"), default=False)

    undo_seconds = models.PositiveSmallIntegerField(
        _("seconds in which I can undo a turn"),
        default=30,
        validators=[MaxValueValidator(LONGEST_UNDO.seconds)],
    )
    shortcuts = models.BooleanField(_("keyboard shortcuts of a single letter"), default=True)
    sound = models.BooleanField(
        _("play a soft sound in an open page when it's my turn"), default=False, db_default=False
    )
    # Empty: one that goes by the primary key (``shown_picture``).
    picture = models.CharField(
        _("picture"), max_length=16, choices=pictures.Picture, blank=True, default="", db_default=""
    )
    # Digest of the row in PlayerPhoto; empty without one. A photo replaces the picture.
    photo = models.CharField(max_length=16, blank=True, default="", db_default="", editable=False)
    about = models.CharField(_("about me"), max_length=120, blank=True, default="", db_default="")
    # By its code; empty: none is shown.
    country = models.CharField(_("country"), max_length=2, blank=True, default="", db_default="")

    is_bot = models.BooleanField(_("bot"), default=False)
    provisional = models.BooleanField(_("guest"), default=False)  # no account yet: ``accounts.provisional``
    is_staff = models.BooleanField(_("may use the admin"), default=False)
    is_active = models.BooleanField(_("may sign in"), default=True)
    date_joined = models.DateTimeField(_("joined"), default=timezone.now)
    sanctioned = models.BooleanField(default=False, editable=False)  # ever; saves a query for others
    closes = models.DateTimeField(_("account closes"), null=True, blank=True, db_index=True)
    closed = models.DateTimeField(_("account closed"), null=True, blank=True)
    session_round = models.PositiveIntegerField(default=0, editable=False)  # earlier ones are over

    objects: ClassVar[Players] = Players()

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["email"]

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                Lower("email"),
                condition=~models.Q(email=""),
                name="player_email_in_any_case",
                violation_error_message=_("This address belongs to another account."),
            ),
            models.UniqueConstraint(
                fields=["name_looks"], name="player_name_looks_once", violation_error_message=TAKEN
            ),
            models.CheckConstraint(
                condition=models.Q(mail_paused=None, mail_pause_cause="")
                | models.Q(mail_paused__isnull=False, mail_pause_cause__in=PauseCause.values),
                name="player_mail_paused_for_a_cause",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["id"], condition=models.Q(sanctioned=True), name="players_sanctioned"),
            models.Index(fields=["id"], condition=models.Q(provisional=True), name="players_provisional"),
        ]

    def __str__(self) -> str:
        return self.username

    def get_absolute_url(self) -> str:
        """Return the address of the player's page; empty for a closed account, which has none."""
        return "" if self.closed else reverse("games:player", args=[self.username])

    @property
    def shown_picture(self) -> str:
        """The picture that stands for a player without a photo; also one whom a release has taken it from."""
        return self.picture if self.picture in pictures.KNOWN else pictures.choose_default(self.pk)

    def get_photo_url(self) -> str:
        """Return the address of the photo; empty without one. Another photo has another address."""
        return reverse("accounts:photo", args=[self.username, self.photo]) if self.photo else ""

    def get_desk_url(self) -> str:
        """Return the player's address at the moderators' desk."""
        return reverse("moderation:desk_person", args=[self.username])

    def clean(self) -> None:
        """Normalise the name.

        :raises ValidationError: there is such a name already, or one that looks like it
        """
        super().clean()
        self.username = names.normalize_name(self.username)
        renamed = self.name_key != names.build_key(self.username)
        if renamed and Player.objects.resembling(self.username).exclude(pk=self.pk).exists():
            raise ValidationError({"username": TAKEN})

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """Include the round, which grows with every "sign out everywhere"."""
        of_password: str = super()._get_session_auth_hash(secret=secret)  # type: ignore[misc]
        if not self.session_round:
            return of_password
        round_ = str(self.session_round)
        return salted_hmac(of_password, round_, secret=secret, algorithm="sha256").hexdigest()

    def has_lost_zone(self) -> bool:
        """Return whether the data no longer have the time zone, so that times are in UTC."""
        return self.time_zone not in list_zones()

    @property
    def spoken_language(self) -> str:
        """The language in which to address the player: the site's own one if a release has lost theirs."""
        return self.language if self.language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE

    @property
    def rests(self) -> bool:
        """Return whether there are rest hours."""
        return None not in (self.rest_from, self.rest_to) and self.rest_from != self.rest_to

    def awaits_confirmation(self) -> bool:
        """Return whether the account comes from a sign-up whose address nobody has confirmed."""
        verified = EmailAddress.objects.filter(user=self).values_list("verified", flat=True)
        return not self.is_staff and set(verified) == {False}


class PlayerPhoto(models.Model):
    """Photo of a player, a square in JPEG (``accounts.pictures``); in the database, as a backup has it."""

    player = models.OneToOneField(
        Player, models.CASCADE, primary_key=True, related_name="stored_photo", verbose_name=_("player")
    )
    jpeg = models.BinaryField(_("picture"))

    class Meta:
        verbose_name = _("photo")
        verbose_name_plural = _("photos")
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.player_id}"


class FeedSecret(models.Model):
    """Secret in the addresses of a player's private feeds (``accounts.feed_secrets``).

    An address holds it with a signature of the site's key, so a copy of the database opens no feed.
    """

    player = models.OneToOneField(
        Player,
        models.CASCADE,
        primary_key=True,
        related_name="feed_secret",
        verbose_name=_("player"),
    )
    secret = models.CharField(_("secret"), max_length=32, unique=True, editable=False)
    made = models.DateTimeField(_("made"))

    class Meta:
        verbose_name = _("secret of private feeds")
        verbose_name_plural = _("secrets of private feeds")
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.player_id}"
