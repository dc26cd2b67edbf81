"""Tests of the house bot's answers to the questions of expansions and house rules."""

import random
from functools import partial

import pytest

from games.bots.house import choose
from games.rules import Deploy, Draw, Final, Game, Place, Recall, hide_secrets
from tests.cases import count_calls
from tests.games.rules.boards import drawn, rule_set, scored, turn

SETS = {
    "count": {"sets": ["base", "count", "inns-and-cathedrals"], "count_final": "all_quarters"},
    "rounds": {"sets": ["base", "count"], "count_final_order": "rounds", "count_move": "clockwise"},
    "gingerbread": {"sets": ["base", "winter", "cult"], "gingerbread": True},
    "traders": {"sets": ["base", "traders-and-builders", "river2"], "hole_bonus": True},
    "abbot": {"sets": ["base", "abbot"], "edition": "C2", "next_tile": "at_turn_end"},
    "hidden hands": {"sets": ["base", "king-and-robber"], "hand": "three_hidden"},
}


def bot_game(seed: int, *, figures: bool = True, calls: list[int] | None = None, **chosen) -> Game:
    """Play a whole game of bots, each seeing what its seat may see; append the *calls* of each choice."""
    chance = random.Random(seed)
    game = Game.new(rule_set(**chosen))
    while not game.state.over:
        if game.decision.kind == "draw":
            game = game.play(chance.choice(list(game.legal_actions())))
        elif game.decision.kind == "final":
            game = game.play(Final())
        else:
            choice = partial(choose, hide_secrets(game.state, game.decision.seat), figures=figures)
            if calls is not None:
                calls.append(count_calls(choice))
            game = game.play(choice())
    return game


@pytest.mark.parametrize("name", SETS)
def test_plays_whole_games_of_every_kind_with_few_calls_a_choice(name: str) -> None:
    calls: list[int] = []
    game = bot_game(5, seats=3, calls=calls, **SETS[name])
    assert sum(game.state.scores) > 60
    assert max(calls) < 200_000


def test_puts_down_every_figure_and_takes_the_abbot_back() -> None:
    sets = ["base", "abbot", "inns-and-cathedrals", "traders-and-builders"]
    figures, recalls = set(), 0
    for seed in (1, 2):
        game = bot_game(seed, sets=sets, edition="C2")
        for played in game.played:
            if isinstance(played.action, Place):
                if isinstance(played.action.figure, Deploy):
                    figures.add(played.action.figure.meeple)
                recalls += isinstance(played.action.figure, Recall)
    assert figures == {"follower", "large", "abbot", "builder", "pig"}
    assert recalls


def test_uses_the_city_of_carcassonne() -> None:
    """Bots hardly ever complete what others hold; players who place at random do."""
    chance, kinds = random.Random(1), set()
    for _ in range(3):
        game = Game.new(rule_set(seats=3, **SETS["count"]))
        while game.decision.kind != "final":
            if game.decision.kind in ("draw", "place"):
                game = game.play(chance.choice(list(game.legal_actions())))
            else:
                game = game.play(choose(game.state))
        kinds |= {type(played.action).__name__ for played in game.played}
    assert {"Enter", "Transfer", "Pass"} <= kinds


RIVAL = """
A base.F@2,1 fcfc city W; B base.B@-3,0 monastery
A base.U@1,-2 rfrf road N; B base.B@-4,0
A base.F@3,1 fcfc
"""
"""A has a short road, and a city of three tiles and two shields that one tile closes."""


def test_completes_the_road_of_another_to_wait_in_the_castle_for_the_city() -> None:
    """COUNT-5, COUNT-13, COUNT-16: the monastery would lie as well elsewhere, but lets nobody in there."""
    game = drawn("base.A", RIVAL, sets=["base", "count"])
    game = game.play(choose(game.state))
    assert scored(game) == [("A", "road", 3)]
    assert any(meeple.seat == 1 and meeple.on == "monastery" for meeple in game.state.meeples())
    enters = choose(game.state)
    assert (enters.quarter, enters.count_to) == ("castle", "market"), "the Count would hold it there"
    game = game.play(enters).play(Draw("base.E")).play(turn("A base.E@4,1 r270"))
    game = game.play(choose(game.state))
    assert scored(game) == [("A", "city", 12), ("B", "city", 12)]


def waiting_in_the_castle(*seats: int) -> Game:
    """A game in which A completes its city, and the followers of *seats* may leave the castle."""
    game = drawn("base.E", RIVAL + "; B base.B@-4,1", sets=["base", "count"], seats=2)
    quarters = {**game.state.slices["count"].quarters, "castle": tuple((seat, "follower") for seat in seats)}
    city = game.state.slices["count"]._replace(stands="market", quarters=quarters)
    return Game(game.state._replace(slices={"count": city})).play(turn("A base.E@4,1 r270"))


def test_sends_as_many_as_it_takes_to_score_alone_and_keeps_the_rest() -> None:
    action = choose(waiting_in_the_castle(1, 1, 1).state)
    assert (action.followers, action.on) == (2, "city")


def test_sends_one_more_where_a_rival_may_answer() -> None:
    """COUNT-17: A decides last, and would draw level with two."""
    action = choose(waiting_in_the_castle(0, 1, 1, 1).state)
    assert (action.followers, action.on) == (3, "city")


def test_for_a_seat_that_has_left_it_declines_everything() -> None:
    game = bot_game(3, figures=False, seats=3, **SETS["count"])
    assert not {type(ply.action).__name__ for ply in game.played} & {"Enter", "Transfer"}
