"""What a mail says: its subject, the facts for its template, its pictures. In the language that is active."""

from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import questions, words, words_rules
from games.drawing.palette import SEATS
from games.drawing.picture import board_png, tile_png
from games.holdings import holdings, other_figures, quarters_in_words
from games.models import Game as GameRow
from games.models import Kind, Move, Notice, Seat, SeatState
from games.names import seat_names
from games.pictures import board_picture
from games.positions import position
from games.rules import Game, Placed, State, event_from_json, view
from games.rules.tiles import FOLLOWER
from games.stories import answered, tells
from games.textboard import tile_words

BOARD_WIDTH, TILE_WIDTH = 900, 160


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
    meeples: int  # followers in hand
    besides: str  # other figures in hand, cards, goods, tiles that all may see
    rank: int | None
    remark: str


def letter(notice: Notice) -> Letter:
    """What the mail of *notice* says, as things stand now."""
    return _LETTERS[Kind(notice.kind)](notice)


def _your_turn(notice: Notice) -> Letter:
    game = notice.game
    if questions.asked(position(game).state):
        subject = ngettext(
            "You are asked in {game} – {n} day to answer",
            "You are asked in {game} – {n} days to answer",
            game.days_per_move,
        )
    else:
        subject = ngettext(
            "Your turn in {game} – {n} day to move",
            "Your turn in {game} – {n} days to move",
            game.days_per_move,
        )
    return _turn(notice, subject.format(game=game.name, n=game.days_per_move))


def _reminder(notice: Notice) -> Letter:
    game = notice.game
    if questions.asked(position(game).state):
        return _turn(notice, _("Your answer is still awaited in {game}").format(game=game.name))
    return _turn(notice, _("Still your turn in {game}").format(game=game.name))


def _turn(notice: Notice, subject: str) -> Letter:
    """The board, what happened since the reader's last turn, and the tile in hand, or what is asked."""
    game = notice.game
    seats = _seats(game)
    me = _seat_of(notice, seats)
    state = view(position(game).state, me.index)
    since = game.moves.filter(seat=me.index, ply__isnull=False, withdrawn=None).order_by("-version").first()
    moves = _moves_after(game, since.version if since else 0)
    tiles = state.playable
    context = _about_game(game, seats, state) | {
        "happened": sentences(moves, seats),
        "first_turn": since is None,
        "tile": tile_words(tiles[0]) if len(tiles) == 1 else "",
        "hand": [tile_words(tile) for tile in tiles] if len(tiles) > 1 else [],
        "question": None,
        "deadline": game.deadline,
    }
    if questions.asked(state) and me.index == state.decision.seat:
        context["question"] = questions.question(Game(state), seat_names(seats))
    pictures = {"board": _board(state, seats, moves)}
    for number, tile in enumerate(tiles):
        name = f"tile{number}" if number else "tile"
        pictures[name] = tile_png(tile, width=TILE_WIDTH), _("A tile of yours")
    return Letter(subject, context, pictures)


def _started(notice: Notice) -> Letter:
    game = notice.game
    seats = _seats(game)
    state = view(position(game).state, _seat_of(notice, seats).index)
    context = _about_game(game, seats, state) | {"awaited": _awaited(game, seats)}
    return Letter(_("{game} has begun").format(game=game.name), context, {"board": _board(state, seats, [])})


def _game_over(notice: Notice) -> Letter:
    game = notice.game
    seats = _seats(game)
    me = _seat_of(notice, seats)
    state = view(position(game).state, me.index)
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
            if tells(event):
                told.append(words.event_sentence(event, names))
        if move.seat is not None:
            told += answered(move.action["type"], move.how, names[move.seat])
    return told


def _seats(game: GameRow) -> list[Seat]:
    return list(game.seats.select_related("player").order_by("index"))


def _seat_of(notice: Notice, seats: list[Seat]) -> Seat:
    return next(seat for seat in seats if seat.player_id == notice.recipient_id)


def _awaited(game: GameRow, seats: list[Seat]) -> str:
    return "" if game.awaited is None else seat_names(seats)[game.awaited]


def _moves_after(game: GameRow, version: int) -> list[Move]:
    return list(game.moves.filter(version__gt=version, withdrawn=None).order_by("version"))


def _about_game(game: GameRow, seats: list[Seat], state: State) -> dict[str, Any]:
    remarks = {
        SeatState.RESIGNED.value: _("resigned"),
        SeatState.TIMED_OUT.value: _("lost on time"),
    }
    return {
        "board_url": settings.SITE_URL + reverse("games:table", args=[game.code]),
        "tiles_left": state.left,
        "quarters": quarters_in_words(state, seats),
        "standings": [
            Standing(
                name,
                SEATS[seat.look].colour,
                state.scores[seat.index],
                state.supply[seat.index].get(FOLLOWER, 0),
                _besides(state, seat),
                seat.rank,
                remarks.get(seat.state, ""),
            )
            for name, seat in zip(seat_names(seats), seats, strict=True)
        ],
    }


def _besides(state: State, seat: Seat) -> str:
    said = [
        other.name
        if other.number == 1
        else pgettext("number and figure", "{n} × {figure}").format(n=other.number, figure=other.name)
        for other in other_figures(state, seat)
    ]
    said += holdings(state, seat.index)
    held = [tile for tile in (state.hands[seat.index] if state.hands else ()) if tile is not None]
    if held:
        tiles = " / ".join(tile_words(tile) for tile in held)
        said.append(
            ngettext("holds the tile: {tiles}", "holds the tiles: {tiles}", len(held)).format(tiles=tiles)
        )
    return "; ".join(said)


def _board(state: State, seats: list[Seat], moves: list[Move]) -> tuple[bytes, str]:
    """The board with the placements of *moves* outlined, and what to say where pictures aren't shown."""
    events = [event_from_json(stored) for move in moves for stored in move.events]
    last = [(event.x, event.y, event.seat) for event in events if isinstance(event, Placed)]
    return board_png(board_picture(state, seats, last=last), width=BOARD_WIDTH), _("The board")
