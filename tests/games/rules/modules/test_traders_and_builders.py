"""Tests of the worked examples of Traders & Builders, by number, and its other rules."""

import pytest

from games.rules import Draw, Game, IllegalAction, RuleSet, Scored, get_tile
from games.rules.board import Meeple, Spot
from games.rules.module import Holding
from games.rules.modules.traders_and_builders import GoodsTaken
from tests.games.rules.boards import (
    at_end,
    claims,
    drawn,
    ended,
    played,
    rule_set,
    scored,
    totals,
    turn,
    with_bag,
)

TB = {"sets": ["base", "traders-and-builders"]}
NAME = "traders-and-builders"


def goods(game):
    """Wine, grain and cloth of each seat."""
    return game.state.slices[NAME].goods


def with_goods(game, *held):
    trade = game.state.slices[NAME]._replace(goods=held)
    return Game(game.state._replace(slices={**game.state.slices, NAME: trade}))


def test_example_1_who_completes_a_city_takes_its_goods():
    game = played(
        f"""
        A base.H@0,-1
        B base.B@0,1
        A {NAME}.across-wine@0,-2 cfcf city N
        B {NAME}.across-wine-road@0,-3 cfcr
        A base.B@1,-2
        B base.E@0,-4 ffcf
        """,
        **TB,
    )
    assert scored(game) == [("A", "city", 8)]
    assert goods(game) == ((0, 0, 0), (2, 0, 0))
    assert [event for event in game.events if isinstance(event, GoodsTaken)] == [GoodsTaken(1, "wine", 2)]


def test_goods_of_several_kinds_are_taken_though_nobody_scores():
    """TB-2."""
    game = played(
        f"A base.H@0,-1; B base.B@0,1; A {NAME}.across-wine@0,-2 cfcf; B {NAME}.across-grain-road@0,-3 cfcr;"
        "A base.B@1,-2; B base.E@0,-4 ffcf",
        **TB,
    )
    assert scored(game) == []
    assert goods(game) == ((0, 0, 0), (1, 1, 0))


def test_a_seat_holds_the_goods_of_which_it_has_any():
    state = with_goods(played("", **TB), (3, 0, 1), (0, 2, 0)).state
    assert state.holdings(0) == (Holding("wine", 3), Holding("cloth", 1))
    assert state.holdings(1) == (("grain", 2, 0),)  # won by no tiles


def test_example_2_most_of_each_kind_brings_ten_and_ties_bring_ten_to_each():
    game = with_goods(played("", **TB), (3, 1, 0), (3, 0, 0))
    assert totals(game) == (20, 10)
    assert [one for one in at_end(game) if one[0] == "A"] == [("A", "goods", 10)] * 2


BUILDING = """
    A base.U@1,0 frfr road W
    B base.B@0,1
    A base.U@2,0 frfr builder road W
    B base.B@0,2
"""


def test_example_3_a_builder_brings_two_parts_not_three():
    game = played(BUILDING + "A base.U@3,0 frfr", **TB)
    assert game.state.turn_seat == 0
    assert game.state.further == "builder"
    game = played("A base.U@4,0 frfr", game=game)
    assert game.state.turn_seat == 1
    game = played("B base.B@0,3; A base.U@5,0 frfr", game=game)
    assert game.state.turn_seat == 0, "in the next turn he may again"


def test_only_the_owner_of_the_builder_has_the_second_part():
    game = played(BUILDING + "A base.B@0,3; B base.U@3,0 frfr", **TB)
    assert game.state.turn_seat == 0, "B extended it: no second part for A or B"
    assert game.state.further is None


def test_putting_the_builder_brings_nothing_yet():
    game = played("A base.U@1,0 frfr road W; B base.B@0,1; A base.U@2,0 frfr builder road W", **TB)
    assert game.state.turn_seat == 1


def test_example_4_completing_the_feature_sends_the_builder_home_and_brings_the_turn():
    game = played(BUILDING + "A base.W@-1,0 frrr; A base.W@3,0 frrr", **TB)
    assert scored(game) == [("A", "road", 5)]
    assert game.state.turn_seat == 1, "the second part came with the first of these two"
    game = played(BUILDING + "A base.B@0,3; B base.W@-1,0 frrr; A base.W@3,0 frrr", **TB)
    assert scored(game) == [("A", "road", 5)]
    assert game.state.supply[0]["builder"] == 1
    assert game.state.turn_seat == 0, "TB-6"


FARM = """
    A base.H@0,-1 field ENE
    B base.E@0,-2 ffcf{b}
    A base.E@-1,-1 fffc pig field NNW
    B base.V@-1,-2 rffr
    A base.B@1,-1
    B base.E@-2,-1 fcff
"""


def test_example_5_the_pig_brings_one_point_more_for_each_city():
    assert totals(played(FARM.format(b=""), **TB)) == (12, 0)


def test_example_6_only_its_owner():
    game = played(FARM.format(b=" field NNW"), **TB)
    assert totals(game) == (12, 9)
    (mine,) = (event for event in ended(game).events if isinstance(event, Scored) and not event.seat)
    assert [(term.name, term.points) for term in mine.terms] == [("cities", 9), ("pig", 3)]


def test_example_7_a_pig_without_majority_brings_nothing():
    game = played(FARM.format(b=" field NNW"), **TB)
    land = game.state.feature_at(0, -1, "field", "ENE")
    more = next(meeple for meeple in land.meeples if meeple.seat == 1)
    game = Game(game.state._replace(board=game.state.board.with_meeple(more)))
    assert totals(game) == (0, 9)


@pytest.mark.parametrize(("fields", "points"), [("second-edition", 12), ("first-edition", 15)])
def test_the_pig_under_older_rules_for_fields(fields, points):
    """TB-11."""
    assert totals(played(FARM.format(b=""), fields=fields, **TB)) == (points, 0)


def test_example_8_an_empty_bag_ends_the_game_after_the_first_part():
    game = with_bag(played(BUILDING, **TB), "base.U")
    game = played("A base.U@3,0 frfr", game=game)
    assert game.decision.kind == "final"


@pytest.mark.parametrize(
    ("text", "place", "spots"),
    [
        ("A base.U@1,0 frfr road W; B base.B@0,1", (2, 0, 0), ["road E"]),
        ("A base.U@1,0 frfr; B base.B@0,1", (2, 0, 0), []),
        ("A base.B@0,1; B base.U@1,0 frfr road W", (2, 0, 0), []),
        ("A base.U@1,0 frfr field NNE; B base.B@0,1", (2, 0, 0), []),
    ],
    ids=["beside my follower", "nobody there", "another's", "a farmer is no highwayman"],
)
def test_the_builder_needs_a_follower_of_its_owner(text, place, spots):
    """TB-4."""
    game = drawn("base.U", text, **TB)
    assert claims(game, *place, meeple="builder") == spots
    listed = [
        action.figure for action in game.legal_actions() if (action.x, action.y, action.rotation) == place
    ]
    assert sum(figure is not None and figure.meeple == "builder" for figure in listed) == len(spots)
    if not spots:
        with pytest.raises(IllegalAction):
            game.play(turn("A base.U@2,0 frfr builder road W"))


def test_the_builder_stands_on_roads_and_in_cities_only_and_the_pig_on_fields_only():
    game = drawn("base.U", "A base.U@1,0 frfr field NNE; B base.B@0,1", **TB)
    assert claims(game, 2, 0, 0, "pig") == ["field NNW"]
    assert claims(game, 2, 0, 0, "builder") == []
    with pytest.raises(IllegalAction) as refused:
        game.play(turn("A base.U@2,0 frfr pig road W"))
    assert refused.value.rule == "BASE-17"


def test_builder_and_pig_hold_no_majority():
    """TB-5, TB-10."""
    strengths = rule_set(**TB).strengths
    assert (strengths["builder"], strengths["pig"], strengths["follower"]) == (0, 0, 1)


def test_without_fields_there_are_no_pigs():
    """TB-12."""
    game = drawn("base.U", "A base.U@1,0 frfr road W; B base.B@0,1", fields="none", **TB)
    assert {action.figure.meeple for action in game.legal_actions() if action.figure} == {
        "follower",
        "builder",
    }


@pytest.mark.parametrize(("more", "points"), [([], 3), (["traders-and-builders"], 4)])
def test_a_pig_herd_counts_with_this_set(more, points):
    """TB-14."""
    start = "A river2.fork@1,0; A river2.curve-pig-herd@2,0 vffv"
    game = played("", start=start, sets=["base", "river2", *more])
    game = with_bag(game, "base.E", "base.E", "base.B", "base.B")
    game = played("A base.E@2,1 fcff field NNW; B base.E@3,1 fffc", game=game)
    assert totals(game) == (points, 0)


def test_figures_and_goods_of_the_set():
    """TB-1."""
    rules = RuleSet.of(sets=["base", NAME])
    assert rules.figures == {"follower": 7, "builder": 1, "pig": 1}
    assert sum(rules.bag[0].values()) == 71 + 24
    marks = [mark for id in rules.bag[0] for segment in get_tile(id).segments for mark in segment.marks]
    assert (marks.count("wine"), marks.count("grain"), marks.count("cloth")) == (9, 6, 5)
    assert Game.new(rules).play(Draw("base.B")).decision.seat == 0


def test_a_builder_who_came_home_in_the_first_part_may_be_put_again_in_the_second():
    """TB-7, TB-9: he comes home though B has all the points."""
    game = played("", start="A base.U@1,0 frfr; A base.W@2,0 r180; A base.U@20,0 frfr", **TB)
    board = game.state.board
    for seat, figure, x in ((0, "follower", 1), (0, "builder", 1), (1, "follower", 1), (1, "follower", 1)):
        board = board.with_meeple(Meeple(seat, figure, board.code(Spot(x, 0, "road", "W"))))
    board = board.with_meeple(Meeple(0, "follower", board.code(Spot(20, 0, "road", "W"))))
    hands = ({"follower": 5, "builder": 0, "pig": 1}, {"follower": 5, "builder": 1, "pig": 1})
    game = with_bag(Game(game.state._replace(board=board, supply=hands)), "base.W", "base.U", "base.B")
    game = played("A base.W@-1,0 frrr", game=game)
    assert scored(game) == [("B", "road", 4)]
    assert game.state.supply[0] == {"follower": 6, "builder": 1, "pig": 1}
    assert (game.state.turn_seat, game.state.further) == (0, "builder")
    game = played("A base.U@21,0 frfr builder road W", game=game)
    assert game.state.supply[0]["builder"] == 0
    assert game.state.turn_seat == 1
