"""Tests of the worked examples of the Count of Carcassonne, by number, and its other rules."""

import pytest

from games.rules import (
    Draw,
    Final,
    Game,
    IllegalAction,
    InvalidRuleSet,
    Pass,
    Place,
)
from games.rules.modules.count import CountMoved, Enter, Transfer, _loaded_transfer, _stored_transfer
from tests.cases import for_each
from tests.games.rules.boards import at_end, drawn, played, rule_set, scored, totals, turn, with_bag
from tests.games.rules.count_helpers import (
    CAP,
    COUNT,
    ROAD,
    SURROUNDED,
    THREE_SEATS,
    TO_THE_CAP,
    TO_THE_FIELD,
    TWO_ROADS,
    make_ending,
    make_majority_of_knights,
    place_in_quarters,
    place_meeples,
    read_quarters,
)


def refused(game, action):
    with pytest.raises(IllegalAction) as caught:
        game.play(action)
    assert action not in game.legal_actions()
    return caught.value.rule


@pytest.mark.parametrize(("fields", "points"), [("third-edition", 6), ("first-edition", 8)])
def test_example_1_rim_fields_touch_the_city(fields, points):
    game = played("A base.B@2,0 field NNW; B base.E@2,1 fffc", fields=fields, **COUNT)
    assert totals(game) == (points, 0)


@pytest.mark.parametrize(
    ("fields", "points"), [("third-edition", 3), ("second-edition", 3), ("first-edition", 4)]
)
def test_example_2_the_city_counts_once_per_field(fields, points):
    game = played("A base.B@-1,-2 field NNW", fields=fields, **COUNT)
    assert totals(game) == (points, 0)


def test_example_3_who_brings_points_to_others_may_enter():
    game = played(ROAD, **COUNT)
    assert scored(game) == [("A", "road", 3)]
    assert game.decision == ("enter", 1)
    entered = game.play(Enter("market", "follower", "cathedral"))
    assert read_quarters(entered) == ("cathedral", {"market": "B"})
    assert entered.state.supply[1]["follower"] == 6
    assert entered.decision.kind == "draw"
    assert read_quarters(game.play(Enter("castle"))) == ("castle", {"castle": "B"}), "COUNT-9"
    assert read_quarters(game.play(Pass())) == ("castle", {})
    assert len(list(game.legal_actions())) == 1 + 4 * 4


def test_example_4_entering_is_another_step_than_deploying():
    game = played(ROAD + " monastery", **COUNT)
    assert game.decision == ("enter", 1)
    assert game.play(Enter("castle")).state.supply[1]["follower"] == 5


FROM_THE_SMITHY = "A base.U@0,2 rfrf road S; B base.B@2,0; C base.A@0,3 rfff"


def before_the_last(text=FROM_THE_SMITHY, **chosen):
    """The game before the last turn of *text*, and that turn."""
    *before, last = text.split("; ")
    return played("; ".join(before), **{**THREE_SEATS, **chosen}), last


def after(game, last):
    return played(last, game=game)


TO_THE_ROAD = Transfer("blacksmith", "follower", 1, 0, 1, "road", "S")


def test_example_5_transfers_come_before_scoring():
    game, last = before_the_last()
    game = after(place_in_quarters(game, blacksmith="B"), last)
    assert game.decision == ("transfer", 1), "A has nothing to move"
    assert scored(game) == []
    game = game.play(TO_THE_ROAD)
    assert scored(game) == [("A", "road", 3), ("B", "road", 3)]
    assert game.decision == ("enter", 2)
    assert game.state.supply[1]["follower"] == 8, "COUNT-19: home, not back to the city"


def test_example_6_who_is_paid_may_not_enter():
    game = played("A base.U@0,2 rfrf road S", **COUNT)
    game = played("B base.A@0,3 rfff", game=place_in_quarters(game, blacksmith="B"))
    assert game.decision == ("transfer", 1)
    game = game.play(TO_THE_ROAD)
    assert game.state.scores == (3, 3)
    assert game.decision.kind == "draw"


def test_example_7_a_large_follower_counts_two():
    game, last = before_the_last(sets=["base", "count", "inns-and-cathedrals"])
    game = after(place_in_quarters(game, blacksmith="LB"), last)
    game = game.play(TO_THE_ROAD._replace(meeple="large"))
    assert scored(game) == [("B", "road", 3)]


def test_example_8_nobody_leaves_the_quarter_of_the_count():
    game, last = before_the_last()
    game = after(place_in_quarters(game, count="blacksmith", blacksmith="B"), last)
    assert scored(game) == [("A", "road", 3)]
    assert game.decision == ("enter", 2)


def test_example_9_an_empty_feature_may_be_entered():
    game, last = before_the_last(CAP)
    moving = after(place_in_quarters(game, count="market", castle="B"), last)
    moved = moving.play(TO_THE_CAP)
    assert scored(moved) == [("B", "city", 4)]
    assert moved.decision == ("enter", 2)
    game, last = before_the_last(CAP, count_into_unoccupied=False)
    moving = after(place_in_quarters(game, count="market", castle="B"), last)
    assert scored(moving) == []
    assert moving.decision.kind == "draw"


def test_example_10_or_not_past_the_count():
    game, last = before_the_last(CAP)
    game = after(place_in_quarters(game, castle="B"), last)
    assert scored(game) == []
    assert game.decision.kind == "draw"


def test_example_11_any_points_of_ones_own_keep_one_out():
    game = played(TWO_ROADS.format(claim=" road W") + "C base.W@1,-3 frrr", **THREE_SEATS)
    assert sorted(scored(game)) == [("A", "road", 3), ("C", "road", 2)]
    assert game.decision.kind == "draw"


def test_example_12_later_seats_see_earlier_decisions():
    game = played("C base.E@-2,2 cfff", game=make_majority_of_knights())
    assert game.decision == ("transfer", 1)
    game = game.play(TO_THE_CAP._replace(followers=2))
    assert game.decision == ("transfer", 2), "the active player last"
    game = game.play(TO_THE_CAP)
    assert scored(game) == [("B", "city", 4)]


def test_example_13_one_each_pays_all_and_keeps_the_active_player_out():
    game = played("C base.E@-2,2 cfff", game=make_majority_of_knights())
    game = game.play(TO_THE_CAP)
    assert game.decision == ("transfer", 1), "B has another to move"
    game = game.play(Pass()).play(TO_THE_CAP)
    assert scored(game) == [("A", "city", 4), ("B", "city", 4), ("C", "city", 4)]
    assert game.decision.kind == "draw"


def test_example_14_of_two_completed_roads_each_follower_chooses():
    game = place_meeples(played(TWO_ROADS.format(claim=""), **THREE_SEATS), 2, -3, "road", "W", "A")
    game = played("C base.W@1,-3 frrr", game=place_in_quarters(game, blacksmith="B B"))
    assert game.decision == ("transfer", 1)
    moves = [action for action in game.legal_actions() if isinstance(action, Transfer)]
    assert sorted(move.followers for move in moves) == [1, 1, 2, 2]
    one_each = [move for move in moves if move.followers == 1]
    both = game.play(one_each[0]).play(one_each[1])
    assert sorted(scored(both)) == [("A", "road", 2), ("A", "road", 3), ("B", "road", 2), ("B", "road", 3)]
    assert len(scored(game.play(Pass()))) == 2, "or none"
    (two,) = (move for move in moves if move.followers == 2 and move[3:] == one_each[0][3:])
    assert sorted(seat for seat, _, _ in scored(game.play(two))) == ["A", "B"], "or both to one"


def test_example_15_the_cathedral_serves_monasteries():
    game = played(SURROUNDED, **THREE_SEATS)
    game = played("C base.E@2,-1 cfff", game=place_in_quarters(game, cathedral="C"))
    assert game.decision == ("transfer", 2)
    game = game.play(Transfer("cathedral", "follower", 1, 2, 0, "monastery"))
    assert scored(game) == [("A", "monastery", 9), ("C", "monastery", 9)]


def test_example_16_but_no_gardens():
    game = played(
        SURROUNDED.replace("base.B@2,0 monastery", "base.Eg@2,0 cfff abbot garden"),
        sets=["base", "count", "abbot"],
        edition="C2",
        seats=3,
    )
    game = with_bag(place_in_quarters(game, cathedral="C"), "base.E", "base.B")
    game = played("C base.E@2,-1 ffcf", game=game)
    assert scored(game) == [("A", "garden", 9)]
    assert game.decision == ("enter", 2)


def test_example_17_the_market_goes_to_the_fields_at_the_end():
    game = place_in_quarters(make_ending(), market="B B").cut_short()
    assert game.decision == ("transfer_at_end", 1)
    assert refused(game, Final()) == "COUNT-22"
    game = game.play(TO_THE_FIELD._replace(followers=2))
    assert game.decision.kind == "final"
    assert scored(game.play(Final())) == [("B", "field", 9)]


def test_example_18_but_not_past_the_count():
    game = place_in_quarters(make_ending(), count="market", market="B B").cut_short()
    assert game.decision.kind == "final"
    assert scored(game.play(Final())) == [("A", "field", 9)]


def test_example_19_the_last_to_have_placed_decides_last():
    game = place_in_quarters(make_ending(), market="A B C")
    game = with_bag(game, "base.B")
    game = played("A base.B@-3,0", game=game)
    assert game.state.asked == (1, 2, 0)
    short = place_in_quarters(make_ending(), market="A B C").cut_short()
    assert short.state.asked == (0, 1, 2), "C has placed the last tile"


def test_example_20_nobody_to_send_nobody_asked():
    game = played("A base.U@1,-2 rfrf", **COUNT)
    supply = ({"follower": 0}, game.state.supply[1])
    game = place_meeples(Game(game.state._replace(supply=supply)), 1, -2, "road", "N", "B")
    game = played("B base.B@2,0; A base.A@1,-3 ffrf", game=game)
    assert scored(game) == [("B", "road", 3)]
    assert game.decision.kind == "draw"


def test_spots_are_accepted_by_any_name():
    game, last = before_the_last()
    game = after(place_in_quarters(game, blacksmith="B"), last)
    for action in (TO_THE_ROAD, TO_THE_ROAD._replace(y=2), TO_THE_ROAD._replace(y=3, side="N")):
        assert action in game.legal_actions()
        assert game.play(action).events == game.play(TO_THE_ROAD).events


@pytest.mark.parametrize(
    "change",
    [
        {"followers": 2},
        {"followers": 0},
        {"quarter": "castle"},
        {"quarter": "cathedral"},
        {"meeple": "large"},
        {"x": 2, "y": 0, "on": "monastery", "side": None},
        {"x": 9},
        {"side": None},
    ],
    ids=str,
)
def test_transfers_that_are_refused(change):
    """COUNT-16: what is not scored, not served, or not there."""
    game, last = before_the_last()
    game = after(place_in_quarters(game, blacksmith="B", castle="A"), last)
    assert refused(game, TO_THE_ROAD._replace(**change)) == "COUNT-16"


@pytest.mark.parametrize(
    ("how", "legal"),
    [
        ("by_player", {None, "market", "blacksmith", "cathedral"}),
        ("clockwise", {"market"}),
        ("follow_meeple", {"cathedral"}),
    ],
)
def test_how_the_count_moves(how, legal):
    """COUNT-13, COUNT-14."""
    game = played(ROAD, count_move=how, **COUNT)
    listed = {
        action.count_to
        for action in game.legal_actions()
        if isinstance(action, Enter) and action.quarter == "cathedral"
    }
    assert listed == legal
    for to in {None, "market", "blacksmith", "cathedral", "castle"} - legal:
        assert refused(game, Enter("cathedral", "follower", to)) == "COUNT-5"
    stays = [
        action for action in game.legal_actions() if isinstance(action, Enter) and action.quarter == "castle"
    ]
    if how == "follow_meeple":
        assert [stay.count_to for stay in stays] == [None]
        assert not any(isinstance(event, CountMoved) for event in game.play(stays[0]).events)


def test_without_fields_the_market_is_closed_to_all():
    """COUNT-12."""
    game = played(ROAD, fields="none", **COUNT)
    entries = [action for action in game.legal_actions() if isinstance(action, Enter)]
    assert {entry.quarter for entry in entries} == {"castle", "blacksmith", "cathedral"}
    assert {entry.count_to for entry in entries} == {None, "blacksmith", "cathedral"}
    assert refused(game, Enter("market")) == "COUNT-5"
    game = played(ROAD, fields="none", count_move="clockwise", **COUNT)
    assert {action.count_to for action in game.legal_actions() if isinstance(action, Enter)} == {"blacksmith"}


def test_which_figures_may_enter():
    """COUNT-11, TB-13."""
    every = {
        "sets": ["base", "count", "abbot", "inns-and-cathedrals", "traders-and-builders"],
        "edition": "C2",
    }
    game = played(ROAD, **every)
    assert {action.meeple for action in game.legal_actions() if isinstance(action, Enter)} == {
        "follower",
        "large",
    }
    game = played(ROAD, count_abbot="cathedral", **every)
    abbots = {
        action.quarter
        for action in game.legal_actions()
        if isinstance(action, Enter) and action.meeple == "abbot"
    }
    assert abbots == {"cathedral"}
    game = game.play(Enter("cathedral", "abbot", "market"))
    assert game.state.supply[1]["abbot"] == 0


@pytest.mark.parametrize(("once", "asked"), [("each_half", "enter"), ("once", "draw")])
def test_each_part_of_a_double_turn_may_bring_one_in(once, asked):
    """COUNT-8, TB-13."""
    game = played("A base.U@1,-2 rfrf road N; B base.A@1,-3 ffrf", count_entry_per_turn=once, **COUNT)
    game = game.play(Enter("castle"))
    # a further turn of the same seat that pays A again
    state = game.state._replace(turn_seat=1)
    city = state.slices["count"]._replace(entered=True)
    game = Game(state._replace(slices={**state.slices, "count": city}))
    game = place_meeples(game, 1, 1, "city", "E", "A")
    game = with_bag(game, "base.E", "base.B").play(Draw("base.E"))
    assert game.play(turn("B base.E@2,1 fffc")).decision.kind == asked


def test_rounds_ask_one_follower_at_a_time():
    """COUNT-24."""
    game = place_in_quarters(make_ending(count_final_order="rounds"), market="B B C").cut_short()
    asked = []
    while game.decision.kind == "transfer_at_end":
        asked.append(game.decision.seat)
        assert {action.followers for action in game.legal_actions() if isinstance(action, Transfer)} == {1}
        game = game.play(TO_THE_FIELD)
    assert asked == [1, 2, 1]
    game = place_in_quarters(make_ending(count_final_order="rounds"), market="B B C").cut_short().play(Pass())
    assert game.state.asked == (2,), "a pass is final"


def test_all_quarters_may_send_at_the_end():
    """COUNT-23."""
    game = place_in_quarters(
        make_ending(count_final="all_quarters"), count="market", castle="B", blacksmith="C"
    ).cut_short()
    assert game.decision == ("transfer_at_end", 1)
    assert {action.on for action in game.legal_actions() if isinstance(action, Transfer)} == {"city"}
    game = game.play(Transfer("castle", "follower", 1, -2, 1, "city", "S"))
    assert {action.on for action in game.legal_actions() if isinstance(action, Transfer)} == {"road"}
    game = game.play(Pass())
    assert ("B", "city", 1) in scored(game.play(Final()))


def test_followers_in_the_city_score_nothing():
    """COUNT-25."""
    game = place_in_quarters(played("A base.B@2,0", **COUNT), castle="A A", market="B")
    assert at_end(game) == []


def test_silence_moves_nobody():
    """The table of decisions: on time-out nobody moves, nobody enters."""
    game, last = before_the_last()
    game = after(place_in_quarters(game, blacksmith="B"), last)
    assert game.legal_actions().default_answer() == Pass()
    game = game.play(Pass())
    assert game.decision.kind == "enter"
    assert game.legal_actions().default_answer() == Pass()


def test_block_tiles_count_as_neighbours_and_hold_no_figures():
    """COUNT-1, COUNT-4."""
    game = played("A base.B@2,0 monastery", **COUNT)
    assert at_end(game) == [("A", "monastery", 4)]
    assert len(list(game.state.placed)) == 13
    assert "base.D" in rule_set(**COUNT).bag[0]
    assert rule_set(**COUNT).bag[0]["base.D"] == 3


def test_a_river_begins_beside_the_block():
    """COUNT-31, RIVER-18."""
    rules = rule_set(sets=["base", "count", "river1"])
    assert [(one.id, x, y) for one, x, y in rules.start][-1] == ("river1.spring", 2, -1)
    assert len(rules.start) == 13
    assert rules.warnings == ()
    game = Game.new(rules).play(Draw("river1.straight"))
    assert game.legal_actions().placements[0][:2] == (3, -1)
    second = rule_set(sets=["base", "count", "river2"])
    assert [(warning.code, warning.rule) for warning in second.warnings] == [
        ("count_with_river2", "RIVER-18")
    ]
    both = rule_set(sets=["base", "count", "river1", "river2"])
    assert [one.id for one, _, _ in both.start][-1] == "river1.spring"


def test_a_start_tile_out_of_the_bag_has_no_place_beside_the_block():
    with pytest.raises(InvalidRuleSet) as caught:
        rule_set(start_tile="in_bag", **COUNT)
    assert (caught.value.code, caught.value.rule) == ("start_is_taken", "HR-4")


FIRST = dict(
    zip(
        "ABCDEFGHIJKLMNOPQRSTUVWX",
        (30, 36, 8, 17, 29, 22, 22, 22, 22, 17, 17, 11, 22, 22, 10, 10, 15, 15, 9, 9, 24, 24, 18, 12),
        strict=True,
    )
)


@for_each(("letter", "count"), FIRST.items())
def test_first_placements_next_to_the_block(letter, count):
    assert len(drawn(f"base.{letter}", **COUNT).legal_actions().placements) == count


def test_a_tile_is_not_placed_before_the_answers():
    """COUNT-26."""
    game = played(ROAD, **COUNT)
    assert refused(game, Draw("base.B")) == "COUNT-5"
    assert refused(game, Place("base.B", 2, 0, 0)) == "COUNT-5"


@pytest.mark.parametrize("meeple", ["follower", "large", "abbot"])
def test_a_transfer_is_recorded_with_its_figure(meeple):
    transfer = Transfer("market", meeple, 1, 2, -3, "field", "NNW")
    assert _loaded_transfer(_stored_transfer(transfer)) == transfer
