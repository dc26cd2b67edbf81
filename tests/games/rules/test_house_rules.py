"""The worked examples of the house rules, by their numbers there, and what each rule says besides."""

from random import Random

import pytest

from games.rules import (
    Dealt,
    Discarded,
    Draw,
    Game,
    IllegalAction,
    InvalidRuleSet,
    LastTurnPlayed,
    Pass,
    Placement,
    PutAside,
    PutBack,
    RuleSet,
    TurnPassed,
    view,
    view_event,
)
from games.rules.playout import random_action, random_game

from .boards import drawn, played, rule_set, scored, totals, turn, with_bag
from .test_base_examples import TWO_FIELDS_OF_ONE_FARMER

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


def refused(game, line):
    with pytest.raises(IllegalAction) as caught:
        game.play(turn(line))
    return caught.value.rule


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
    assert all(abs(one.x) <= 4 and abs(one.y) <= 4 for one in game.legal_actions())
    game = drawn("base.U", "; ".join(row[:3]), board_limit="fixed 9x9")
    assert Placement(4, 0, 0) in game.legal_actions().placements


def test_example_8_a_table_that_shifts_with_the_tiles():
    row = "; ".join(f"{'AB'[x % 2 == 0]} base.U@{x},0" for x in range(1, 9))
    game = drawn("base.D", row, board_limit="shifting 9x9")
    assert refused(game, "A base.D@9,0") == "HR-10"
    assert refused(game, "A base.D@-1,0") == "HR-10"
    assert (8, 1) in {
        (one.x, one.y) for one in drawn("base.B", row, board_limit="shifting 9x9").legal_actions()
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
    """A monastery at [4,4] whose three neighbours on the table come one after the other."""
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
    assert [(one.tile, one.x, one.y, one.rotation) for one in game.state.placed] == [("base.X", 0, 0, 0)]
    game = game.play(Draw("base.B"))
    assert game.state.discarded == ("base.B",)
    assert game.play(Draw("base.U")).decision == ("place", 0)


@pytest.mark.parametrize("name", ["river1", "river2", "count"])
def test_it_does_not_go_with_what_brings_its_own_start(name):
    with pytest.raises(InvalidRuleSet) as caught:
        rule_set(sets=["base", name], start_tile="in_bag")
    assert caught.value.rule == "HR-4"


# next_tile, hand


def dealt(game, *ids):
    """*game* after the tiles called *ids* were dealt."""
    for id in ids:
        game = game.play(Draw(id))
    return game


def test_example_14_each_seat_holds_a_tile_and_a_bag_of_three_makes_three_turns():
    rules = rule_set(next_tile="at_turn_end")
    game = Game.new(rules)
    game = Game(game.state._replace(remaining={"base.B": 3}, left=3))
    game = dealt(game, "base.B", "base.B")
    assert game.decision == ("place", 0)
    assert game.state.drawn == "base.B"
    assert game.state.hands == ((), ("base.B",))
    seats = []
    while game.decision.kind != "final":
        if game.decision.kind == "place":
            seats.append(game.decision.seat)
        game = game.play(next(iter(game.legal_actions())))
    assert seats == [0, 1, 0]


def test_a_held_tile_that_fits_nowhere_is_discarded_at_the_start_of_the_turn():
    """HR-2."""
    game = dealt(Game.new(rule_set(next_tile="at_turn_end")), "base.E", "base.C")
    game = game.play(turn("A base.E@0,-1 ffcf"))
    assert game.state.dealing == (0,)
    game = game.play(Draw("base.B"))
    assert game.state.discarded == ("base.C",)
    assert game.state.dealing == (1,)
    game = game.play(Draw("base.U"))
    assert game.decision == ("place", 1)
    assert game.state.hands == (("base.B",), ())


def test_with_a_river_tiles_are_held_from_the_main_bag_on():
    """HR-2."""
    game = Game.new(rule_set(sets=["base", "river1"], next_tile="at_turn_end"))
    assert game.state.hands == ()
    game = with_bag(game, "river1.lake", "base.B", "base.U", "base.V").play(Draw("river1.lake"))
    assert game.decision == ("place", 0)
    game = game.play(turn("A river1.lake@1,0 fffv"))
    assert game.state.dealing == (0, 1)
    game = dealt(game, "base.B", "base.U")
    assert game.decision == ("place", 1)
    assert game.state.drawn == "base.U"


def test_a_river_tile_that_came_back_late_does_not_keep_the_hands_empty():
    """HR-2, HR-6: the river is over with its lake, whatever is in the bag again."""
    chosen = {"sets": ["base", "river1"], "next_tile": "at_turn_end", "unplaceable": "back_in_bag"}
    start = "A river1.straight@1,0 fvfv; A river1.curve@2,0 ffvv; A base.B@1,1; A base.B@3,1"
    game = played("", start=start, **chosen)
    game = with_bag(game, "river1.curve", "river1.straight", "river1.lake", "base.B", "base.U", "base.V")
    game = game.play(Draw("river1.curve"))
    assert game.state.aside == ("river1.curve",)
    game = played("A river1.straight@2,1 vfvf; B river1.lake@2,2 vfff", game=game)
    assert "river1.curve" in game.state.remaining
    assert game.state.dealing == (0, 1)
    game = dealt(game, "base.B", "river1.curve").play(turn("A base.B@0,1"))
    game = game.play(Draw("base.U"))
    assert (game.state.aside, game.state.dealing) == (("river1.curve",), (1,)), "it fits nowhere"
    assert game.play(Draw("base.V")).decision == ("place", 1)


def test_a_lake_that_fits_nowhere_is_the_end_of_the_river_too():
    """HR-2, RIVER-10: then the first tiles of the main bag are dealt, and whoever drew the lake goes on."""
    start = "A river1.straight@1,0 fvfv; A base.B@2,-1; A base.B@2,1; A base.A@3,0 fffr"
    game = played("", start=start, first="B", sets=["base", "river1"], next_tile="at_turn_end")
    game = with_bag(game, "river1.curve", "river1.lake", "base.B", "base.U", "base.V")
    game = game.play(Draw("river1.curve"))
    assert (game.state.discarded, game.decision.kind, game.state.dealing) == (("river1.curve",), "draw", ())
    game = game.play(Draw("river1.lake"))
    assert game.state.discarded == ("river1.curve", "river1.lake")
    assert game.state.dealing == (0, 1)
    game = dealt(game, "base.B", "base.U")
    assert (game.decision, game.state.drawn) == (("place", 1), "base.U")


@pytest.mark.parametrize("options", [{"next_tile": "at_turn_end"}, {"hand": "three_open"}], ids=str)
def test_the_start_tile_out_of_the_bag_is_drawn_before_the_hands(options):
    """HR-4 with HR-2 or HR-3."""
    game = Game.new(rule_set(start_tile="in_bag", **options))
    assert game.state.dealing == ()
    game = game.play(Draw("base.X"))
    assert [type(event).__name__ for event in game.events] == ["Started", "Dealing"]
    assert game.state.dealing == ((0, 1) if "next_tile" in options else (0, 0, 0, 1, 1, 1))
    while game.state.dealing:
        game = game.play(Draw("base.U"))
    assert game.decision == ("place", 0)


def test_the_game_ends_when_the_last_tile_that_anybody_holds_fits_nowhere():
    """HR-2, BASE-37."""
    game = with_bag(Game.new(rule_set(next_tile="at_turn_end")), "base.E", "base.C")
    game = dealt(game, "base.E", "base.C").play(turn("A base.E@0,-1 ffcf"))
    assert game.state.discarded == ("base.C",)
    assert game.decision.kind == "final"


def test_a_seat_without_a_tile_is_passed_over():
    """HR-2: the bag is empty, but not every hand."""
    game = with_bag(Game.new(rule_set(next_tile="at_turn_end", seats=3)), "base.E", "base.C", "base.B")
    game = dealt(game, "base.E", "base.C", "base.B").play(turn("A base.E@0,-1 ffcf"))
    assert game.state.discarded == ("base.C",)
    assert game.decision == ("place", 2)
    assert game.play(turn("C base.B@0,1")).decision.kind == "final"


def test_a_further_turn_without_a_tile_passes_on():
    """HR-3, HR-8: nothing is left in hand or bag for it, but others still hold tiles."""
    game = hole_to_fill(hand="three_open")
    mine, theirs = ("base.B",), game.state.hands[1]
    game = Game(game.state._replace(hands=(mine, theirs), remaining={}, left=0))
    game = game.play(turn("A base.B@0,1"))
    assert game.decision == ("place", 1)
    assert game.state.further is None


def test_a_further_turn_draws_at_once():
    """HR-2."""
    game = hole_to_fill(next_tile="at_turn_end")
    game = game.play(turn("A base.B@0,1"))
    assert game.state.further == "hole"
    assert game.state.dealing == (0,)
    assert game.play(Draw("base.U")).decision == ("place", 0)


def hole_to_fill(**chosen):
    """A hole south of the start tile, and A to place a monastery."""
    tiles = [
        "base.V@1,0 ffrr",
        "base.V@-1,0 frrf",
        "base.U@1,1 rfrf",
        "base.U@-1,1 rfrf",
        "base.U@1,2 rfrf",
        "base.U@-1,2 rfrf",
        "base.B@0,2",
    ]
    start = "; ".join(f"A {one}" for one in tiles)
    game = played("", start=start, hole_bonus=True, **chosen)
    count = 6 if "hand" in chosen else 2
    return dealt(game, *["base.B"] * 3, *["base.U"] * 3) if count == 6 else dealt(game, "base.B", "base.U")


def test_three_tiles_to_choose_from():
    """HR-3."""
    game = dealt(Game.new(rule_set(hand="three_open")), *["base.B", "base.U", "base.B"], *["base.V"] * 3)
    assert game.decision == ("place", 0)
    assert game.state.drawn is None
    assert game.state.playable == ("base.B", "base.U")
    legal = game.legal_actions()
    assert {one.tile for one in legal} == {"base.B", "base.U"}
    assert len(legal.placements_of("base.U")) == 6
    assert refused(game, "A base.V@1,0") == "BASE-7"
    game = game.play(turn("A base.U@1,0"))
    assert game.state.hands[0] == ("base.B", "base.B")
    assert game.state.dealing == (0,)
    game = game.play(Draw("base.X"))
    assert game.state.hands[0] == ("base.B", "base.B", "base.X")
    assert game.decision == ("place", 1)


def test_of_a_hand_the_first_tile_is_meant_where_none_is_named():
    game = dealt(Game.new(rule_set(hand="three_open")), *["base.B", "base.B", "base.E"], *["base.V"] * 3)
    legal = game.legal_actions()
    assert legal.tiles == ("base.B", "base.E")
    assert {(one.x, one.y) for one in legal.placements} == {(0, 1)}, "a monastery, beside the field"
    assert [figure and figure.on for figure in legal.figures(Placement(0, 1, 0))] == [
        None,
        "field",
        "monastery",
    ]


@pytest.mark.parametrize("chosen", [{}, {"next_tile": "at_turn_end"}, {"hand": "three_open"}], ids=str)
def test_the_last_turn_passes_to_nobody(chosen):
    """BASE-36, HR-2, HR-3: with the bag and all hands empty."""
    game, random = Game.new(rule_set(seats=3, **chosen)), Random(4)
    while game.decision.kind != "final":
        seat = game.state.turn_seat
        game = game.play(random_action(game, random))
    assert [event for event in game.events if isinstance(event, TurnPassed | LastTurnPlayed)] == [
        LastTurnPlayed()
    ]
    assert game.state.turn_seat == seat


def test_further_turns_are_played_from_the_hand():
    """HR-3."""
    game = hole_to_fill(hand="three_open")
    game = game.play(turn("A base.B@0,1"))
    assert game.state.further == "hole"
    assert game.decision == ("place", 0)
    assert game.state.hands[0] == ("base.B", "base.B")


def test_a_hand_of_which_nothing_fits_is_shown_and_replaced():
    """HR-3."""
    game = Game.new(rule_set(hand="three_hidden"))
    game = dealt(game, "base.E", "base.B", "base.B", "base.C", "base.Q", "base.S")
    game = Game(
        game.state._replace(remaining={**game.state.remaining, "base.C": 2}, left=game.state.left + 2)
    )
    board = game.play(turn("A base.E@0,-1 ffcf"))
    hand = ("base.C", "base.C", "base.C")
    board = Game(board.state._replace(hands=(board.state.hands[0], hand)))
    after = board.play(Draw("base.B"))
    assert after.state.discarded == hand
    assert after.state.dealing == (1, 1, 1)


def test_hidden_hands_are_seen_by_their_owners_only():
    """HR-3."""
    rules = rule_set(hand="three_hidden", seats=3)
    game = dealt(Game.new(rules), *["base.B", "base.U", "base.X"], *["base.V"] * 3, *["base.W"] * 3)
    state = game.state
    for seat in (0, 1, 2, None):
        seen = view(state, seat)
        for owner in range(3):
            assert seen.hands[owner] == (state.hands[owner] if owner == seat else (None,) * 3)
        assert sum(seen.remaining.values()) == state.left + 3 * (3 if seat is None else 2)
        assert seen.left == state.left
    assert "base.X" in view(state, 1).remaining, "what is unseen may be in the bag as well"
    assert "base.X" not in view(state, 0).remaining
    event = Dealt(0, "base.X")
    assert view_event(rules, event, 0) == event
    assert view_event(rules, event, 1).tile == ""
    assert view_event(rules, event, None).tile == ""
    over = random_game(rules, Random(1)).state
    assert view(over, None) is over
    assert view_event(rules, event, 1, over=True) == event
    shown = Discarded(0, "base.X")
    assert view_event(rules, shown, 1) == shown, "what leaves a hand is for all to see"
    opened = dealt(Game.new(rule_set(hand="three_open")), *["base.B"] * 3, *["base.V"] * 3).state
    assert view(opened, None) is opened
    assert view_event(opened.rules, event, 1) == event


def test_who_sees_no_other_hand_sees_a_turn_through_to_the_end():
    """HR-3: the others' turns come when the bag is empty, too, though what they hold isn't known."""
    chance = Random(3)
    game = Game.new(rule_set(hand="three_hidden", seats=3))
    last = 0
    while not game.state.over:
        if game.decision.kind == "place" and not game.state.left:
            seat = game.decision.seat
            seen = Game(view(game.state, seat))
            after = seen.play(chance.choice(list(seen.legal_actions())))
            others = sum(map(len, game.state.hands)) - len(game.state.hands[seat])
            assert after.decision == (("place", (seat + 1) % 3) if others else ("final", None))
            last += 1
        game = game.play(random_action(game, chance))
    assert last == 9


# What does not go together


@pytest.mark.parametrize(
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
    ids=str,
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
