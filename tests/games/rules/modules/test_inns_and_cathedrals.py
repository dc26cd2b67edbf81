"""Tests of the worked examples of Inns & Cathedrals, by number, and its other rules."""

import pytest

from games.rules import Draw, IllegalAction, Scored
from tests.games.rules.boards import at_end, claims, drawn, played, scored, turn, with_bag

IC = "inns-and-cathedrals"
SETS = ["base", IC]

LARGE_AND_FOLLOWER = """
    A base.N@0,-1 fccf large city S
    B base.L@1,0 crrr city N
    A base.N@1,-1 ffcc
"""
LARGE_AND_TWO_FOLLOWERS = """
    A base.R@0,-1 fccc large city S
    B base.L@1,0 crrr city N
    A base.B@0,1
    B base.L@-1,0 crrr city N
    A base.N@1,-1 ffcc
    B base.N@-1,-1 fccf
"""
LARGE_FARMER_AND_TWO = """
    A base.H@0,-1 large field ENE
    B base.E@0,-2 ffcf field NNW
    A base.U@-1,0 frfr
    B base.U@1,0 frfr field NNE
    A base.B@1,-1
    B base.B@1,-2
"""
CATHEDRAL = f"""
    A {IC}.cathedral@0,-1 city N
    B base.M@1,-1 cffc
    A base.M@1,-2 ffcc
    B base.N@0,-2 fccf
"""


def terms(game):
    """The terms of the last action's only scoring, as text."""
    (event,) = (event for event in game.events if isinstance(event, Scored))
    return [f"{term.name} {term.count}: {term.points}" for term in event.terms]


def test_example_1_a_road_with_an_inn_brings_two_a_tile():
    game = played(f"A {IC}.t-junction-inn@-1,0 frrr road E; B base.B@0,1; A base.W@1,0 frrr", sets=SETS)
    assert scored(game) == [("A", "road", 6)]
    assert terms(game) == ["tiles 3: 3", "inn 1: 3"], "IC-12"


def test_example_2_a_second_inn_brings_no_more():
    text = f"A {IC}.t-junction-inn@-1,0 frrr road E; B {IC}.straight-inn@1,0 frfr; A base.W@2,0 frrr"
    game = played(text, sets=SETS)
    assert scored(game) == [("A", "road", 8)]
    assert terms(game) == ["tiles 4: 4", "inn 2: 4"]


def test_example_3_incomplete_it_brings_nothing():
    game = played(f"A {IC}.t-junction-inn@-1,0 frrr road E; B base.U@1,0 frfr", sets=SETS)
    assert at_end(game) == [("A", "road", 0)], "IC-9: the majority is worked out all the same"


def test_an_inn_belongs_to_its_own_road_only():
    """IC-5."""
    with_inn = played(f"A {IC}.t-junction-inn@-1,0 r180 road W; B base.W@-2,0 frrr", sets=SETS)
    assert scored(with_inn) == [("A", "road", 4)]
    without = played(f"A {IC}.t-junction-inn@-1,0 r180 road N; B base.A@-1,-1 ffrf", sets=SETS)
    assert scored(without) == [("A", "road", 2)]


def test_example_4_a_cathedral_brings_three_for_each_tile_and_shield():
    game = played(CATHEDRAL + "A base.E@-1,-1 fcff", sets=SETS)
    assert scored(game) == [("A", "city", 24)]
    assert terms(game) == ["tiles 6: 12", "shields 2: 4", "cathedral 1: 8"]


def test_example_5_incomplete_it_brings_nothing():
    assert at_end(played(CATHEDRAL, sets=SETS)) == [("A", "city", 0)]


def test_example_6_the_large_follower_beats_one_follower():
    assert scored(played(LARGE_AND_FOLLOWER, sets=SETS)) == [("A", "city", 8)]


def test_example_7_two_followers_equal_it():
    assert scored(played(LARGE_AND_TWO_FOLLOWERS, sets=SETS)) == [("A", "city", 12), ("B", "city", 12)]


def test_example_8_a_large_farmer_counts_two():
    assert at_end(played(LARGE_FARMER_AND_TWO, sets=SETS)) == [("A", "field", 6), ("B", "field", 6)]


def test_the_large_follower_is_one_more_figure_of_each_player():
    """IC-1, IC-3, IC-4."""
    game = played("A base.W@1,0 frrr large road W", sets=SETS)
    assert [dict(hand) for hand in game.state.supply] == [
        {"follower": 7, "large": 0},
        {"follower": 7, "large": 1},
    ]
    game = played("B base.W@-1,0 frrr", game=game)
    assert scored(game) == [("A", "road", 3)], "one large follower does not double points"
    assert dict(game.state.supply[0]) == {"follower": 7, "large": 1}
    assert sum(game.rules.bag[0].values()) == 71 + 18


def test_the_large_follower_claims_what_a_follower_may_and_no_more():
    """IC-2."""
    game = drawn("base.A", sets=SETS)
    assert claims(game, 0, 1, 0, "large") == claims(game, 0, 1, 0)
    game = game.play(turn("A base.A@0,1 large field NNW")).play(Draw("base.B"))
    with pytest.raises(IllegalAction) as refused:
        game.play(turn("B base.B@-1,1 large field NNW"))
    assert refused.value.rule == "BASE-18"


@pytest.mark.parametrize(("more", "points"), [([], 2), ([IC], 4)])
def test_inns_on_tiles_of_other_sets_count_only_with_this_one(more, points):
    """IC-11."""
    text = "A winter.corner-inn-road@0,1 frcc road E; B base.A@1,1 fffr"
    assert scored(played(text, sets=["base", "winter", *more])) == [("A", "road", points)]


@pytest.mark.parametrize(("more", "points"), [([], 3), ([IC], 6)])
def test_the_inn_at_the_bridge_of_the_river(more, points):
    """IC-11, RIVER-17: a road over the river is one road."""
    start = "A river2.inn-bridge@10,10 vrvr; A base.A@9,10 frff"
    game = played("", start=start, sets=["base", "river2", *more])
    game = with_bag(game, "base.A", "base.B")
    assert scored(played("A base.A@11,10 fffr road W", game=game)) == [("A", "road", points)]


def test_fields_and_cards_take_no_notice_of_a_cathedral():
    """IC-10."""
    game = played(CATHEDRAL + "A base.E@-1,-1 fcff field NNW", sets=[*SETS, "king-and-robber"])
    assert at_end(game) == [("A", "field", 3), ("A", "king", 1)]
    assert game.state.slices["king-and-robber"]["king"].tiles == 6
