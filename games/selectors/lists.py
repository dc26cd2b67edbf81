"""Queries of the lists.

The number of queries of each list does not depend on how many games are in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

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
from games.conduct.blocks import build_unblocked_filter
from games.models import Answer, Game, Invitation, Seat, Status, Visibility
from games.play.requirements import load_candidate
from games.selectors.contests import connect_verdict, load_verdicts
from games.selectors.paging import KeyPage, Order
from games.selectors.seats import list_seat_names
from games.words import clocks
from games.words.clocks import ClockAgreement

if TYPE_CHECKING:
    pass

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


def load_newest_tables() -> list[Game]:
    """A few open tables for those who are new here."""
    stranger = AnonymousUser()
    return seat_players(find_open_tables(stranger).order_by("-created", "-pk")[:NEWEST], stranger)


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


def seat_players(games: Iterable[Game], visitor: Visitor) -> list[Game]:
    """Load the seats of *games* as lists show them to *visitor*, with those kept for invitations. One query
    besides that of *games*, which costs more if any of them is open, and two if any has ended in a
    contest."""
    games = list(games)
    some_open = any(game.status == Status.OPEN for game in games)
    prefetch_related_objects(games, SEATED_AT_OPEN_TABLES if some_open else SEATED)
    verdicts = load_verdicts(games)
    for game in games:
        game.seated, game.verdict = _list_seats(game, visitor), verdicts.get(game.pk)
        connect_verdict(game.seated, game.verdict)
    return games


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


def list_unmet_requirements(visitor: Visitor, games: Sequence[Game]) -> list[str]:
    """Return for each of *games* the requirement that *visitor* doesn't meet, in words. Empty if they may
    take a seat, sit or are invited there, or are anonymous. At most two queries; none for guests."""
    if not visitor.is_authenticated:
        return ["" for _game in games]
    elsewhere = [game for game in games if game.own_seat is None and not _is_invited(visitor, game)]
    if visitor.provisional:
        said = _("Guests play where they were invited. With an account you can sit down here.")
        return [said if game in elsewhere else "" for game in games]
    known = load_candidate(visitor, *elsewhere)
    refusals = {game.pk: known.refused_at(game) for game in elsewhere}
    unmet = [refusals.get(game.pk) for game in games]
    return [refused.message if refused else "" for refused in unmet]


def _is_invited(visitor: Player, game: Game) -> bool:
    return any(seat.kept is not None and seat.kept.player_id == visitor.pk for seat in game.seated)


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
