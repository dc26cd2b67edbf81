"""What a mail says: its subject, the facts for its template, its pictures. In the language that is active."""

from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import words, words_rules
from games.drawing.palette import SEATS
from games.drawing.picture import board_png, tile_png
from games.models import Game, Kind, Move, Notice, Seat, SeatState
from games.names import seat_names
from games.pictures import board_picture
from games.positions import position
from games.rules import Drawn, LastTurnPlayed, Placed, Scored, State, TurnPassed, event_from_json
from games.textboard import tile_words

BOARD_WIDTH, TILE_WIDTH = 900, 160
UNTOLD = (Drawn, TurnPassed, LastTurnPlayed)  # the mail says these in other words


@dataclass(frozen=True)
class Letter:
    """*pictures*: PNG and description by name."""

    subject: str
    context: dict[str, Any]
    pictures: dict[str, tuple[bytes, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Standing:
    """A line of the score table."""

    name: str
    colour: str  # of the figures, as CSS writes it
    score: int
    meeples: int
    rank: int | None
    remark: str


def letter(notice: Notice) -> Letter:
    """What the mail of *notice* says, as things stand now."""
    return _LETTERS[Kind(notice.kind)](notice)


def _your_turn(notice: Notice) -> Letter:
    game = notice.game
    subject = ngettext(
        "Your turn in {game} – {n} day to move", "Your turn in {game} – {n} days to move", game.days_per_move
    ).format(game=game.name, n=game.days_per_move)
    return _turn(notice, subject)


def _reminder(notice: Notice) -> Letter:
    return _turn(notice, _("Still your turn in {game}").format(game=notice.game.name))


def _turn(notice: Notice, subject: str) -> Letter:
    """The board, what happened since the reader's last turn, and the tile in hand."""
    game = notice.game
    seats = _seats(game)
    me = _seat_of(notice, seats)
    state = position(game).state
    since = game.moves.filter(seat=me.index, ply__isnull=False, withdrawn=None).order_by("-version").first()
    moves = _moves_after(game, since.version if since else 0)
    context = _about_game(game, seats, state) | {
        "happened": sentences(moves, seats),
        "first_turn": since is None,
        "tile": tile_words(state.drawn) if state.drawn else "",
        "deadline": game.deadline,
    }
    pictures = {"board": _board(state, seats, moves)}
    if state.drawn:
        pictures["tile"] = tile_png(state.drawn, width=TILE_WIDTH), _("The tile you drew")
    return Letter(subject, context, pictures)


def _started(notice: Notice) -> Letter:
    game = notice.game
    seats = _seats(game)
    state = position(game).state
    context = _about_game(game, seats, state) | {"awaited": _awaited(game, seats)}
    return Letter(_("{game} has begun").format(game=game.name), context, {"board": _board(state, seats, [])})


def _game_over(notice: Notice) -> Letter:
    game = notice.game
    seats = _seats(game)
    me = _seat_of(notice, seats)
    state = position(game).state
    since = game.moves.filter(seat=me.index, ply__isnull=False, withdrawn=None).order_by("-version").first()
    moves = _moves_after(game, since.version if since else 0)
    names = seat_names(seats)
    context = _about_game(game, seats, state) | {
        "happened": sentences(moves, seats),
        "winners": [names[seat.index] for seat in seats if seat.rank == 1],
        "me": me,
    }
    context["standings"].sort(key=lambda line: line.rank or 0)
    return Letter(_("{game} is over").format(game=game.name), context, {"board": _board(state, seats, moves)})


def _invitation(notice: Notice) -> Letter:
    game, invitation = notice.game, notice.invitation
    assert invitation is not None
    seats = _seats(game)
    names = seat_names(seats)
    context = {
        "inviter": invitation.inviter.username,
        "seated": [names[seat.index] for seat in seats if not seat.free],
        "rules": words_rules.brief(game.rules),
        "board_url": settings.SITE_URL + reverse("games:invitation", args=[invitation.token]),
    }
    subject = _("{player} invites you to a game of Carcassonne: {game}")
    return Letter(subject.format(player=invitation.inviter.username, game=game.name), context)


_LETTERS = {
    Kind.YOUR_TURN: _your_turn,
    Kind.REMINDER: _reminder,
    Kind.STARTED: _started,
    Kind.GAME_OVER: _game_over,
    Kind.INVITATION: _invitation,
}


def sentences(moves: list[Move], seats: list[Seat]) -> list[str]:
    """What came of *moves*, in words."""
    names = seat_names(seats)
    told = []
    for move in moves:
        if move.seat is not None and move.action["type"] == "resign":
            told.append(_("{player} resigned.").format(player=names[move.seat]))
        elif move.seat is not None and move.action["type"] == "time_out":
            told.append(_("{player} lost on time.").format(player=names[move.seat]))
        for stored in move.events:
            event = event_from_json(stored)
            if isinstance(event, Scored) and not event.points:
                continue
            if not isinstance(event, UNTOLD):
                told.append(words.event_sentence(event, names))
    return told


def _seats(game: Game) -> list[Seat]:
    return list(game.seats.select_related("player").order_by("index"))


def _seat_of(notice: Notice, seats: list[Seat]) -> Seat:
    return next(seat for seat in seats if seat.player_id == notice.recipient_id)


def _awaited(game: Game, seats: list[Seat]) -> str:
    return "" if game.awaited is None else seat_names(seats)[game.awaited]


def _moves_after(game: Game, version: int) -> list[Move]:
    return list(game.moves.filter(version__gt=version, withdrawn=None).order_by("version"))


def _about_game(game: Game, seats: list[Seat], state: State) -> dict[str, Any]:
    remarks = {
        SeatState.RESIGNED.value: _("resigned"),
        SeatState.TIMED_OUT.value: _("lost on time"),
    }
    return {
        "board_url": settings.SITE_URL + reverse("games:table", args=[game.code]),
        "tiles_left": state.left,
        "standings": [
            Standing(
                name,
                SEATS[seat.look].colour,
                state.scores[seat.index],
                sum(state.supply[seat.index].values()),
                seat.rank,
                remarks.get(seat.state, ""),
            )
            for name, seat in zip(seat_names(seats), seats, strict=True)
        ],
    }


def _board(state: State, seats: list[Seat], moves: list[Move]) -> tuple[bytes, str]:
    """The board with the placements of *moves* outlined, and what to say where pictures aren't shown."""
    events = [event_from_json(stored) for move in moves for stored in move.events]
    last = [(event.x, event.y, event.seat) for event in events if isinstance(event, Placed)]
    return board_png(board_picture(state, seats, last=last), width=BOARD_WIDTH), _("The board")
