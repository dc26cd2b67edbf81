"""The contents of a mail in the active language: its subject, its template context, and its pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.cache import caches
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.drawing.palette import SEATS
from games.drawing.picture import Window, choose_close_up, render_board_png, render_tile_png
from games.models import Notice, Seat, SeatState
from games.notices import notice_facts, reply_options, time_left
from games.pages.parts.seats import format_hand, format_quarters, list_holdings, list_other_figures
from games.pages.parts.story import Story, build_final_scoring, build_story
from games.pages.scene import Scene
from games.pages.scene.picture import build_board_picture
from games.pages.turn import decision
from games.rules.tiles import FOLLOWER
from games.selectors.moves import load_recent_moves
from games.words import describe_tile
from games.words.decisions import format_question

if TYPE_CHECKING:
    from games.drawing.board import BoardPicture, Mark
    from games.rules import State

BOARD_WIDTH, TILE_WIDTH = 900, 160
LARGEST = 140  # pixels to a tile of the board, so that one with few tiles leaves room for the words


class NothingToTell(Exception):
    """The notice is no longer relevant."""


LetterPictures = Mapping[str, tuple[bytes, str]]
"""PNG and description by name."""


@dataclass(frozen=True)
class NoticeLetter:
    """The contents of a mail. *draw_pictures* is called only if a mail shows them. *thread* groups it with
    other mails, if not by its game.

    *reply_to* is the address for replies, if there is one. *answers* is the Message-ID of the mail that it
    answers.
    """

    subject: str
    context: dict[str, Any]
    draw_pictures: Callable[[], LetterPictures] = dict
    thread: str = ""
    reply_to: str = ""
    answers: str = ""

    @cached_property
    def pictures(self) -> LetterPictures:
        """The pictures, drawn on first use."""
        return self.draw_pictures()


@dataclass(frozen=True)
class ScoreLine:
    """A line of the score table."""

    name: str
    colour: str  # of the figures, as CSS writes it
    score: int
    rank: int | None
    remark: str  # reason why the seat plays no more
    in_hand: str  # figures, cards, goods, tiles that all may see; nothing where the seat plays no more

    @property
    def text(self) -> str:
        """The whole line, for a mail without a table."""
        rank = f"{self.rank}. " if self.rank else ""
        note = self.remark or self.in_hand
        return f"{rank}{self.name}: {self.score}" + (f" ({note})" if note else "")


def write_own_turn_letter(notice: Notice) -> NoticeLetter:
    """Write to the player whose turn it is."""
    game, scene = notice.of_game, load_scene(notice)
    letter = write_turn_letter(
        notice, scene, time_left.format_subject(game, to_answer=bool(format_question(scene.state)))
    )
    letter.context["begins"] = _tells_first(notice, scene)
    return letter


def _tells_first(notice: Notice, scene: Scene) -> bool:
    """Return whether the reader has neither played nor been notified before that the game has started."""
    if notice_facts.load_facts(notice).told_before:
        return False
    me, game = scene.me, notice.of_game
    if me is None or any(move["seat"] == me.index and move["ply"] for move in load_recent_moves(game)):
        return False
    return not game.moves.filter(seat=me.index, ply__isnull=False).exists()


def write_reminder_letter(notice: Notice) -> NoticeLetter:
    """Write to the player whose turn it still is."""
    game, scene = notice.of_game, load_scene(notice)
    to_answer = bool(format_question(scene.state))
    subject = time_left.format_reminder_subject(game, to_answer=to_answer, now=timezone.now())
    nudged_by = time_left.find_nudger(notice, scene)
    if nudged_by:
        subject = _("{player} is waiting for you in {game}").format(player=nudged_by, game=game.name)
    letter = write_turn_letter(notice, scene, subject)
    letter.context["nudged_by"] = nudged_by
    return letter


def write_turn_letter(notice: Notice, scene: Scene, subject: str) -> NoticeLetter:
    """Write a letter with the board, recent events, and the tile in hand or the decision."""
    state = scene.state
    happened, story = build_story_context(scene, notice)
    tiles = state.playable
    options = reply_options.build_reply_options(scene)
    context = build_game_context(scene) | {
        **story,
        "options": options,
        "tile": describe_tile(tiles[0]) if len(tiles) == 1 else "",
        "hand": [describe_tile(tile) for tile in tiles] if len(tiles) > 1 else [],
        "question": None,
        "last_turn": state.is_last_turn,
        "plans": scene.plan_notes,
        **time_left.build_deadline_context(scene),
    }
    if format_question(state) and scene.me is not None and scene.me.index == state.decision.seat:
        context["question"] = decision.build_question(scene.played, scene.names)

    def draw() -> LetterPictures:
        pictures = draw_boards(scene, happened, options.marks if options else ())
        for number, tile in enumerate(tiles):
            name = f"tile{number}" if number else "tile"
            lettered = options.show_letters(tile) if options else None
            pictures[name] = (
                render_tile_png(tile, width=TILE_WIDTH, candidate=lettered),
                _("One of your tiles"),
            )
        return pictures

    return NoticeLetter(subject, context, draw, reply_to=reply_options.choose_reply_address(scene))


def write_game_letter(notice: Notice, scene: Scene, subject: str) -> NoticeLetter:
    """Write a letter with the board and recent events, for a reader who is not on turn."""
    happened, story = build_story_context(scene, notice)
    context = build_game_context(scene) | story | {"options": reply_options.build_reply_options(scene)}
    reply_to = reply_options.choose_reply_address(scene)
    return NoticeLetter(subject, context, lambda: draw_boards(scene, happened), reply_to=reply_to)


def write_start_letter(notice: Notice) -> NoticeLetter:
    """Write to a player who waits for the others."""
    game, scene = notice.of_game, load_scene(notice)
    awaited = "" if game.awaited is None else scene.names[game.awaited]
    options = reply_options.build_reply_options(scene)
    context = build_game_context(scene) | {"awaited": awaited, "options": options}
    subject = _("{game} has started").format(game=game.name)
    reply_to = reply_options.choose_reply_address(scene)
    return NoticeLetter(subject, context, lambda: draw_boards(scene), reply_to=reply_to)


def load_scene(notice: Notice) -> Scene:
    """Return the scene of the game for the reader of *notice*, who plays in it."""
    assert notice.recipient is not None
    game = notice.of_game
    known = notice_facts.load_facts(notice)
    return Scene(
        game,
        notice.recipient,
        known.seats,
        game.version,
        planned=known.planned,
        known_contest=known.contest,
    )


def build_story_context(scene: Scene, notice: Notice) -> tuple[Story, dict[str, Any]]:
    """Return the story since the reader last looked or played, and its template context."""
    seen = notice_facts.load_facts(notice).seen
    recent = load_recent_moves(scene.game, seen)
    happened = build_story(scene, recent, seen)
    return happened, {
        "happened": happened,
        "changes": [(SEATS[change.look].colour, change) for change in happened.changes],
        "turns": [("" if entry.look is None else SEATS[entry.look].colour, entry) for entry in happened.told],
        "ending": build_final_scoring(scene, recent),
        "play_url": settings.SITE_URL + happened.play_url if happened.play_url else "",
    }


def build_game_context(scene: Scene) -> dict[str, Any]:
    """Return the template context that mails about a running or finished game share."""
    state = scene.state
    remarks = {
        SeatState.RESIGNED.value: _("resigned"),
        SeatState.TIMED_OUT.value: _("lost on time"),
        SeatState.OFFERED.value: _("the bot is standing in"),
        SeatState.REPLACED.value: _("replaced by the house bot"),
    }
    return {
        "board_url": settings.SITE_URL + (scene.urls.table if scene.open_to_viewer else ""),
        "board_shown": scene.open_to_viewer,
        "tiles_left": state.left,
        "quarters": format_quarters(scene),
        "standings": [
            ScoreLine(
                name,
                SEATS[seat.look].colour,
                seat.score,
                seat.counted_rank,
                remarks.get(seat.state, ""),
                "" if scene.game.ended or seat.state in remarks else _in_hand(state, seat),
            )
            for name, seat in zip(scene.names, scene.seats, strict=True)
        ],
        "hard_end": time_left.describe_places_at_hard_end(scene),
    }


def _in_hand(state: State, seat: Seat) -> str:
    meeples = state.supply[seat.index].get(FOLLOWER, 0)
    said = [ngettext("{n} meeple in hand", "{n} meeples in hand", meeples).format(n=meeples)]
    said += [
        other.name
        if other.number == 1
        else pgettext("number and figure", "{n} × {figure}").format(n=other.number, figure=other.name)
        for other in list_other_figures(state, seat)
    ]
    said += list_holdings(state, seat.index)
    held = [tile for tile in (state.hands[seat.index] if state.hands else ()) if tile is not None]
    if held:
        said.append(format_hand([describe_tile(tile) for tile in held]))
    return "; ".join(said)


def draw_boards(
    scene: Scene, happened: Story | None = None, marks: tuple[Mark, ...] = ()
) -> dict[str, tuple[bytes, str]]:
    """Draw the board with the placements of the story outlined and the *marks*; of a wide board also a
    close-up. Each has a text alternative."""
    last = happened.placements if happened else ()
    picture = build_board_picture(scene.state, scene.seats, last=last, marks=marks)
    pictures = {"board": (_draw_once(scene, picture, last), _("The board"))}
    if window := choose_close_up(picture, last):
        close_up = _draw_once(scene, picture, last, window)
        pictures["close_up"] = close_up, _("The board around the latest turns")
    return pictures


def _draw_once(
    scene: Scene, picture: BoardPicture, last: tuple[tuple[int, int, int], ...], window: Window | None = None
) -> bytes:
    """Render *picture* as PNG, cached for all mails that show the same: the key has all that is visible."""
    pictures = caches["pictures"]
    marks = [(mark.x, mark.y, mark.text) for mark in picture.marks]
    seen = "mail", scene.game.code, scene.version, scene.looks, last, BOARD_WIDTH, LARGEST, window, marks
    key = sha256(repr(seen).encode()).hexdigest()
    png: bytes | None = pictures.get(key)
    if png is None:
        png = render_board_png(picture, width=BOARD_WIDTH, largest=LARGEST, window=window)
        pictures.set(key, png)
    return png
