"""The page on which a player makes proposals in a running game, or gives an opponent more time."""

from __future__ import annotations

from typing import Any

from games.pages.parts.game_actions import build_game_actions
from games.pages.scene import Scene
from games.play.claims import MOST_DAYS, find_seats_given_time
from games.play.offers import may_abort
from games.play.undo import find_last_turn
from games.selectors.moves import load_recent_moves


def build_context(scene: Scene) -> dict[str, Any]:
    """Build the template context for the viewer of *scene*, who plays in it."""
    had = find_seats_given_time(scene.game)
    return {
        "game": scene.game,
        "at_table": build_game_actions(scene, load_recent_moves(scene.game)),
        "may_take_back": scene.me is not None and find_last_turn(scene.game, scene.me.index) is not None,
        "may_abort": may_abort(scene.game, scene.state),
        "givable": [  # opponents who may be given time
            (seat.index, scene.names[seat.index])
            for seat in scene.seats
            if seat != scene.me and seat.played_by_person and seat.index not in had
        ],
        "days": range(1, MOST_DAYS + 1),
    }
