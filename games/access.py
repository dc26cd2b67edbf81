"""Who may see or do what."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, cast

from django.contrib.auth.models import AnonymousUser
from django.db.models import BooleanField, Exists, IntegerField, OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.http import Http404

from accounts.interests import holders
from accounts.models import Player
from games.models import (
    ENDED,
    Answer,
    Game,
    Incident,
    Invitation,
    Message,
    Move,
    Report,
    Room,
    Seat,
    Status,
    Visibility,
    Visit,
)
from games.models.joined import Joined

Visitor = Player | AnonymousUser
MODERATE = "games.moderate_game"

AT_TABLE = """
SELECT game_id FROM games_seat WHERE player_id = %s
UNION ALL
SELECT game_id FROM games_invitation WHERE player_id = %s AND answer = 'pending'
"""
SEEN = Joined(
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
"""Written out, because every page of a game begins with it, and Django takes ten times as long to put such a
query together as the database needs to answer it."""


class Glance(NamedTuple):
    """What was read together with a game about whoever asked for it, so that hardly any page has to ask."""

    visitor: int | None
    seat: int | None
    visit: Visit | None
    planned: bool  # has, or had, plans in it
    noted: bool
    talked: bool  # somebody has said something there


class Sealed(Http404):
    """There is such a *game*, but its board would tell others what comes next in theirs."""

    def __init__(self, game: Game) -> None:
        super().__init__(game.code)
        self.game = game


def seat_of(visitor: Visitor, game: Game) -> Seat | None:
    """Where *visitor* sits in *game*."""
    if not visitor.is_authenticated:
        return None
    return game.seats.filter(player=visitor).first()


def is_invited(visitor: Visitor, game: Game) -> bool:
    """Whether a seat of *game* is kept for *visitor*."""
    if not visitor.is_authenticated:
        return False
    return game.invitations.filter(player=visitor, answer=Answer.PENDING).exists()


def may_see(visitor: Visitor, game: Game) -> bool:
    """Everybody with the address sees a game that is public or by link; a private one those at the table.
    One that shares its draw is hidden as long as it could help somebody."""
    if is_sealed(visitor, game):
        return False
    if game.visibility != Visibility.PRIVATE:
        return True
    return at_table(visitor).filter(pk=game.pk).exists()


def game_or_404(visitor: Visitor, code: str) -> Game:
    """The game at this address; one query. To strangers a private game is not there at all.

    ``glance`` says what it knows of *visitor*.

    :raises Sealed: its draw is shared, and *visitor* may not see it yet; one more query for such games
    """
    who = visitor.pk
    for (game, visit), (seat, planned, noted, talked) in SEEN.rows([who, who, who, code, who, who]):
        if is_sealed(visitor, game):
            raise Sealed(game)
        game.glance = Glance(who, seat, visit, bool(planned), bool(noted), bool(talked))
        return cast("Game", game)
    raise Http404


def glance(visitor: Visitor, game: Game) -> Glance | None:
    """What was read of *visitor* with *game*; nothing if it was read otherwise, or for somebody else."""
    found: Glance | None = getattr(game, "glance", None)
    return found if found is not None and found.visitor == visitor.pk else None


def seat_index(visitor: Visitor, game: Game) -> int | None:
    """Where *visitor* sits in *game*; no query where that was read with it."""
    found = glance(visitor, game)
    if found is not None:
        return found.seat
    seat = seat_of(visitor, game)
    return None if seat is None else seat.index


def listed(visitor: Visitor) -> QuerySet[Game]:
    """What lists may show to *visitor*: public games, and those at whose table they sit or are invited; of
    both none whose draw is hidden."""
    return Game.objects.filter(Q(unsealed(visitor), visibility=Visibility.PUBLIC) | own_table(visitor))


def own_table(visitor: Visitor, game: str = "pk") -> Q:
    """Of games, or of rows whose *game* this is: those at whose table *visitor* sits or is invited. It is
    asked for each row by itself, so only where few rows are read."""
    if not visitor.is_authenticated:
        return Q(pk__in=[])
    there = Seat.objects.filter(game=OuterRef(game), player=visitor)
    invited = Invitation.objects.filter(game=OuterRef(game), player=visitor, answer=Answer.PENDING)
    return Q(Exists(there)) | Q(Exists(invited))


def unsealed(visitor: Visitor, game: str = "") -> Q:
    """Of games, or of rows whose *game* this is: those that *visitor* may see as far as their draw goes.

    Games that share a draw (``Deal``) are hidden until all of them are over, as each tells what comes in the
    others. Whoever plays in one of them sees that one; and when it is over those of the others that are over,
    too. Of the staff, who have to settle quarrels, those see all who play in none of them.
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
    """Whether *game* is hidden from *visitor* because of its draw; no query where that is its own."""
    if game.deal_id is None:
        return False
    return not Game.objects.filter(unsealed(visitor), pk=game.pk).exists()


def at_table(visitor: Visitor) -> QuerySet[Game]:
    """The games at whose table *visitor* sits or is invited."""
    return Game.objects.filter(pk__in=RawSQL(AT_TABLE, [visitor.pk, visitor.pk]))


def may_join(visitor: Visitor, game: Game) -> bool:
    """Whether *visitor* may sit down if there is a seat: ``tables.sit`` looks for one."""
    if not visitor.is_authenticated or visitor.is_bot or game.status != Status.OPEN:
        return False
    if seat_of(visitor, game) is not None:
        return False
    return game.visibility != Visibility.PRIVATE or is_invited(visitor, game)


def may_follow(visitor: Visitor, game: Game, *, seated: bool | None = None) -> bool:
    """Whether *visitor* may keep *game*, which they see, in their list: a game of others that goes on.

    One query, unless it is known whether they are *seated*.
    """
    if not visitor.is_authenticated or visitor.is_bot or not game.running:
        return False
    if game.visibility == Visibility.PRIVATE or is_sealed(visitor, game):
        return False
    return not (seat_of(visitor, game) is not None if seated is None else seated)


def may_resign(seat: Seat | None, game: Game) -> bool:
    """Whether the player of *seat* still plays on."""
    return game.status == Status.PLAYING and seat is not None and not seat.left


def on_turn(seat: Seat | None, game: Game) -> bool:
    """Whether *game* waits for the player of *seat*."""
    return (
        game.status == Status.PLAYING
        and seat is not None
        and game.settles is None
        and seat.played_by_person
        and seat.index == game.awaited
    )


def moderates(visitor: Visitor) -> bool:
    """Whether *visitor* is one of the moderators; no query for who is not of the staff."""
    return visitor.is_staff and visitor.is_active and visitor.has_perm(MODERATE)


def moderators() -> list[Player]:
    """Everybody who moderates, by name; one query."""
    return holders(MODERATE)


def may_moderate(visitor: Visitor, game: Game) -> bool:
    """Whether *visitor* may moderate *game*: no moderator, whoever it is, does so where they play or have
    played, or where their own game draws the same tiles."""
    if not visitor.is_authenticated or not moderates(visitor):
        return False
    if game.seats.filter(player=visitor).exists() or game.moves.filter(action__gone=visitor.pk).exists():
        return False
    return not is_sealed(visitor, game)


def may_decide(visitor: Visitor, incident: Incident) -> bool:
    """Whether *visitor* is a moderator who may know *incident*; one query for a moderator. Whether they leave
    it to others ``conduct.interests`` says."""
    if not visitor.is_authenticated or not moderates(visitor):
        return False
    return decided_by(visitor).filter(pk=incident.pk).exists()


def talk_for_moderators(talk: QuerySet[Message]) -> QuerySet[Message]:
    """What moderators read of *talk* besides evidence: what everybody may read, and what was reported."""
    reported = Report.objects.filter(message=OuterRef("pk"))
    return talk.filter(~Q(game__visibility=Visibility.PRIVATE) | Exists(reported))


def decided_by(moderator: Player) -> QuerySet[Incident]:
    """The incidents that *moderator* may know: none in which they are reported, or whose game they may not
    see because of its draw."""
    return Incident.objects.filter(~Q(about=moderator), Q(game=None) | unsealed(moderator, "game"))


def incidents_of_others(moderator: Player) -> QuerySet[Incident]:
    """Those of ``decided_by`` that *moderator* has not reported, and whose game they have no part in."""
    seats = Seat.objects.filter(game=OuterRef("game"), player=moderator)
    gone = Move.objects.filter(game=OuterRef("game"), action__gone=moderator.pk)
    own = Report.objects.filter(incident=OuterRef("pk"), reporter=moderator)
    return decided_by(moderator).filter(~Exists(own), ~Exists(seats), ~Exists(gone))


def may_take_over(visitor: Visitor, game: Game, seats: Iterable[Seat]) -> bool:
    """Whether *visitor*, who may see *game*, may take over one of its *seats* that is offered: a person who
    does not sit there."""
    if not visitor.is_authenticated or visitor.is_bot or game.status != Status.PLAYING:
        return False
    if any(seat.player_id == visitor.pk for seat in seats) or is_sealed(visitor, game):
        return False
    return game.visibility != Visibility.PRIVATE or is_invited(visitor, game)


def speaks_in(visitor: Visitor, game: Game, *, seated: bool) -> Room | None:
    """Where *visitor*, who may see *game*, may talk: players at their table, other people among the
    spectators. There are no spectators before the game begins, and strangers don't talk."""
    if seated:
        return Room.TABLE
    if not visitor.is_authenticated or visitor.is_bot or game.started is None:
        return None
    return Room.GALLERY


def hears(game: Game, *, seated: bool) -> tuple[Room, ...]:
    """What is to be heard: whoever sees the game hears its table, and the page says so. What spectators say
    the players hear when the game is over, for it may help one of them."""
    if game.started is None or (seated and not game.ended):
        return (Room.TABLE,)
    return (Room.TABLE, Room.GALLERY)
