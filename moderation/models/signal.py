"""Signals of unfair play and the measured games. They are changed only by ``moderation/fair_play/``."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from accounts.references import PeopleText, find_players
from games.models import Game


class GameSheet(models.Model):
    """Measured values of a finished rated game (``fair_play.sheet``), so that its moves are read only once.

    It holds no personal data: the game's seats tell its players. ``version`` is the game's when it was read;
    if that has changed since, it is read again.
    """

    game = models.OneToOneField(
        Game, models.CASCADE, primary_key=True, related_name="sheet", verbose_name=_("game")
    )
    version = models.PositiveIntegerField(_("version"))
    seats = models.JSONField(_("what it tells of each seat"))
    # By seat the number of turns that match the house bot's, and of all; null until they are compared.
    agreements = models.JSONField(_("agreement with the house bot"), null=True, blank=True)
    due = models.BooleanField(_("its players are to be looked at"), default=True)

    class Meta:
        verbose_name = _("sheet of a game")
        verbose_name_plural = _("sheets of games")
        default_permissions = ()
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["game"], condition=Q(due=True), name="sheets_due"),
        ]

    def __str__(self) -> str:
        return str(self.game_id)


class SignalKind(models.TextChoices):
    """Kinds of signals."""

    DEVICE = "device", _("Two accounts in one browser")
    NETWORK = "network", _("Two accounts in one network")
    MAILBOX = "mailbox", _("Two accounts of one mailbox")
    HELPING = "helping", _("A seat that helps another")
    STALLING = "stalling", _("Slower when behind")
    THROWING = "throwing", _("Games thrown to one opponent")
    PROGRAM = "program", _("Turns like a program's")


class SignalVerdict(models.TextChoices):
    """Verdicts of a moderator on a signal."""

    NOTHING = "nothing", _("nothing in it")
    ACTED = "acted", _("something was done about it")


class Signal(models.Model):
    """A finding for a moderator. It punishes nobody, and tells how often honest people look like that.

    ``score`` orders those of a kind: the negative decimal logarithm of the p-value, or how much is shared.
    ``data`` is explained on its page; its form depends on the kind.
    """

    kind = models.CharField(_("kind"), max_length=10, choices=SignalKind)
    subject = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="signals", verbose_name=_("player")
    )
    other = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="signals_beside",
        verbose_name=_("other player"),
    )
    score = models.FloatField(_("score"))
    base_rate = models.FloatField(_("share of honest people that look like this"))
    data = models.JSONField(_("data"))
    found = models.DateTimeField(_("found"))
    refreshed = models.DateTimeField(_("last found"))
    settled = models.DateTimeField(_("settled"), null=True, blank=True)
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("settled by"),
    )
    verdict = models.CharField(_("verdict"), max_length=10, choices=SignalVerdict, blank=True)
    why = PeopleText(_("why"), max_length=500, blank=True)
    own_matter = models.BooleanField(_("own matter"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("signal")
        verbose_name_plural = _("signals")
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["kind", "subject", "other"], name="signal_one_of_two"),
            models.UniqueConstraint(
                fields=["kind", "subject"], condition=Q(other=None), name="signal_one_of_one"
            ),
            models.CheckConstraint(condition=Q(kind__in=SignalKind.values), name="signal_kind_known"),
            models.CheckConstraint(condition=~Q(subject=F("other")), name="signal_of_two_people"),
            models.CheckConstraint(
                condition=Q(base_rate__gte=0, base_rate__lte=1), name="signal_base_rate_is_a_share"
            ),
            models.CheckConstraint(
                condition=Q(settled=None, settled_by=None, verdict="", why="")
                | (
                    Q(settled__isnull=False, settled_by__isnull=False, verdict__in=SignalVerdict.values)
                    & ~Q(why="")
                ),
                name="signal_settled_says_why",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["found"], condition=Q(settled=None), name="signals_waiting"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject_id} {self.other_id or ''}".strip()

    def get_absolute_url(self) -> str:
        return reverse("moderation:signal", args=[self.pk])

    @property
    def title(self) -> str:
        """Its kind and number, without naming people."""
        return gettext("{what} (no. {n})").format(what=self.get_kind_display(), n=self.pk)

    @property
    def people(self) -> list[Player]:
        """The one or two players it is about."""
        return [self.subject] if self.other is None else [self.subject, self.other]

    @property
    def pairs_of_accounts(self) -> int:
        """The number of pairs of all the accounts that were looked at, of a signal of shared traces."""
        accounts: int = self.data["accounts"]
        return accounts * (accounts - 1) // 2

    def people_named(self) -> models.QuerySet[Player]:
        return find_players(self.subject_id, self.other_id, self.settled_by_id)
