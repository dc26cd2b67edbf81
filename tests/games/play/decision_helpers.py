"""Games with the Count that ask seats which are not on turn."""

from typing import Any

from games.models import Game
from games.rules import RuleSet
from tests.games.factories import (
    bag_of,
    make_game,
    play_lines,
)

CREATOR_BEGINS = {"first_player": "creator"}


def make_count_game(*first: str, seats: int = 3, **settings: Any) -> Game:
    """Make a game with the Count, with known first tiles."""
    options = {**CREATOR_BEGINS, **settings.pop("options", {})}
    rules = RuleSet.of(sets=["base", "count"], seats=seats, options=options)
    return make_game(
        seats=seats, sets=["base", "count"], options=options, bag=bag_of(rules, *first), **settings
    )


def make_entering_game(**settings: Any) -> Game:
    """A game in which Bruno has completed Anna's road, and may enter: COUNT, example 3."""
    game = make_count_game("base.U", "base.A", "base.U", "base.A", **settings)
    return play_lines(game, "1,-2 r90 road N", "1,-3 r0")


def make_transferring_game(**settings: Any) -> Game:
    """Make a game that first asks Bruno, who is in the blacksmith: Anna has completed Clara's road."""
    game = make_entering_game(**settings)
    return play_lines(game, "enter blacksmith", "0,2 r90 road N", "0,3 r180")
