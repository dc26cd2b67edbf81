"""The house bot and everything that expansions and house rules ask of it."""

import random
import time

import pytest

from games.bot import choose
from games.rules import Deploy, Final, Game, Place, Recall, view
from tests.games.rules.boards import rule_set

SETS = {
    "count": {"sets": ["base", "count", "inns-and-cathedrals"], "count_final": "all_quarters"},
    "rounds": {"sets": ["base", "count"], "count_final_order": "rounds", "count_move": "clockwise"},
    "gingerbread": {"sets": ["base", "winter", "cult"], "gingerbread": True},
    "traders": {"sets": ["base", "traders-and-builders", "river2"], "hole_bonus": True},
    "abbot": {"sets": ["base", "abbot"], "edition": "C2", "next_tile": "at_turn_end"},
    "hidden hands": {"sets": ["base", "king-and-robber"], "hand": "three_hidden"},
}


def bot_game(seed: int, *, figures: bool = True, **chosen) -> tuple[Game, float]:
    """A whole game of bots, each seeing what its seat may see, and the longest time for a choice."""
    chance = random.Random(seed)
    game = Game.new(rule_set(**chosen))
    longest = 0.0
    while not game.state.over:
        if game.decision.kind == "draw":
            game = game.play(chance.choice(list(game.legal_actions())))
        elif game.decision.kind == "final":
            game = game.play(Final())
        else:
            began = time.process_time()
            action = choose(view(game.state, game.decision.seat), figures=figures)
            longest = max(longest, time.process_time() - began)
            game = game.play(action)
    return game, longest


@pytest.mark.parametrize("name", SETS)
def test_plays_whole_games_of_every_kind_quickly(name: str) -> None:
    game, longest = bot_game(5, seats=3, **SETS[name])
    assert sum(game.state.scores) > 60
    assert longest < 0.2


def test_puts_down_every_figure_and_takes_the_abbot_back() -> None:
    sets = ["base", "abbot", "inns-and-cathedrals", "traders-and-builders"]
    figures, recalls = set(), 0
    for seed in (1, 2):
        game, _ = bot_game(seed, sets=sets, edition="C2")
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


def test_for_a_seat_that_has_left_it_declines_everything() -> None:
    game, _ = bot_game(3, figures=False, seats=3, **SETS["count"])
    assert not {type(one.action).__name__ for one in game.played} & {"Enter", "Transfer"}
