"""Tests of tiles in hand: the worked example of the house rules, and the other rules of HR-2 and HR-3."""

from random import Random

import pytest

from games.rules import (
    Dealt,
    Discarded,
    Draw,
    Game,
    LastTurnPlayed,
    Placement,
    TurnPassed,
    hide_secrets,
    hide_secrets_of_event,
)
from games.rules.playout import pick_random_action, play_random_game
from tests.games.rules.boards import played, refused, rule_set, turn, with_bag


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
    """A game with a hole south of the start tile, and a monastery for A to place."""
    tiles = [
        "base.V@1,0 ffrr",
        "base.V@-1,0 frrf",
        "base.U@1,1 rfrf",
        "base.U@-1,1 rfrf",
        "base.U@1,2 rfrf",
        "base.U@-1,2 rfrf",
        "base.B@0,2",
    ]
    start = "; ".join(f"A {tile}" for tile in tiles)
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
    assert {action.tile for action in legal} == {"base.B", "base.U"}
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
    assert {(placement.x, placement.y) for placement in legal.placements} == {(0, 1)}, (
        "a monastery, beside the field"
    )
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
        game = game.play(pick_random_action(game, random))
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
        seen = hide_secrets(state, seat)
        for owner in range(3):
            assert seen.hands[owner] == (state.hands[owner] if owner == seat else (None,) * 3)
        assert sum(seen.remaining.values()) == state.left + 3 * (3 if seat is None else 2)
        assert seen.left == state.left
    assert "base.X" in hide_secrets(state, 1).remaining, "what is unseen may be in the bag as well"
    assert "base.X" not in hide_secrets(state, 0).remaining
    event = Dealt(0, "base.X")
    assert hide_secrets_of_event(rules, event, 0) == event
    assert hide_secrets_of_event(rules, event, 1).tile == ""
    assert hide_secrets_of_event(rules, event, None).tile == ""
    over = play_random_game(rules, Random(1)).state
    assert hide_secrets(over, None) is over
    assert hide_secrets_of_event(rules, event, 1, over=True) == event
    shown = Discarded(0, "base.X")
    assert hide_secrets_of_event(rules, shown, 1) == shown, "what leaves a hand is for all to see"
    opened = dealt(Game.new(rule_set(hand="three_open")), *["base.B"] * 3, *["base.V"] * 3).state
    assert hide_secrets(opened, None) is opened
    assert hide_secrets_of_event(opened.rules, event, 1) == event


def test_who_sees_no_other_hand_sees_a_turn_through_to_the_end():
    """HR-3: the others' turns come when the bag is empty, too, though what they hold isn't known."""
    chance = Random(3)
    game = Game.new(rule_set(hand="three_hidden", seats=3))
    last = 0
    while not game.state.over:
        if game.decision.kind == "place" and not game.state.left:
            seat = game.decision.seat
            seen = Game(hide_secrets(game.state, seat))
            after = seen.play(chance.choice(list(seen.legal_actions())))
            others = sum(map(len, game.state.hands)) - len(game.state.hands[seat])
            assert after.decision == (("place", (seat + 1) % 3) if others else ("final", None))
            last += 1
        game = game.play(pick_random_action(game, chance))
    assert last == 9
