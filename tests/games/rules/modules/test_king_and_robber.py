"""Tests of the worked examples of King and Robber Baron, by number, and their other rules."""

import pytest

from games.rules import Completed, Final, Scored, Term
from games.rules.module import Holding
from tests.games.rules.boards import at_end, drawn, ended, played, rule_set, scored, totals, with_bag
from tests.games.rules.king_and_robber_helpers import read_cards

KR = {"sets": ["base", "king-and-robber"]}
FIRST = """
    A base.E@0,-1 ffcf
    B base.W@1,0 frrr
    A base.W@-1,0 frrr
    B base.W@-1,1 rrfr
    A base.W@0,1 frrr
    B base.I@1,-1 ccff
    A base.F@2,-1 fcfc
    B base.H@3,-1 fcfc
"""


def after(text, **chosen):
    return played(text, **{**KR, **chosen})


def test_example_1_cards_pass_to_whoever_completes_the_largest():
    lines = FIRST.strip().splitlines()
    game = after("\n".join(lines[:3]))
    assert read_cards(game) == {"king": "A 2", "robber": "A 3"}
    game = after("\n".join(lines[3:7]), game=game)
    assert read_cards(game) == {"king": "A 2", "robber": "A 3"}
    game = after(lines[7], game=game)
    assert read_cards(game) == {"king": "B 3", "robber": "A 3"}
    assert at_end(game) == [("B", "king", 2), ("A", "robber", 3)]


def test_example_2_an_equal_city_does_not_take_the_king():
    game = after("A base.E@0,-1 ffcf; B base.E@0,-2 cfff; A base.U@1,0; B base.E@0,-3 ffcf")
    assert read_cards(game)["king"] == "A 2"


def test_example_3_a_smaller_city_takes_nothing_from_the_record():
    game = after("""
        A base.F@0,-1 cfcf
        B base.B@0,1
        A base.F@0,-2 cfcf
        B base.B@1,1
        A base.G@0,-3 cfcf
        B base.B@-1,1
        A base.E@0,-4 ffcf
    """)
    assert read_cards(game)["king"] == "A 5"
    game = after(
        """
        B base.E@0,-5 cfff
        A base.U@1,0
        B base.H@0,-6
        A base.U@2,0
        B base.E@0,-7 ffcf
    """,
        game=game,
    )
    assert read_cards(game)["king"] == "A 5"


def test_example_4_who_completes_takes_the_king_whoever_scores():
    game = after("A base.E@0,1 ffcf city S; B base.E@0,2 cfff")
    assert scored(game) == [("A", "city", 4)]
    assert read_cards(game)["king"] == "B 2", "KR-3"


def test_example_5_of_several_completed_by_one_tile_the_largest_counts():
    game = after("""
        A base.U@-1,0 frfr
        B base.U@1,0 frfr
        A base.E@-1,1 fcff
        B base.G@1,1 fcfc
        A base.E@2,1 fffc
        B base.H@0,1 fcfc
    """)
    cities = [(event.on, event.tiles) for event in game.events if isinstance(event, Completed)]
    assert sorted(cities) == [("city", 2), ("city", 3)]
    assert read_cards(game)["king"] == "B 3"
    game = after("A base.W@-2,0 frrr; B base.W@2,0 r180", game=game)
    assert read_cards(game) == {"king": "B 3", "robber": "B 5"}


def test_example_6_a_loop_counts_each_tile_once():
    game = after("A base.V@0,1 frrf; B base.V@1,1 ffrr; A base.V@1,2 rffr; B base.V@0,2 rrff")
    assert read_cards(game)["robber"] == "B 4"


def test_a_seat_holds_its_cards_with_their_records():
    state = after(FIRST).state
    assert state.holdings(0) == (Holding("robber", tiles=3),)
    assert state.holdings(1) == (Holding("king", tiles=3),)
    assert after("A base.B@0,1").state.holdings(0) == ()


def test_example_7_a_card_that_nobody_holds_brings_nothing():
    assert at_end(after("A base.E@0,-1 ffcf")) == [("A", "king", 1)]


@pytest.mark.parametrize(
    ("worth", "apart", "both"),
    [("10-each", (10, 10), 20), ("15-or-40", (15, 15), 40), ("completed", (3, 2), 2)],
)
def test_example_8_other_ways_to_pay_the_cards(worth, apart, both):
    assert totals(after(FIRST, king_and_robber=worth)) == apart
    one_player = "A base.W@-1,0 frrr; A base.W@1,0 frrr; A base.E@0,-1 ffcf"
    assert totals(after(one_player, king_and_robber=worth, seats=1)) == (both,)


@pytest.mark.parametrize(("worth", "points"), [("10-each", 10), ("15-or-40", 15)])
def test_a_card_that_is_paid_by_itself_is_counted_as_one(worth, points):
    """KR-11."""
    paid = [event for event in ended(after(FIRST, king_and_robber=worth)).events if isinstance(event, Scored)]
    assert [(event.on, event.terms) for event in paid if event.on in ("king", "robber")] == [
        ("king", (Term("cards", 1, points),)),
        ("robber", (Term("cards", 1, points),)),
    ]


def test_example_9_continuous_pays_the_holder_before():
    game = after(FIRST, king_and_robber="continuous")
    assert game.state.scores == (3, 0)
    assert read_cards(game) == {"king": "B 3", "robber": "A 3"}
    assert [one for one in at_end(game) if one[1] in ("king", "robber")] == []
    assert scored(game) == [("A", "king", 1)]


def test_what_the_cards_pay_is_no_feature_scoring():
    """KR-8: it neither allows nor prevents entering Carcassonne."""
    assert after(FIRST, king_and_robber="continuous").state.paid == ()
    (king,) = (
        event for event in after(FIRST, king_and_robber="continuous").events if isinstance(event, Scored)
    )
    assert king.complete is False


def test_example_10_the_city_of_carcassonne_counts_for_the_king():
    game = played("A base.E@-2,2 cfff; B base.E@2,1 fffc", sets=["base", "king-and-robber", "count"])
    assert at_end(game) == [("A", "king", 3)]


CROSSING = "king-and-robber.crossing-cities"


def test_example_11_crossing_cities_are_two():
    game = after(f"A {CROSSING}@0,-1 cccc city N; B base.E@-1,-1 fcff; A base.E@0,-2 ffcf")
    assert scored(game) == [("A", "city", 6)]
    assert not game.state.feature_at(0, -1, "city", "E").complete


def test_example_12_crossing_cities_joined_count_their_tile_once():
    game = after(f"""
        A {CROSSING}@0,-1 cccc city N
        B base.E@-1,-1 fcff
        A base.N@0,-2 fccf
        B base.N@1,-2 ffcc
        A base.N@1,-1 cffc
    """)
    assert scored(game) == [("A", "city", 12)]
    assert read_cards(game)["king"] == "A 6"


@pytest.mark.parametrize(("off", "left"), [("king", "robber"), ("robber", "king")])
def test_either_card_may_be_left_out(off, left):
    """KR-12."""
    game = after(FIRST, **{off: False})
    assert list(read_cards(game)) == [left]
    assert [one[1] for one in at_end(game)] == [left]


def test_both_left_out_the_tiles_play_on():
    game = after(FIRST, king=False, robber=False)
    assert read_cards(game) == {}
    assert ended(game).state.scores == (0, 0)
    assert sum(rule_set(**KR, king=False, robber=False).bag[0].values()) == 71 + 5


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("monastery-city", 4),
        ("cap-road", 5),
        ("cap-road-and-curve", 7),
        ("corner-two-gates", 6),
        ("crossing-cities", 4),
    ],
)
def test_first_placements_next_to_the_lone_start_tile(name, count):
    assert len(drawn(f"king-and-robber.{name}", **KR).legal_actions().placements) == count


def test_a_card_that_passes_with_the_last_tile_pays_its_new_holder():
    """KR-2, KR-7."""
    game = after("A base.E@0,-1 ffcf; B base.E@0,1 ffcf; A base.U@1,0; B base.F@0,2 cfcf; A base.U@2,0")
    assert read_cards(game)["king"] == "A 2"
    game = after("B base.E@0,3 cfff", game=with_bag(game, "base.E"))
    assert read_cards(game)["king"] == "B 3"
    assert scored(game.play(Final())) == [("B", "king", 2)]


def test_several_completed_at_once_pay_the_holder_before_and_move_the_card_once():
    """KR-4, KR-11: B completes cities of 2 and 3."""
    start = "A base.E@10,0 fcff; A base.F@11,0 fcfc; A base.E@13,0 fffc"
    game = after("A base.E@0,-1 ffcf; B base.H@12,0 fcfc", start=start, king_and_robber="continuous")
    assert scored(game) == [("A", "king", 2)]
    assert read_cards(game)["king"] == "B 3"
