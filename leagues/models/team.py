"""Teams of a season, their matches, boards and line-ups."""

import secrets
from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.models import OfName, Player
from leagues.words.criteria import format_number

from .match import Fixture, Match
from .season import Contender, Division, Entry, RoundMatch, Season

FRACTION = 20  # letters


def make_token() -> str:
    """Return the secret last part of the link to join a team."""
    return secrets.token_urlsafe(16)


class TeamState(models.TextChoices):
    """States of a team."""

    REGISTERED = "registered", _("registered")
    PLAYING = "playing", _("playing")
    WITHDRAWN = "withdrawn", _("withdrawn")
    SHORT = "short", _("too few players")


class Team(Contender):
    """A team of a season; its points are match points (STAND-2)."""

    season = models.ForeignKey(Season, models.PROTECT, related_name="teams", verbose_name=_("season"))
    name = models.CharField(_("name"), max_length=40)
    # Null in rows that the previous release wrote during the deployment.
    name_key = OfName(names.build_key, of="name", max_length=names.ENOUGH_LOOKS)
    name_looks = OfName(names.build_lookalike_key, of="name", max_length=names.ENOUGH_LOOKS)
    captain = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="captained", verbose_name=_("captain")
    )
    vice_captain = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("vice-captain"),
    )
    token = models.CharField(_("token"), max_length=32, unique=True, default=make_token, editable=False)
    state = models.CharField(_("state"), max_length=12, choices=TeamState, default=TeamState.REGISTERED)
    registered = models.DateTimeField(_("registered"))
    division = models.ForeignKey(
        Division, models.PROTECT, null=True, blank=True, related_name="teams", verbose_name=_("division")
    )
    follows = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="followed_by",
        verbose_name=_("this team in the season before"),
    )
    rating = models.FloatField(_("mean rating of its best before the season"), default=1500)
    board_points = models.CharField(_("board points"), max_length=FRACTION, default="0")

    class Meta:
        verbose_name = _("team")
        verbose_name_plural = _("teams")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["season", "name_key"], name="team_name_key_once"),
            models.UniqueConstraint(fields=["season", "name_looks"], name="team_name_looks_once"),
            models.CheckConstraint(condition=Q(state__in=TeamState.values), name="team_state_known"),
            models.CheckConstraint(condition=Q(penalty__gte=0), name="team_penalty_not_below_0"),
            models.CheckConstraint(
                condition=~Q(state=TeamState.PLAYING) | Q(division__isnull=False),
                name="team_division_when_playing",
            ),
            models.CheckConstraint(
                condition=Q(vice_captain=None) | ~Q(vice_captain=F("captain")), name="team_vice_is_another"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["division", "row"], name="teams_table"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return self._build_url("team", self.pk)

    def get_line_up_url(self) -> str:
        """Return the address of the page on which captains set the next line-up."""
        return self._build_url("line_up", self.pk)

    def get_invitation_url(self) -> str:
        """Return the address of the page on which a player answers an invitation."""
        return self._build_url("team_invitation", self.pk)

    def get_join_url(self) -> str:
        """Return the link with which anybody can join."""
        return self._build_url("join_team", self.token)

    def _build_url(self, page: str, key: int | str) -> str:
        return reverse(f"league:{page}", args=[self.season.league.slug, self.season.number, key])

    @property
    def contender(self) -> Self:
        """The team, as that of a seed."""
        return self

    @property
    def has_withdrawn(self) -> bool:
        return self.state == TeamState.WITHDRAWN

    @property
    def holder(self) -> int:
        """The primary key, as ``Entry.holder``."""
        return self.pk

    def is_led_by(self, player: int | None) -> bool:
        """Return whether the *player* with this primary key is captain or vice-captain."""
        return player is not None and player in (self.captain_id, self.vice_captain_id)

    @property
    def leaders(self) -> list[Player]:
        """Return the captain, and the vice-captain if there is one."""
        return [one for one in (self.captain, self.vice_captain) if one is not None]


class TeamMember(models.Model):
    """A player of a team, or one who was invited and has not joined, or has declined.

    Players of a team also have an :class:`Entry` in the season, which stores whether they have withdrawn.
    """

    team = models.ForeignKey(Team, models.CASCADE, related_name="members", verbose_name=_("team"))
    season = models.ForeignKey(Season, models.PROTECT, related_name="+", verbose_name=_("season"))
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="teams", verbose_name=_("player")
    )
    invited = models.DateTimeField(_("invited"), null=True, blank=True)
    inviter = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("who invited them"),
    )
    joined = models.DateTimeField(_("joined"), null=True, blank=True)
    declined = models.DateTimeField(_("declined"), null=True, blank=True)
    available = models.BooleanField(_("can play the next rounds"), default=True)
    entry: Entry | None = None
    """The player's entry in the season, where a selector has read it."""

    class Meta:
        verbose_name = _("player of a team")
        verbose_name_plural = _("players of teams")
        ordering = ["team", "joined", "pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["team", "player"], name="team_member_once"),
            models.UniqueConstraint(
                fields=["season", "player"], condition=Q(joined__isnull=False), name="team_one_to_a_player"
            ),
            models.CheckConstraint(
                condition=Q(joined__isnull=False) | Q(invited__isnull=False), name="team_member_came_somehow"
            ),
            models.CheckConstraint(
                condition=Q(joined=None) | Q(declined=None), name="team_member_declined_or_joined"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} of {self.team_id}"

    @property
    def is_asked(self) -> bool:
        """Return whether there is an invitation without an answer."""
        return self.joined is None and self.declined is None

    @property
    def is_playing(self) -> bool:
        """Return whether the player has joined and not withdrawn; it was read with its ``entry``."""
        return self.joined is not None and (self.entry is None or not self.entry.has_withdrawn)

    @property
    def asked_by(self) -> Player:
        """Return the captain or vice-captain who invited them."""
        return self.inviter or self.team.captain


class TeamMatch(RoundMatch):
    """Two teams who meet in a round. At the first board, the third and so on the first team begins."""

    division = models.ForeignKey(
        Division, models.PROTECT, related_name="team_matches", verbose_name=_("division")
    )
    round = models.PositiveSmallIntegerField(_("round"))  # from 1
    number = models.PositiveSmallIntegerField(_("number"))  # from 1, in its round
    begins = models.DateTimeField(_("begins"))
    first = models.ForeignKey(Team, models.PROTECT, related_name="+", verbose_name=_("first team"))
    second = models.ForeignKey(Team, models.PROTECT, related_name="+", verbose_name=_("second team"))
    first_points = models.CharField(_("board points of the first"), max_length=FRACTION, default="0")
    second_points = models.CharField(_("board points of the second"), max_length=FRACTION, default="0")
    decided = models.BooleanField(_("decided"), default=False)  # no further board can change the winner
    winner = models.ForeignKey(  # of a decided match; null if nothing separates the teams
        Team, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("winner")
    )
    best_of = models.PositiveSmallIntegerField(_("games at a board at most"), null=True, blank=True)
    """As in the season's settings if null, like that of ``Match``."""
    ends = models.DateTimeField(_("ends at the latest"), null=True, blank=True)  # else with the season

    class Meta:
        verbose_name = _("match of teams")
        verbose_name_plural = _("matches of teams")
        ordering = ["division", "round", "number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["division", "round", "number"], name="team_match_once"),
            models.CheckConstraint(condition=~Q(first=F("second")), name="team_match_of_two"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["begins"], name="team_matches_by_date"),
        ]

    def __str__(self) -> str:
        return f"{self.division_id}/{self.round}/{self.number}"

    def get_absolute_url(self) -> str:
        season = self.division.season
        address = [season.league.slug, season.number, self.division.level, self.round, self.number]
        return reverse("league:team_match", args=address)

    @property
    def closes(self) -> datetime:
        """The time at which its line-ups close."""
        rules = self.division.season.settings.teams
        assert rules is not None
        return self.begins - rules.closes

    @property
    def score(self) -> str:
        """Its board points; empty before it begins. It was read with its boards."""
        if not self.has_begun:
            return ""
        return f"{format_number(self.first_points)}:{format_number(self.second_points)}"

    @property
    def wins(self) -> dict[int, str]:
        """The board points of both teams, by primary key; empty before it begins."""
        points = {self.first_id: self.first_points, self.second_id: self.second_points}
        return points if self.has_begun else {}

    @property
    def games(self) -> int:
        """The number of games of which each board is the best (STAND-2)."""
        return self.best_of or self.division.season.settings.standings.best_of

    def opponent_of(self, team: Team) -> Team:
        return self.second if self.first_id == team.pk else self.first

    @property
    def has_begun(self) -> bool:
        """Return whether there are boards, with which it was read."""
        return bool(self.boards.all())

    @property
    def over(self) -> bool:
        """Return whether it has begun and nothing is left to play; it was read with its boards."""
        boards = self.boards.all()
        return bool(boards) and all(board.first_points is not None for board in boards)


class LineUp(models.Model):
    """A team's players at the boards of a match: the captain's choice, or the line-up as it was played."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="line_ups", verbose_name=_("team"))
    match = models.ForeignKey(
        TeamMatch, models.CASCADE, related_name="line_ups", verbose_name=_("match of teams")
    )
    players = models.JSONField(_("players"))  # by primary key, the first board first; null if nobody is left
    chosen = models.BooleanField(_("put in order by the captain"), default=True)
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("line-up")
        verbose_name_plural = _("line-ups")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["team", "match"], name="line_up_once"),
        ]

    def __str__(self) -> str:
        return f"{self.team_id} in {self.match_id}"


class Board(models.Model):
    """A board of a team match: a match of two players, and others after substitutions.

    Match points (STAND-2) of both teams once it is decided: 2 and 0, 1 and 1, and 0 and 0 where nobody came.
    """

    team_match = models.ForeignKey(
        TeamMatch, models.PROTECT, related_name="boards", verbose_name=_("match of teams")
    )
    number = models.PositiveSmallIntegerField(_("board"))  # from 1
    first_points = models.PositiveSmallIntegerField(_("points of the first team"), null=True, blank=True)
    second_points = models.PositiveSmallIntegerField(_("points of the second team"), null=True, blank=True)

    class Meta:
        verbose_name = _("board")
        verbose_name_plural = _("boards")
        ordering = ["team_match", "number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["team_match", "number"], name="board_once"),
            models.CheckConstraint(
                condition=Q(first_points=None, second_points=None)
                | Q(first_points__isnull=False, second_points__isnull=False),
                name="board_points_of_both",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team_match_id}/{self.number}"

    @property
    def first_players(self) -> list[Player]:
        """Its players of the first team; several where somebody was replaced."""
        return _list_each_once(players.first for players in self.players.all())

    @property
    def second_players(self) -> list[Player]:
        """Its players of the second team."""
        return _list_each_once(players.second for players in self.players.all())

    @property
    def names(self) -> dict[int, str]:
        """The names of its players, by primary key."""
        return {player.pk: str(player) for player in (*self.first_players, *self.second_players)}

    @property
    def fixtures(self) -> list[Fixture]:
        """The games at it, with which it was read."""
        matches = [players.match for players in self.players.all() if players.match is not None]
        return [fixture for match in matches for fixture in match.fixtures.all()]

    @property
    def games(self) -> int:
        """The number of games of which it is the best (STAND-2)."""
        return self.team_match.division.season.settings.standings.best_of

    @property
    def score(self) -> str:
        """The share of either team; empty until it is decided."""
        if self.first_points is None or self.second_points is None:
            return ""
        return f"{format_number(f'{self.first_points}/2')}:{format_number(f'{self.second_points}/2')}"


def _list_each_once(players: Iterable[Player | None]) -> list[Player]:
    return [player for player in dict.fromkeys(players) if player is not None]


class BoardPlayers(models.Model):
    """Players at a board, with their match; a substitution adds another row. Without a match one team or both
    had nobody."""

    board = models.ForeignKey(Board, models.PROTECT, related_name="players", verbose_name=_("board"))
    number = models.PositiveSmallIntegerField(_("number"), default=1)  # from 1
    match = models.OneToOneField(
        Match, models.PROTECT, null=True, blank=True, related_name="at_board", verbose_name=_("match")
    )
    first = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("player of the first team"),
    )
    second = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("player of the second team"),
    )

    class Meta:
        verbose_name = _("players at a board")
        verbose_name_plural = _("players at boards")
        ordering = ["board", "number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["board", "number"], name="board_players_once"),
            models.CheckConstraint(
                condition=Q(match=None) | Q(first__isnull=False, second__isnull=False),
                name="board_match_of_two",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.board_id}/{self.number}"
