"""Tests of the worked examples of the rivers, by number, and their other rules."""

import pytest

from games.rules import Draw, Game, IllegalAction, Recall, RuleSet
from tests.games.rules.boards import (
    claims,
    drawn,
    on_board,
    pictures,
    played,
    rule_set,
    scored,
    turn,
    with_bag,
)

ONE = {"sets": ["base", "river1"]}
TWO = {"sets": ["base", "river2"]}
BOTH = {"sets": ["base", "river1", "river2"]}
BENT = "A river1.straight@1,0 fvfv; A river1.curve@2,0 ffvv"
FORKED = "A river2.fork@1,0 vvfv"


def waiting(id, start="", **chosen):
    """The game in which the tile called *id* waits to be placed, after the river tiles of *start*."""
    game = played("", start=start, **chosen)
    return with_bag(game, id, "base.B").play(Draw(id))


def places(game):
    """The placements of the drawn tile, as ``2,1 vvff``."""
    return sorted(f"{x},{y} {sides}" for x, y, sides in pictures(game, game.state.drawn))


def test_example_1_beside_the_spring():
    for id in RuleSet.of(sets=ONE["sets"]).bag[0]:
        game = drawn(id, **ONE)
        placements = game.legal_actions().placements
        assert len(placements) == 2
        assert {(x, y) for x, y, _ in placements} == {(1, 0)}
    assert len(waiting("river1.lake", **ONE).legal_actions().placements) == 1


@pytest.mark.parametrize("uturn", ["immediate", "last_bend"])
def test_example_2_no_turning_back_at_once(uturn):
    game = waiting("river1.curve", BENT, river_uturn=uturn, **ONE)
    assert places(game) == ["2,1 vvff"]
    with pytest.raises(IllegalAction) as refused:
        game.play(turn("A river1.curve@2,1 vffv"))
    assert refused.value.rule == "RIVER-6"


def test_example_3_the_corner_city_bends_too():
    game = waiting("river1.corner-city", BENT, **ONE)
    assert places(game) == ["2,1 vvcc"]
    assert game.legal_actions().placements[0].rotation == 270


@pytest.mark.parametrize(
    ("uturn", "there"), [("immediate", ["2,2 vffv", "2,2 vvff"]), ("last_bend", ["2,2 vvff"])]
)
def test_example_4_after_a_straight_tile_the_readings_differ(uturn, there):
    start = BENT + "; A river1.straight@2,1 vfvf"
    assert places(waiting("river1.curve", start, river_uturn=uturn, **ONE)) == there


@pytest.mark.parametrize(("divides", "free"), [(False, []), (True, ["field ESE"])])
def test_examples_5_and_6_whether_the_spring_divides_the_field(divides, free):
    game = played("A river1.straight@1,0 fvfv field NNW", river_source_divides_field=divides, **ONE)
    game = game.play(Draw("river1.straight"))
    assert claims(game, 2, 0, 0) == free


@pytest.mark.parametrize(("divides", "fields"), [(False, 1), (True, 2)])
def test_every_edge_of_the_spring_belongs_to_a_bank(divides, fields):
    """RIVER-13."""
    board = Game.new(rule_set(river_source_divides_field=divides, **ONE)).state.board
    banks = [("WSW", "WNW", "NNW", "NNE", "ENE"), ("ESE", "SSE", "SSW")]
    spots = [{board.spot_of(board.feature_at(0, 0, "field", side)) for side in bank} for bank in banks]
    assert [len(bank) for bank in spots] == [1, 1]
    assert len(spots[0] | spots[1]) == fields


def test_example_7_a_city_on_the_bank():
    game = played("A river1.two-cities@1,0 cvcv city N", **ONE)
    game = played("B base.E@1,-1 ffcf", game=with_bag(game, "base.E", "base.E"))
    assert scored(game) == [("A", "city", 4)]


def test_example_8_a_road_crosses_by_the_bridge():
    game = played("A river1.road-bridge@1,0 rvrv road N", **ONE)
    game = with_bag(game, "base.A", "base.A", "base.A")
    game = played("B base.A@1,-1 ffrf; A base.A@1,1 rfff", game=game)
    assert scored(game) == [("A", "road", 3)]


def test_example_9_the_fork_joins_the_spring_in_three_ways():
    game = drawn("river2.fork", **TWO)
    assert places(game) == ["1,0 fvvv", "1,0 vfvv", "1,0 vvfv"]


def test_examples_10_and_11_each_branch_has_its_own_turn():
    game = waiting("river2.curve", FORKED, **TWO)
    assert places(game) == ["1,-1 fvvf", "2,0 ffvv", "2,0 vffv"]


def test_examples_12_and_13_branches_keep_clear_of_each_other():
    start = FORKED + "; A river2.curve@2,0 vffv"
    game = waiting("river1.curve", start, **BOTH)
    assert places(game) == ["2,-1 fvvf"]
    for line in ("A river1.curve@1,-1 fvvf", "A river1.curve@2,-1 ffvv"):
        with pytest.raises(IllegalAction) as refused:
            game.play(turn(line))
        assert refused.value.rule in ("RIVER-6", "RIVER-8")


def test_example_14_the_fork_turned():
    game = waiting("river2.curve", "A river2.fork@1,0 vfvv", **TWO)
    assert places(game) == ["1,-1 fvvf", "1,1 vvff"]


def test_the_fork_turned_the_other_way():
    """RIVER-7: entered through its unrotated east side, it has the branches S and R."""
    game = waiting("river2.curve", "A river2.fork@1,0 fvvv", **TWO)
    assert places(game) == ["1,1 vvff", "2,0 ffvv", "2,0 vffv"]


@pytest.mark.parametrize(("uturn", "there"), [("immediate", 2), ("last_bend", 1)])
def test_a_branch_remembers_its_bend_past_a_straight_tile(uturn, there):
    """RIVER-6, RIVER-7: the branch north turned left at the fork."""
    start = FORKED + "; A river1.straight@1,-1 vfvf; A river2.city-mouth@2,0 fcfv"
    game = waiting("river2.curve", start, river_uturn=uturn, **BOTH)
    assert places(game) == ["1,-2 ffvv", "1,-2 fvvf"][-there:]


def test_the_city_mouth_closes_either_branch():
    """RIVER-9."""
    game = waiting("river2.city-mouth", FORKED, **TWO)
    assert places(game) == ["1,-1 cfvf", "2,0 fcfv"]


def ends_with(id, first="A"):
    """A game in which the last tile of a short river is to be drawn, with two tiles of the main bag."""
    game = played("", start=FORKED + "; A river2.city-mouth@1,-1 cfvf", first=first, seats=3, **TWO)
    return with_bag(game, id, "base.B", "base.V")


def test_example_15_the_volcano_takes_no_figure_and_brings_a_turn():
    game = ends_with("river2.lake-volcano", first="B").play(Draw("river2.lake-volcano"))
    with pytest.raises(IllegalAction) as refused:
        game.play(turn("B river2.lake-volcano@2,0 fffv field NNW"))
    assert refused.value.rule == "RIVER-15"
    assert {action.figure for action in game.legal_actions()} == {None}
    game = game.play(turn("B river2.lake-volcano@2,0 fffv"))
    assert game.state.turn_seat == 1
    assert game.state.further == "volcano"
    game = played("B base.B@3,0 monastery", game=game)
    assert game.state.turn_seat == 2


def test_example_16_without_a_figure_in_hand_the_turn_comes_all_the_same():
    game = ends_with("river2.lake-volcano", first="A")
    game = Game(game.state._replace(supply=({"follower": 0}, *game.state.supply[1:])))
    game = played("A river2.lake-volcano@2,0 fffv", game=game)
    assert game.state.turn_seat == 0


def test_an_abbot_may_come_home_while_the_volcano_is_placed_and_in_the_turn_it_brings():
    """RIVER-16, ABBOT-11; and he may stand in a garden by the river (RIVER-12)."""
    chosen = {**TWO, "sets": [*TWO["sets"], "abbot"], "edition": "C2"}
    game = played("A river2.fork@1,0 vvfv; B river2.curve-garden@2,0 ffvv abbot garden", **chosen)
    assert on_board(game) == ["B garden @2,0"]
    game = with_bag(game, "river2.city-mouth", "river2.lake-volcano", "base.B", "base.V")
    game = played("A river2.city-mouth@1,-1 cfvf", game=game).play(Draw("river2.lake-volcano"))
    assert {action.figure for action in game.legal_actions()} == {None, Recall(2, 0)}
    home = game.play(turn("B river2.lake-volcano@2,1 vfff recall 2,0"))
    assert scored(home) == [("B", "garden", 4)]
    assert (home.state.turn_seat, home.state.further) == (1, "volcano")
    later = game.play(turn("B river2.lake-volcano@2,1 vfff"))
    assert scored(played("B base.B@3,1 recall 2,0", game=later)) == [("B", "garden", 5)]


def test_a_plain_volcano_is_an_ordinary_tile():
    game = played("", start=FORKED, river2_volcano="plain", **TWO)
    game = played(
        "A river2.lake-volcano@2,0 fffv field NNW", game=with_bag(game, "river2.lake-volcano", "base.B")
    )
    assert game.state.turn_seat == 1


def test_a_volcano_that_comes_last_of_all_brings_no_turn():
    """FAQ-60."""
    game = with_bag(played("", start=FORKED, **TWO), "river2.lake-volcano")
    game = played("A river2.lake-volcano@2,0 fffv", game=game)
    assert game.decision.kind == "final"


def test_a_volcano_that_fits_nowhere_brings_no_turn():
    """RIVER-16, RIVER-10."""
    start = FORKED + "; A river2.city-mouth@1,-1 cfvf; A river2.lake-volcano@2,0 fffv"
    game = with_bag(played("", start=start, **BOTH), "river1.curve", "base.B").play(Draw("river1.curve"))
    assert game.state.discarded == ("river1.curve",)
    assert game.decision.kind == "draw"
    assert game.state.turn_seat == 0


def test_example_17_the_lake_ends_the_river_and_the_next_player_goes_on():
    game = with_bag(played("", seats=3, first="B", **ONE), "river1.lake", "base.B", "base.V")
    game = played("B river1.lake@1,0 fffv field NNW", game=game)
    assert game.state.turn_seat == 2
    assert game.play(Draw("base.B")).decision.seat == 2


def test_the_order_of_the_first_river():
    """RIVER-1, RIVER-2."""
    rules = rule_set(**ONE)
    assert [sum(group.values()) for group in rules.bag] == [10, 1, 71]
    assert rules.bag[1] == {"river1.lake": 1}
    assert rules.bag[2]["base.D"] == 3
    assert rule_set(river_start_tile="in_bag", **ONE).bag[2]["base.D"] == 4
    assert [(one.id, x, y) for one, x, y in rules.start] == [("river1.spring", 0, 0)]


def test_the_order_of_the_second_river():
    """RIVER-3."""
    bag = rule_set(**TWO).bag
    assert [sum(group.values()) for group in bag] == [1, 9, 1, 71]
    assert bag[0] == {"river2.fork": 1}
    assert "river2.city-mouth" in bag[1]
    assert bag[2] == {"river2.lake-volcano": 1}


def test_the_order_of_both_rivers():
    """RIVER-4."""
    rules = rule_set(**BOTH)
    assert [sum(group.values()) for group in rules.bag] == [1, 19, 1, 71]
    assert "river1.lake" not in rules.composition
    assert "river2.spring" not in rules.composition
    assert [one.id for one, _, _ in rules.start] == ["river1.spring"]


@pytest.mark.parametrize("id", ["base.B", "river1.lake"])
def test_nothing_comes_before_its_time(id):
    with pytest.raises(IllegalAction) as refused:
        Game.new(rule_set(**ONE)).play(Draw(id))
    assert refused.value.rule == "RIVER-2"


def test_a_river_tile_must_carry_the_river_on():
    """RIVER-5: fitting by another side is not enough."""
    game = waiting("river1.straight", "A river1.straight@1,0 fvfv", **ONE)
    assert places(game) == ["2,0 fvfv"]
    with pytest.raises(IllegalAction) as refused:
        game.play(turn("A river1.straight@1,1 fvfv"))
    assert refused.value.rule == "RIVER-5"


def test_nobody_stands_on_the_river():
    """RIVER-12, RIVER-13: nor is it ever scored, though nothing of it stays open."""
    game = waiting("river1.lake", **ONE)
    assert {figure.on for figure in game.legal_actions().figures(game.legal_actions().placements[0])[1:]} == {
        "field"
    }
    game = game.play(turn("A river1.lake@1,0 fffv"))
    assert not game.state.feature_at(1, 0, "river", "W").complete
    assert [type(event).__name__ for event in game.events] == ["Placed", "TurnPassed"]


def test_an_open_end_forbids_the_space_before_it_for_ever():
    """RIVER-11."""
    game = waiting("base.B", "A river1.straight@1,0 fvfv", **ONE)
    assert all((x, y) != (2, 0) for x, y, _ in game.legal_actions().placements)
