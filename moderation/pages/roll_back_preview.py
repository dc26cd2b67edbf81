"""A roll-back before it is done: the board as it is now, and as it would be."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.access import Visitor
from games.models import Game
from games.pages.history.ply import load_scene
from games.pages.scene.picture import draw_svg


class BoardThen(NamedTuple):
    """A board, and what stood on it."""

    title: str
    board: SafeString
    scores: tuple[tuple[str, int], ...]


def build_two_boards(game: Game, viewer: Visitor, ply: int) -> tuple[BoardThen, BoardThen]:
    """The board of *game* for *viewer* now, and after *ply*, which has been played; 0 is before any."""
    return (
        _board(game, viewer, None, _("Now, after turn {n}").format(n=game.ply)),
        _board(game, viewer, ply, _("After it, at turn {n}").format(n=ply)),
    )


def _board(game: Game, viewer: Visitor, ply: int | None, title: str) -> BoardThen:
    scene = load_scene(game, viewer, ply)
    return BoardThen(title, draw_svg(scene.picture), tuple(zip(scene.names, scene.state.scores, strict=True)))
