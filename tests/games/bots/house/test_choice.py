"""Tests of the house bot's choices, on small boards and in whole games."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from games.bots.house import choose
from games.bots.house.chances import Chances, closes
from games.rules import Final, Game, RuleSet, event_to_json
from games.rules.geometry import get_cell
from tests.games.rules.boards import drawn, played, rule_set, scored

ROOT = Path(__file__).parents[4]
SLOWEST = 200.0  # ms


def bot_game(seed, *, figures=True, **chosen):
    """A whole game of bots, with the tiles drawn by *seed*."""
    chance = random.Random(seed)
    game = Game.new(rule_set(**chosen))
    while not game.state.over:
        if game.decision.kind == "draw":
            game = game.play(chance.choice(list(game.legal_actions())))
        elif game.decision.kind == "final":
            game = game.play(Final())
        else:
            game = game.play(choose(game.state, figures=figures))
    return game


def after_choice(game):
    """*game* after the bot's turn."""
    return game.play(choose(game.state))


def test_completes_its_city_when_it_can():
    game = after_choice(drawn("base.E", "A base.F@0,-1 cfcf city S; B base.B@0,1"))
    assert ("A", "city", 8) in scored(game)


def test_does_not_complete_a_city_for_the_other():
    game = after_choice(drawn("base.E", "B base.F@0,-1 cfcf city S; A base.B@0,1; B base.U@1,0", first="B"))
    assert not any(kind == "city" and seat == "B" for seat, kind, _ in scored(game))


def test_claims_a_city_that_its_own_tile_completes():
    assert ("A", "city", 4) in scored(after_choice(drawn("base.E")))


def test_claims_the_monastery_it_draws():
    figure = choose(drawn("base.B").state).figure
    assert figure is not None and figure.on == "monastery"


def test_a_space_that_no_tile_left_can_close_has_no_chance():
    game = played("A base.F@0,-1 cfcf city S")
    city = game.state.feature_at(0, -1, "city", "S")
    assert list(city.faces) == [get_cell(0, -2)]
    assert 0 < Chances(game.state).completion(game.state.board, city) < 1
    none = game.state._replace(remaining={"base.U": 5, "base.C": 1}, left=6)
    assert Chances(none).completion(none.board, city) == 0
    sure = game.state._replace(remaining={"base.E": 5}, left=5)
    assert Chances(sure).completion(sure.board, city) == 1


def test_a_tile_closes_a_space_only_where_nothing_goes_on():
    south, west = 1 << 7, 1 << 10
    city_below = 1 << 6
    assert closes("base.E", city_below, south)
    assert not closes("base.F", city_below, south)
    assert closes("base.N", city_below | 1 << 9, south | west)
    assert not closes("base.N", city_below | 1 << 9, south), "it would join another city"
    assert closes("base.H", city_below, south), "its other cap is another city"
    assert not closes("base.B", city_below, south)


def test_keeps_its_last_follower_from_a_worthless_field():
    game = drawn("base.V", figures={"follower": 1})
    figure = choose(game.state).figure
    assert figure is None or figure.on != "field"


def test_puts_down_what_it_has_on_the_last_tile():
    """A follower in hand is worth nothing when the game ends."""
    game = played("A base.U@1,0; B base.B@0,1")
    last = Game(game.state._replace(remaining={"base.U": 1}, left=1))
    game = after_choice(last.play(next(iter(last.legal_actions()))))
    assert game.decision.kind == "final"
    assert ("A", "road") in [(seat, kind) for seat, kind, _ in scored(game.play(Final()))]


@pytest.mark.parametrize("seats", [1, 3, 6])
def test_bots_play_whole_games_of_any_size(seats):
    game = bot_game(seats, seats=seats, edition="C2")
    assert game.state.over
    assert max(game.state.scores) > 0


@pytest.mark.parametrize("fields", ["second-edition", "first-edition", "none"])
def test_bots_play_by_other_rules_of_fields(fields):
    assert bot_game(5, fields=fields, incomplete_scores=False).state.over


def test_never_deploys_for_a_seat_that_left():
    game = bot_game(3, figures=False)
    assert not [event for ply in game.played for event in ply.events if type(event).__name__ == "Deployed"]
    assert game.state.scores == (0, 0)


def test_is_asked_only_for_a_tile_to_place():
    with pytest.raises(ValueError, match="draw"):
        choose(played("A base.U@1,0").state)


def test_the_same_position_gives_the_same_turn():
    """Rebuilt from its events, or in a process that hashes otherwise."""
    game = bot_game(11)
    again = Game.new(game.rules)
    stored = []
    for action, events in game.played:
        if again.decision.kind == "place":
            assert choose(Game.rebuild(game.rules, stored).state) == action
        again = again.play(action)
        stored.append([event_to_json(event) for event in events])
    program = (
        "from tests.games.bots.house.test_choice import bot_game\n"
        "print([tuple(ply.action) for ply in bot_game(11).played])"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        for hash_seed in ("0", "99")
    }
    assert told == {str([tuple(ply.action) for ply in game.played])}


class Duel(NamedTuple):
    """One game of two: the scores, and the bot's turns, in milliseconds each."""

    bot: int
    other: int
    turns: tuple[float, ...]

    @property
    def won(self) -> bool:
        return self.bot > self.other


def duel(number: int) -> Duel:
    """Play the duel with this *number*, which seeds draws and the other player; the bot begins even ones."""
    chance = Random(number)
    bot = number % 2
    game = Game.new(RuleSet.of(seats=2))
    turns: list[float] = []
    while game.decision.kind != "over":
        if game.decision.kind == "final":
            game = game.play(Final())
        elif game.decision.kind == "draw":
            draws = list(game.legal_actions())
            copies = [game.state.remaining[draw.tile] for draw in draws]
            game = game.play(chance.choices(draws, copies)[0])
        elif game.decision.seat == bot:
            start = time.process_time()
            action = choose(game.state)
            turns.append((time.process_time() - start) * 1000)
            game = game.play(action)
        else:
            game = game.play(chance.choice(list(game.legal_actions())))
    scores = game.state.scores
    return Duel(scores[bot], scores[1 - bot], tuple(turns))


def test_wins_its_duels_against_random_turns_and_takes_little_time():
    duels = [duel(number) for number in range(6)]
    assert all(duel.won for duel in duels)
    assert max(turn for duel in duels for turn in duel.turns) < SLOWEST
