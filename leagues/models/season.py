"""Seasons, their divisions and players, with standings."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from core.parsed_property import ParsedProperty
from leagues.lookup import find_contenders, find_format
from leagues.settings import LeagueSettings
from leagues.standings import Record, TableStanding

from .league import League, LogEntry

if TYPE_CHECKING:
    from accounts.models import Player
    from leagues.formats.base import Format
    from leagues.formats.contenders import Contenders

    from .match import Match


class Phase(models.TextChoices):
    """Phases of a season."""

    REGISTRATION = "registration", _("open for registration")
    RUNNING = "running", _("running")
    CLOSED = "closed", _("closed")
    CANCELLED = "cancelled", pgettext_lazy("a season", "cancelled")


class EntryState(models.TextChoices):
    """States of a registration."""

    REGISTERED = "registered", _("registered")
    PLAYING = "playing", _("playing")
    WITHDRAWN = "withdrawn", _("withdrawn")


class Kind(models.TextChoices):
    """Kinds of divisions, by their ranking."""

    TABLE = "table", _("table")  # points, of a round robin or Swiss rounds
    KNOCK_OUT = "knock-out", _("knock-out")
    LADDER = "ladder", _("ladder")
    DOUBLE = "double", _("double elimination")


class Season(models.Model):
    """One season of a league."""

    league = models.ForeignKey(League, models.PROTECT, related_name="seasons", verbose_name=_("league"))
    number = models.PositiveSmallIntegerField(_("number"))
    phase = models.CharField(_("phase"), max_length=15, choices=Phase, default=Phase.REGISTRATION)
    agreed = models.JSONField(_("settings"))  # as of the opening of registration
    settings = ParsedProperty("agreed", LeagueSettings.from_json)
    opened = models.DateTimeField(_("registration opened"))
    begins = models.DateTimeField(_("begins"))
    ends = models.DateTimeField(_("ends at the latest"))
    closed = models.DateTimeField(_("closed"), null=True, blank=True)
    moves_final = models.DateTimeField(
        _("who moves is final since"), null=True, blank=True
    )  # the next one began
    postponed = models.PositiveSmallIntegerField(_("how often it was postponed"), default=0)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["league", "number"], name="season_once"),
            models.UniqueConstraint(
                fields=["league"],
                condition=Q(phase__in=["registration", "running"]),
                name="season_one_at_a_time",
            ),
            models.CheckConstraint(condition=Q(phase__in=Phase.values), name="season_phase_known"),
            models.CheckConstraint(condition=Q(ends__gt=F("begins")), name="season_ends_after_it_begins"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["begins"], condition=Q(phase__in=["registration", "running"]), name="seasons_alive"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.league} {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("league:season", args=[self.league.slug, self.number])

    @property
    def name(self) -> str:
        """Its name in its league."""
        return gettext("Season {n}").format(n=self.number)

    @property
    def is_open(self) -> bool:
        """Return whether it is open for registration."""
        return self.phase == Phase.REGISTRATION

    @property
    def running(self) -> bool:
        return self.phase == Phase.RUNNING

    @property
    def is_over(self) -> bool:
        return self.phase in (Phase.CLOSED, Phase.CANCELLED)

    @property
    def plays_for_third_place(self) -> bool:
        """Return whether it runs, with a match for third place in its knock-out."""
        return self.running and self.settings.cup.third_place

    @property
    def format(self) -> Format:
        """The format of the divisions with which the season begins."""
        return find_format(self.agreed["schedule"], self.agreed["seats"])

    @property
    def contenders(self) -> Contenders:
        """Players or teams."""
        return find_contenders(in_teams=bool(self.agreed.get("teams")))


AWAITS_ROUND = Q(drawn__lt=F("rounds"), ended_early=None)
"""Match divisions of which a further round is drawn, or of teams begins."""


class Division(models.Model):
    """A group of players of a season who play each other; the first is the highest (STAND-13).

    A knock-out after groups is one more division, after them; its players have entries in their groups, and a
    :class:`leagues.models.Seed` in the knock-out.
    """

    season = models.ForeignKey(Season, models.PROTECT, related_name="divisions", verbose_name=_("season"))
    level = models.PositiveSmallIntegerField(_("level"))  # from 1, the highest
    rounds = models.PositiveSmallIntegerField(_("rounds"), default=0)
    drawn = models.PositiveSmallIntegerField(_("rounds that are drawn"), default=0)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind, default=Kind.TABLE)
    finished = models.DateTimeField(_("finished"), null=True, blank=True)  # of a group: finalists are known
    penalised = models.DateTimeField(_("penalty points set"), null=True, blank=True)  # the last of them
    ended_early = models.ForeignKey(  # by organisers: no further round is drawn (STAND-20)
        LogEntry,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("why its rounds ended early"),
    )

    class Meta:
        verbose_name = _("division")
        verbose_name_plural = _("divisions")
        ordering = ["season", "level"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["season", "level"], name="division_once"),
            models.CheckConstraint(condition=Q(level__gte=1), name="division_from_one"),
            models.CheckConstraint(condition=Q(kind__in=Kind.values), name="division_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.season}/{self.level}"

    def get_absolute_url(self) -> str:
        return reverse("league:division", args=[self.season.league.slug, self.season.number, self.level])

    @property
    def name(self) -> str:
        """Its name in its season."""
        return self.format.name_division(self)

    def name_round(self, round: int, number: int = 0) -> str:
        """Name a *round*, or its match with this *number*, where they have names of their own."""
        return self.format.name_round(self, round, number)

    @property
    def awaits_round(self) -> bool:
        """Return whether a further round is drawn, or of teams begins."""
        return self.drawn < self.rounds and self.ended_early_id is None

    @property
    def counts_points(self) -> bool:
        """Return whether it has a table ordered by points."""
        return self.format.in_tables and self.season.settings.counts_points

    @property
    def format(self) -> Format:
        agreed = self.season.agreed
        return find_format(agreed["schedule"], agreed["seats"], self.kind)

    @property
    def contenders(self) -> Contenders:
        return self.season.contenders

    def find_match(self, round: int, player: Player) -> Match | None:
        """Return the match of *player* in a *round*; None if they sit out."""
        return self.matches.filter(round=round, seats__player=player).first()

    def gives_bye(self, round: int, player: Player) -> bool:
        return self.byes.filter(round=round, player=player).exists()


class RoundMatch(models.Model):
    """A match of players or teams of a division, in one of its rounds."""

    division: models.ForeignKey[Division, Division]
    round: models.PositiveSmallIntegerField[int, int]
    number: models.PositiveSmallIntegerField[int, int]

    class Meta:
        abstract = True

    @property
    def tie_number(self) -> int:
        """The number of the match of a bracket that it is, or is a board of."""
        return self.number

    @property
    def round_name(self) -> str:
        return self.division.name_round(self.round, self.tie_number)

    @property
    def name(self) -> str:
        """The names of its division and round; a ladder has no rounds."""
        return self.division.format.name_match(self)


class Contender(models.Model):
    """A player or a team in a season; the standing is written with every result."""

    seeded = models.PositiveSmallIntegerField(_("level from the season before"), null=True, blank=True)
    order = models.PositiveSmallIntegerField(
        _("order in that level"), default=0
    )  # in which places are filled
    placed = models.PositiveSmallIntegerField(_("seed by hand"), null=True, blank=True)
    rank = models.PositiveSmallIntegerField(_("rank"), null=True, blank=True)
    row = models.PositiveSmallIntegerField(_("row of the table"), null=True, blank=True)
    points = models.CharField(_("points"), max_length=20, default="0")  # a fraction, less the penalty
    penalty = models.DecimalField(_("penalty points"), max_digits=3, decimal_places=1, default=0)
    penalty_ruling = models.ForeignKey(
        LogEntry,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("why it has these penalty points"),
    )
    values = models.JSONField(_("tie-breaks that were needed"), default=dict)
    record = models.JSONField(_("matches won, drawn and lost"), default=list, blank=True)
    explained = models.JSONField(_("what separates from the next"), null=True, blank=True)
    # Provisional when the season closes, final when the next one begins (STAND-13).
    moves = models.CharField(
        _("moves"), max_length=4, blank=True, choices=[("up", _("up")), ("down", _("down"))]
    )

    behind: Contender | None = None
    """The next in the table, where a selector has read it and something separates the two."""

    class Meta:
        abstract = True

    @property
    def results(self) -> Record:
        """Return its matches won, drawn and lost."""
        return Record(*self.record)

    def set_standing(self, row: int, one: TableStanding) -> None:
        """Take over the standing *one* in this *row* of the table; the caller saves ``STANDING``."""
        self.rank, self.row, self.points = one.rank, row, str(one.points)
        self.values = {name: str(value) for name, value in one.values.items()}
        why = one.explanation
        self.explained = why and {
            "ahead_of": why.ahead_of,
            "by": why.criterion,
            "own": str(why.own),
            "other": str(why.other),
        }


STANDING = ("rank", "row", "points", "values", "record", "explained")


class Entry(Contender):
    """A player in a season, from the registration on."""

    season = models.ForeignKey(Season, models.PROTECT, related_name="entries", verbose_name=_("season"))
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="entries", verbose_name=_("player")
    )
    division = models.ForeignKey(
        Division, models.PROTECT, null=True, blank=True, related_name="entries", verbose_name=_("division")
    )
    state = models.CharField(_("state"), max_length=12, choices=EntryState, default=EntryState.REGISTERED)
    registered = models.DateTimeField(_("registered"))
    withdrew = models.DateTimeField(_("withdrew"), null=True, blank=True)
    replaces = models.OneToOneField(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="replaced_by",
        verbose_name=_("whose unplayed matches this player took over"),
    )
    follows = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="followed_by",
        verbose_name=_("the entry of this player in the season before"),
    )
    stays = models.BooleanField(_("plays the next season, too"), default=True)
    rating = models.FloatField(_("rating before the season"), default=1500)
    outlook = models.JSONField(_("what is still possible"), null=True, blank=True)
    """By goal: ``{"chance", "needs", "left"}``, while the season runs."""

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["season", "player"], name="entry_once"),
            models.CheckConstraint(condition=Q(state__in=EntryState.values), name="entry_state_known"),
            models.CheckConstraint(condition=Q(penalty__gte=0), name="entry_penalty_not_below_0"),
            models.CheckConstraint(
                condition=Q(state=EntryState.REGISTERED, division=None) | ~Q(state=EntryState.REGISTERED),
                name="entry_division_when_drawn",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["division", "row"], name="entries_table"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.season_id}"

    @property
    def name(self) -> str:
        """The name of the player, with whom it was read."""
        return str(self.player)

    def find_opponents(self) -> models.QuerySet[Player]:
        """Return whom the player still meets in the division, by name."""
        assert self.division is not None
        own = self.division.matches.filter(decided=None, seats__player=self.player_id)
        matches = self.division.matches.filter(pk__in=own.values("pk"))
        theirs = self.player.__class__.objects.filter(pk__in=matches.values("seats__player"))
        return theirs.exclude(pk=self.player_id).order_by("username")

    @property
    def contender(self) -> Player:
        """The player, as that of a seed."""
        return self.player

    @property
    def has_withdrawn(self) -> bool:
        return self.state == EntryState.WITHDRAWN

    @property
    def holder(self) -> int:
        """The primary key of the player in results, as that of a team in results of teams."""
        return self.player_id


class Waiting(models.Model):
    """A player on the waiting list for a place in the next season, or as a substitute in this one."""

    season = models.ForeignKey(Season, models.PROTECT, related_name="waiting", verbose_name=_("season"))
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("player")
    )
    since = models.DateTimeField(_("since"))
    substitute = models.BooleanField(_("plays for somebody who leaves"), default=False)
    following = models.BooleanField(_("plays the next season"), default=True)
    # Wishes of substitutes; null or 0: none.
    least_rating = models.PositiveSmallIntegerField(_("rating at least"), null=True, blank=True)
    most_rating = models.PositiveSmallIntegerField(_("rating at most"), null=True, blank=True)
    least_days = models.PositiveSmallIntegerField(_("days at least"), default=0, db_default=0)

    class Meta:
        verbose_name = _("waiting player")
        verbose_name_plural = _("waiting list")
        ordering = ["season", "since", "pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["season", "player"], name="waiting_once"),
            models.CheckConstraint(
                condition=Q(substitute=True) | Q(following=True), name="waiting_for_something"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} waits for {self.season_id}"

    def suits(self, rating: float, days: float) -> bool:
        """Return whether a division of this mean *rating*, with *days* left to play, meets the wishes."""
        if self.least_rating is not None and rating < self.least_rating:
            return False
        if self.most_rating is not None and rating > self.most_rating:
            return False
        return days >= self.least_days
