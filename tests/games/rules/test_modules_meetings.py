"""Tests of positions where rules of several sets meet, each naming these rules."""

import pytest

from games.rules import Deploy, Draw, Final, Game, IllegalAction, Pass
from games.rules.modules.count import Enter, Transfer
from games.rules.modules.cult import DuelLost
from games.rules.modules.winter import Walk

from .boards import claims, drawn, followers, played, scored, totals, turn, with_bag
from .count_helpers import SURROUNDED, TO_THE_CAP, place_in_quarters
from .cult_helpers import LAST_TURN, format_challenge
from .king_and_robber_helpers import read_cards
from .meeting_helpers import (
    TRADERS_AND_BUILDERS,
    change_hand,
    make_gingerbread_game,
    place_figure,
    play_last_turn,
)


def duels(game):
    return [event for event in game.events if isinstance(event, DuelLost)]


# The Count, and who may enter Carcassonne


def test_a_recall_of_the_abbot_neither_keeps_out_nor_lets_in():
    """COUNT-10, ABBOT-16."""
    text = "A base.B@2,0 abbot monastery; B base.U@1,-2 rfrf road N"
    game = played(text, sets=["base", "count", "abbot"], edition="C2")
    elsewhere = played("A base.B@3,0 recall 2,0", game=game)
    assert elsewhere.decision.kind == "draw"
    game = played("A base.A@1,-3 ffrf recall 2,0", game=game)
    assert [(seat, on) for seat, on, _ in scored(game)] == [("A", "monastery"), ("B", "road")]
    assert game.decision == ("enter", 0)


def test_what_the_robber_pays_at_once_neither_keeps_out_nor_lets_in():
    """COUNT-5, KR-8, KR-11."""
    sets = {"sets": ["base", "count", "king-and-robber"], "king_and_robber": "continuous"}
    game = played("A base.U@1,-2 rfrf; B base.A@1,-3 ffrf", **sets)
    empty = played("A base.A@-3,-1 frff", game=game)
    assert scored(empty) == [("B", "robber", 1)]
    assert empty.decision.kind == "draw", "B was paid, but by no feature"
    taken = played("A base.U@0,2 rfrf road S; B base.A@0,3 rfff", game=game)
    assert scored(taken) == [("A", "road", 3), ("B", "robber", 1)]
    assert taken.decision == ("enter", 1), "so was B here"


def test_a_follower_that_came_home_this_turn_may_enter():
    """COUNT-7."""
    game = played("A base.U@1,-2 rfrf; B base.B@2,0", sets=["base", "count"])
    for seat in "BBA":
        game = place_figure(game, seat, "follower", 1, -2, "road", "N")
    game = play_last_turn(change_hand(game, "A", follower=-6), "A base.A@1,-3 ffrf")
    assert scored(game) == [("B", "road", 3)]
    assert game.decision == ("enter", 0)
    assert followers(game.play(Enter("castle"))) == (0, 7)


RING = """
    A base.D@10,10 crfr
    A base.V@11,10 ffrr
    A base.U@11,11 rfrf
    A base.V@9,10 frrf
    A base.U@9,11 rfrf
    A base.U@9,12 rfrf
"""
SHRINE_FIRST = RING + "A cult.shrine@10,11; A base.A@11,12 rfff"
MONASTERY_FIRST = RING + "A base.B@10,11; A cult.shrine-road@11,12 rfff"


def test_a_monk_beaten_in_a_duel_may_enter_and_his_loss_keeps_nobody_out():
    """CULT-15, COUNT-7, COUNT-10."""
    game = played("", start=SHRINE_FIRST, sets=["base", "count", "cult"])
    game = place_figure(game, "B", "follower", 10, 11, "shrine")
    game = place_figure(game, "A", "follower", 11, 12, "monastery")
    game = play_last_turn(change_hand(game, "A", follower=-6), "A base.E@10,12 ffcf")
    assert scored(game) == [("B", "shrine", 9)]
    assert duels(game) == [DuelLost("monastery", 11, 12)]
    assert game.decision == ("enter", 0)
    assert followers(game.play(Enter("castle"))) == (0, 7)


def test_a_follower_who_moves_in_fights_the_duel_that_he_opens():
    """COUNT-29, CULT-6, CULT-9, CULT-14."""
    game = played("", start=SHRINE_FIRST, sets=["base", "count", "cult"], seats=3)
    game = place_figure(game, "C", "follower", 11, 12, "monastery")
    game = play_last_turn(place_in_quarters(game, cathedral="B"), "A base.E@10,12 ffcf")
    assert game.decision == ("transfer", 1), "the shrine is empty so far"
    declining = game.play(Pass())
    assert (scored(declining), duels(declining)) == ([], [])
    game = game.play(Transfer("cathedral", "follower", 1, 10, 11, "shrine"))
    assert scored(game) == [("B", "shrine", 9)]
    assert duels(game) == [DuelLost("monastery", 11, 12)]
    assert followers(game)[2] == 7


def test_who_moves_in_shares_the_points_of_the_duel():
    """CULT-14, COUNT-19."""
    game = played("", start=MONASTERY_FIRST, sets=["base", "count", "cult", "inns-and-cathedrals"], seats=3)
    game = place_figure(game, "A", "follower", 10, 11, "monastery")
    game = place_figure(game, "C", "follower", 11, 12, "shrine")
    game = play_last_turn(place_in_quarters(game, cathedral="LB"), "A base.E@10,12 ffcf")
    game = game.play(Transfer("cathedral", "large", 1, 10, 11, "monastery"))
    assert scored(game) == [("B", "monastery", 9)]
    assert duels(game) == [DuelLost("shrine", 11, 12)]


def test_the_abbot_moves_from_the_cathedral_and_counts_one():
    """COUNT-11, ABBOT-14."""
    chosen = {"sets": ["base", "count", "abbot"], "edition": "C2", "seats": 3, "count_abbot": "cathedral"}
    game = played(SURROUNDED, **chosen)
    city = game.state.slices["count"]
    city = city._replace(quarters={**city.quarters, "cathedral": ((2, "abbot"),)})
    game = change_hand(Game(game.state._replace(slices={**game.state.slices, "count": city})), "C", abbot=-1)
    game = play_last_turn(game, "C base.E@2,-1 cfff")
    assert game.decision == ("transfer", 2)
    game = game.play(Transfer("cathedral", "abbot", 1, 2, 0, "monastery"))
    assert scored(game) == [("A", "monastery", 9), ("C", "monastery", 9)]
    assert game.state.supply[2]["abbot"] == 1


def test_a_knight_who_moves_in_is_paid_when_the_gingerbread_man_leaves():
    """COUNT-30, WINTER-9, and WINTER-6 after COUNT-5."""
    game = place_figure(make_gingerbread_game(), "A", "follower", -2, 1, "city", "S")
    game = play_last_turn(place_in_quarters(game, count="market", castle="B"), "C base.E@-2,2 cfff").play(
        TO_THE_CAP
    )
    assert scored(game) == [
        ("A", "gingerbread", 2),
        ("B", "gingerbread", 2),
        ("A", "city", 4),
        ("B", "city", 4),
    ]
    assert game.decision == ("enter", 2)
    game = game.play(Enter("market", "follower", "castle"))
    assert game.decision == ("gingerbread", 2), "after the entry"
    assert game.play(Walk(1, 1, "E")).decision.kind == "draw"


def test_what_the_gingerbread_man_pays_keeps_its_seat_out():
    """WINTER-12, COUNT-10."""
    game = make_gingerbread_game()
    for seat in "AAC":
        game = place_figure(game, seat, "follower", -2, 1, "city", "S")
    game = play_last_turn(game, "C base.E@-2,2 cfff")
    assert scored(game) == [("A", "gingerbread", 4), ("C", "gingerbread", 2), ("A", "city", 4)]
    assert game.decision == ("gingerbread", 2)


@pytest.mark.parametrize(("each", "second"), [("each_half", "enter"), ("once", "draw")])
def test_both_parts_of_a_double_turn_may_bring_one_in_and_the_next_turn_anew(each, second):
    """COUNT-8, TB-13."""
    chosen = {"sets": ["base", "count", TRADERS_AND_BUILDERS], "count_entry_per_turn": each, "seats": 3}
    game = played("", start="A base.U@2,-2 frfr", **chosen)
    for figure in ("follower", "builder"):
        game = place_figure(game, "A", figure, 2, -2, "road", "W")
    game = place_figure(game, "B", "follower", 1, -1, "road", "N")
    game = place_figure(game, "C", "follower", 0, 1, "road", "S")
    game = place_figure(game, "A", "follower", -2, -1, "road", "W")
    game = with_bag(game, "base.X", "base.A", "base.A", "base.B")
    game = played("A base.X@1,-2", game=game)
    assert scored(game) == [("B", "road", 2)]
    assert game.decision == ("enter", 0)
    game = game.play(Enter("castle"))
    assert game.state.further == "builder"
    game = played("A base.A@0,2 rfff", game=game)
    assert scored(game) == [("C", "road", 2)]
    assert game.decision.kind == second
    game = played("B base.A@-3,-1 frff", game=game)
    assert scored(game) == [("A", "road", 2)]
    assert game.decision == ("enter", 1), "a turn of its own"


def test_the_last_tile_brings_no_second_part_but_all_steps_of_its_own():
    """TB-8, FAQ-15."""
    game = played("", start="A base.U@2,-2 frfr", sets=["base", "count", TRADERS_AND_BUILDERS])
    for figure in ("follower", "builder"):
        game = place_figure(game, "A", figure, 2, -2, "road", "W")
    game = place_figure(game, "B", "follower", 1, -1, "road", "N")
    game = played(
        "A base.X@1,-2", game=place_in_quarters(with_bag(game, "base.X"), blacksmith="A", market="A B")
    )
    assert game.decision == ("transfer", 0)
    game = game.play(Pass())
    assert game.decision == ("enter", 0)
    game = game.play(Enter("market"))
    assert game.decision == ("transfer_at_end", 1)
    assert game.state.asked == (1, 0)


def test_carcassonne_is_never_the_city_of_a_record():
    """KR-9, COUNT-3."""
    game = played("A base.B@2,0; B base.E@2,1 fffc", sets=["base", "count", "king-and-robber"])
    assert read_cards(game) == {"king": "B 2", "robber": "- 0"}


# The Cult


def test_the_monastery_beats_the_shrine_as_well():
    """CULT-7."""
    game = played("", start=MONASTERY_FIRST, sets=["base", "cult"])
    game = place_figure(game, "A", "follower", 10, 11, "monastery")
    game = place_figure(game, "B", "follower", 11, 12, "shrine")
    game = play_last_turn(game, "A base.E@10,12 ffcf")
    assert scored(game) == [("A", "monastery", 9)]
    assert duels(game) == [DuelLost("shrine", 11, 12)]
    assert followers(game) == (7, 7)


def test_an_abbot_recalled_by_the_very_tile_that_beats_him_keeps_his_points():
    """CULT-13, ABBOT-10."""
    text = format_challenge().replace("rfff monastery", "rfff abbot monastery")
    chosen = {"sets": ["base", "cult", "abbot"], "edition": "C2"}
    game = played(text + LAST_TURN + " recall 1,2", **chosen)
    assert scored(game) == [("B", "monastery", 4), ("A", "shrine", 9)]
    assert duels(game) == []
    beaten = played(text + LAST_TURN, **chosen)
    assert scored(beaten) == [("A", "shrine", 9)]
    assert duels(beaten) == [DuelLost("monastery", 1, 2)]
    assert beaten.state.supply[1] == {"follower": 7, "abbot": 1}


def test_an_abbot_may_be_the_heretic():
    """CULT-13, ABBOT-4."""
    chosen = {"sets": ["base", "cult", "abbot"], "edition": "C2"}
    assert claims(drawn("cult.shrine-road", **chosen), 0, 1, 0, "abbot") == ["shrine"]
    game = played(format_challenge(heretic=" abbot shrine") + LAST_TURN, **chosen)
    assert scored(game) == [("A", "shrine", 9)]
    assert duels(game) == [DuelLost("monastery", 1, 2)]


@pytest.mark.parametrize(
    ("winner", "on", "neighbour", "kind"),
    [
        ("base.B", "monastery", "base.A@11,12 rfff", "monastery"),
        ("cult.shrine", "shrine", "cult.shrine-road@11,12 rfff", "shrine"),
        ("base.B", "monastery", "base.Ug@11,12 rfrf", "garden"),
        ("cult.shrine", "shrine", "base.Ug@11,12 rfrf", "garden"),
    ],
)
def test_only_opposite_buildings_fight(winner, on, neighbour, kind):
    """CULT-4, CULT-6, CULT-7."""
    start = f"{RING}; A {winner}@10,11; A {neighbour}"
    game = played("", start=start, sets=["base", "cult", "abbot"], edition="C2")
    game = place_figure(game, "A", "follower", 10, 11, on)
    game = place_figure(game, "B", "abbot", 11, 12, kind)
    game = play_last_turn(game, "A base.E@10,12 ffcf")
    assert scored(game) == [("A", on, 9)]
    assert duels(game) == []
    assert game.state.supply[1]["abbot"] == 0


MONASTERIES = [
    ("base.A", []),
    ("king-and-robber.monastery-city", ["king-and-robber"]),
    ("river1.monastery-bridge", ["river1"]),
    ("river2.monastery", ["river2"]),
    ("inns-and-cathedrals.monastery-two-roads", ["inns-and-cathedrals"]),
    (f"{TRADERS_AND_BUILDERS}.monastery-three-roads", [TRADERS_AND_BUILDERS]),
    ("winter.monastery-road", ["winter"]),
    ("winter.monastery-two-roads", ["winter"]),
]


@pytest.mark.parametrize(("monastery", "sets"), MONASTERIES, ids=[name for name, _ in MONASTERIES])
def test_monasteries_of_every_set_keep_shrines_apart(monastery, sets):
    """CULT-2, CULT-4."""
    game = played("", start=f"A base.B@10,11; A {monastery}@12,12", sets=["base", "cult", *sets])
    game = with_bag(game, "cult.shrine", "base.B").play(Draw("cult.shrine"))
    with pytest.raises(IllegalAction) as refused:
        game.play(turn("A cult.shrine@11,11"))
    assert refused.value.rule == "CULT-2"


def test_a_garden_is_neither_shrine_nor_monastery():
    """CULT-2, ABBOT-6."""
    start = "A base.B@10,11; A base.Eg@12,12"
    game = played("", start=start, sets=["base", "cult", "abbot"], edition="C2")
    game = place_figure(game, "B", "abbot", 12, 12, "garden")
    game = with_bag(game, "cult.shrine", "base.B").play(Draw("cult.shrine"))
    game = game.play(turn("A cult.shrine@11,11 shrine"))
    assert duels(game) == []


# Builder, hole and volcano


def hole_for_the_builder():
    """A game with a builder of A on a road whose next tile fills a hole."""
    start = "A base.U@1,1 frfr; A base.U@-1,1 frfr; A base.B@0,2"
    game = played("", start=start, sets=["base", TRADERS_AND_BUILDERS], hole_bonus=True)
    for figure in ("follower", "builder"):
        game = place_figure(game, "A", figure, 1, 1, "road", "W")
    return with_bag(game, *["base.U"] * 5)


def test_hole_and_builder_together_bring_one_turn():
    """HR-8, TB-7: and of that turn, which the hole has earned, the builder may earn another."""
    game = played("A base.U@0,1 frfr", game=hole_for_the_builder())
    assert (game.state.turn_seat, game.state.further) == (0, "hole")
    game = played("A base.U@2,1 frfr", game=game)
    assert (game.state.turn_seat, game.state.further) == (0, "builder")
    game = played("A base.U@3,1 frfr", game=game)
    assert (game.state.turn_seat, game.state.further) == (1, None)


def test_each_part_of_a_double_turn_is_judged_for_the_cards():
    """KR-10."""
    sets = ["base", TRADERS_AND_BUILDERS, "king-and-robber"]
    game = played("", start="A base.U@1,0 frfr; A base.E@0,2 ffcf; A base.E@0,4 ffcf", sets=sets)
    for figure in ("follower", "builder"):
        game = place_figure(game, "A", figure, 1, 0, "road", "W")
    game = with_bag(game, "base.W", "base.W", "base.E", "base.B")
    game = played("A base.W@-1,0 frrr; A base.W@2,0 r180", game=game)
    assert read_cards(game)["robber"] == "A 4"
    assert game.state.turn_seat == 1


def test_the_volcano_takes_neither_builder_nor_pig_but_lets_an_abbot_go():
    """RIVER-15, RIVER-16."""
    start = "A river2.fork@1,0 vvfv; A river2.city-mouth@1,-1 cfvf; A base.B@1,1"
    game = played("", start=start, sets=["base", "river2", TRADERS_AND_BUILDERS, "abbot"], edition="C2")
    game = place_figure(game, "A", "follower", 1, 0, "field", "ESE")
    game = place_figure(game, "A", "abbot", 1, 1, "monastery")
    game = with_bag(game, "river2.lake-volcano", "base.B").play(Draw("river2.lake-volcano"))
    assert not any(isinstance(action.figure, Deploy) for action in game.legal_actions())
    game = game.play(turn("A river2.lake-volcano@2,0 fffv recall 1,1"))
    assert scored(game) == [("A", "monastery", 4)]
    assert game.state.further == "volcano"


# Pigs


@pytest.mark.parametrize(
    ("fields", "points"), [("third-edition", 10), ("second-edition", 7), ("first-edition", 9)]
)
def test_a_pig_in_one_of_two_fields_of_the_same_city(fields, points):
    """TB-11, BASE-50: the city between them pays once by the second edition, and then where the pig is."""
    text = "A base.E@0,-1 ffcf field ENE; B base.H@0,-2 fcfc; A base.E@1,-2 fffc field ENE"
    game = played(text, sets=["base", TRADERS_AND_BUILDERS], fields=fields)
    assert totals(game)[0] == {"third-edition": 9, "second-edition": 6, "first-edition": 8}[fields]
    game = place_figure(game, "A", "pig", 1, -2, "field", "ENE")
    assert totals(game) == (points, 0)


@pytest.mark.parametrize("fields", ["third-edition", "second-edition", "first-edition"])
def test_farmers_who_come_from_the_market_take_the_pay_from_a_pig(fields):
    """COUNT-22, TB-11."""
    game = played("A base.B@2,0 field NNW", sets=["base", "count", TRADERS_AND_BUILDERS], fields=fields)
    game = place_in_quarters(place_figure(game, "A", "pig", 2, 0, "field", "NNW"), market="B B")
    city = 4 if fields == "first-edition" else 3
    assert totals(game) == (city + 1, 0)
    game = game.cut_short().play(Transfer("market", "follower", 2, 2, 0, "field", "NNW"))
    assert game.play(Final()).state.scores == (0, city)
