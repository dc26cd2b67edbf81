"""Tests of the number of legal actions, several plies deep, against a count by brute force."""

import pytest

from games.rules import Draw
from tests.cases import for_each

from .boards import played
from .example_helpers import BLUE_BESIDE_RED_AND_BLUE, FOUR_CITIES_ON_ONE_FIELD, SIX_TILE_CITY
from .legal_turn_helpers import find_turns_by_trying, list_turns


def turns_deep(game, draws, legal):
    """The number of ways to play the tiles of *draws* one after the other."""
    game = game.play(Draw(draws[0]))
    if not game.state.drawn:
        return turns_deep(game, draws[1:], legal) if draws[1:] else 0
    if len(draws) == 1:
        return len(legal(game))
    return sum(turns_deep(game.play(action), draws[1:], legal) for action in game.legal_actions())


DEEP = [
    ("EV", 402),
    ("WX", 5536),
    ("BA", 484),
    ("RN", 264),
    ("CEH", 5400),
    ("UVL", 62400),
    ("DDD", 55646),
    ("TSQ", 42141),
]


@for_each("legal", [list_turns, find_turns_by_trying])
@for_each(("letters", "count"), DEEP)
def test_turns_deep_from_the_start(letters, count, legal):
    assert turns_deep(played(""), [f"base.{letter}" for letter in letters], legal) == count


CURVES = """
    A base.V@0,1 frrf road E
    B base.V@1,1 ffrr
    A base.U@0,2 rfrf
    B base.U@1,2 rfrf field ENE
    A base.V@0,3 rrff
    B base.B@0,4 monastery
"""
CORNERS = "A base.N@0,1 ffcc{field}; B base.N@-1,1 fccf city S; A base.N@-1,2 ccff; B base.B@1,1"

POSITIONS = {
    "a road that almost closes": (CURVES, {}, 340, 1066),
    "a city with one gap": (CORNERS.format(field=" field NNW"), {}, 215, 747),
    "no follower left": (CORNERS.format(field=" field NNW"), {"figures": {"follower": 1}}, 215, 215),
    "a city of six": (SIX_TILE_CITY.format(knight="city S"), {"first": "B"}, 260, 1114),
    "many fields": (BLUE_BESIDE_RED_AND_BLUE, {}, 270, 843),
    "four seats": (FOUR_CITIES_ON_ONE_FIELD, {"seats": 4}, 346, 1156),
    "fields not played": (CURVES.replace(" field ENE", ""), {"fields": "none"}, 340, 846),
    "gardens": (CURVES, {"edition": "C2"}, 488, 1449),
}


@pytest.mark.parametrize(("text", "chosen", "placements", "turns"), POSITIONS.values(), ids=POSITIONS)
def test_turns_with_each_tile_that_is_left(text, chosen, placements, turns):
    """Summed over all tiles that may be drawn; every single list is the one found by trying."""
    game = played(text, **chosen)
    count = [0, 0]
    for draw in game.legal_actions():
        waiting = game.play(draw)
        if waiting.state.drawn:
            assert len(list_turns(waiting)) == len(set(list_turns(waiting)))
            assert set(list_turns(waiting)) == set(find_turns_by_trying(waiting))
            count[0] += len(waiting.legal_actions().placements)
            count[1] += len(waiting.legal_actions())
    assert count == [placements, turns]
