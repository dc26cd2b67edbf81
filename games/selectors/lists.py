"""Queries of the lists.

The number of queries of each list does not depend on how many games are in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import (
    BooleanField,
    Exists,
    F,
    FilteredRelation,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
    prefetch_related_objects,
)
from django.utils.translation import gettext as _

from accounts.models import Player
from games import access
from games.access import Visitor
from games.clocks import parse_instant
from games.conduct.blocks import build_unblocked_filter
from games.models import Answer, Ending, Game, Invitation, Seat, Status, Visibility
from games.play.requirements import load_candidate
from games.selectors.contests import ContestVerdict, connect_verdict, load_verdicts
from games.selectors.paging import KeyPage, Order
from games.selectors.seats import list_seat_names
from games.words import clocks, rule_sets
from games.words import tables as table_words
from games.words.clocks import ClockAgreement

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

URGENT = timedelta(days=1)
ON_A_PAGE = 24
"""Maximum number of games with boards on one page of a list, and of tables on one page of my games."""
NEWEST = 4
MOST_TABLES = 500
"""Maximum number of tables in the lobby, which shows the newest ones."""
LATEST_TURN_FIRST = Order(Game, ("-turn_began", "-pk"))

PENDING = Invitation.objects.filter(answer=Answer.PENDING)
EXPECTED = FilteredRelation("invitations", condition=Q(invitations__answer=Answer.PENDING))
SEATED_AT_OPEN_TABLES = Prefetch(
    "seats",
    Seat.objects.annotate(expected=EXPECTED)
    .select_related("player__personal_time", "expected__player")  # type: ignore[misc]  # the stubs know no FilteredRelation
    .order_by("index"),
)
"""Seats with their players and these players' settings of time; a reserved seat has its invitation as
``expected``, others have none."""

SHOWN_OF_SEATS = {"id", "game", "index", "player", "bot", "colour", "state", "score", "rank", "result"}
SHOWN_OF_PLAYERS = {"id", "username", "closed"}
NOT_SHOWN_OF_PLAYERS = [
    f"player__{field.name}" for field in Player._meta.fields if field.name not in SHOWN_OF_PLAYERS
]
SEATED = Prefetch(
    "seats",
    Seat.objects.select_related("player")
    .defer(
        *(field.name for field in Seat._meta.fields if field.name not in SHOWN_OF_SEATS),
        *NOT_SHOWN_OF_PLAYERS,
    )
    .order_by("index"),
)
"""Seats of games that have begun, with only those columns of seats and players that lists show."""

NOT_LISTED = ("calendar", "stops", "floors", "claimable", "nudged", "seed", "seed_hash")
"""Fields of a game that no list shows."""

NOT_LISTED_OF_BEGUN = (*NOT_LISTED, "clock_settings", "ladder_steps")
"""Fields of a game that no list shows once it has begun: its clock was agreed on before."""


class ShownSeat(NamedTuple):
    """A seat on a card. Plain values only, so that equal seats can share a cache entry."""

    look: int | None
    name: str
    url: str  # of the player's page, if there is one
    free: bool
    kept: bool
    kept_for: str
    mine: bool
    awaited: bool
    left: str  # ending of its player's part, or that a caretaker plays, in words
    score: int | None  # none before the game begins


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in a list, for one viewer."""

    game: Game
    seats: list[Seat]
    now: datetime
    verdict: ContestVerdict | None = None  # of its contest, once it has ended

    @property
    def news(self) -> bool:
        """Return whether something happened that the viewer hasn't seen; needs ``visits.annotate_news``."""
        return getattr(self.game, "news", False)

    @property
    def hard_end(self) -> datetime | None:
        """The hard end of the game; needs ``annotate_hard_end``."""
        ends = getattr(self.game, "hard_end", None)
        return parse_instant(ends) if ends else None

    @property
    def shown_seats(self) -> tuple[ShownSeat, ...]:
        game = self.game
        return tuple(
            ShownSeat(
                look=seat.chosen_look,
                name=seat.name,
                url=seat.player_url,
                free=seat.free,
                kept=seat.kept is not None,
                kept_for=seat.kept_for,
                mine=seat.mine,
                awaited=seat.index == game.awaited,
                left=seat.absence,
                score=seat.score if game.started else None,
            )
            for seat in self.seats
        )

    @property
    def mine(self) -> Seat | None:
        """The viewer's seat."""
        return next((seat for seat in self.seats if seat.mine), None)

    @property
    def awaited(self) -> Seat | None:
        return next((seat for seat in self.seats if seat.index == self.game.awaited), None)

    @property
    def my_turn(self) -> bool:
        awaited = self.awaited if self.game.settles is None else None
        return awaited is not None and awaited.mine and awaited.played_by_person

    @property
    def urgent(self) -> bool:
        """Return whether little time is left."""
        return self.game.deadline is not None and self.game.deadline - self.now < URGENT

    @property
    def late(self) -> bool:
        return self.game.deadline is not None and self.game.deadline <= self.now

    @property
    def free(self) -> int:
        """The number of seats that are neither taken nor kept for an invitation."""
        return sum(seat.free and seat.kept is None for seat in self.seats)

    @property
    def missing(self) -> int:
        """The number of seats that nobody has taken yet, whether or not they are kept for an invitation."""
        return sum(seat.free for seat in self.seats)

    @property
    def start(self) -> str:
        """Say what must happen before the game begins."""
        return table_words.describe_start([seat.kept_for for seat in self.seats if seat.kept], self.free)

    @property
    def host(self) -> Seat | None:
        """The seat of the host."""
        return next((seat for seat in self.seats if seat.player_id == self.game.host_id), None)

    @property
    def seats_in_words(self) -> str:
        return table_words.format_seats_and_free(self.game.places, self.free)

    @property
    def by_rank(self) -> list[Seat]:
        return sorted(self.seats, key=lambda seat: (seat.counted_rank or len(self.seats), seat.index))

    @property
    def points(self) -> str:
        """The scores of all seats, the winner's first; empty if points didn't count, as all others left, or
        time or the contest decided the game."""
        if self.verdict is not None and not self.verdict.agrees_with(self.seats):
            return ""
        if self.game.ending in (Ending.RESIGNED, Ending.TIME_OUT, Ending.HARD_END):
            return ""
        return " : ".join(str(seat.score) for seat in self.by_rank)

    @property
    def leavers(self) -> str:
        """The players who left before the end, in words."""
        return ", ".join(f"{seat.name}: {seat.absence}" for seat in self.seats if seat.absence)

    @property
    def sets(self) -> list[tuple[str, StrOrPromise]]:
        """The sets in play, with their names."""
        chosen = self.game.rules.sets
        return [(name, title) for name, title in rule_sets.SETS.items() if name in chosen]

    @property
    def agreed(self) -> ClockAgreement:
        """The time agreed for turns, and the effects of a timeout."""
        return build_table_agreement(self.game)

    @property
    def for_ratings(self) -> str:
        """The ratings required at the table, in words; empty if there are none."""
        return clocks.format_rating_range(self.game.min_rating, self.game.max_rating)

    @property
    def unusual(self) -> list[str]:
        """The rules that differ from the printed ones, in words."""
        return rule_sets.list_unusual_rules(self.game.rules)

    @property
    def house_rules(self) -> list[str]:
        """The additions to the standard game, in words."""
        return rule_sets.list_additions(self.game.rules)


def build_table_agreement(game: Game) -> ClockAgreement:
    """Return the clock agreement of *game*, which begins before its table expires. No query."""
    return clocks.build_agreement(
        game.clock,
        game.ladder,
        game.rules,
        began=None if game.ended else game.started or game.expires,
        min_reliability=game.min_reliability,
        min_rating=game.min_rating,
        max_rating=game.max_rating,
    )


def find_open_tables(visitor: Visitor) -> QuerySet[Game]:
    """Find the tables of the lobby: public ones with a seat for anybody and without players whom *visitor*
    blocks or is blocked by; and *visitor*'s own."""
    kept = Exists(PENDING.filter(seat=OuterRef("pk")))
    free = Seat.objects.filter(~kept, game=OuterRef("pk"), player=None, bot="", ended=None)
    # A value and no ``Exists``: PostgreSQL would join all free seats of the site, and sort all their tables.
    tables = Game.objects.alias(takes=Subquery(free.order_by().values(found=Value(True))[:1], BooleanField()))
    listed = Q(takes=True, visibility=Visibility.PUBLIC) & build_unblocked_filter(visitor)
    if visitor.is_authenticated:
        listed |= Q(Exists(_seats_of(visitor)))
    return tables.filter(listed, status=Status.OPEN).select_related("host")


def load_tables(keys: Sequence[int]) -> list[Game]:
    """The tables with these *keys*, in their order."""
    games = Game.objects.select_related("host").in_bulk(keys)
    return [games[key] for key in keys if key in games]


def load_newest_tables(now: datetime) -> list[GameLine]:
    """A few open tables for those who are new here."""
    stranger = AnonymousUser()
    return load_game_lines(find_open_tables(stranger).order_by("-created", "-pk")[:NEWEST], stranger, now)


def load_running_games(visitor: Visitor, player: Player, asked: Mapping[str, Any]) -> KeyPage[Game]:
    """Return the page *asked* for of *player*'s running games that *visitor* may see, latest turn first. One
    query."""
    live = Seat.objects.filter(player=player, ended=None).values("game")
    games = access.find_listed_games(visitor).filter(pk__in=live, status__in=[Status.PLAYING, Status.SCORING])
    place = LATEST_TURN_FIRST.place(asked)
    return LATEST_TURN_FIRST.page(games.defer(*NOT_LISTED_OF_BEGUN), place, ON_A_PAGE)


def _seats_of(player: Player) -> QuerySet[Seat]:
    return Seat.objects.filter(game=OuterRef("pk"), player=player, ended=None)


def annotate_hard_end(games: QuerySet[Game]) -> QuerySet[Game]:
    """Annotate *games* with ``hard_end`` as the clock settings have it, without loading these."""
    return games.annotate(hard_end=F("clock_settings__ends"))


def load_game_lines(games: Iterable[Game], visitor: Visitor, now: datetime) -> list[GameLine]:
    """Return *games* as lists show them to *visitor*, with the seats kept for invitations. One query besides
    that of *games*, which costs more if any of them is open, and two if any has ended in a contest."""
    games = list(games)
    some_open = any(game.status == Status.OPEN for game in games)
    prefetch_related_objects(games, SEATED_AT_OPEN_TABLES if some_open else SEATED)
    verdicts = load_verdicts(games)
    lines = [GameLine(game, _list_seats(game, visitor), now, verdicts.get(game.pk)) for game in games]
    for line in lines:
        connect_verdict(line.seats, line.verdict)
    return lines


def _list_seats(game: Game, visitor: Visitor) -> list[Seat]:
    """Return the seats of *game*, loaded for *visitor*; what keeps some free only while it is open."""
    seats = list(game.seats.all())
    for seat, name in zip(seats, list_seat_names(seats), strict=True):
        seat.name = name
        seat.mine = visitor.is_authenticated and seat.player_id == visitor.pk
    if game.status == Status.OPEN:
        seated = any(seat.mine for seat in seats)
        for seat in seats:
            seat.kept = getattr(seat, "expected", None)
            seat.kept_for = _kept_for(seat.kept, visitor, seated)
    return seats


def list_unmet_requirements(visitor: Visitor, lines: Sequence[GameLine]) -> list[str]:
    """Return for each of *lines* the requirement that *visitor* doesn't meet, in words. Empty if they may
    take a seat, sit or are invited there, or are anonymous. At most two queries; none for guests."""
    if not visitor.is_authenticated:
        return ["" for _line in lines]
    elsewhere = [line.mine is None and not _is_invited(visitor, line) for line in lines]
    if visitor.provisional:
        said = _("Guests play where they were invited. With an account you can sit down here.")
        return [said if barred else "" for barred in elsewhere]
    asked = [line.game for line, barred in zip(lines, elsewhere, strict=True) if barred]
    known = load_candidate(visitor, *asked)
    refusals = {game.pk: known.refused_at(game) for game in asked}
    unmet = [refusals.get(line.game.pk) for line in lines]
    return [refused.message if refused else "" for refused in unmet]


def _is_invited(visitor: Player, line: GameLine) -> bool:
    return any(seat.kept is not None and seat.kept.player_id == visitor.pk for seat in line.seats)


def _kept_for(invitation: Invitation | None, visitor: Visitor, seated: bool) -> str:
    """Return for whom a seat is kept, as far as *visitor* may know: names for players at the table; addresses
    only for their inviter, and never whose account has them."""
    if invitation is None or not visitor.is_authenticated:
        return ""
    if invitation.player is not None and invitation.player_id == visitor.pk:
        return invitation.player.username
    if invitation.address_mark:
        return invitation.address if invitation.inviter_id == visitor.pk else ""
    return str(invitation.player) if seated and invitation.player is not None else ""
