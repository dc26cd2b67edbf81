"""Tests of the worked examples of questions and hard cases, by number, and of similar cases."""

import pytest

from games.rules import Completed, Deploy, Draw, IllegalAction, LastTurnPlayed

from .boards import (
    at_end,
    claims,
    drawn,
    followers,
    on_board,
    play_out,
    played,
    scored,
    totals,
    turn,
    with_bag,
)
from .example_helpers import BLUE_BESIDE_RED_AND_BLUE, FOUR_CITIES_ON_ONE_FIELD


def completed(game):
    return [(event.on, event.tiles) for event in game.events if isinstance(event, Completed)]


def test_example_1_completing_my_city_i_may_claim_the_other_cap():
    game = played("A base.E@0,1 ffcf city S; B base.U@1,0; A base.I@0,2 cffc city W")
    assert scored(game) == [("A", "city", 4)]
    assert on_board(game) == ["A city W @0,2"]
    assert followers(game) == (6, 7)


def test_example_2_the_empty_city_completed_may_be_claimed():
    game = played("A base.E@0,1 ffcf; B base.U@1,0; A base.I@0,2 cffc city N")
    assert scored(game) == [("A", "city", 4)]
    assert on_board(game) == []
    assert followers(game) == (7, 7)


def test_example_3_or_the_other_cap_and_nobody_scores():
    game = played("A base.E@0,1 ffcf; B base.U@1,0; A base.I@0,2 cffc city W")
    assert completed(game) == [("city", 2)]
    assert scored(game) == []
    assert on_board(game) == ["A city W @0,2"]


def test_example_4_a_crossing_ends_one_road_and_begins_three():
    game = played("A base.W@-1,0 frrr road E; B base.X@1,0")
    assert scored(game) == [("A", "road", 3)]
    assert [game.state.feature_at(1, 0, "road", side).complete for side in "NESW"] == [0, 0, 0, 1]


def test_example_5_tied_knights_both_score_a_city_with_shield():
    game = played("A base.N@0,-1 fccf city S; B base.L@1,0 crrr city N; C base.M@1,-1 ffcc", seats=3)
    assert scored(game) == [("A", "city", 10), ("B", "city", 10)]


def test_example_6_incomplete_city_counts_one_a_tile_and_shield():
    game = played("""
        A base.U@1,0 frfr
        B base.U@-1,0 frfr
        A base.F@1,-1 fcfc city W
        B base.F@-1,-1 fcfc city E
        A base.B@-1,-2
        B base.B@1,-2
        A base.E@0,-2 ffcf city S
        B base.C@0,-1
    """)
    assert at_end(game) == [("A", "city", 8)]


def test_example_7_monastery_with_three_neighbours():
    game = played("A base.B@0,1 monastery; B base.U@1,0; A base.U@-1,0")
    assert at_end(game) == [("A", "monastery", 4)]


def test_example_8_incomplete_road_of_three_tiles():
    assert at_end(played("A base.U@1,0 frfr road W; B base.V@-1,0 frrf")) == [("A", "road", 3)]


def test_example_9_incomplete_city_of_two_tiles_with_shield():
    assert at_end(played("A base.M@0,-1 fccf city S")) == [("A", "city", 3)]


def test_example_10_tied_farmers_are_paid_for_three_cities_but_not_for_the_incomplete():
    text = BLUE_BESIDE_RED_AND_BLUE.replace("crrf field ENE", "crrf") + "A base.E@2,-1 fcff"
    game = played(text)
    field = game.state.feature_at(2, -1, "field", "NNE")
    touched = game.state.board.touched_cities(field)
    assert sorted(city.complete for city in touched) == [False, True, True, True]
    assert at_end(game) == [("A", "field", 9), ("B", "field", 9)]


def test_example_11_two_farmers_beat_one_at_four_cities():
    game = played(FOUR_CITIES_ON_ONE_FIELD, seats=4)
    assert at_end(game) == [("C", "field", 12)]
    assert totals(game) == (0, 0, 12, 0)


def test_faq_3_corner_to_corner_cities_are_not_joined():
    """BASE-23."""
    game = played("A base.L@1,0 crrr; B base.E@0,-1 ffcf")
    assert game.state.feature_at(0, -1, "city", "S").tiles == 2
    assert game.state.feature_at(1, 0, "city", "N").tiles == 1


def test_faq_14_two_followers_of_mine_do_not_double_the_points():
    game = played("""
        A base.N@0,-1 fccf city S
        B base.B@0,1
        A base.L@1,0 crrr city N
        B base.N@1,-1 ffcc
    """)
    assert scored(game) == [("A", "city", 8)]
    assert followers(game) == (7, 7)


def test_faq_23_a_follower_of_mine_blocks_my_own_claim():
    game = drawn("base.U", "A base.U@1,0 road W; B base.B@0,1")
    assert "road E" not in claims(game, -1, 0, 0)


def city_claims(game, x, y, rotation):
    return [claim for claim in claims(game, x, y, rotation) if claim.startswith("city")]


THREE_OF_FOUR_CORNERS = "A base.N@0,1 ffcc; B base.N@-1,1 fccf{claim}; A base.N@-1,2 ccff"


def test_faq_39_a_claim_on_one_cap_is_a_claim_on_the_whole_city():
    game = drawn("base.I", THREE_OF_FOUR_CORNERS.format(claim=""))
    assert city_claims(game, 0, 2, 0) == ["city N", "city W"]
    game = drawn("base.I", THREE_OF_FOUR_CORNERS.format(claim=" city S"))
    assert city_claims(game, 0, 2, 0) == []


@pytest.mark.parametrize("cap", ["N", "W"])
def test_faq_42_either_of_two_segments_of_one_empty_feature_may_be_claimed(cap):
    """And the tile with both caps counts once (BASE-31)."""
    game = played(f"{THREE_OF_FOUR_CORNERS.format(claim='')}; B base.I@0,2 cffc city {cap}")
    assert scored(game) == [("B", "city", 8)]


def test_faq_40_a_tile_that_joins_two_claimed_roads_can_not_be_claimed():
    game = drawn("base.V", "A base.V@0,1 frrf road E; B base.B@-1,1; A base.U@1,0; B base.U@-1,2 frfr road E")
    assert sorted(claims(game, 0, 2, 90)) == ["field NNE", "field NNW"]
    assert at_end(game.play(turn("A base.V@0,2 rffr"))) == [("A", "road", 3), ("B", "road", 3)]


def test_faq_41_a_tile_that_joins_my_road_with_an_empty_one_can_not_be_claimed_again():
    game = drawn("base.V", "A base.V@0,1 frrf road E; B base.B@-1,1; A base.U@-1,2 frfr; B base.U@1,0")
    assert sorted(claims(game, 0, 2, 90)) == ["field NNE", "field NNW"]
    assert at_end(game.play(turn("A base.V@0,2 rffr"))) == [("A", "road", 3)]


def test_faq_42_two_fields_of_a_tile_that_join_round_a_road_end_are_one_claimed_field():
    game = drawn("base.U", "A base.U@-1,0 frfr field NNW", start="A base.A@2,0 fffr")
    assert claims(game, 1, 0, 0) == ["road E"]
    assert [action.figure for action in game.legal_actions() if action[1:4] == (1, 0, 0)] == [
        None,
        Deploy("follower", "road", "E"),
    ]


def test_faq_42_a_claim_reaches_on_from_field_to_field_of_a_tile():
    """Round two road ends it comes to three of the crossing's four fields."""
    game = drawn("base.X", "A base.U@-1,0 frfr field NNW", start="A base.A@1,-1 ffrf; A base.A@2,0 fffr")
    fields = [claim for claim in claims(game, 1, 0, 0) if claim.startswith("field")]
    assert fields == ["field SSW"]
    assert turn("B base.X@1,0 rrrr field ESE") not in game.legal_actions()


def test_faq_43_a_feature_completed_by_nobody_pays_nobody():
    """BASE-34."""
    game = played("A base.E@0,-1 ffcf")
    assert completed(game) == [("city", 2)]
    assert game.state.feature_at(0, 0, "city", "N").complete
    assert game.state.scores == (0, 0)
    assert at_end(game) == []


def test_faq_44_one_tile_completes_four_roads_and_a_monastery():
    game = played(
        "A base.X@1,0 road N",
        start="""
            A base.W@-1,0 frrr
            A base.E@0,-1 ffcf
            A base.A@1,-1 ffrf
            A base.E@2,-1 ffcf
            A base.L@2,0 crrr
            A base.W@1,1 rrfr
            A base.B@0,-2
            A base.B@1,-2
            A base.B@2,-2
        """,
    )
    assert sorted(completed(game)) == [("monastery", 1), *[("road", 2)] * 3, ("road", 3)]
    assert scored(game) == [("A", "road", 2)]


def test_what_one_tile_completes_is_told_by_kind_and_then_by_place():
    """BASE-29: cities, roads, monasteries, gardens, each by lowest (y, x)."""
    around = [(x, y) for x in (-2, -1, 0, 1, 2) for y in (-3, -2, -1) if x not in (-1, 0, 1) or y != -2]
    plain = "; ".join(f"A base.B@{x},{y}" for x, y in around)
    game = with_bag(played("", start=f"{plain}; A base.Ug@-1,-2 r90; A base.A@1,-2", edition="C2"), "base.B")
    game = played("A base.B@0,-2", game=game)
    assert completed(game) == [("monastery", 1), ("monastery", 1), ("garden", 1)]
    places = [(event.x, event.y) for event in game.events if isinstance(event, Completed)]
    assert places == [(0, -2), (1, -2), (-1, -2)]


RING_BUT_FOR_ITS_TOP = """
    A base.R@0,-1 fccc
    A base.N@-1,-1 ccff
    A base.N@1,-1 cffc
    A base.F@-1,-2 cfcf
    A {east}
    A base.N@-1,-3 fccf
    A base.M@1,-3 ffcc
"""


def test_faq_48_a_city_round_a_space_that_its_walls_face_is_complete():
    """BASE-25."""
    ring = RING_BUT_FOR_ITS_TOP.format(east="base.G@1,-2 cfcf")
    game = played("A base.F@0,-3 fcfc city W", start=ring)
    assert completed(game) == [("city", 9)]
    assert scored(game) == [("A", "city", 24)]


def test_faq_48_a_city_round_a_space_that_a_gap_in_it_faces_is_not():
    """BASE-25."""
    ring = RING_BUT_FOR_ITS_TOP.format(east="base.R@1,-2 cfcc")
    game = played("A base.F@0,-3 fcfc city W", start=ring)
    assert completed(game) == []
    assert at_end(game) == [("A", "city", 12)]


def test_faq_52_the_city_of_four_sides_borders_no_field_on_its_own_tile():
    assert claims(drawn("base.C"), 0, -1, 0) == ["city N"]


def test_faq_53_a_road_to_the_gate_parts_two_fields_that_both_touch_the_city():
    game = played("A base.T@1,0 cccr")
    board = game.state.board
    left, right = (board.feature_at(1, 0, "field", side) for side in ("WSW", "WNW"))
    gate, first = board.feature_at(1, 0, "city", "N"), board.feature_at(0, 0, "city", "N")
    assert left is not right
    assert board.touched_cities(left) == (gate,)
    assert board.touched_cities(right) == (first, gate)


def test_faq_54_the_field_along_the_city_of_a_junction_is_apart_from_the_lower_ones():
    game = played("A base.L@1,0 crrr")
    upper, left, right = (game.state.feature_at(1, 0, "field", side) for side in ("WNW", "WSW", "ESE"))
    assert upper is game.state.feature_at(1, 0, "field", "ENE")
    assert len({id(upper), id(left), id(right)}) == 3


def test_faq_55_a_field_goes_round_the_end_of_a_road():
    game = played("A base.A@1,0 fffr")
    assert game.state.feature_at(0, 0, "field", "ENE") is game.state.feature_at(0, 0, "field", "ESE")


def test_faq_57_the_game_ends_when_only_tiles_that_fit_nowhere_are_left():
    """BASE-37: whoever was to move gets no turn."""
    game = played("A base.E@0,-1 ffcf")
    state = game.state._replace(remaining={"base.C": 1}, left=1)
    game = type(game)(state).play(Draw("base.C"))
    assert isinstance(game.events[-1], LastTurnPlayed)
    assert game.decision.kind == "final"
    assert game.state.discarded == ("base.C",)


def test_faq_15_the_last_turn_is_finished_before_the_end():
    """BASE-36."""
    game = played("A base.E@0,1 ffcf")
    game = type(game)(game.state._replace(remaining={"base.E": 1}, left=1))
    game = played("B base.E@0,-1 ffcf city S", game=game)
    assert scored(game) == [("B", "city", 4)]
    assert game.decision.kind == "final"
    with pytest.raises(IllegalAction) as refused:
        game.play(Draw("base.E"))
    assert refused.value.rule == "BASE-39"
    over = play_out(game, min)
    assert over.state.scores == (0, 4)
    with pytest.raises(IllegalAction) as refused:
        over.play(Draw("base.E"))
    assert refused.value.rule == "BASE-36"
