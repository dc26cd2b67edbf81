"""Tests of the worked examples of the Cult, by number, and its other rules."""

import pytest

from games.rules import Draw, IllegalAction
from games.rules.modules.cult import DuelLost
from tests.games.rules.boards import (
    at_end,
    drawn,
    followers,
    on_board,
    pictures,
    played,
    scored,
    turn,
    with_bag,
)
from tests.games.rules.cult_helpers import LAST_TURN, format_challenge

CULT = {"sets": ["base", "cult"]}
TWO_AT_ONCE = """
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
    B cult.shrine@0,1
"""
SHRINE_BELOW_MONASTERY = {"start": "A base.B@0,1; A cult.shrine@0,2"}


def test_example_1_the_first_completed_wins_and_the_other_goes_home():
    game = played(format_challenge() + LAST_TURN, **CULT)
    assert scored(game) == [("A", "shrine", 9)]
    assert followers(game) == (7, 7)
    assert [event for event in game.events if isinstance(event, DuelLost)] == [DuelLost("monastery", 1, 2)]
    assert at_end(game) == []


def test_example_2_without_a_monk_there_is_no_duel():
    game = played(format_challenge(monk="") + LAST_TURN, **CULT)
    assert scored(game) == [("A", "shrine", 9)]
    assert not any(isinstance(event, DuelLost) for event in game.events)


def test_example_3_an_undecided_duel_pays_both_as_they_stand():
    assert at_end(played(format_challenge(), **CULT)) == [("B", "monastery", 3), ("A", "shrine", 8)]


def test_example_4_own_against_own():
    text = """
        A cult.shrine@0,1 shrine
        B base.V@1,0 ffrr
        A base.U@1,1 rfrf
        B base.V@-1,0 frrf
        A base.A@1,2 rfff monastery
        B base.U@-1,1 rfrf
        A base.U@-1,2 rfrf
        B base.E@0,2 ffcf
    """
    game = played(text, **CULT)
    assert scored(game) == [("A", "shrine", 9)]
    assert followers(game) == (7, 7)


def test_example_5_the_tile_that_opens_a_duel_may_decide_it():
    game = played(
        """
        A cult.shrine@0,1 shrine
        B base.V@1,0 ffrr
        A base.V@-1,0 frrf
        B base.U@1,1 rfrf
        A base.U@1,2 rfrf
        B base.U@-1,1 rfrf
        A base.U@-1,2 rfrf
        B base.B@0,2 monastery
        """,
        **CULT,
    )
    assert scored(game) == [("A", "shrine", 9)]
    assert followers(game) == (7, 7)


def test_example_6_both_completed_at_once_score_both():
    game = played(TWO_AT_ONCE.rstrip() + " shrine", **CULT)
    assert scored(game) == [("A", "monastery", 9), ("B", "shrine", 9)]
    assert followers(game) == (7, 7)


def test_example_7_an_empty_shrine_takes_no_part():
    assert scored(played(TWO_AT_ONCE, **CULT)) == [("A", "monastery", 9)]


def test_example_8_a_tile_with_no_place_but_beside_the_shrine_is_discarded():
    game = drawn("base.B", **SHRINE_BELOW_MONASTERY, **CULT)
    assert game.state.discarded == ("base.B",)
    assert game.decision.kind == "draw"


def test_example_9_a_second_shrine_keeps_away_from_the_monastery():
    game = drawn("cult.shrine-city", **SHRINE_BELOW_MONASTERY, **CULT)
    assert {(x, y) for x, y, _ in pictures(game, "cult.shrine-city")} == {(0, -1), (0, 3)}
    for x, y in [(1, 1), (-1, 1), (1, 2), (-1, 2)]:
        with pytest.raises(IllegalAction) as refused:
            game.play(turn(f"A cult.shrine-city@{x},{y} cfff"))
        assert refused.value.rule == "CULT-3"


def test_example_10_beside_the_monastery_alone_another_may_lie():
    game = drawn("base.A", **SHRINE_BELOW_MONASTERY, **CULT)
    assert {(x, y) for x, y, _ in pictures(game, "base.A")} == {(1, 0), (-1, 0)}


def test_a_shrine_may_not_neighbour_two_monasteries():
    """CULT-2."""
    game = drawn("cult.shrine", start="A base.B@0,1; A base.B@0,2; A base.B@1,2", **CULT)
    with pytest.raises(IllegalAction) as refused:
        game.play(turn("A cult.shrine@1,1"))
    assert refused.value.rule == "CULT-2"


def test_example_12_a_lone_shrine_counts_like_a_monastery():
    assert at_end(played("A cult.shrine@0,1 shrine; B base.U@1,0", **CULT)) == [("A", "shrine", 3)]


def test_example_13_a_recalled_abbot_is_out_of_the_duel():
    sets = {"sets": ["base", "cult", "abbot"], "edition": "C2"}
    text = format_challenge().replace("rfff monastery", "rfff abbot monastery")
    game = played(text, **sets)
    assert on_board(game) == ["A shrine @0,1", "B monastery @1,2"]
    game = played("B base.B@2,1 recall 1,2; A base.E@0,2 ffcf", game=game)
    assert game.state.scores == (9, 4)
    assert not any(isinstance(event, DuelLost) for event in game.events)


def test_example_14_an_empty_surrounded_monastery_beats_nobody():
    text = format_challenge(heretic="", monk=" monastery") + LAST_TURN
    game = played(text, **CULT)
    assert scored(game) == []
    assert on_board(game) == ["B monastery @1,2"], "CULT-10"


def test_duels_may_be_left_out():
    """CULT-16."""
    game = played(format_challenge() + LAST_TURN, cult_duels=False, **CULT)
    assert scored(game) == [("A", "shrine", 9)]
    assert on_board(game) == ["B monastery @1,2"]
    with pytest.raises(IllegalAction):
        drawn("cult.shrine", start="A base.B@0,1; A base.B@0,2; A base.B@1,2", cult_duels=False, **CULT).play(
            turn("A cult.shrine@1,1")
        )


def test_a_lost_duel_is_no_scoring():
    """CULT-15."""
    assert scored(played(format_challenge(heretic="", monk="") + LAST_TURN, **CULT)) == []
    game = played(format_challenge() + LAST_TURN, **CULT)
    assert [scored for scored in scored(game) if scored[0] == "B"] == []
    assert game.state.scores == (9, 0)


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("shrine", 4),
        ("shrine-city", 4),
        ("shrine-road", 5),
        ("shrine-city-road", 5),
        ("shrine-two-roads", 6),
        ("shrine-city-two-roads", 6),
    ],
)
def test_first_placements_next_to_the_lone_start_tile(name, count):
    assert len(drawn(f"cult.{name}", cult_tiles=6, **CULT).legal_actions().placements) == count


def test_the_sixth_tile_is_an_option():
    with pytest.raises(IllegalAction) as refused:
        drawn("cult.shrine-city-two-roads", **CULT)
    assert refused.value.rule == "BASE-2"
    assert drawn("base.B", **CULT).play(turn("A base.B@0,1")).play(Draw("cult.shrine"))


def test_a_beaten_building_that_is_completed_later_scores_nothing_and_beats_nobody():
    """CULT-11."""
    game = played(format_challenge() + LAST_TURN, **CULT)
    assert on_board(game) == []
    rest = """
        A base.E@2,1 fcff
        B base.E@2,2 fcff
        A base.E@2,3 fcff
        B base.E@1,3 ffcf
        A base.E@0,3 cfff
    """
    game = played(rest, game=with_bag(game, *["base.E"] * 5, "base.B"))
    assert game.state.feature_at(1, 2, "monastery").complete
    assert scored(game) == []
    assert game.state.scores == (9, 0)


def test_other_features_fight_no_duels():
    """CULT-6."""
    game = played("A base.B@0,1 monastery; B base.W@1,0 frrr road W; A base.W@-1,0 frrr", **CULT)
    assert scored(game) == [("B", "road", 3)]
    assert on_board(game) == ["A monastery @0,1"]
