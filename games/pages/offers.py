"""The page on which a player makes proposals in a running game, or gives an opponent more time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.pages.parts.game_actions import GameActions, build_game_actions
from games.pages.scene import Scene
from games.play.claims import MOST_DAYS, find_seats_given_time
from games.play.offers import may_abort
from games.play.undo import find_last_turn
from games.selectors.moves import load_recent_moves

if TYPE_CHECKING:
    from games.models import Game
    from games.pages.scene.addresses import Urls


@dataclass(frozen=True, slots=True)
class OffersPage:
    """The page of the viewer's proposals."""

    game: Game
    urls: Urls
    at_table: GameActions
    may_abort: bool
    may_take_back: bool  # with everybody's consent
    givable: tuple[tuple[int, str], ...]  # opponents who may be given time: seat and name
    days: range


def build_offers_page(scene: Scene) -> OffersPage:
    """Build the page for the viewer of *scene*, who plays in it."""
    had = find_seats_given_time(scene.game)
    givable = [
        (seat.index, scene.names[seat.index])
        for seat in scene.seats
        if seat != scene.me and seat.played_by_person and seat.index not in had
    ]
    return OffersPage(
        game=scene.game,
        urls=scene.urls,
        at_table=build_game_actions(scene, load_recent_moves(scene.game)),
        may_take_back=scene.me is not None and find_last_turn(scene.game, scene.me.index) is not None,
        may_abort=may_abort(scene.game, scene.state),
        givable=tuple(givable),
        days=range(1, MOST_DAYS + 1),
    )
