"""The next game in which it is the viewer's turn."""

from __future__ import annotations

from typing import NamedTuple

from games.access import is_on_turn
from games.models import Game
from games.pages.scene import Scene
from games.selectors.waiting import find_following, load_waiting_games


class NextGame(NamedTuple):
    """The way from one board to the next."""

    game: Game | None  # another game in which it is the viewer's turn
    waiting: int | None  # number of games that wait for the viewer, if they sit here
    skips: bool  # whether going there leaves a turn for later


def find_next_game(scene: Scene) -> NextGame:
    """Return the next game in which it is the viewer's turn. One query; none without a seat here."""
    me = scene.me
    waiting = load_waiting_games(me.player) if me and me.player else []
    return NextGame(
        game=find_following(waiting, scene.game.code),
        waiting=len(waiting) if me and me.player else None,
        skips=is_on_turn(me, scene.game),
    )
