"""Models around an account: acts of staff, closed names, addresses, letters, exports and traces."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.address_hashes import hash_address
from accounts.references import PeopleText, find_players
from core.append_only import AppendOnlyModel, AppendOnlyQuerySet


class AccountActKind(models.TextChoices):
    """Kinds of acts of administrators on an account."""

    CHANGE = "change", _("changed")
    RANK = "rank", _("changed the rights of")
    ADDRESS = "address", _("changed the address of")
    CLOSE = "close", _("closed")
    SIGN_OUT = "sign_out", _("signed out everywhere")
    SECOND_FACTOR = "factor", _("removed the second factor of")
    PROFILE = "profile", _("cleared the profile of")


class AccountActs(AppendOnlyQuerySet):
    """Append-only rows, of which some columns are cleared when the account is closed."""

    def forget(self, player: models.Model) -> None:
        """Clear the personal data in the acts on *player*, whose account is being closed."""
        models.QuerySet.update(self.filter(player=player), before={}, after={})


class AccountAct(AppendOnlyModel):
    """Act of a member of staff on an account, with the reason. Append-only."""

    at = models.DateTimeField(_("at"), default=timezone.now)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="acts_done", verbose_name=_("by")
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="acts", verbose_name=_("account")
    )
    act = models.CharField(_("act"), max_length=10, choices=AccountActKind)
    why = PeopleText(_("why"), max_length=500)
    before = models.JSONField(_("before"), default=dict)
    after = models.JSONField(_("after"), default=dict)
    own_matter = models.BooleanField(_("own matter"), null=True, blank=True, editable=False)

    objects: ClassVar = AccountActs.as_manager()

    class Meta:
        verbose_name = _("act on an account")
        verbose_name_plural = _("acts on accounts")
        ordering: ClassVar = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.actor} {self.get_act_display()} {self.player}"

    def people_named(self) -> models.QuerySet[Any]:
        return find_players(self.player_id, self.actor_id)


class ClosedNames(models.QuerySet["ClosedName"]):
    """Names of closed accounts, which are never given again, and of closed guests."""

    def keep(self, name: str, until: datetime | None = None) -> None:
        """Reserve *name* and all names that look like it: for good, or *until* then."""
        for mark in _marks(name):
            kept, made = self.get_or_create(mark=mark, defaults={"until": until})
            if not made and kept.until is not None and (until is None or until > kept.until):
                self.filter(mark=mark).update(until=until)

    def like(self, name: str, now: datetime) -> bool:
        """Return whether *name*, or one that looks like it, is reserved."""
        reserved = self.filter(models.Q(until=None) | models.Q(until__gt=now))
        return reserved.filter(mark__in=_marks(name)).exists()

    def forget_old(self, now: datetime) -> None:
        """Delete the rows that have expired."""
        self.filter(until__lte=now).delete()


class ClosedName(models.Model):
    """Keyed hash of a closed account's name, or of its lookalike key: the rows alone don't reveal the name.

    With another ``SECRET_KEY`` these names are free again.
    """

    mark = models.CharField(_("hash"), max_length=64, primary_key=True)
    until = models.DateTimeField(_("until"), null=True, blank=True)  # of a guest; else for good

    objects = ClosedNames.as_manager()

    class Meta:
        verbose_name = _("name of a closed account")
        verbose_name_plural = _("names of closed accounts")

    def __str__(self) -> str:
        return self.mark[:8]


def _marks(name: str) -> set[str]:
    forms = (names.build_key(name), names.build_lookalike_key(name))
    return {salted_hmac("accounts.closed_name", form, algorithm="sha256").hexdigest() for form in forms}


class BarredAddresses(models.QuerySet["BarredAddress"]):
    """Addresses with which nobody can sign up for now."""

    def keep(self, address: str, player: models.Model, until: datetime) -> None:
        """Bar sign-ups with *address*, which was that of *player*, until then."""
        self.update_or_create(mark=_mark_of(address), defaults={"player": player, "until": until})

    def until(self, address: str, now: datetime) -> datetime | None:
        """Return until when *address* is barred; ``None`` if it is not."""
        barred = self.filter(mark=_mark_of(address), until__gt=now)
        return barred.values_list("until", flat=True).first()

    def forget_old(self, now: datetime) -> None:
        """Delete the rows that have expired."""
        self.filter(until__lte=now).delete()


class BarredAddress(models.Model):
    """Keyed hash of the address of a suspended account that was closed: no sign-up with it is allowed
    before the suspension would have ended. With another ``SECRET_KEY`` these addresses are free again."""

    mark = models.CharField(_("hash"), max_length=64, primary_key=True)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="barred", verbose_name=_("player")
    )
    until = models.DateTimeField(_("until"))

    objects = BarredAddresses.as_manager()

    class Meta:
        verbose_name = _("address of a suspended account")
        verbose_name_plural = _("addresses of suspended accounts")

    def __str__(self) -> str:
        return self.mark[:8]


def _mark_of(address: str) -> str:
    return hash_address(address, "accounts.barred_address")


class AddressChange(models.Model):
    """Change of an account's address, which the old address can undo for a week."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="address_changes",
        verbose_name=_("player"),
    )
    old = models.EmailField(_("old address"))
    new = models.EmailField(_("new address"))
    at = models.DateTimeField(_("at"), default=timezone.now)

    class Meta:
        verbose_name = _("change of address")
        verbose_name_plural = _("changes of address")

    def __str__(self) -> str:
        return f"{self.player_id} {self.at:%Y-%m-%d}"


class Letter(models.Model):
    """Mail about an account that is still to be sent; deleted once it is sent, or too old to be of use."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="letters", verbose_name=_("player")
    )
    to = models.EmailField(_("to"))
    template = models.CharField(_("template"), max_length=40)
    context = models.JSONField(_("what it says"), default=dict)
    owed = models.DateTimeField(_("owed"), default=timezone.now)
    due = models.DateTimeField(_("due"), default=timezone.now, db_index=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)

    class Meta:
        verbose_name = _("letter")
        verbose_name_plural = _("letters")

    def __str__(self) -> str:
        return f"{self.template} {self.pk}"


class DataExport(models.Model):
    """A player's request for all their data, with the file once it is made."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="data_export", verbose_name=_("player")
    )
    asked = models.DateTimeField(_("asked"), default=timezone.now)
    ready = models.DateTimeField(_("ready"), null=True, blank=True)
    file = models.FileField(_("file"), upload_to="exports", blank=True)

    class Meta:
        verbose_name = _("export of data")
        verbose_name_plural = _("exports of data")

    def __str__(self) -> str:
        return f"{self.player_id} {self.asked:%Y-%m-%d}"


class TraceKind(models.TextChoices):
    """Kinds of traces that accounts may have in common."""

    DEVICE = "device", _("browser")
    NETWORK = "network", _("network, on one day")
    MAILBOX = "mailbox", _("mailbox")


class Trace(models.Model):
    """Keyed hash of a browser, network or mailbox that accounts may share (``accounts.multi_account``).

    Days are kept, not times: more is not needed to see that two accounts have something in common.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="traces", verbose_name=_("player")
    )
    kind = models.CharField(_("kind"), max_length=10, choices=TraceKind)
    mark = models.CharField(_("hash"), max_length=64)
    first = models.DateField(_("first day"))
    last = models.DateField(_("last day"), db_index=True)

    class Meta:
        verbose_name = _("trace")
        verbose_name_plural = _("traces")
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["player", "kind", "mark"], name="trace_once"),
            models.CheckConstraint(condition=models.Q(kind__in=TraceKind.values), name="trace_kind_known"),
            models.CheckConstraint(
                condition=models.Q(first__lte=models.F("last")), name="trace_first_before_last"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["kind", "mark"], name="traces_in_common"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.kind}"
