"""Tests of the abbot's worked examples, by number, and his other rules."""

import pytest

from games.rules import (
    Deploy,
    Draw,
    IllegalAction,
    InvalidRuleSet,
    Placement,
    Recall,
    Returned,
    Scored,
    get_tile,
)
from games.rules.tiles import load_tile_set
from tests.games.rules.boards import at_end, claims, drawn, played, rule_set, scored, turn

ABBOT = {"sets": ["base", "abbot"], "edition": "C2"}
TO_THE_THIRD_TILE = """
    A base.Ug@1,0 frfr abbot garden
    B base.Vg@0,1 ffrr abbot garden
    A base.U@2,0 frfr
    B base.B@1,1
"""
TO_THE_LAST = (
    TO_THE_THIRD_TILE
    + """
    A base.V@2,1 frrf
    B base.E@0,-1 ffcf
    A base.E@1,-1 fcff{recall}
"""
)


def refused(game, line):
    """The rule that refuses the turn of *line*."""
    with pytest.raises(IllegalAction) as caught:
        game.play(turn(line))
    return caught.value.rule


def test_example_1_a_garden_is_scored_like_a_monastery():
    game = played(TO_THE_LAST.format(recall="") + "B base.E@2,-1 fffc", **ABBOT)
    assert scored(game) == [("A", "garden", 9)]
    assert [hand["abbot"] for hand in game.state.supply] == [1, 0]
    assert at_end(game) == [("B", "garden", 4)]


def test_example_2_a_recalled_abbot_scores_what_stands():
    game = played(TO_THE_THIRD_TILE + "A base.V@2,1 frrf recall 1,0", **ABBOT)
    assert scored(game) == [("A", "garden", 6)]
    assert game.state.supply[0]["abbot"] == 1
    kinds = [type(event) for event in game.events]
    assert kinds.index(Scored) < kinds.index(Returned)


def test_example_3_once_recalled_the_garden_brings_nothing_more():
    game = played(TO_THE_LAST.format(recall=" recall 1,0"), **ABBOT)
    assert scored(game) == [("A", "garden", 8)]
    assert scored(played("B base.E@2,-1 fffc", game=game)) == []


def test_example_4_recalling_takes_the_place_of_deploying():
    game = drawn("base.V", TO_THE_THIRD_TILE, **ABBOT)
    options = game.legal_actions().figures(Placement(2, 1, 270))
    assert options[0] is None
    assert Recall(1, 0) in options
    assert Deploy("follower", "field", "NNW") in options, "one of them, not both: an action has one figure"


def test_example_5_what_the_tile_completes_is_scored_and_not_recalled():
    game = drawn("base.E", TO_THE_LAST.format(recall="") + "B base.E@0,-2 cfff", **ABBOT)
    assert refused(game, "A base.E@2,-1 fffc recall 1,0") == "ABBOT-8"
    assert Recall(1, 0) in game.legal_actions().figures(Placement(0, -3, 180))
    game = game.play(turn("A base.E@2,-1 fffc field NNW"))
    assert scored(game) == [("A", "garden", 9)]
    assert dict(game.state.supply[0]) == {"follower": 6, "abbot": 1}


def test_example_6_a_garden_is_not_for_followers():
    assert refused(drawn("base.Ug", **ABBOT), "A base.Ug@1,0 frfr garden") == "BASE-17"


def test_example_7_an_abbot_leaves_a_monastery_for_what_it_is_worth():
    text = "A base.B@0,1 abbot monastery; B base.E@0,-1 ffcf; A base.E@0,-2 cfff recall 0,1"
    game = played(text, **ABBOT)
    assert scored(game) == [("A", "monastery", 2)]


def test_example_8_with_the_abbot_out_a_garden_stays_free():
    game = drawn("base.Ug", "A base.B@0,1 abbot monastery; B base.E@0,-1 ffcf", **ABBOT)
    assert claims(game, 1, 0, 0, "abbot") == []
    assert refused(game, "A base.Ug@1,0 frfr abbot garden") == "BASE-20"
    assert turn("A base.Ug@1,0 frfr road W") in game.legal_actions()


def test_example_9_a_recalled_abbot_may_be_deployed_in_the_next_turn():
    text = "A base.B@0,1 abbot monastery; B base.E@0,-1 ffcf; A base.U@1,0 recall 0,1; B base.E@0,-2 cfff"
    game = played(text + "; A base.Ug@2,0 frfr abbot garden", **ABBOT)
    assert game.state.supply[0]["abbot"] == 0


def test_example_10_without_the_abbot_a_garden_has_no_effect():
    spots = claims(drawn("base.Eg", edition="C2"), 0, 1, 90)
    assert sorted(spot.split()[0] for spot in spots) == ["city", "field"]


def test_example_11_with_no_points_for_what_is_incomplete_the_abbot_has_none_at_the_end():
    text = "A base.B@0,1 abbot monastery; B base.U@1,0 frfr; A base.U@-1,0 frfr; B base.B@1,1"
    assert at_end(played(text, **ABBOT)) == [("A", "monastery", 5)]
    game = played(text, incomplete_scores=False, **ABBOT)
    assert at_end(game) == []
    assert scored(played("A base.B@0,2 recall 0,1", game=game)) == [("A", "monastery", 6)], "ABBOT-15"


def test_the_abbot_stands_on_monasteries_and_gardens_only():
    """ABBOT-4."""
    game = drawn("base.A", **ABBOT)
    assert claims(game, 0, 1, 0, "abbot") == ["monastery"]
    assert refused(game, "A base.A@0,1 ffrf abbot road S") == "BASE-17"
    assert refused(game, "A base.A@0,1 ffrf abbot field NNW") == "BASE-17"


def test_only_the_own_abbot_is_recalled():
    game = drawn("base.U", "A base.B@0,1 abbot monastery", **ABBOT)
    assert refused(game, "B base.U@1,0 frfr recall 0,1") == "ABBOT-8"
    game = drawn("base.U", "A base.B@0,1 monastery; B base.E@0,-1 ffcf", **ABBOT)
    assert refused(game, "A base.U@1,0 frfr recall 0,1") == "ABBOT-8", "a follower is no abbot"


def test_an_abbot_taken_back_is_not_there_to_be_deployed_in_the_same_turn():
    """ABBOT-9: a turn has one figure; the next tile's garden is for the next turn."""
    game = drawn("base.Ug", "A base.B@0,1 abbot monastery; B base.E@0,-1 ffcf", **ABBOT)
    listed = game.legal_actions().figures(Placement(1, 0, 0))
    assert [figure for figure in listed if figure == Recall(0, 1)] == [Recall(0, 1)]
    assert not any(isinstance(figure, Deploy) and figure.meeple == "abbot" for figure in listed)


def test_recall_may_leave_nobody_paid_for_a_feature():
    """ABBOT-16."""
    game = played("A base.B@0,1 abbot monastery; B base.E@0,-1 ffcf; A base.U@1,0 recall 0,1", **ABBOT)
    assert game.state.paid == ()


@pytest.mark.parametrize("edition", ["C2", "J20", "C3"])
def test_later_editions_hold_eight_gardens(edition):
    """ABBOT-2."""
    rules = rule_set(sets=["base", "abbot"], edition=edition)
    assert sum(count for id, count in rules.bag[0].items() if id.endswith("g")) == 8


@pytest.mark.parametrize(
    ("name", "gardens"),
    [
        ("river1", 1),
        ("river2", 1),
        ("king-and-robber", 1),
        ("inns-and-cathedrals", 2),
        ("traders-and-builders", 2),
        ("winter", 0),
    ],
)
def test_gardens_of_other_sets(name, gardens):
    """ABBOT-2: those with a table of the second edition have some."""
    for edition, count in (("C1", 0), ("C2", gardens), ("J20", gardens), ("C3", gardens)):
        there = load_tile_set(name).copies(edition)
        lies = {id: [segment.kind for segment in get_tile(id).segments] for id in there}
        assert sum(there[id] for id in there if "garden" in lies[id]) == count


def test_recalling_comes_before_what_the_tile_completes():
    """ABBOT-10."""
    text = "A base.B@0,1 abbot monastery; B base.W@1,0 frrr road W; A base.W@-1,0 frrr recall 0,1"
    assert scored(played(text, **ABBOT)) == [("A", "monastery", 4), ("B", "road", 3)]


def test_the_first_edition_has_no_gardens_for_the_abbot():
    """ABBOT-1."""
    with pytest.raises(InvalidRuleSet) as caught:
        rule_set(sets=["base", "abbot"])
    assert (caught.value.code, caught.value.rule) == ("abbot_needs_gardens", "ABBOT-1")
    game = drawn("base.B", sets=["base", "abbot"], abbot_without_gardens=True)
    assert claims(game, 0, 1, 0, "abbot") == ["monastery"]
    assert game.play(turn("A base.B@0,1 abbot monastery")).play(Draw("base.B")).decision.seat == 1
