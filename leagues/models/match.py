"""Matches of a division, their games, and shared draws of rounds."""

from datetime import datetime
from fractions import Fraction
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from games.models import Deal, Ending, Game

from .league import LogEntry
from .season import Division, RoundMatch

CONTEST = "leagues"
"""``Game.contest`` of the games of leagues."""


class Match(RoundMatch):
    """Players of a division who meet: a series of duels (STAND-2), or one game of three to six."""

    division = models.ForeignKey(Division, models.PROTECT, related_name="matches", verbose_name=_("division"))
    round = models.PositiveSmallIntegerField(_("round"))  # from 1
    number = models.PositiveSmallIntegerField(_("table"))  # from 1, in its round
    decided = models.DateTimeField(_("decided"), null=True, blank=True)
    waits = models.BooleanField(_("a game has to be started"), default=True)
    winner = models.ForeignKey(  # of a decided duel; null if it ended even
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("winner"),
    )
    best_of = models.PositiveSmallIntegerField(_("games at most"), null=True, blank=True)  # else as agreed
    ends = models.DateTimeField(_("ends at the latest"), null=True, blank=True)  # else with the season
    warned = models.BooleanField(_("players warned that it ends"), default=False)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ["division", "round", "number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["division", "round", "number"], name="match_once"),
            models.CheckConstraint(
                condition=Q(decided=None) | Q(waits=False), name="match_decided_waits_for_nothing"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["division"], condition=Q(waits=True), name="matches_waiting"),
        ]

    def __str__(self) -> str:
        return f"{self.division_id}/{self.round}/{self.number}"

    def get_absolute_url(self) -> str:
        """Return the address of its division, with its round where they are shown one by one."""
        url = self.division.get_absolute_url()
        return f"{url}?round={self.round}" if self.division.format.in_tables else url

    def name_opponents(self, player: int) -> str:
        """Name the opponents of the *player* with this primary key; it was read with its players."""
        return ", ".join(str(seat.player) for seat in self.seats.all() if seat.player_id != player)

    def load_opponents(self, player: Player) -> str:
        """Read and name the opponents of *player*."""
        seats = self.seats.exclude(player=player).select_related("player")
        return ", ".join(str(seat.player) for seat in seats)

    @property
    def names(self) -> dict[int, str]:
        """The names of its players, with whom it was read, by primary key."""
        return {seat.player_id: str(seat.player) for seat in self.seats.all()}

    @property
    def wins(self) -> dict[int, Fraction]:
        """The games won by each player of a duel, by primary key; empty before the first. A shared first
        place is a part."""
        won = {seat.player_id: Fraction() for seat in self.seats.all()}
        settled = [fixture.seats for fixture in self.fixtures.all() if fixture.seats is not None]
        if len(won) != 2 or not settled:
            return {}
        for seats in settled:
            first = [seat["player"] for seat in seats if seat["rank"] == 1]
            for player in first:
                won[player] += Fraction(1, len(first))
        return won

    @property
    def awaits_result(self) -> bool:
        """Return whether organisers may have to decide a game of it, with which it was read."""
        return any(fixture.is_undecided for fixture in self.fixtures.all())

    @property
    def games(self) -> int:
        """The number of games of which it is the best (STAND-2)."""
        return self.best_of or self.division.season.settings.standings.best_of

    @property
    def latest_end(self) -> datetime:
        """The latest end of its games."""
        return self.ends or self.division.season.ends


class MatchSeat(models.Model):
    """A player of a match; index 0 has the first seat of its first game."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="seats", verbose_name=_("match"))
    index = models.PositiveSmallIntegerField(_("index"))
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("player")
    )

    class Meta:
        verbose_name = _("player of a match")
        verbose_name_plural = _("players of a match")
        ordering = ["match", "index"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["match", "index"], name="match_seat_once"),
            models.UniqueConstraint(fields=["match", "player"], name="match_player_once"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.index}"


class Fixture(models.Model):
    """A game of a match. Its result is stored when it is over, or settled by an organiser."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="fixtures", verbose_name=_("match"))
    number = models.PositiveSmallIntegerField(_("number"))  # from 1
    game = models.OneToOneField(
        Game, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("game")
    )
    seats = models.JSONField(_("result"), null=True, blank=True)
    """``[{"player", "rank", "score", "forfeit"}]``, the first seat first; players by primary key."""
    settled = models.DateTimeField(_("settled"), null=True, blank=True)
    settled_by = models.ForeignKey(  # null: by the game itself, or because a player was absent
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("organiser who settled it"),
    )
    corrected = models.DateTimeField(  # after others met because of it, or the season was closed
        _("corrected too late for what followed"), null=True, blank=True
    )
    ruling = models.ForeignKey(
        LogEntry,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("why it was settled so"),
    )
    struck = models.BooleanField(_("struck from the table"), default=False)

    class Meta:
        verbose_name = _("game of a match")
        verbose_name_plural = _("games of a match")
        ordering = ["match", "number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["match", "number"], name="fixture_once"),
            models.CheckConstraint(
                condition=Q(seats=None, settled=None) | Q(seats__isnull=False, settled__isnull=False),
                name="fixture_settled_with_a_result",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["match"], condition=Q(settled=None), name="fixtures_open"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.number}"

    @property
    def is_undecided(self) -> bool:
        """Return whether its game, with which it was read, has ended without a result, and not because
        somebody left it, which is a forfeit as soon as it is recorded."""
        if self.seats is not None or self.game is None or not self.game.ended:
            return False
        return self.game.ending not in (Ending.RESIGNED, Ending.TIME_OUT)


class Bye(models.Model):
    """A player's bye in a Swiss round, or in the first round of a knock-out, which brings a win (STAND-3)."""

    division = models.ForeignKey(Division, models.PROTECT, related_name="byes", verbose_name=_("division"))
    round = models.PositiveSmallIntegerField(_("round"))
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("player")
    )

    class Meta:
        verbose_name = _("bye")
        verbose_name_plural = _("byes")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["division", "round", "player"], name="bye_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in round {self.round}"


class RoundDeal(models.Model):
    """The draw shared by game *number* of all matches of a round with this number of seats."""

    division = models.ForeignKey(Division, models.PROTECT, related_name="deals", verbose_name=_("division"))
    round = models.PositiveSmallIntegerField(_("round"))
    number = models.PositiveSmallIntegerField(_("number"))  # of the game in its match, from 1
    seats = models.PositiveSmallIntegerField(_("seats"))
    deal = models.OneToOneField(Deal, models.PROTECT, related_name="+", verbose_name=_("shared draw"))

    class Meta:
        verbose_name = _("shared draw of a round")
        verbose_name_plural = _("shared draws of rounds")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["division", "round", "number", "seats"], name="round_deal_once"),
        ]

    def __str__(self) -> str:
        return f"{self.division_id}/{self.round}/{self.number}"
