"""The possible replies to a mail about a game, as the mail lists them, and the reply address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _

from games import words
from games.access import is_on_turn
from games.drawing.board import CandidateSpot, CandidateTile, Mark
from games.notices.reply_address import ReplyToken, build_reply_address
from games.pages.scene import Scene
from games.pages.text.board import format_rotation, name_tile
from games.pages.turn.decision import AnswerLine, build_question
from games.rules import get_tile
from games.rules.geometry import ROTATIONS
from games.rules.notation import write
from games.rules.short_form import NumberedSpace, ShortForm, get_rotation_letter, list_spots
from games.rules.tiles import FOLLOWER
from games.words.decisions import format_question


class SpaceLine(NamedTuple):
    """A space that a turn may be played on: its number, where it is, and the letters that rotate the tile."""

    number: int
    place: str
    letters: str


@dataclass(frozen=True, slots=True)
class ReplyOptions:
    """The possible replies to a mail: turns in the short form or in full, or *answers* to a decision; and
    ``commands``. Readers who are not on turn only have those."""

    seat_colour: int = 0
    spaces: tuple[SpaceLine, ...] = ()
    places_meeples: bool = False  # whether a meeple that has letters is in hand
    letters: tuple[str, ...] = ()  # letters to rotate the tile, and a line for the spots of each tile in hand
    example: str = ""
    in_full: str = ""
    answers: tuple[AnswerLine, ...] = ()
    marks: tuple[Mark, ...] = ()  # the numbers, on the board

    @property
    def commands(self) -> str:
        """The commands, with what to write after them."""
        text = _("(your text)")
        return f"status, talk {text}, note {text}, undo, resign"

    def show_letters(self, id: str) -> CandidateTile | None:
        """Return the tile *id* with the letters of its spots; ``None`` if the reader can't use them."""
        if not self.places_meeples:
            return None
        spots = tuple(CandidateSpot(spot.on, spot.side, "", "", text=spot.letter) for spot in list_spots(id))
        return CandidateTile(id, 0, 0, 0, self.seat_colour, spots=spots)


def build_reply_options(scene: Scene) -> ReplyOptions | None:
    """Build the possible replies of the viewer of *scene*; ``None`` if the site takes no replies, or for
    viewers who don't play."""
    if not settings.REPLY_DOMAIN or scene.me is None:
        return None
    if not is_on_turn(scene.me, scene.game) or scene.game.settles is not None:
        return ReplyOptions()
    if format_question(scene.state):
        return ReplyOptions(answers=build_question(scene.played, scene.names).answers)
    return _build_turns(scene, scene.looks[scene.me.index])


def choose_reply_address(scene: Scene, *, confirms_resigning: bool = False) -> str:
    """Return the reply address for the viewer of *scene*; empty where :func:`build_reply_options` returns
    ``None``."""
    if scene.me is None or scene.me.player_id is None:
        return ""
    token = ReplyToken(scene.me.player_id, scene.game.pk, scene.version, confirms_resigning)
    return build_reply_address(token)


def _build_turns(scene: Scene, colour: int) -> ReplyOptions:
    legal = scene.played.legal_actions()
    spaces = ShortForm(legal).spaces
    if not spaces:
        return ReplyOptions()
    tiles = tuple(dict.fromkeys(legal.tiles))
    several = len(tiles) > 1
    first, turn = spaces[0], next(iter(legal))
    meeples = scene.me is not None and scene.state.supply[scene.me.index].get(FOLLOWER, 0) > 0
    spots = "".join(spot.letter for spot in list_spots(first.tile)) if meeples else ""
    return ReplyOptions(
        seat_colour=colour,
        spaces=tuple(_build_space_line(space, several=several) for space in spaces),
        places_meeples=meeples,
        letters=(
            _format_rotations(),
            *(_format_spots(id, several=several) for id in (tiles if meeples else ())),
        ),
        example=f"{first.number}{first.letters[0]} {spots[:1]}".strip(),
        in_full=write(turn, with_tile=several),
        marks=_build_marks(spaces),
    )


def _format_rotations() -> str:
    """Format the letters of rotations: "a: as shown; b: turned by 90°…"."""
    return "; ".join(
        f"{get_rotation_letter(rotation)}: {format_rotation(rotation)}" for rotation in ROTATIONS
    )


def _format_spots(id: str, *, several: bool) -> str:
    """Format the letters of a tile's spots: "k: city (north); l: road (east)…"."""
    lying = get_tile(id).at(0)
    said = "; ".join(
        f"{spot.letter}: {words.name_spot(spot.on, spot.side, lying)}" for spot in list_spots(id)
    )
    return f"{name_tile(id)}: {said}" if several else said


def _build_space_line(space: NumberedSpace, *, several: bool) -> SpaceLine:
    place = words.name_cell(space.x, space.y)
    if several:
        place = f"{space.tile}: {place}"
    return SpaceLine(space.number, place, ", ".join(space.letters))


def _build_marks(spaces: Sequence[NumberedSpace]) -> tuple[Mark, ...]:
    """Build the numbers of the spaces on the board; those of several tiles on a space share a line."""
    numbers: dict[tuple[int, int], list[str]] = {}
    for space in spaces:
        numbers.setdefault((space.x, space.y), []).append(str(space.number))
    return tuple(Mark(x, y, "", "", text=" ".join(numerals)) for (x, y), numerals in numbers.items())
