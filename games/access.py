"""Permissions: predicates and query filters that decide who may see or do what."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import cast

from django.db.models import BooleanField, Exists, IntegerField, OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.http import Http404

from accounts.interests import list_permission_holders
from accounts.models import Player
from accounts.requests import Visitor
from games.models import ENDED, Answer, Game, Invitation, Room, Seat, Status, ViewerContext, Visibility, Visit
from games.models.raw_sql import MultiModelQuery

MODERATE = "games.moderate_game"

AT_TABLE = """
SELECT game_id FROM games_seat WHERE player_id = %s
UNION ALL
SELECT game_id FROM games_invitation WHERE player_id = %s AND answer = 'pending'
"""
SEEN = MultiModelQuery(
    f"""
SELECT {{game}}, {{visit}}, mine."index",
       EXISTS (SELECT 1 FROM games_plan plan WHERE plan.seat_id = mine.id),
       EXISTS (SELECT 1 FROM games_note note WHERE note.game_id = game.id AND note.player_id = %s),
       EXISTS (SELECT 1 FROM games_message said WHERE said.game_id = game.id)
  FROM games_game game
  LEFT JOIN games_visit visit ON visit.game_id = game.id AND visit.player_id = %s
  LEFT JOIN games_seat mine ON mine.game_id = game.id AND mine.player_id = %s
 WHERE game.code = %s AND (game.visibility <> 'private' OR game.id IN ({AT_TABLE}))
""",
    {"game": Game, "visit": Visit},
    [IntegerField(), BooleanField(), BooleanField(), BooleanField()],
)
"""Raw SQL, because every page of a game begins with this query, and Django takes ten times as long to build
it as the database needs to answer it."""


class SealedGame(Http404):
    """404 for a *game* whose board is hidden, as it would reveal the next tiles of other games."""

    def __init__(self, game: Game) -> None:
        super().__init__(game.code)
        self.game = game


def find_seat(visitor: Visitor, game: Game) -> Seat | None:
    """Return the seat of *visitor* in *game*."""
    if not visitor.is_authenticated:
        return None
    return game.seats.filter(player=visitor).first()


def is_invited(visitor: Visitor, game: Game) -> bool:
    """Return whether a seat of *game* is kept for *visitor*."""
    if not visitor.is_authenticated:
        return False
    return game.invitations.filter(player=visitor, answer=Answer.PENDING).exists()


def may_see(visitor: Visitor, game: Game) -> bool:
    """Return whether *visitor* may see *game*.

    Everybody with the address sees a game that is public or by link; a private one those at the table.
    One that shares its draw is hidden as long as it could help somebody."""
    if is_sealed(visitor, game):
        return False
    if game.visibility != Visibility.PRIVATE:
        return True
    return find_games_at_table(visitor).filter(pk=game.pk).exists()


def select_visible_games(visitor: Player, games: Collection[int]) -> set[int]:
    """Return the keys of those of *games* that *visitor* may see, as ``may_see`` has it; one query."""
    if not games:
        return set()
    visible = Game.objects.filter(
        build_unsealed_filter(visitor),
        ~Q(visibility=Visibility.PRIVATE) | build_own_table_filter(visitor),
        pk__in=games,
    )
    return set(visible.values_list("pk", flat=True))


def get_game_or_404(visitor: Visitor, code: str) -> Game:
    """Return the game at this address. One query. A private game exists only for those at its table.

    ``viewer_context`` has what the query read about *visitor*.

    :raises SealedGame: its draw is shared, and *visitor* may not see it yet; one more query for such games
    """
    who = visitor.pk
    for (game, visit), (seat, planned, noted, talked) in SEEN.rows([who, who, who, code, who, who]):
        if is_sealed(visitor, game):
            raise SealedGame(game)
        game.viewer_context = ViewerContext(who, seat, visit, bool(planned), bool(noted), bool(talked))
        return cast("Game", game)
    raise Http404


def get_viewer_context(visitor: Visitor, game: Game) -> ViewerContext | None:
    """Return what was read about *visitor* with *game*; ``None`` if the game was loaded otherwise, or for
    another."""
    context = game.viewer_context
    return context if context is not None and context.visitor == visitor.pk else None


def find_seat_index(visitor: Visitor, game: Game) -> int | None:
    """Return the index of the seat of *visitor* in *game*. No query if it was loaded with the game."""
    context = get_viewer_context(visitor, game)
    if context is not None:
        return context.seat
    seat = find_seat(visitor, game)
    return None if seat is None else seat.index


def find_listed_games(visitor: Visitor) -> QuerySet[Game]:
    """Return the games that lists may show to *visitor*: public ones, unless their draw hides them, and those
    where they sit or are invited."""
    return Game.objects.filter(
        Q(build_unsealed_filter(visitor), visibility=Visibility.PUBLIC) | build_own_table_filter(visitor)
    )


def build_own_table_filter(visitor: Visitor, game: str = "pk") -> Q:
    """Build a filter of games, or of rows with a *game*: those where *visitor* sits or is invited. It is
    evaluated for each row, so use it only where few rows are read."""
    if not visitor.is_authenticated:
        return Q(pk__in=[])
    there = Seat.objects.filter(game=OuterRef(game), player=visitor)
    invited = Invitation.objects.filter(game=OuterRef(game), player=visitor, answer=Answer.PENDING)
    return Q(Exists(there)) | Q(Exists(invited))


def build_unsealed_filter(visitor: Visitor, game: str = "") -> Q:
    """Build a filter of games, or of rows with a *game*: those that *visitor* may see despite a shared draw.

    Games that share a draw (``Deal``) are hidden until all are over, as each reveals the next tiles of the
    others. Players of one see that one, and when it is over those others that are over, too. Staff, who have
    to settle disputes, see all, unless they play in one.
    """
    at = f"{game}__" if game else ""
    shown = Q((f"{at}deal", None)) | ~Q((f"{at}deal__seed", ""))
    if not visitor.is_authenticated:
        return shown
    own = Seat.objects.filter(player=visitor, game__deal__isnull=False)
    through = own.filter(game__status__in=ENDED)
    shown |= Q((f"{at}pk__in", own.values("game")))
    shown |= Q((f"{at}status__in", ENDED), (f"{at}deal__in", through.values("game__deal")))
    if visitor.is_staff:
        shown |= ~Q((f"{at}deal__in", own.values("game__deal")))
    return shown


def is_sealed(visitor: Visitor, game: Game) -> bool:
    """Return whether *game* is hidden from *visitor* because of its draw; no query where that is its own."""
    if game.deal_id is None:
        return False
    return not Game.objects.filter(build_unsealed_filter(visitor), pk=game.pk).exists()


def find_games_at_table(visitor: Visitor) -> QuerySet[Game]:
    """Return the games where *visitor* sits or is invited."""
    return Game.objects.filter(pk__in=RawSQL(AT_TABLE, [visitor.pk, visitor.pk]))


def may_join(visitor: Visitor, game: Game) -> bool:
    """Return whether *visitor* may sit down if there is a seat: ``tables.sit`` looks for one."""
    if not visitor.is_authenticated or visitor.is_bot or game.status != Status.OPEN:
        return False
    if find_seat(visitor, game) is not None:
        return False
    if game.visibility == Visibility.PRIVATE or visitor.provisional:
        return is_invited(visitor, game)
    return True


def may_follow(visitor: Visitor, game: Game, *, seated: bool | None = None) -> bool:
    """Return whether *visitor* may follow *game*, which they see: a running game of others.

    One query, unless it is known whether they are *seated*.
    """
    if not _is_person(visitor) or not game.running:
        return False
    if game.visibility == Visibility.PRIVATE or is_sealed(visitor, game):
        return False
    return not (find_seat(visitor, game) is not None if seated is None else seated)


def _is_person(visitor: Visitor) -> bool:
    """Return whether *visitor* has an account and is no program; guests have rights at their tables only."""
    return visitor.is_authenticated and not visitor.is_bot and not visitor.provisional


def takes_guests(game: Game) -> bool:
    """Return whether people without an account may sit at *game*: their games are unrated."""
    return not game.rated


def may_resign(seat: Seat | None, game: Game) -> bool:
    """Return whether the player of *seat* still plays on."""
    return game.status == Status.PLAYING and seat is not None and not seat.left


def is_on_turn(seat: Seat | None, game: Game) -> bool:
    """Return whether *game* waits for the player of *seat*."""
    return (
        game.status == Status.PLAYING
        and seat is not None
        and game.settles is None
        and seat.played_by_person
        and seat.index == game.awaited
    )


def is_moderator(visitor: Visitor) -> bool:
    """Return whether *visitor* is a moderator. No query for visitors who aren't staff."""
    return visitor.is_staff and visitor.is_active and visitor.has_perm(MODERATE)


def list_moderators() -> list[Player]:
    """Return all moderators, by name. One query."""
    return list_permission_holders(MODERATE)


def may_moderate(visitor: Visitor, game: Game) -> bool:
    """Return whether *visitor* may moderate *game*: no moderator may where they play or have played, or where
    a game of their own draws the same tiles."""
    if not visitor.is_authenticated or not is_moderator(visitor):
        return False
    if game.seats.filter(player=visitor).exists() or game.moves.filter(action__gone=visitor.pk).exists():
        return False
    return not is_sealed(visitor, game)


def may_take_over(visitor: Visitor, game: Game, seats: Iterable[Seat]) -> bool:
    """Return whether *visitor*, who may see *game*, may take over an offered one of its *seats*: they need an
    account and no seat in it."""
    if not _is_person(visitor) or game.status != Status.PLAYING:
        return False
    if any(seat.player_id == visitor.pk for seat in seats) or is_sealed(visitor, game):
        return False
    return game.visibility != Visibility.PRIVATE or is_invited(visitor, game)


def find_chat_room(visitor: Visitor, game: Game, *, seated: bool) -> Room | None:
    """Return the chat room where *visitor*, who may see *game*, may write: players at the table, others among
    the spectators. There are none before the game begins, and they need an account."""
    if seated:
        return Room.TABLE
    if not _is_person(visitor) or game.started is None:
        return None
    return Room.GALLERY


def list_visible_rooms(game: Game, *, seated: bool) -> tuple[Room, ...]:
    """Return the visible chat rooms: all who see the game see the table's chat, and the page says so. Players
    see the spectators' chat only when the game is over, as it might help one of them."""
    if game.started is None or (seated and not game.ended):
        return (Room.TABLE,)
    return (Room.TABLE, Room.GALLERY)
