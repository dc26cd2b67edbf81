"""A game, its seats, its tiles and its moves."""

import json
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.notice_preferences import Timing
from core.parsed_property import ParsedProperty
from games.clocks import ClockSettings, Ladder
from games.rules import InvalidRuleSet, RuleSet, standing_answers

if TYPE_CHECKING:
    from games.selectors.contests import ContestVerdict

    from .table import Invitation
    from .visit import ViewerContext

CODE_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # nothing that looks like something else
CODE_LENGTH = 12
BOT = "house"


def new_code() -> str:
    """Return a random code for a URL that nobody can guess: 59 bits."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


@lru_cache(maxsize=500)
def _rules(stored: str, places: int) -> tuple[RuleSet, bool]:
    """Return the rules and whether they are whole: what this release doesn't know is left out."""
    try:
        return RuleSet.from_json(json.loads(stored), seats=places), True
    except InvalidRuleSet:
        return RuleSet.of(seats=places), False


class Status(models.TextChoices):
    OPEN = "open", _("open")
    PLAYING = "playing", _("being played")
    SCORING = "scoring", _("final scoring")
    FINISHED = "finished", _("finished")
    ABORTED = "aborted", _("ended early")


ENDED = (Status.FINISHED, Status.ABORTED)


class Visibility(models.TextChoices):
    PUBLIC = "public", _("public")
    LINK = "link", _("by link")
    PRIVATE = "private", _("private")


class Ending(models.TextChoices):
    """Reason why a game is no longer played."""

    PLAYED = "played", _("played to the end")
    TIME_OUT = "time-out", _("lost on time")
    RESIGNED = "resigned", _("resigned")
    CANCELLED = "cancelled", _("cancelled before it began")
    EXPIRED = "expired", _("no one joined")
    AGREED = "agreed", _("ended by agreement")
    STOPPED = "stopped", _("ended early")
    CALLED_OFF = "called-off", _("called off by organisers")
    DECIDED = "decided", _("decided by a moderator")
    ANNULLED = "annulled", _("ended early by a moderator")
    HARD_END = "hard-end", _("decided by time at its end")
    SCORED = "scored", _("scored as it stood at its end")


class Colour(models.TextChoices):
    """The colours of figures, in the order in which ``games.drawing`` counts them."""

    BLUE = "blue", _("blue")
    RED = "red", _("red")
    YELLOW = "yellow", _("yellow")
    BLACK = "black", _("black")
    WHITE = "white", _("white")
    PINK = "pink", _("pink")


LOOKS = {colour: look for look, colour in enumerate(Colour.values)}


class SeatState(models.TextChoices):
    PLAYING = "playing", _("playing")
    OFFERED = "offered", _("offered to a substitute")  # a caretaker bot plays meanwhile, with meeples
    RESIGNED = "resigned", _("resigned")
    TIMED_OUT = "timed-out", _("lost on time")
    REPLACED = "replaced", _("replaced by the house bot")  # by a moderator; the house bot plays with meeples


class Result(models.TextChoices):
    WON = "won", _("won")
    SHARED = "shared", _("tied for first place")
    LOST = "lost", _("lost")


class Transfers(models.TextChoices):
    """Standing answer of a seat that may move figures out of Carcassonne (COUNT-27)."""

    ASK = standing_answers.ASK, _("ask me each time")
    NEVER = standing_answers.NEVER, _("never move any")
    GAIN = standing_answers.GAIN, _("move all to where it gives me points")


class How(models.TextChoices):
    """Way in which a move was made."""

    WEB = "web", _("on the page")
    MAIL = "mail", _("by email")
    PLAN = "plan", _("by a plan")
    API = "api", _("through the API")
    BOT = "bot", _("by the bot")
    TIME_OUT = "time-out", _("by the clock")
    TASK = "task", _("by the program")
    MODERATOR = "moderator", _("by a moderator")


class Undeletable(models.QuerySet[Any]):
    """Rows that are never deleted: a mistaken ``delete()`` raises and removes nothing."""

    def delete(self) -> tuple[int, dict[str, int]]:
        raise TypeError(f"{self.model.__name__} rows are never deleted")


class Tiles(Undeletable):
    """Tiles, which are deleted only if their draw is taken back."""

    def undraw(self) -> None:
        """Delete tiles that are back in the bag; the moves still record that they were drawn."""
        models.QuerySet.delete(self)


class LoadedSeats(NamedTuple):
    """The seats of a game as they were at one of its versions."""

    version: int
    seats: "Sequence[Seat]"


class Game(models.Model):
    """A game, from the open table to the archive.

    Only ``games/play/`` and ``games/tables/`` change it. Columns that follow from the moves (ply, seat
    awaited, deadline, tiles left) are written in the same transaction; ``verify_games`` compares them.
    """

    code = models.CharField(_("code"), max_length=16, unique=True, default=new_code, editable=False)
    name = models.CharField(_("name"), max_length=60)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="hosted", verbose_name=_("host")
    )
    rule_set = models.JSONField(_("rule set"))  # every option written out, defaults too
    places = models.PositiveSmallIntegerField(_("seats"))
    clock_settings = models.JSONField(_("clock"))  # ``ClockSettings.to_json``
    clock = ParsedProperty("clock_settings", ClockSettings.from_row)
    ladder_steps = models.JSONField(_("what happens at time-out"))  # ``Ladder.to_json``
    ladder = ParsedProperty("ladder_steps", Ladder.from_row)
    min_reliability = models.PositiveSmallIntegerField(_("least reliability"), default=0)  # in hundredths
    min_rating = models.PositiveSmallIntegerField(_("least rating"), null=True, blank=True)
    max_rating = models.PositiveSmallIntegerField(_("highest rating"), null=True, blank=True)
    visibility = models.CharField(_("visibility"), max_length=10, choices=Visibility)
    contest = models.CharField(_("kind of contest"), max_length=20, blank=True)  # see selectors/contests.py
    rated = models.BooleanField(_("rated"), default=False)
    purist = models.BooleanField(_("without aids"), default=False)  # that compute: games/pages/inspection/

    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.OPEN)
    ending = models.CharField(_("how it ended"), max_length=10, choices=Ending, blank=True)
    version = models.PositiveIntegerField(_("version"), default=0)  # moves ever written
    ply = models.PositiveIntegerField(_("ply"), default=0)  # actions of seats that stand
    awaited = models.PositiveSmallIntegerField(_("seat awaited"), null=True, blank=True)
    turn_version = models.PositiveIntegerField(_("version at which the turn began"), default=0)
    turn_began = models.DateTimeField(_("turn began"), null=True, blank=True)
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)  # none while a bot is awaited
    remind_at = models.DateTimeField(_("when to remind of it"), null=True, blank=True)
    remind_again = models.DateTimeField(_("when to remind of it once more"), null=True, blank=True)
    # In the keys of their notices, so it never falls.
    reminders = models.PositiveSmallIntegerField(_("reminders made"), default=0, db_default=0)
    calendar = models.JSONField(_("calendar of the turn"), null=True, blank=True)  # as it was when it began
    stops = models.JSONField(_("stops"), default=list, blank=True)  # [from, to or none, why], of the turn
    floors = models.JSONField(_("floors"), default=list, blank=True)  # [instant, why], of the turn
    settles = models.DateTimeField(_("until when the last turn can be undone"), null=True, blank=True)
    claimable = models.DateTimeField(_("since when the win may be claimed"), null=True, blank=True)
    open_offers = models.PositiveSmallIntegerField(_("offers not answered yet"), default=0)
    moderated = models.BooleanField(_("moderators have done something in it"), default=False)
    tiles_left = models.PositiveSmallIntegerField(_("tiles left"), default=0)

    seed_hash = models.CharField(_("SHA-256 of the seed"), max_length=64, blank=True)
    seed = models.CharField(_("seed"), max_length=64, blank=True)  # hex; shown when the game has ended
    deal = models.ForeignKey(  # then ``seed`` stays empty: that of the deal counts
        "Deal", models.PROTECT, null=True, blank=True, related_name="games", verbose_name=_("shared draw")
    )

    created = models.DateTimeField(_("created"))
    expires = models.DateTimeField(_("open until"), null=True, blank=True)
    nudged = models.DateTimeField(_("when we asked its host whether to keep it open"), null=True, blank=True)
    started = models.DateTimeField(_("started"), null=True, blank=True)
    finished = models.DateTimeField(_("ended"), null=True, blank=True)
    rematch_of = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="rematches", verbose_name=_("rematch of")
    )

    # Not stored; each is set by the code that reads the row, or writes it.
    viewer_context: "ViewerContext | None" = None  # of the request's user (``access.get_game_or_404``)
    loaded_seats: "LoadedSeats | None" = None  # after a turn (``play.ledger``)
    may_have_outage: bool = True  # not yet credited to it (``heartbeat.lock_game``)

    objects = Undeletable.as_manager()

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        permissions = [
            ("moderate_game", "Can moderate games"),
            ("beyond_limits", "Can have more tables and invite more people than others"),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(status__in=Status.values), name="game_status_known"),
            models.CheckConstraint(
                condition=Q(visibility__in=Visibility.values), name="game_visibility_known"
            ),
            models.CheckConstraint(condition=Q(places__gte=2, places__lte=6), name="game_two_to_six_seats"),
            models.CheckConstraint(
                condition=Q(min_reliability__lte=100), name="game_least_reliability_in_hundredths"
            ),
            models.CheckConstraint(
                # A comparison with NULL is unknown, and refuses nothing.
                condition=Q(min_rating__lte=F("max_rating")),
                name="game_least_rating_up_to_highest",
            ),
            models.CheckConstraint(condition=Q(ply__lte=F("version")), name="game_ply_within_version"),
            models.CheckConstraint(
                condition=Q(turn_version__lte=F("version")), name="game_turn_within_version"
            ),
            models.CheckConstraint(
                condition=Q(status=Status.PLAYING, awaited__isnull=False, awaited__lt=F("places"))
                | (~Q(status=Status.PLAYING) & Q(awaited=None, deadline=None)),
                name="game_awaits_a_seat_while_played",
            ),
            models.CheckConstraint(
                condition=Q(settles=None) | Q(status=Status.PLAYING, deadline=None, calendar=None),
                name="game_settles_without_a_clock",
            ),
            models.CheckConstraint(
                condition=Q(status=Status.OPEN, started=None, version=0) | ~Q(status=Status.OPEN),
                name="game_open_has_not_begun",
            ),
            models.CheckConstraint(
                condition=Q(status__in=[Status.FINISHED, Status.ABORTED], finished__isnull=False)
                | Q(status__in=[Status.OPEN, Status.PLAYING, Status.SCORING], finished=None, ending=""),
                name="game_ended_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(seed="") | Q(status__in=[Status.FINISHED, Status.ABORTED]),
                name="game_seed_hidden_while_played",
            ),
            models.UniqueConstraint(
                fields=["rematch_of"], condition=~Q(status=Status.ABORTED), name="game_one_rematch"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            # Partial indexes, of the games that a list shows: a turn must not write to the others.
            models.Index(fields=["-created", "-id"], condition=Q(status=Status.OPEN), name="games_open"),
            models.Index(fields=["expires"], condition=Q(status=Status.OPEN), name="games_open_until"),
            models.Index(
                fields=["-finished", "-id"],
                condition=Q(status=Status.FINISHED, visibility=Visibility.PUBLIC),
                name="games_over_public",
            ),
            models.Index(
                fields=["finished", "code"],
                condition=Q(status=Status.FINISHED, rated=True),
                name="games_over_rated",
            ),
            models.Index(fields=["deadline"], condition=Q(status=Status.PLAYING), name="games_deadlines"),
            models.Index(
                fields=["turn_began"],
                condition=Q(status=Status.PLAYING, deadline=None),
                name="games_without_deadline",
            ),
            models.Index(fields=["turn_began"], condition=Q(status=Status.SCORING), name="games_to_score"),
            models.Index(
                fields=["remind_at"],
                condition=Q(status=Status.PLAYING, remind_at__isnull=False),
                name="games_to_remind",
            ),
            # For the admin's filter, which would otherwise scan thousands of other games.
            models.Index(
                fields=["ending"],
                condition=Q(ending__in=[Ending.STOPPED, Ending.CALLED_OFF, Ending.DECIDED, Ending.ANNULLED]),
                name="games_interfered_with",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.code})"

    def get_absolute_url(self) -> str:
        return reverse("games:table", args=[self.code])

    def get_desk_url(self) -> str:
        """Return its address at the moderators' desk."""
        return reverse("moderation:desk_game", args=[self.code])

    @property
    def rules(self) -> RuleSet:
        """The rule set as a value, shared by all games with an equal one, as it caches what it computes.

        If a release has lost a part of it this is the base game, for lists alone (``has_lost_rules``).
        """
        return _rules(json.dumps(self.rule_set), self.places)[0]

    @property
    def has_lost_rules(self) -> bool:
        """Return whether it has rules that this release doesn't know, so that it can't be played or shown."""
        return not _rules(json.dumps(self.rule_set), self.places)[1]

    @property
    def asks_for_rating(self) -> bool:
        """Return whether free seats require a rating within bounds."""
        return self.min_rating is not None or self.max_rating is not None

    @property
    def draw_code(self) -> str:
        """The code in the names of its tiles in the draw; one query where the draw is shared."""
        return self.code if self.deal is None else self.deal.code

    @property
    def shown_seed(self) -> str:
        """The seed of its draw, in hex, once it is public."""
        return self.seed if self.deal is None else self.deal.seed

    @property
    def running(self) -> bool:
        return self.status in (Status.PLAYING, Status.SCORING)

    @property
    def ended(self) -> bool:
        return self.status in ENDED

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("games are never deleted")


class Bag(models.Model):
    """The order of the tiles still to come. Only ``games/play/`` reads it; nothing shows it."""

    game = models.OneToOneField(Game, models.PROTECT, primary_key=True, related_name="+")
    seed = models.BinaryField(max_length=32, null=True)  # none where the bag was given
    order = models.JSONField(default=list)  # tile ids, the next one first

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return "a bag"

    __repr__ = __str__


class Seat(models.Model):
    """A seat at a table. The rows exist from the set-up on; a free one has neither player nor bot."""

    game = models.ForeignKey(
        Game, models.PROTECT, related_name="seats", db_index=False, verbose_name=_("game")
    )
    index = models.PositiveSmallIntegerField(_("index"))
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="seats",
        verbose_name=_("player"),
    )
    bot = models.CharField(_("bot"), max_length=20, blank=True)
    colour = models.CharField(_("colour"), max_length=10, choices=Colour, blank=True)
    sat = models.PositiveSmallIntegerField(
        _("place before the draw of the first seat"), null=True, blank=True
    )

    state = models.CharField(_("state"), max_length=10, choices=SeatState, default=SeatState.PLAYING)
    left_at = models.DateTimeField(_("resigned or lost on time"), null=True, blank=True)
    score = models.IntegerField(_("score"), default=0)
    meeples = models.PositiveSmallIntegerField(_("meeples left"), default=0)
    bank = models.DurationField(_("time bank"), default=timedelta)
    spent = models.DurationField(_("time charged so far"), default=timedelta)
    excuses = models.PositiveSmallIntegerField(_("time-outs excused"), default=0)
    takeovers = models.PositiveSmallIntegerField(_("times taken over"), default=0)
    result = models.CharField(_("result"), max_length=10, choices=Result, blank=True)
    rank = models.PositiveSmallIntegerField(_("rank"), null=True, blank=True)
    ended = models.DateTimeField(_("when its game ended"), null=True, blank=True)  # for lists of a player
    notice_timing = models.CharField(
        _("notifications about this game"), max_length=10, choices=Timing, blank=True, default=""
    )  # empty: as the player's settings say
    transfers = models.CharField(
        _("standing answer about Carcassonne"), max_length=10, choices=Transfers, default=Transfers.ASK
    )

    # Not stored; set by ``seat_loading.load_seats``.
    planned: bool = False  # whether it has plans in force
    last_played: datetime | None = None  # even if that was taken back
    # Not stored; set by ``selectors.lists`` for one viewer.
    name: str = ""  # the name shown for it
    mine: bool = False
    kept: "Invitation | None" = None  # the invitation that keeps it free
    kept_for: str = ""  # its recipient, as far as the viewer may know
    # Not stored; set by ``selectors.contests.connect_verdict``.
    verdict: "ContestVerdict | None" = None  # of the contest of its game

    objects = Undeletable.as_manager()

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["game", "index"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["game", "index"], name="seat_once_per_game"),
            models.UniqueConstraint(fields=["game", "player"], name="seat_one_per_player"),
            models.UniqueConstraint(
                fields=["game", "colour"], condition=~Q(colour=""), name="seat_one_per_colour"
            ),
            models.CheckConstraint(condition=Q(index__lt=6), name="seat_index_under_six"),
            models.CheckConstraint(condition=Q(player=None) | Q(bot=""), name="seat_player_or_bot"),
            models.CheckConstraint(condition=Q(state__in=SeatState.values), name="seat_state_known"),
            models.CheckConstraint(condition=Q(transfers__in=Transfers.values), name="seat_transfers_known"),
            models.CheckConstraint(
                condition=Q(notice_timing__in=["", *Timing.values]), name="seat_notice_timing_known"
            ),
        ]

        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["game"], condition=Q(state=SeatState.OFFERED), name="seats_offered"),
            models.Index(fields=["player"], condition=Q(ended=None), name="seats_live"),
            models.Index(
                fields=["player", "-ended", "-game"], condition=Q(ended__isnull=False), name="seats_over"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.index}"

    @property
    def free(self) -> bool:
        return self.player_id is None and not self.bot

    @property
    def player_url(self) -> str:
        """The address of its player's page; empty where nobody sits, and for a closed account."""
        return "" if self.player is None else self.player.get_absolute_url()

    @property
    def is_silent(self) -> bool:
        """Return whether the player wants no notices about the game."""
        return self.notice_timing == Timing.NEVER

    @property
    def look(self) -> int:
        """The number under which ``games.drawing`` knows this seat's colour."""
        return LOOKS[self.colour] if self.colour else self.index

    @property
    def chosen_look(self) -> int | None:
        """The same, but none before the game begins unless its player has chosen a colour."""
        return self.look if self.colour else None

    @property
    def counted_rank(self) -> int | None:
        """Its rank as it counts: that of the contest of its game, else its own; none until it is decided."""
        return self.rank if self.verdict is None else self.verdict.ranks.get(self.player_id or 0)

    @property
    def counted_result(self) -> Result | None:
        """Its result as it counts, like ``counted_rank``."""
        if self.verdict is not None:
            return self.verdict.get_result(self.player_id)
        return Result(self.result) if self.result else None

    @property
    def has_won(self) -> bool:
        """Return whether it has won or shared the first place, as it counts."""
        return self.counted_result in (Result.WON, Result.SHARED)

    @property
    def left(self) -> bool:
        """Return whether its player has resigned or lost on time; the house bot plays on for it, without
        meeples."""
        return self.state in (SeatState.RESIGNED, SeatState.TIMED_OUT)

    @property
    def offered(self) -> bool:
        """Return whether it seeks a substitute; a caretaker bot plays meanwhile, with meeples."""
        return self.state == SeatState.OFFERED

    @property
    def absence(self) -> str:
        """The reason why its player no longer plays, in words; empty if they do."""
        if self.offered:
            return gettext("the bot is standing in")
        return "" if self.free or self.played_by_person or self.bot else self.get_state_display()

    @property
    def played_by_program(self) -> bool:
        return bool(self.bot) or self.state != SeatState.PLAYING

    @property
    def played_by_person(self) -> bool:
        return self.player_id is not None and self.state == SeatState.PLAYING

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("seats are never deleted")


class Tile(models.Model):
    """A tile that was drawn in a game: on the board, in a hand, or gone, for good or back into the bag."""

    game = models.ForeignKey(
        Game, models.PROTECT, related_name="tiles", db_index=False, verbose_name=_("game")
    )
    draw = models.PositiveSmallIntegerField(_("number of the draw"))
    kind = models.CharField(_("tile"), max_length=80)
    x = models.SmallIntegerField(null=True, blank=True)
    y = models.SmallIntegerField(null=True, blank=True)
    rotation = models.PositiveSmallIntegerField(_("rotation"), null=True, blank=True)
    discarded = models.BooleanField(_("discarded"), default=False)

    objects = Tiles.as_manager()

    class Meta:
        verbose_name = _("tile")
        verbose_name_plural = _("tiles")
        ordering = ["game", "draw"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["game", "draw"], name="tile_one_per_draw"),
            models.UniqueConstraint(fields=["game", "x", "y"], name="tile_one_per_cell"),
            models.CheckConstraint(
                condition=Q(x=None, y=None, rotation=None)
                | Q(x__isnull=False, y__isnull=False, rotation__in=[0, 90, 180, 270], discarded=False),
                name="tile_lies_or_not",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} ({self.game_id}/{self.draw})"


class Moves(Undeletable):
    """Moves, which are written once; a later change can only withdraw them."""

    def in_force(self) -> Self:
        """Return the moves that are not withdrawn."""
        return self.filter(withdrawn=None)

    def update(self, **kwargs: Any) -> int:
        if set(kwargs) != {"withdrawn"}:
            raise TypeError("moves are never changed, only withdrawn")
        return super().update(**kwargs)

    def bulk_update(self, *args: Any, **kwargs: Any) -> int:
        raise TypeError("moves are never changed, only withdrawn")


class Move(models.Model):
    """An action and its events, or an act of the table that the rules don't know (resigning, time-out).

    ``version`` counts every move. ``ply`` counts the actions of seats; draws and the final scoring, which are
    by nobody, and acts of the table have none. Append-only.
    """

    game = models.ForeignKey(
        Game, models.PROTECT, related_name="moves", db_index=False, verbose_name=_("game")
    )
    version = models.PositiveIntegerField(_("version"))
    ply = models.PositiveIntegerField(_("ply"), null=True, blank=True)
    seat = models.PositiveSmallIntegerField(_("seat"), null=True, blank=True)
    action = models.JSONField(_("action"))
    events = models.JSONField(_("events"), default=list)
    schema = models.PositiveSmallIntegerField(_("schema of the events"))
    at = models.DateTimeField(_("at"))
    time_used = models.DurationField(_("time used"), null=True, blank=True)
    timing = models.JSONField(_("how its time was counted"), null=True, blank=True)
    how = models.CharField(_("how it came"), max_length=10, choices=How)
    withdrawn = models.DateTimeField(_("withdrawn"), null=True, blank=True)

    objects = Moves.as_manager()

    class Meta:
        verbose_name = _("move")
        verbose_name_plural = _("moves")
        ordering = ["game", "version"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["game", "version"], name="move_one_per_version"),
            models.UniqueConstraint(
                fields=["game", "ply"], condition=Q(withdrawn=None), name="move_one_per_ply"
            ),
            models.CheckConstraint(condition=Q(version__gte=1), name="move_version_from_one"),
            models.CheckConstraint(
                condition=Q(ply=None) | Q(seat__isnull=False, ply__gte=1), name="move_ply_has_a_seat"
            ),
            models.CheckConstraint(condition=Q(how__in=How.values), name="move_how_known"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.version}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("moves are never changed, only withdrawn")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("moves are never deleted")
