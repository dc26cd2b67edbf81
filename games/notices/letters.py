"""What a mail says: its subject, the facts for its template, its pictures. In the language that is active."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.cache import caches
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.drawing.board import BoardPicture
from games.drawing.palette import SEATS
from games.drawing.picture import Window, board_png, choose_close_up, tile_png
from games.models import Kind, Notice, Seat, SeatState
from games.notices import reading, time_left
from games.pages.parts.seats import hand_in_words, holdings, other_figures, quarters_in_words
from games.pages.parts.story import Story, final_scoring, result, story
from games.pages.scene import Scene
from games.pages.scene.picture import board_picture
from games.pages.turn import decision
from games.rules.tiles import FOLLOWER
from games.selectors.moves import recent_moves
from games.words import tile_words
from games.words.decisions import asked

if TYPE_CHECKING:
    from games.rules import State

BOARD_WIDTH, TILE_WIDTH = 900, 160
LARGEST = 140  # pixels to a tile of the board, so that one with few tiles leaves room for the words


@dataclass(frozen=True)
class Letter:
    """*pictures*: PNG and description by name. *thread*: what mail programs show it with, if not its game."""

    subject: str
    context: dict[str, Any]
    pictures: dict[str, tuple[bytes, str]] = field(default_factory=dict)
    thread: str = ""


@dataclass(frozen=True)
class ScoreLine:
    """A line of the score table."""

    name: str
    colour: str  # of the figures, as CSS writes it
    score: int
    rank: int | None
    remark: str  # why the seat plays no more
    in_hand: str  # figures, cards, goods, tiles that all may see; nothing where the seat plays no more

    @property
    def text(self) -> str:
        """The whole line, for a mail without a table."""
        rank = f"{self.rank}. " if self.rank else ""
        note = self.remark or self.in_hand
        return f"{rank}{self.name}: {self.score}" + (f" ({note})" if note else "")


def letter(notice: Notice) -> Letter:
    """What the mail of *notice* says, as things stand now."""
    return _LETTERS[Kind(notice.kind)](notice)


def _your_turn(notice: Notice) -> Letter:
    game, scene = notice.of_game, scene_of(notice)
    letter = turn_letter(notice, scene, time_left.subject(game, to_answer=bool(asked(scene.state))))
    letter.context["begins"] = _tells_first(notice, scene)
    return letter


def _tells_first(notice: Notice, scene: Scene) -> bool:
    """Whether the reader has neither played nor been told by another mail that the game has begun."""
    if reading.facts(notice).told_before:
        return False
    me, game = scene.me, notice.of_game
    if me is None or any(move["seat"] == me.index and move["ply"] for move in recent_moves(game)):
        return False
    return not game.moves.filter(seat=me.index, ply__isnull=False).exists()


def _reminder(notice: Notice) -> Letter:
    game, scene = notice.of_game, scene_of(notice)
    to_answer = bool(asked(scene.state))
    subject = time_left.reminder_subject(game, to_answer=to_answer, now=timezone.now())
    return turn_letter(notice, scene, subject)


def turn_letter(notice: Notice, scene: Scene, subject: str) -> Letter:
    """The board, what happened since the reader last knew, and the tile in hand, or what is asked."""
    state = scene.state
    happened, told = _story(scene, notice)
    tiles = state.playable
    context = about_game(scene) | {
        **told,
        "tile": tile_words(tiles[0]) if len(tiles) == 1 else "",
        "hand": [tile_words(tile) for tile in tiles] if len(tiles) > 1 else [],
        "question": None,
        "plans": scene.plan_notes,
        **time_left.told(scene),
    }
    if asked(state) and scene.me is not None and scene.me.index == state.decision.seat:
        context["question"] = decision.question(scene.played, scene.names)
    pictures = _draw_boards(scene, happened)
    for number, tile in enumerate(tiles):
        name = f"tile{number}" if number else "tile"
        pictures[name] = tile_png(tile, width=TILE_WIDTH), _("A tile of yours")
    return Letter(subject, context, pictures)


def _started(notice: Notice) -> Letter:
    game, scene = notice.of_game, scene_of(notice)
    awaited = "" if game.awaited is None else scene.names[game.awaited]
    context = about_game(scene) | {"awaited": awaited}
    return Letter(_("{game} has started").format(game=game.name), context, _draw_boards(scene))


def _game_over(notice: Notice) -> Letter:
    game, scene = notice.of_game, scene_of(notice)
    happened, told = _story(scene, notice)
    context = about_game(scene) | {
        **told,
        "end_url": settings.SITE_URL + scene.urls.end,
        "ended": result(scene),
        "winners": [scene.names[seat.index] for seat in scene.seats if seat.rank == 1],
        "me": scene.me,
    }
    context["standings"].sort(key=lambda line: line.rank or 0)
    return Letter(_("{game} is over").format(game=game.name), context, _draw_boards(scene, happened))


_LETTERS = {
    Kind.YOUR_TURN: _your_turn,
    Kind.REMINDER: _reminder,
    Kind.STARTED: _started,
    Kind.GAME_OVER: _game_over,
}


def scene_of(notice: Notice) -> Scene:
    """The game as the reader of *notice*, who plays in it, may see it."""
    assert notice.recipient is not None
    game = notice.of_game
    known = reading.facts(notice)
    return Scene(game, notice.recipient, known.seats, game.version, planned=known.planned)


def _story(scene: Scene, notice: Notice) -> tuple[Story, dict[str, Any]]:
    """What happened since the reader last looked or played, and the same for a template."""
    seen = reading.facts(notice).seen
    recent = recent_moves(scene.game, seen)
    happened = story(scene, recent, seen)
    return happened, {
        "happened": happened,
        "changes": [(SEATS[one.look].colour, one) for one in happened.changes],
        "turns": [("" if one.look is None else SEATS[one.look].colour, one) for one in happened.told],
        "ending": final_scoring(scene, recent),
        "play_url": settings.SITE_URL + happened.play_url if happened.play_url else "",
    }


def about_game(scene: Scene) -> dict[str, Any]:
    """What the mails about a game that has begun have in common."""
    state = scene.state
    remarks = {
        SeatState.RESIGNED.value: _("resigned"),
        SeatState.TIMED_OUT.value: _("lost on time"),
        SeatState.OFFERED.value: _("the bot is standing in"),
        SeatState.REPLACED.value: _("replaced by the house bot"),
    }
    return {
        "board_url": settings.SITE_URL + scene.urls.table,
        "tiles_left": state.left,
        "quarters": quarters_in_words(scene),
        "standings": [
            ScoreLine(
                name,
                SEATS[seat.look].colour,
                seat.score,
                seat.rank,
                remarks.get(seat.state, ""),
                "" if scene.game.ended or seat.state in remarks else _in_hand(state, seat),
            )
            for name, seat in zip(scene.names, scene.seats, strict=True)
        ],
    }


def _in_hand(state: State, seat: Seat) -> str:
    meeples = state.supply[seat.index].get(FOLLOWER, 0)
    said = [ngettext("{n} meeple in hand", "{n} meeples in hand", meeples).format(n=meeples)]
    said += [
        other.name
        if other.number == 1
        else pgettext("number and figure", "{n} × {figure}").format(n=other.number, figure=other.name)
        for other in other_figures(state, seat)
    ]
    said += holdings(state, seat.index)
    held = [tile for tile in (state.hands[seat.index] if state.hands else ()) if tile is not None]
    if held:
        said.append(hand_in_words([tile_words(tile) for tile in held]))
    return "; ".join(said)


def _draw_boards(scene: Scene, happened: Story | None = None) -> dict[str, tuple[bytes, str]]:
    """The board with the tiles outlined that are told of, and of a wide one what lies round these besides;
    each with what to say where pictures aren't shown."""
    last = happened.placements if happened else ()
    picture = board_picture(scene.state, scene.seats, last=last)
    found = {"board": (_draw_once(scene, picture, last), _("The board"))}
    if window := choose_close_up(picture, last):
        found["close_up"] = _draw_once(scene, picture, last, window), _("The board round the last turns")
    return found


def _draw_once(
    scene: Scene, picture: BoardPicture, last: tuple[tuple[int, int, int], ...], window: Window | None = None
) -> bytes:
    """*picture* as PNG, drawn once for all mails that show the same: the key names all that can be seen."""
    pictures = caches["pictures"]
    seen = "mail", scene.game.code, scene.version, scene.looks, last, BOARD_WIDTH, LARGEST, window
    key = sha256(repr(seen).encode()).hexdigest()
    png: bytes | None = pictures.get(key)
    if png is None:
        png = board_png(picture, width=BOARD_WIDTH, largest=LARGEST, window=window)
        pictures.set(key, png)
    return png
