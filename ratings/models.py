"""Models of ratings. Only ``ratings.rows`` and ``ratings.progress`` change them."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from ratings.skill import (
    BETA,
    ELO,
    LEAST_GAMES,
    Calibration,
    Career,
    RoundedStrength,
    Strength,
    round_strength,
)


class Pool(models.TextChoices):
    """Pool of games that are rated together (RATE-1)."""

    DUEL = "duel", _("duels")
    TABLE = "table", _("tables of three to six")

    @classmethod
    def of(cls, seats: int) -> "Pool":
        """The pool of games of so many *seats*."""
        return cls.DUEL if seats == 2 else cls.TABLE


@dataclass(frozen=True, slots=True, order=True)
class RatingPlace:
    """Place of a game in the order in which games are rated (RATE-2)."""

    ended: datetime
    code: str

    @property
    def before_all_of_its_moment(self) -> "RatingPlace":
        """A place just before every game that ended at the same moment."""
        return RatingPlace(self.ended, "")


class Ratings(models.QuerySet["Rating"]):
    """Query set with the leaderboard."""

    def leading(self, pool: str, now: datetime) -> "Ratings":
        """The leaderboard of *pool* as of *now*: not provisional, and with enough games (RATE-4)."""
        enough = self.filter(pool=pool, games__gte=LEAST_GAMES, settled_until__gte=now)
        return enough.order_by("-mu", "player")


class Rating(models.Model):
    """Standing of a player in a pool after their last rated game there, as its ``RatingChange`` says."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="ratings", verbose_name=_("player")
    )
    pool = models.CharField(_("pool"), max_length=10, choices=Pool)
    mu = models.FloatField(_("mu"))
    sigma = models.FloatField(_("sigma"))  # right after that game; the sigma shown grows with rest
    elo = models.FloatField(_("Elo"), default=ELO)  # to compare with; changed by duels alone
    games = models.PositiveIntegerField(_("rated games"))
    ended = models.DateTimeField(_("when the last one ended"))
    settled_until = models.DateTimeField(_("until when it is not provisional"), null=True)

    objects = Ratings.as_manager()

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["player", "pool"], name="rating_one_per_pool"),
            models.CheckConstraint(condition=Q(pool__in=Pool.values), name="rating_pool_known"),
            models.CheckConstraint(condition=Q(sigma__gt=0), name="rating_has_a_doubt"),
            models.CheckConstraint(condition=Q(games__gte=1), name="rating_has_a_game"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["pool", "-mu", "player"], name="ratings_leaders"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}/{self.pool}"

    @property
    def career(self) -> Career:
        """The rating as a value."""
        return Career(Strength(self.mu, self.sigma), self.games, self.ended, self.elo)

    def at(self, now: datetime) -> Strength:
        """Return the strength as of *now*, which is used for expectations (RATE-3)."""
        return self.career.at(now)

    def shown_at(self, now: datetime) -> RoundedStrength:
        """Return the strength as it is shown *now*, after the rest since the last game."""
        return round_strength(self.at(now))


class RatedGame(models.Model):
    """A rated game, with its place in the order: by when it ended, then by its code (RATE-2)."""

    reference = models.BigIntegerField(_("game"), primary_key=True)  # the key of whoever keeps the games
    pool = models.CharField(_("pool"), max_length=10, choices=Pool)
    ended = models.DateTimeField(_("ended"))  # the game's ``finished`` and ``code``, as they were when it
    code = models.CharField(_("code"), max_length=16)  # was rated

    class Meta:
        verbose_name = _("rated game")
        verbose_name_plural = _("rated games")
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["ended", "code"], name="rated_game_one_per_place"),
            models.CheckConstraint(condition=Q(pool__in=Pool.values), name="rated_game_pool_known"),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def place(self) -> RatingPlace:
        return RatingPlace(self.ended, self.code)


class RatingChange(models.Model):
    """Effect of a rated game on the player of one seat; a player's changes in a pool are their history."""

    rated_game = models.ForeignKey(
        RatedGame, models.CASCADE, related_name="changes", verbose_name=_("rated game")
    )
    seat = models.PositiveSmallIntegerField(_("seat"))
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="rating_changes",
        db_index=False,
        verbose_name=_("player"),
    )
    # Of the rated game, so that a history is read from one index.
    pool = models.CharField(_("pool"), max_length=10, choices=Pool)
    ended = models.DateTimeField(_("ended"))
    code = models.CharField(_("code"), max_length=16)

    games = models.PositiveIntegerField(_("rated games so far, with this one"))
    rank = models.PositiveSmallIntegerField(_("rank"))
    expected = models.FloatField(_("expected before the game"))  # RATE-5
    mu_before = models.FloatField(_("mu before"))
    sigma_before = models.FloatField(_("sigma before"))  # after the rest (RATE-3)
    mu = models.FloatField(_("mu after"))
    sigma = models.FloatField(_("sigma after"))
    elo_before = models.FloatField(_("Elo before"))
    elo = models.FloatField(_("Elo after"))

    class Meta:
        verbose_name = _("change of a rating")
        verbose_name_plural = _("changes of ratings")
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["rated_game", "seat"], name="rating_change_one_per_seat"),
            models.UniqueConstraint(
                fields=["player", "pool", "ended", "code"], name="rating_change_one_per_game"
            ),
            models.CheckConstraint(condition=Q(pool__in=Pool.values), name="rating_change_pool_known"),
            models.CheckConstraint(condition=Q(seat__lt=6), name="rating_change_seat_under_six"),
            models.CheckConstraint(condition=Q(rank__gte=1, rank__lte=6), name="rating_change_rank_to_six"),
            models.CheckConstraint(condition=Q(games__gte=1), name="rating_change_counts_its_game"),
            models.CheckConstraint(
                condition=Q(expected__gte=0, expected__lte=1), name="rating_change_expects_a_chance"
            ),
            models.CheckConstraint(
                condition=Q(sigma__gt=0, sigma_before__gt=0), name="rating_change_has_a_doubt"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code}/{self.seat}"

    @property
    def before(self) -> Strength:
        return Strength(self.mu_before, self.sigma_before)

    @property
    def career(self) -> Career:
        """The player's standing after the game."""
        return Career(Strength(self.mu, self.sigma), self.games, self.ended, self.elo)

    @property
    def shown(self) -> RoundedStrength:
        """The strength after the game as it is shown."""
        return round_strength(self.career.strength)

    @property
    def shown_before(self) -> RoundedStrength:
        """The strength before the game as it was shown."""
        return round_strength(self.before)

    @property
    def gain(self) -> int:
        """The difference that the game made to the number shown."""
        return self.shown.number - self.shown_before.number


class RatingBookmark(models.Model):
    """Place up to which the rated games are up to date; one row.

    Later games are still to be rated, or rated anew (RATE-6): a rebuild begins by moving the bookmark back.
    Its lock protects all rows of ratings.
    """

    name = models.CharField(_("name"), max_length=20, primary_key=True)
    ended = models.DateTimeField(_("ended"), null=True)  # end of the last game; null before the first one
    code = models.CharField(_("code"), max_length=16, blank=True)
    beta = models.FloatField(_("beta"), default=BETA)  # used for these ratings

    class Meta:
        verbose_name = _("bookmark of ratings")
        verbose_name_plural = _("bookmarks of ratings")
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(ended__isnull=False) | Q(code=""), name="rated_up_to_a_place"),
            models.CheckConstraint(condition=Q(beta__gt=0), name="rated_by_a_beta"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def place(self) -> RatingPlace | None:
        """The place of the last game that is up to date; ``None`` before the first one."""
        return None if self.ended is None else RatingPlace(self.ended, self.code)


class CalibrationMonth(models.Model):
    """Calibration of the duels of one month in UTC (RATE-7); months can be added up."""

    month = models.DateField(_("month"), primary_key=True)  # its first day
    sums = models.JSONField(_("sums"), default=dict)  # ``Calibration.to_json``; empty before the first count
    changed = models.PositiveIntegerField(_("changes of its games"), default=0)
    counted = models.PositiveIntegerField(_("the change up to which it is counted"), default=0)

    class Meta:
        verbose_name = _("month of calibration")
        verbose_name_plural = _("months of calibration")
        default_permissions = ()
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["month"], condition=Q(changed__gt=F("counted")), name="months_to_count"),
        ]

    def __str__(self) -> str:
        return f"{self.month:%Y-%m}"

    @property
    def calibration(self) -> Calibration:
        """The calibration as a value."""
        return Calibration.from_json(self.sums) if self.sums else Calibration()
