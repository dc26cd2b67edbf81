"""Tests of the Count of Carcassonne: the order of questions, and where figures and the Count may go."""

import pytest

from games.rules import Final, Pass
from games.rules.modules.count import Enter, Transfer
from tests.games.rules.boards import played, scored, with_bag
from tests.games.rules.count_helpers import (
    COUNT,
    ROAD,
    THREE_SEATS,
    TO_THE_CAP,
    TO_THE_FIELD,
    TWO_ROADS,
    place_in_quarters,
    place_meeples,
    read_quarters,
)


@pytest.mark.parametrize(
    ("stands", "goes"),
    [("castle", "market"), ("market", "blacksmith"), ("blacksmith", "cathedral"), ("cathedral", "castle")],
)
def test_the_count_goes_round_clockwise(stands, goes):
    """COUNT-14."""
    first, last = ROAD.split("; ")
    game = played(last, game=place_in_quarters(played(first, count_move="clockwise", **COUNT), count=stands))
    assert {action.count_to for action in game.legal_actions() if isinstance(action, Enter)} == {goes}
    assert read_quarters(game.play(Enter(stands, "follower", goes))) == (goes, {stands: "B"})
    assert read_quarters(game.play(Pass()))[0] == stands, "never without entering"


def test_the_order_of_deciding_goes_round_the_table():
    """COUNT-17: with C on turn of four, D, A, B, C."""
    game = place_meeples(played("A base.B@2,0; B base.B@3,0", **COUNT, seats=4), -2, 1, "city", "S", "A")
    game = with_bag(place_in_quarters(game, count="market", castle="A B C D"), "base.E", "base.B")
    game = played("C base.E@-2,2 cfff", game=game)
    asked = []
    while game.decision.kind == "transfer":
        asked.append(game.decision.seat)
        game = game.play(TO_THE_CAP if len(asked) == 1 else Pass())
    assert asked == [3, 0, 1, 2]
    assert scored(game) == [("A", "city", 4), ("D", "city", 4)]


@pytest.mark.parametrize(("unoccupied", "moves"), [(True, 2), (False, 1)])
def test_only_what_is_occupied_may_be_closed_to_the_others(unoccupied, moves):
    """COUNT-18: one of the two roads is C's own, claimed by the tile that completes it."""
    text = TWO_ROADS.format(claim="").replace(" road N", "")
    game = place_in_quarters(played(text, count_into_unoccupied=unoccupied, **THREE_SEATS), blacksmith="B")
    game = played("C base.W@1,-3 frrr road E", game=game)
    assert game.decision == ("transfer", 1)
    listed = [action for action in game.legal_actions() if isinstance(action, Transfer)]
    assert len(listed) == moves
    (beside,) = (one for one in listed if (one.x, one.y) == (1, -3) and one.side == "E")
    assert sorted(scored(game.play(beside))) == [("B", "road", 2), ("C", "road", 2)]


def test_at_the_end_an_empty_field_is_open_all_the_same():
    """COUNT-22, whatever COUNT-18 says of what is scored in a turn."""
    game = played("A base.B@2,0", count_into_unoccupied=False, **COUNT)
    game = place_in_quarters(game, market="B").cut_short()
    assert scored(game.play(TO_THE_FIELD).play(Final())) == [("B", "field", 3)]


def test_what_the_quarters_serve_at_the_end():
    """COUNT-23: what is incomplete; gardens never, and nobody past the Count."""
    sets = {"sets": ["base", "count", "cult", "abbot"], "edition": "C2", "count_final": "all_quarters"}
    start = "A base.B@2,0; A cult.shrine@5,0; A base.Eg@9,0; A base.E@2,1 fffc"
    game = place_in_quarters(
        played("", start=start, **sets), castle="B", market="B", blacksmith="B", cathedral="B"
    )

    def listed(count):
        actions = place_in_quarters(game, count=count).cut_short().legal_actions()
        return [action for action in actions if isinstance(action, Transfer)]

    assert {(one.quarter, one.on) for one in listed("blacksmith")} == {
        ("castle", "city"),
        ("market", "field"),
        ("cathedral", "monastery"),
        ("cathedral", "shrine"),
    }
    assert {one.quarter for one in listed("castle")} == {"market", "blacksmith", "cathedral"}
    cities = {(one.x, one.y) for one in listed("market") if one.on == "city"}
    assert cities == {(-2, 1), (9, 0)}, "what is complete is not among them"
