"""Tests of the worked examples of the house rules, by number, and of their other rules."""

import pytest

from games.rules import (
    Draw,
    Game,
    InvalidRuleSet,
    Pass,
    Placement,
    PutAside,
    PutBack,
    RuleSet,
)
from tests.cases import for_each
from tests.games.rules.boards import drawn, played, refused, rule_set, scored, totals, turn, with_bag
from tests.games.rules.example_helpers import TWO_FIELDS_OF_ONE_FARMER

LAST_HOLE = """
    A base.V@1,0 ffrr
    B base.V@-1,0 frrf
    A base.U@1,1 rfrf
    B base.U@-1,1 rfrf
    A base.U@1,2 rfrf
    B base.U@-1,2 rfrf
    A base.B@0,2 monastery
    B base.U@1,3 rfrf
    A base.U@-1,3 rfrf
    B base.E@0,3 ffcf
    A base.E@0,4 cfff
    B base.B@0,1 monastery
"""


# two_tile_city, incomplete_scores


def test_examples_1_and_2_only_cities_of_two_tiles_are_cheaper():
    assert scored(played("A base.E@0,-1 ffcf city S", two_tile_city=2)) == [("A", "city", 2)]
    game = played("A base.F@0,-1 cfcf city S; B base.E@0,-2 ffcf", two_tile_city=2)
    assert scored(game) == [("A", "city", 8)]


@pytest.mark.parametrize(
    "text", ["A base.F@0,-1 cfcf city S", "A base.U@1,0 frfr road W; B base.U@-1,0 frfr"]
)
def test_example_3_incomplete_features_may_bring_nothing(text):
    assert totals(played(text, incomplete_scores=False)) == (0, 0)


def test_example_4_but_fields_still_score():
    text = "A base.E@0,-1 ffcf field ENE; B base.U@1,0 frfr field NNE"
    assert totals(played(text, incomplete_scores=False)) == (3, 3)


@pytest.mark.parametrize(
    ("fields", "points"), [("third-edition", 9), ("second-edition", 6), ("first-edition", 8)]
)
def test_fields_score_by_each_of_their_rules_though_incomplete_features_do_not(fields, points):
    """HR-9, BASE-50."""
    text = TWO_FIELDS_OF_ONE_FARMER + "B base.V@1,0 ffrr road W"
    assert totals(played(text, fields=fields)) == (points, 2)
    assert totals(played(text, fields=fields, incomplete_scores=False)) == (points, 0)


# hole_bonus


def test_example_5_filling_a_hole_brings_one_more_turn():
    game = played(LAST_HOLE, hole_bonus=True)
    assert sorted(scored(game)) == [("A", "monastery", 9), ("B", "monastery", 9)]
    assert (game.state.turn_seat, game.state.further) == (1, "hole")
    assert played(LAST_HOLE).state.turn_seat == 0


def test_example_6_three_sides_are_no_hole():
    game = played(
        "A base.I@0,1 ffcc; B base.N@-1,1 fccf city S; A base.N@-1,2 ccff; B base.N@0,2 cffc", hole_bonus=True
    )
    assert game.state.turn_seat == 0


def test_after_a_hole_the_builder_may_bring_another_turn():
    """HR-8, TB-7: a turn earned by a hole may earn one by any source, one by the builder none by him."""
    sets = {"sets": ["base", "traders-and-builders"], "hole_bonus": True}
    game = played("A base.U@1,0 frfr road W; B base.B@0,1; A base.U@2,0 frfr builder road W", **sets)
    state = game.state._replace(turn_seat=0, further="hole")
    assert played("A base.U@3,0 frfr", game=Game(state)).state.further == "builder"
    again = Game(game.state._replace(turn_seat=0, further="builder"))
    assert played("A base.U@3,0 frfr", game=again).state.turn_seat == 1


def test_a_hole_filled_in_the_further_turn_brings_another():
    """HR-8: several in a row chain, and each is a complete turn with a draw of its own."""
    ring = [(x, y) for x in (1, 2, 3) for y in (1, 2, 3) if (x, y) != (2, 2)]
    more = [(4, 2), (5, 1), (5, 2), (5, 3), (4, 1), (4, 3)]
    start = "; ".join(f"A base.B@{x},{y}" for x, y in [(0, 1), *ring, *more] if (x, y) != (4, 2))
    game = with_bag(played("", start=start, hole_bonus=True), *["base.B"] * 4)
    game = played("A base.B@2,2; A base.B@4,2", game=game)
    assert (game.state.turn_seat, game.state.further) == (0, "hole")
    assert played("A base.B@6,1", game=game).state.turn_seat == 1


def test_a_volcano_that_fills_a_hole_brings_one_turn_and_not_two():
    """HR-8: one further turn per placement at most."""
    start = "A river2.fork@1,0 vvfv; A base.B@2,1; A base.B@1,1; A base.B@3,1; A base.B@3,0; A base.B@3,-1"
    sets = {"sets": ["base", "river2"], "hole_bonus": True}
    game = played("", start=start + "; A base.B@2,-1", **sets)
    game = with_bag(game, "river2.lake-volcano", *["base.B"] * 3)
    game = played("A river2.lake-volcano@2,0 fffv", game=game)
    assert (game.state.turn_seat, game.state.further) == (0, "hole")
    assert played("A base.B@4,0", game=game).state.turn_seat == 1


# board_limit, border_completes


def test_example_7_a_fixed_table():
    row = [f"{'AB'[x % 2 == 0]} base.U@{x},0" for x in range(1, 5)]
    game = drawn("base.U", "; ".join(row), board_limit="fixed 9x9")
    assert refused(game, "A base.U@5,0") == "HR-10"
    assert all(abs(action.x) <= 4 and abs(action.y) <= 4 for action in game.legal_actions())
    game = drawn("base.U", "; ".join(row[:3]), board_limit="fixed 9x9")
    assert Placement(4, 0, 0) in game.legal_actions().placements


def test_example_8_a_table_that_shifts_with_the_tiles():
    row = "; ".join(f"{'AB'[x % 2 == 0]} base.U@{x},0" for x in range(1, 9))
    game = drawn("base.D", row, board_limit="shifting 9x9")
    assert refused(game, "A base.D@9,0") == "HR-10"
    assert refused(game, "A base.D@-1,0") == "HR-10"
    assert (8, 1) in {
        (action.x, action.y) for action in drawn("base.B", row, board_limit="shifting 9x9").legal_actions()
    }


@pytest.mark.parametrize(
    ("limit", "lying", "beyond", "inside"),
    [
        ("fixed 9x11", "4,1", "5,1", "4,2"),
        ("fixed 9x11", "-4,1", "-5,1", "-4,2"),
        ("fixed 9x11", "1,5", "1,6", "2,5"),
        ("fixed 9x11", "1,-5", "1,-6", "2,-5"),
        ("shifting 9x11", "8,1", "9,1", "8,2"),
        ("shifting 9x11", "-8,1", "-9,1", "-8,2"),
        ("shifting 9x11", "1,10", "1,11", "2,10"),
        ("shifting 9x11", "1,-10", "1,-11", "2,-10"),
    ],
)
def test_a_table_ends_on_every_side(limit, lying, beyond, inside):
    """HR-10."""
    game = drawn("base.B", start=f"A base.B@{lying}", board_limit=limit)
    assert refused(game, f"A base.B@{beyond}") == "HR-10"
    assert turn(f"A base.B@{inside}") in game.legal_actions()


@pytest.mark.parametrize(
    ("lying", "behind"), [("8,1", "-1,1"), ("-8,1", "4,1"), ("3,10", "3,-1"), ("3,-10", "3,2")]
)
def test_a_shifting_table_that_is_full_from_end_to_end_has_no_room_behind(lying, behind):
    """HR-10: but in a wider and higher one there is."""
    start = f"A base.B@{lying}; A base.B@0,1; A base.B@3,0; A base.A@3,1 rfff"
    game = drawn("base.B", start=start, board_limit="shifting 9x11")
    assert refused(game, f"A base.B@{behind}") == "HR-10"
    wider = drawn("base.B", start=start, board_limit="shifting 13x13")
    assert turn(f"A base.B@{behind}") in wider.legal_actions()


@pytest.mark.parametrize("size", ["9x31", "31x9", "11x13", "29x17"])
def test_every_odd_size_from_9_to_31_can_be_chosen(size):
    """HR-10."""
    for kind in ("fixed", "shifting"):
        assert rule_set(board_limit=f"{kind} {size}").options["board_limit"] == f"{kind} {size}"


def test_a_cell_lies_beyond_any_of_the_four_edges():
    """HR-10."""
    state = played("", board_limit="fixed 9x11").state
    assert state.edges == (-4, 4, -5, 5)
    inside = {(x, y) for x in range(-4, 5) for y in range(-5, 6)}
    around = {(x, y) for x in range(-6, 7) for y in range(-7, 8)}
    assert {cell for cell in around if not state.beyond_edges(*cell)} == inside
    assert not played("").state.beyond_edges(100, 100)


def test_tiles_that_do_not_fit_on_the_table_are_discarded():
    row = "; ".join(f"A base.U@{x},0" for x in (-4, -3, -2, -1, 1, 2, 3, 4))
    start = "; ".join(f"A base.B@{x},1" for x in range(-4, 5))
    game = played("", start=f"{row}; {start}", board_limit="fixed 9x9", seats=1)
    assert game.play(Draw("base.X")).state.discarded == ("base.X",)
    assert played("", start=f"{row}; {start}", seats=1).play(Draw("base.X")).state.drawn == "base.X"


BORDERS = {"board_limit": "fixed 9x9", "border_completes": True}


def test_example_9_a_road_from_border_to_border_is_complete():
    start = "; ".join(f"A base.U@{x},0" for x in (-3, -2, -1, 1, 2, 3))
    game = played("A base.U@-4,0 frfr road E; B base.U@4,0 frfr", start=start, **BORDERS)
    assert scored(game) == [("A", "road", 9)]
    without = played("A base.U@-4,0 frfr road E; B base.U@4,0 frfr", start=start, board_limit="fixed 9x9")
    assert scored(without) == []


def test_example_10_a_monastery_in_the_corner_is_worth_four():
    assert scored(corner())[-1] == ("A", "monastery", 4)


def corner(**chosen):
    """A game with a monastery at [4,4] whose three neighbours on the table are placed one after the other."""
    path = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 4), (2, 4), (3, 4)]
    start = "; ".join(f"A base.B@{x},{y}" for x, y in path)
    game = played("", start=start, seats=1, **{**BORDERS, **chosen})
    game = with_bag(game, *["base.B"] * 4)
    return played("A base.B@4,4 monastery; A base.B@4,3; A base.B@3,3", game=game)


def test_a_corner_without_the_rule_is_never_complete():
    assert scored(corner(border_completes=False)) == []


def test_example_11_a_city_open_to_the_border_is_closed():
    game = played("", start="; ".join(f"A base.U@{x},0" for x in (1, 2, 3, 4)), two_tile_city=2, **BORDERS)
    game = played("A base.E@4,1 fcff city E", game=game)
    assert scored(game) == [("A", "city", 2)]


@pytest.mark.parametrize(("two_tile_city", "points"), [(4, 6), (2, 3)])
def test_a_city_of_two_tiles_and_a_shield_closed_by_the_border(two_tile_city, points):
    """HR-11, BASE-32: with 2, a shield counts one."""
    start = "; ".join(f"A base.U@{x},0" for x in (1, 2, 3, 4))
    game = played("", start=start, two_tile_city=two_tile_city, **BORDERS)
    game = played("A base.E@3,1 fcff city E; B base.F@4,1 fcfc", game=game)
    assert scored(game) == [("A", "city", points)]


def test_an_abbot_in_the_corner_scores_the_tiles_round_him():
    """HR-11, ABBOT-7: what lies beyond the border is no tile; what it completes is not recalled."""
    path = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 4), (2, 4), (3, 4)]
    start = "; ".join(f"A base.B@{x},{y}" for x, y in path)
    chosen = {"sets": ["base", "abbot"], "edition": "C2", "seats": 1, **BORDERS}
    game = with_bag(played("", start=start, **chosen), *["base.B"] * 4)
    game = played("A base.B@4,4 abbot monastery; A base.B@4,3", game=game)
    away = played("A base.B@1,3 recall 4,4", game=game)
    assert scored(away) == [("A", "monastery", 3)]
    assert refused(game.play(Draw("base.B")), "A base.B@3,3 recall 4,4") == "ABBOT-8"
    assert ("A", "monastery", 4) in scored(played("A base.B@3,3", game=game))


# unplaceable


def test_example_12_a_tile_put_aside_comes_back():
    game = drawn("base.C", "A base.E@0,-1 ffcf", unplaceable="back_in_bag")
    assert game.events == (game.events[0], PutAside(1, "base.C"))
    assert game.state.aside == ("base.C",)
    assert game.state.discarded == ()
    assert Draw("base.C") not in game.legal_actions()
    game = played("B base.B@0,1", game=game)
    assert game.played[-1].events[1] == PutBack(("base.C",))
    assert Draw("base.C") in game.legal_actions()
    assert game.state.left == 69


def test_the_game_ends_when_nothing_in_the_bag_fits():
    game = with_bag(played("A base.E@0,-1 ffcf", unplaceable="back_in_bag"), "base.C")
    game = game.play(Draw("base.C"))
    assert game.decision.kind == "final"


# start_tile


def test_example_13_the_first_tile_drawn_begins():
    rules = rule_set(start_tile="in_bag")
    assert rules.bag[0]["base.D"] == 4
    game = Game.new(rules).play(Draw("base.X"))
    assert [(tile.tile, tile.x, tile.y, tile.rotation) for tile in game.state.placed] == [("base.X", 0, 0, 0)]
    game = game.play(Draw("base.B"))
    assert game.state.discarded == ("base.B",)
    assert game.play(Draw("base.U")).decision == ("place", 0)


@pytest.mark.parametrize("name", ["river1", "river2", "count"])
def test_it_does_not_go_with_what_brings_its_own_start(name):
    with pytest.raises(InvalidRuleSet) as caught:
        rule_set(sets=["base", name], start_tile="in_bag")
    assert caught.value.rule == "HR-4"


# What does not go together


@for_each(
    ("chosen", "code", "rule"),
    [
        ({"hand": "three_open", "unplaceable": "back_in_bag"}, "hand_without_back_in_bag", "HR-3"),
        ({"hand": "three_open", "next_tile": "at_turn_end"}, "hand_implies_next_tile", "HR-3"),
        ({"border_completes": True}, "border_needs_fixed_limit", "HR-11"),
        ({"border_completes": True, "board_limit": "shifting 9x9"}, "border_needs_fixed_limit", "HR-11"),
        ({"board_limit": "fixed 8x9"}, "unknown_value", "HR-10"),
        ({"board_limit": "fixed 33x9"}, "unknown_value", "HR-10"),
        ({"board_limit": "fixed 9x7"}, "unknown_value", "HR-10"),
        ({"board_limit": "shifting 9x10"}, "unknown_value", "HR-10"),
        ({"board_limit": "fixed"}, "unknown_value", "HR-10"),
        ({"hole_bonus": 1}, "unknown_value", "HR-8"),
        ({"seats": 6, "sixth_player": False}, "no_sixth_player", "BASE-1"),
        ({"gingerbread": True}, "needs_set", "WINTER-5"),
    ],
)
def test_combinations_that_are_refused(chosen, code, rule):
    with pytest.raises(InvalidRuleSet) as caught:
        rule_set(**chosen)
    assert (caught.value.code, caught.value.rule) == (code, rule)


def test_example_15_is_one_of_the_base_game():
    assert totals(played(TWO_FIELDS_OF_ONE_FARMER)) == (9, 0)


def test_every_game_knows_every_option():
    """An option of a set that is not in play has no effect, and is accepted."""
    rules = RuleSet.of(options={"count_move": "clockwise", "river_uturn": "last_bend", "cult_tiles": 6})
    assert rules.options["count_move"] == "clockwise"
    assert sum(rules.composition.values()) == 72
    assert RuleSet.from_json(rules.to_json(), seats=2) == rules
    assert Pass() not in Game.new(rules).legal_actions()


@pytest.mark.parametrize("value", ["random", "creator", "youngest", "most_roads"])
def test_who_starts_has_no_effect_on_the_rules(value):
    """HR-1."""
    assert Game.new(rule_set(first_player=value)).state.turn_seat == 0
