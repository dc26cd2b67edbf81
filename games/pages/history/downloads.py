"""Downloads of a game: its record as JSON and as lines, and its board as a picture."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _

from games import rules
from games.drawing.board import BoardPicture, find_sprite_name
from games.models import Game, Seat
from games.pages.parts.story import list_last_placements
from games.pages.parts.thumbnails import build_unnamed_picture
from games.pages.scene.picture import build_board_picture
from games.play.positions import load_position_at
from games.rules import notation
from games.rules.records import record
from games.rules.tiles import list_sets_with_tiles
from games.selectors.moves import FIELDS, Stored
from games.selectors.seats import list_seat_names, load_seats_of
from games.words.acts import ACTS


class Kept(NamedTuple):
    """A board to be drawn, and a cache *key* for the picture."""

    key: tuple[Any, ...]
    picture: Callable[[], BoardPicture]


def build_context(game: Game) -> dict[str, Any]:
    """Build the template context of the page of *game*, which has begun."""
    seats, moves = load_seats_of(game), moves_of(game)
    return {
        "game": game,
        "lines": _lines(game, moves, seats),
        "json": json.dumps(_record(game, moves, seats), ensure_ascii=False, separators=(",", ":")),
    }


def moves_of(game: Game) -> list[Stored]:
    """Every move of *game*, oldest first."""
    return list(game.moves.in_force().order_by("version").values(*FIELDS))


def build_record(game: Game) -> dict[str, Any]:
    """Return the record of *game* so far, without the tiles still to be drawn."""
    return _record(game, moves_of(game), load_seats_of(game))


def _record(game: Game, moves: Sequence[Stored], seats: Sequence[Seat]) -> dict[str, Any]:
    played = [
        rules.Played(
            rules.action_from_json(move["action"]), tuple(map(rules.event_from_json, move["events"]))
        )
        for move in moves
        if move["action"]["type"] not in ACTS
    ]
    final = any(isinstance(ply.action, rules.Final) for ply in played)
    return record.write(game.rules, list_seat_names(seats), played, final=final)


def _lines(game: Game, moves: Sequence[Stored], seats: Sequence[Seat]) -> str:
    names = list_seat_names(seats)
    head = [
        game.name,
        settings.SITE_URL + game.get_absolute_url(),
        f"{game.started:%Y-%m-%d}",
        f"{game.rules.edition}: {', '.join(game.rules.sets)}",
    ]
    plies = [
        f"{move['ply']}. {names[move['seat']]}: "
        + notation.write(rules.action_from_json(move["action"]), with_tile=True)
        for move in moves
        if move["ply"]
    ]
    scores = [f"{name}: {seat.score}" for name, seat in zip(names, seats, strict=True)]
    return "\n".join([*head, "", *plies, "", *scores, ""])


def build_board_at(game: Game, ply: int | None = None) -> Kept:
    """The board of *game* after *ply*, which has been played, or as it stands now."""
    seats = load_seats_of(game)
    shown = game.ply if ply is None else ply
    move = game.moves.in_force().filter(ply=shown).values(*FIELDS).first() if shown else None
    version = game.version if ply is None else move["version"] if move else 0
    looks = tuple((seat.look, name) for seat, name in zip(seats, list_seat_names(seats), strict=True))
    sprites = tuple(find_sprite_name(name) for name in list_sets_with_tiles())

    def picture() -> BoardPicture:
        return build_board_picture(
            load_position_at(game, version).state,
            seats,
            last=list_last_placements([move] if move else [], 1),
            title=_("The board of {game}").format(game=game.name),
            margin=0.35,
        )

    return Kept((game.code, game.name, version, looks, sprites), picture)


def build_preview(game: Game, version: int) -> Kept:
    """The board of *game* after its move called *version*, for links on other sites: without names."""
    looks = tuple(seat.look for seat in load_seats_of(game))

    def picture() -> BoardPicture:
        return build_unnamed_picture(load_position_at(game, version).state, looks)

    return Kept(("preview", game.code, version, looks), picture)
