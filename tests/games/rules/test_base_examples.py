"""Tests of the base game's worked examples, by number; seats A, B, C … are 0, 1, 2 …"""

import pytest

from games.rules import Completed, Discarded, Draw, Drawn, Game, IllegalAction, Scored, get_tile
from tests.cases import for_each

from .boards import at_end, claims, drawn, ended, followers, on_board, played, rule_set, scored, totals, turn
from .example_helpers import BLUE_BESIDE_RED_AND_BLUE, SIX_TILE_CITY, TWO_FIELDS_OF_ONE_FARMER

RED_RED_YELLOW_AND_BLUE = """
    A base.E@0,-1 ffcf field ENE
    B base.E@0,-2 fcff
    C base.J@-1,0 crrf field ENE
    A base.U@0,-3 frfr field NNE
    B base.E@1,-2 fffc field NNW
    C base.A@1,-3 fffr
"""
ONE_MORE_YELLOW = """
    A base.U@1,0 frfr
    B base.U@2,-2 rfrf field ENE
    C base.A@2,-3 ffrf
"""


def test_example_1_road_between_two_villages_scores_a_point_a_tile():
    game = played("A base.W@1,0 frrr road W; B base.W@-1,0 frrr")
    assert scored(game) == [("A", "road", 3)]
    assert followers(game) == (7, 7)


@pytest.mark.parametrize(("two_tile_city", "points"), [(4, 4), (2, 2)])
def test_example_2_city_of_two_tiles_is_claimed_and_scored_in_one_turn(two_tile_city, points):
    game = played("A base.E@0,-1 ffcf city S", two_tile_city=two_tile_city)
    assert scored(game) == [("A", "city", points)]
    assert followers(game) == (7, 7)


def test_example_3_shield_adds_two_to_a_completed_city():
    game = played("A base.F@0,-1 cfcf city S; B base.E@0,-2 ffcf")
    assert scored(game) == [("A", "city", 8)]


def test_example_4_loop_of_four_curves_closes_a_field_in():
    game = played("""
        A base.V@0,1 frrf road E
        B base.V@1,1 ffrr
        A base.V@1,2 rffr
        B base.V@0,2 rrff field NNE
    """)
    assert scored(game) == [("A", "road", 4)]
    assert on_board(game) == ["B field NNE @0,2"]
    assert at_end(game) == [("B", "field", 0)]


def test_example_5_road_that_comes_back_to_its_village_counts_that_tile_once():
    game = played("""
        A base.W@1,0 frrr road E
        B base.V@2,0 ffrr
        A base.V@2,1 rffr
        B base.V@1,1 rrff
    """)
    assert scored(game) == [("A", "road", 4)]


def test_example_6_loop_through_the_start_tile():
    game = played("""
        A base.V@1,0 ffrr road W
        B base.V@-1,0 frrf
        A base.V@1,1 rffr
        B base.V@-1,1 rrff
        A base.U@0,1 frfr
    """)
    assert scored(game) == [("A", "road", 6)]


def test_example_7_two_caps_of_one_tile_in_one_city_count_that_tile_once():
    game = played("""
        A base.I@0,1 ffcc
        B base.N@-1,1 fccf city S
        A base.N@-1,2 ccff
        B base.N@0,2 cffc
    """)
    assert scored(game) == [("B", "city", 8)]


def test_example_8_last_of_eight_neighbours_completes_a_monastery_and_an_empty_road():
    game = played("""
        A base.B@0,1 monastery
        B base.V@1,0 ffrr
        A base.W@1,1 rrrf
        B base.V@1,2 rffr
        A base.W@0,2 frrr
        B base.A@0,3 rfff monastery
        A base.V@-1,2 rrff
        B base.U@-1,1 rfrf
        A base.J@-1,0 crrf
    """)
    assert scored(game) == [("A", "monastery", 9)]
    assert [(event.on, event.tiles) for event in game.events if isinstance(event, Completed)] == [
        ("road", 7),
        ("monastery", 1),
    ]
    assert at_end(game) == [("B", "monastery", 4)]


def test_example_9_joined_roads_with_equal_majorities_pay_both_in_full():
    text = """
        A base.W@1,0 frrr road W
        B base.U@0,1 frfr road E
        A base.V@-1,1 rrff
        B base.W@1,1 rfrr
    """
    game = played(text)
    assert [(event.on, event.tiles) for event in game.events if isinstance(event, Completed)] == [("road", 2)]
    assert scored(game) == []
    game = played("A base.V@-1,0 frrf", game=game)
    assert scored(game) == [("A", "road", 6), ("B", "road", 6)]


def test_example_10_two_knights_beat_one_and_all_three_go_home():
    game = played(
        """
        B base.R@0,-1 fccc city S
        A base.L@1,0 crrr city N
        B base.B@0,1
        A base.L@-1,0 crrr city N
        B base.N@1,-1 ffcc
        A base.N@-1,-1 fccf
        """,
        first="B",
    )
    assert scored(game) == [("A", "city", 12)]
    assert followers(game) == (7, 7)
    assert game.state.scores == (12, 0)


def test_example_11_one_tile_completes_features_of_two_players():
    game = played("A base.E@0,-1 ffcf city S")
    assert scored(game) == [("A", "city", 4)]
    game = played("B base.E@1,-1 ffcf city S; A base.W@-1,0 frrr road E; B base.L@1,0 crrr road S", game=game)
    assert scored(game) == [("B", "city", 4), ("A", "road", 3)]
    assert on_board(game) == ["B road S @1,0"]
    assert game.state.scores == (7, 4)
    assert at_end(game) == [("B", "road", 1)]


@pytest.mark.parametrize(
    ("fields", "points"), [("third-edition", 9), ("second-edition", 6), ("first-edition", 8), ("none", 0)]
)
def test_example_12_two_fields_of_one_farmer_at_one_city(fields, points):
    text = TWO_FIELDS_OF_ONE_FARMER
    if fields == "none":
        text = text.replace(" field ENE", "")
    assert totals(played(text, fields=fields)) == (points, 0)


@pytest.mark.parametrize(
    ("fields", "points"), [("third-edition", 3), ("second-edition", 3), ("first-edition", 4)]
)
def test_example_13_two_fields_at_the_same_city(fields, points):
    game = played("A base.E@0,-1 ffcf field ENE; B base.U@1,0 frfr field NNE", fields=fields)
    assert totals(game) == (points, points)


@pytest.mark.parametrize("fields", ["third-edition", "second-edition", "first-edition"])
def test_nothing_that_the_end_pays_was_completed(fields):
    """BASE-40, BASE-46: fields never are, and all else was paid when it was."""
    game = ended(played("A base.E@0,-1 ffcf field ENE; B base.U@1,0 frfr road W", fields=fields))
    paid = [event for event in game.events if isinstance(event, Scored)]
    assert {event.on for event in paid} == {"field", "road"}
    assert not any(event.complete for event in paid)


@pytest.mark.parametrize(
    ("fields", "points"),
    [("third-edition", (6, 0, 3)), ("second-edition", (6, 0, 3)), ("first-edition", (8, 0, 0))],
)
def test_example_14_majority_by_field_or_by_city(fields, points):
    game = played(RED_RED_YELLOW_AND_BLUE, seats=3, fields=fields)
    assert totals(game) == points


@pytest.mark.parametrize(
    ("fields", "points"),
    [("third-edition", (6, 6, 3)), ("second-edition", (6, 6, 3)), ("first-edition", (8, 8, 0))],
)
def test_example_15_tied_farmers_are_all_paid(fields, points):
    game = played(RED_RED_YELLOW_AND_BLUE + ONE_MORE_YELLOW, seats=3, fields=fields)
    assert totals(game) == points


@pytest.mark.parametrize(
    ("fields", "points"),
    [("third-edition", (15, 9)), ("second-edition", (9, 9)), ("first-edition", (12, 4))],
)
def test_example_16_one_player_on_two_fields_of_the_same_cities(fields, points):
    assert totals(played(BLUE_BESIDE_RED_AND_BLUE, fields=fields)) == points


@pytest.mark.parametrize(
    ("fields", "points"), [("third-edition", 3), ("second-edition", 3), ("first-edition", 4)]
)
def test_example_17_city_touched_on_three_tiles_counts_once(fields, points):
    text = SIX_TILE_CITY.format(knight="") + "B base.B@0,-2 field NNW; A base.B@1,-2; B base.B@-1,-2"
    assert totals(played(text, first="B", fields=fields)) == (0, points)


def test_example_18_incomplete_city_is_worth_half():
    assert at_end(played("A base.F@0,-1 cfcf city S")) == [("A", "city", 3)]


def test_example_19_claimed_road_leaves_two_fields_to_claim():
    game = drawn("base.U", "A base.U@1,0 frfr road W")
    assert len(claims(game, -1, 0, 0)) == 2
    legal = game.legal_actions()
    assert turn("B base.U@-1,0 frfr field NNW") in legal
    assert turn("B base.U@-1,0 frfr field SSE") in legal
    assert turn("B base.U@-1,0 frfr road E") not in legal
    assert at_end(game.play(turn("B base.U@-1,0 frfr"))) == [("A", "road", 3)]


def test_example_20_last_tile_completes_its_own_monastery_and_another():
    game = played("""
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
    """)
    assert scored(game) == [("B", "monastery", 9), ("A", "monastery", 9)]
    assert followers(game) == (7, 7)


def test_example_21_tile_that_fits_nowhere_is_discarded_and_the_same_seat_draws_again():
    game = drawn("base.C", "A base.E@0,-1 ffcf")
    assert game.events == (Drawn(1, "base.C"), Discarded(1, "base.C"))
    assert game.state.discarded == ("base.C",)
    assert game.decision.kind == "draw"
    assert game.play(Draw("base.B")).decision == ("place", 1)


def test_example_22_road_against_field_is_refused():
    game = drawn("base.X")
    with pytest.raises(IllegalAction) as refused:
        game.play(turn("A base.X@0,1"))
    assert refused.value.rule == "BASE-9"


FIRST_PLACEMENTS = dict(
    zip(
        "ABCDEFGHIJKLMNOPQRSTUVWX",
        (5, 4, 4, 6, 4, 4, 4, 4, 4, 6, 6, 7, 4, 4, 6, 6, 4, 4, 5, 5, 6, 6, 7, 8),
        strict=True,
    )
)


@for_each(("letter", "count"), FIRST_PLACEMENTS.items())
def test_first_placements_next_to_the_lone_start_tile(letter, count):
    assert len(drawn(f"base.{letter}").legal_actions().placements) == count


PICTURES = FIRST_PLACEMENTS | {"B": 1, "C": 1, "F": 2, "G": 2, "H": 2, "U": 3, "X": 2}


@for_each(("letter", "count"), PICTURES.items())
def test_pictures_among_the_first_placements(letter, count):
    """BASE-13: rotations that give the same picture are placements of their own."""
    pictures = {
        (
            x,
            y,
            frozenset(
                (lie.kind, frozenset(lie.sides)) for lie in get_tile(f"base.{letter}").at(rotation).lies
            ),
        )
        for x, y, rotation in drawn(f"base.{letter}").legal_actions().placements
    }
    assert len(pictures) == count


@for_each("letter", FIRST_PLACEMENTS)
def test_every_tile_has_a_place_beside_the_start_tile_so_the_first_is_never_discarded(letter):
    """FAQ-58."""
    assert Game.new(rule_set()).play(Draw(f"base.{letter}")).decision == ("place", 0)
