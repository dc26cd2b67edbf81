"""Tests of refusals: each names its rule, and leaves the game as it was."""

import pytest

from games.rules import (
    Deploy,
    Draw,
    Final,
    Game,
    IllegalAction,
    InvalidRuleSet,
    Place,
    Placement,
    Recall,
    RuleSet,
    action_to_json,
)
from tests.cases import for_each

from .boards import drawn, ended, played, rule_set, snapshot, turn

CLAIMED_ROAD = "A base.U@1,0 frfr road W; B base.B@0,1"


def refused(game, action):
    """The number of the rule that refuses *action*, which must leave *game* as it was."""
    before = snapshot(game.state)
    with pytest.raises(IllegalAction) as caught:
        game.play(action)
    assert snapshot(game.state) == before
    assert action not in game.legal_actions()
    return caught.value.rule


@pytest.mark.parametrize(
    ("id", "action", "rule"),
    [
        pytest.param("base.B", Place("base.B", 1, 1, 0), "BASE-8", id="corner to corner"),
        pytest.param("base.B", Place("base.B", 0, 2, 0), "BASE-8", id="apart"),
        pytest.param("base.B", Place("base.B", 10**9, 0, 0), "BASE-8", id="far away"),
        pytest.param("base.B", Place("base.B", 0, 4097, 0), "BASE-8", id="beyond the last row"),
        pytest.param("base.B", Place("base.B", 0, 0, 0), "BASE-8", id="on another tile"),
        pytest.param("base.B", Place("base.B", 0, 1.0, 0), "BASE-8", id="a place that is no number"),
        pytest.param("base.B", Place("base.B", "0", 1, 0), "BASE-8", id="a place that is text"),
        pytest.param("base.B", Place("base.B", 0, -1, 0), "BASE-9", id="field against city"),
        pytest.param("base.B", Place("base.B", 1, 0, 0), "BASE-9", id="field against road"),
        pytest.param("base.U", Place("base.U", 1, 0, 90), "BASE-9", id="road that ends in a field"),
        pytest.param("base.R", Place("base.R", 0, 1, 0), "BASE-9", id="city against field"),
        pytest.param("base.B", Place("base.B", 0, 1, 45), "BASE-13", id="half a turn of a quarter"),
        pytest.param("base.B", Place("base.B", 0, 1, 360), "BASE-13", id="a whole turn"),
        pytest.param("base.B", Place("base.B", 0, 1, -90), "BASE-13", id="a turn to the left"),
        pytest.param("base.B", Place("base.B", 0, 1, 90.0), "BASE-13", id="a turn that is no integer"),
        pytest.param("base.B", Place("base.B", 0, 1, False), "BASE-13", id="a turn that is a claim"),
        pytest.param("base.B", Place("base.B", 0, 1, "0"), "BASE-13", id="a turn that is text"),
        pytest.param("base.B", Place("base.A", 0, 1, 0), "BASE-7", id="another tile than the drawn"),
        pytest.param("base.B", Draw("base.A"), "BASE-6", id="a second draw"),
        pytest.param("base.B", Final(), "BASE-6", id="the end in mid-turn"),
    ],
)
def test_placement_is_refused(id, action, rule):
    assert refused(drawn(id), action) == rule


@pytest.mark.parametrize(
    ("figure", "rule"),
    [
        pytest.param(Deploy("follower", "road", "E"), "BASE-18", id="my own road beyond the start tile"),
        pytest.param(Deploy("follower", "road", "N"), "BASE-17", id="a side without road"),
        pytest.param(Deploy("follower", "city", "N"), "BASE-17", id="a tile without city"),
        pytest.param(Deploy("follower", "monastery"), "BASE-17", id="a tile without monastery"),
        pytest.param(Deploy("follower", "road"), "BASE-17", id="a side missing"),
        pytest.param(Deploy("follower", "field", "N"), "BASE-17", id="a whole side of a field"),
        pytest.param(Deploy("follower", "river", "W"), "BASE-17", id="a river"),
        pytest.param(Deploy("abbot", "road", "W"), "BASE-20", id="a figure not in the game"),
        pytest.param(Deploy("", "field", "NNW"), "BASE-20", id="no figure"),
        pytest.param(Deploy("follower", ["road"], "W"), "BASE-17", id="a spot that is no text"),
        pytest.param(Deploy(["follower"], "field", "NNW"), "BASE-17", id="a figure that is no text"),
        pytest.param(Recall(1, 0), "BASE-21", id="a follower taken back"),
        pytest.param("road E", "BASE-21", id="no figure at all"),
    ],
)
def test_figure_is_refused(figure, rule):
    assert refused(drawn("base.U", CLAIMED_ROAD), Place("base.U", -1, 0, 0, figure)) == rule


def test_opponents_feature_can_not_be_claimed():
    """BASE-18, however far away the follower stands."""
    game = drawn("base.U", "A base.U@1,0 frfr road W; B base.U@2,0; A base.B@0,1")
    assert refused(game, turn("B base.U@3,0 frfr road W")) == "BASE-18"


def test_garden_is_not_for_followers():
    """BASE-17."""
    game = drawn("base.Ug", edition="C2")
    assert refused(game, Place("base.Ug", 1, 0, 0, Deploy("follower", "garden"))) == "BASE-17"


def test_fields_can_not_be_claimed_where_they_are_not_played():
    game = drawn("base.B", fields="none")
    assert refused(game, turn("A base.B@0,1 field NNW")) == "BASE-22"
    assert game.legal_actions().figures(Placement(0, 1, 0)) == (None, Deploy("follower", "monastery"))


def test_seat_without_followers_must_place_but_can_not_deploy():
    game = played(
        "A base.V@0,1 frrf road E; B base.B@-1,1; A base.U@1,0 frfr field NNE",
        figures={"follower": 2},
    )
    assert [dict(hand) for hand in game.state.supply] == [{"follower": 0}, {"follower": 2}]
    game = played("B base.U@2,0 frfr", game=game).play(Draw("base.B"))
    assert refused(game, turn("A base.B@1,-1 monastery")) == "BASE-20"
    assert all(action.figure is None for action in game.legal_actions())


def test_follower_returned_by_this_turn_is_not_there_to_be_deployed_in_it():
    game = played("A base.F@0,-1 cfcf city S; B base.B@0,1", figures={"follower": 1})
    game = game.play(Draw("base.E"))
    assert refused(game, turn("A base.E@0,-2 ffcf field NNW")) == "BASE-20"
    game = game.play(turn("A base.E@0,-2 ffcf"))
    assert game.state.supply[0] == {"follower": 1}


def test_figures_of_an_illegal_placement_are_not_listed():
    with pytest.raises(IllegalAction) as caught:
        drawn("base.B").legal_actions().figures(Placement(1, 1, 0))
    assert caught.value.rule == "BASE-8"


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        (Place("base.B", 0, 1, 0), "BASE-6"),
        (Final(), "BASE-6"),
        (Draw("base.Z"), "BASE-2"),
        (Draw("base.Eg"), "BASE-2"),
        (None, "BASE-6"),
    ],
)
def test_before_the_draw_nothing_else_is_legal(action, rule):
    assert refused(Game.new(rule_set()), action) == rule


def test_tile_of_which_no_copy_is_left_can_not_be_drawn():
    game = played("A base.G@0,-1 cfcf")
    assert refused(game, Draw("base.G")) == "BASE-2"


def test_only_three_of_four_copies_of_the_start_tile_are_to_be_drawn():
    """BASE-2, BASE-4."""
    game = played("A base.D@1,0; B base.D@2,0; A base.D@3,0")
    assert refused(game, Draw("base.D")) == "BASE-2"


def test_nothing_is_legal_when_the_game_is_over():
    over = ended(played("A base.B@0,1"))
    assert over.state.over
    assert list(over.legal_actions()) == []
    for action in (Draw("base.B"), Final(), Place("base.B", 0, 2, 0)):
        assert refused(over, action) == "BASE-36"


def test_before_the_final_scoring_only_that_is_legal():
    waiting = played("A base.B@0,1").cut_short()
    assert list(waiting.legal_actions()) == [Final()]
    assert refused(waiting, Draw("base.B")) == "BASE-39"


def test_every_name_of_a_spot_is_legal_but_one_is_listed():
    game = drawn("base.B")
    sides = ["NNW", "NNE", "ENE", "ESE", "SSE", "SSW", "WSW", "WNW"]
    assert all(turn(f"A base.B@0,1 field {side}") in game.legal_actions() for side in sides)
    assert (
        len([action for action in game.legal_actions() if action.figure and action.figure.on == "field"]) == 4
    )
    events = game.play(turn("A base.B@0,1 field SSE")).events
    assert events == game.play(turn("A base.B@0,1 field NNW")).events
    assert action_to_json(turn("A base.B@0,1 field SSE"))["deploy"]["side"] == "SSE"


@for_each(
    ("chosen", "code"),
    [
        ({"sets": ["base", "moon"]}, "unknown_set"),
        ({"sets": []}, "base_missing"),
        ({"sets": ["base", "base"]}, "set_twice"),
        ({"edition": "C9"}, "unknown_edition"),
        ({"seats": 7}, "seats"),
        ({"seats": 0}, "seats"),
        ({"seats": 6, "options": {"sixth_player": False}}, "no_sixth_player"),
        ({"options": {"weather": "fine"}}, "unknown_option"),
        ({"options": {"fields": "fourth-edition"}}, "unknown_value"),
        ({"options": {"two_tile_city": 3}}, "unknown_value"),
        ({"options": {"incomplete_scores": 1}}, "unknown_value"),
        ({"options": {"sixth_player": "yes"}}, "unknown_value"),
        ({"options": {"figures": {"dragon": 1}}}, "unknown_value"),
        ({"options": {"figures": {"follower": -1}}}, "unknown_value"),
        ({"options": {"figures": [7]}}, "unknown_value"),
    ],
)
def test_rule_set_is_refused(chosen, code):
    with pytest.raises(InvalidRuleSet) as caught:
        RuleSet.of(**chosen)
    assert caught.value.code == code


def test_without_a_sixth_player_five_may_play():
    """BASE-1."""
    assert [len(Game.new(rule_set(seats=n, sixth_player=False)).state.supply) for n in (2, 5)] == [2, 5]
    assert Game.new(rule_set(seats=6)).state.supply == ({"follower": 7},) * 6


@pytest.mark.parametrize("figures", [{"follower": 0}, {"follower": 20}, {"follower": 1, "pig": 3}])
def test_figures_of_sets_that_are_not_in_play_have_no_effect(figures):
    rules = RuleSet.of(options={"figures": figures})
    assert rules.figures == {"follower": figures["follower"]}


def test_rule_set_writes_every_option_out():
    rules = RuleSet.of(options={"two_tile_city": 2}, seats=6)
    stored = rules.to_json()
    assert (
        stored["options"] | {"fields": "third-edition", "two_tile_city": 2, "incomplete_scores": True}
        == (stored["options"])
    )
    assert stored["options"]["figures"] == {"follower": 7}
    assert RuleSet.from_json(stored, seats=6) == rules
