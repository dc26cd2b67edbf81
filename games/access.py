"""Who may see or do what."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404

from accounts.models import Player
from games.models import Answer, Game, Invitation, Seat, Status, Visibility

Visitor = Player | AnonymousUser


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
    """Everybody with the address sees a game that is public or by link; a private one those at the table."""
    if game.visibility != Visibility.PRIVATE:
        return True
    return seat_of(visitor, game) is not None or is_invited(visitor, game)


def game_or_404(visitor: Visitor, code: str) -> Game:
    """The game at this address. To strangers a private game is not there at all."""
    game = Game.objects.select_related("host", "rematch_of").filter(code=code).first()
    if game is None or not may_see(visitor, game):
        raise Http404
    return game


def listed(visitor: Visitor) -> QuerySet[Game]:
    """What lists may show to *visitor*: public games, and those at whose table they sit or are invited."""
    public = Q(visibility=Visibility.PUBLIC)
    if not visitor.is_authenticated:
        return Game.objects.filter(public)
    seats = Seat.objects.filter(game=OuterRef("pk"), player=visitor)
    invitations = Invitation.objects.filter(game=OuterRef("pk"), player=visitor, answer=Answer.PENDING)
    return Game.objects.filter(public | Q(Exists(seats)) | Q(Exists(invitations)))


def may_join(visitor: Visitor, game: Game) -> bool:
    """Whether *visitor* may sit down if there is a seat: ``tables.sit`` looks for one."""
    if not visitor.is_authenticated or visitor.is_bot or game.status != Status.OPEN:
        return False
    if seat_of(visitor, game) is not None:
        return False
    return game.visibility != Visibility.PRIVATE or is_invited(visitor, game)


def may_resign(visitor: Visitor, game: Game) -> bool:
    seat = seat_of(visitor, game)
    return game.status == Status.PLAYING and seat is not None and not seat.left


def may_talk(visitor: Visitor, game: Game) -> bool:
    """Players talk at their table, before, during and after the game."""
    return seat_of(visitor, game) is not None


def may_read_talk(visitor: Visitor, game: Game) -> bool:
    """Whoever sees the game hears its table; the page says so."""
    return may_see(visitor, game)
