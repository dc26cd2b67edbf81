"""Planned turns, and games whose first tiles are known."""

from typing import Any

from games.models import Game, Plan
from games.play import plans
from games.rules import Place, RuleSet
from tests.games.factories import NOW, bag_of, make_game

WEST = Place("base.U", -1, 0, 0)
EAST = "1,0 r0"


def make_game_with_bag(*first: str, **settings: Any) -> Game:
    """A game of two, or of as many *seats*, which Anna begins with these tiles first in the bag."""
    seats = settings.get("seats", 2)
    options = {"first_player": "creator", **settings.pop("options", {})}
    rules = RuleSet.of(seats=seats, options=options, sets=settings.get("sets", ["base"]))
    return make_game(bag=bag_of(rules, *first), options=options, **settings)


def make_plan(game: Game, place: Place, seat: int = 1, **more: Any) -> Plan:
    game.refresh_from_db()
    return plans.make(
        **{"game_id": game.pk, "seat": seat, "place": place, "expected_version": game.version, "now": NOW}
        | more
    )
