"""Tests of random games with random combinations: invariants, and replay from the record."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.rules import (
    Game,
    Place,
    RuleSet,
    action_from_json,
    action_to_json,
)
from games.rules.notation import read_any, write
from games.rules.playout import find_game_faults, pick_random_rules, play_checked_game
from tests.cases import for_each
from tests.games.rules.combination_helpers import EVERYTHING, EXPANSIONS, make_rule_set

ROOT = Path(__file__).parents[3]


def survives(action: Any, game: Game) -> None:
    """Check that *action* survives JSON and, if it is a seat's, notation."""
    assert action_from_json(json.loads(json.dumps(action_to_json(action)))) == action
    if game.decision.seat is not None:
        assert read_any(write(action), tile=getattr(action, "tile", None)) == action


ALONE = [("base", name) for name in EXPANSIONS]
PAIRS = [("base", *pair) for pair in combinations(EXPANSIONS, 2)]


@for_each("sets", [*ALONE, *PAIRS])
def test_each_expansion_alone_and_with_each_other(sets: tuple[str, ...]) -> None:
    options = {"gingerbread": True} if "winter" in sets else {}
    play_checked_game(make_rule_set(sets, seats=3, **options), Random(sum(map(len, sets))), every=7)


HOUSE_RULES: list[dict[str, Any]] = [
    {"next_tile": "at_turn_end"},
    {"hand": "three_open"},
    {"hand": "three_hidden", "board_limit": "fixed 9x9"},
    {"start_tile": "in_bag", "hand": "three_open"},
    {"unplaceable": "back_in_bag", "board_limit": "fixed 9x9"},
    {"unplaceable": "back_in_bag", "board_limit": "shifting 9x11", "next_tile": "at_turn_end"},
    {"hole_bonus": True, "hand": "three_hidden"},
    {"hole_bonus": True, "next_tile": "at_turn_end", "start_tile": "in_bag"},
    {"board_limit": "fixed 11x9", "border_completes": True, "incomplete_scores": False},
]


@for_each("options", HOUSE_RULES)
@for_each("seats", [2, 5])
def test_each_house_rule(options: dict[str, Any], seats: int) -> None:
    play_checked_game(make_rule_set(("base",), seats, **options), Random(seats), every=5)


WITH_EVERYTHING: list[dict[str, Any]] = [
    {},
    {
        "gingerbread": True,
        "cult_tiles": 6,
        "hand": "three_hidden",
        "hole_bonus": True,
        "count_final": "all_quarters",
        "count_final_order": "rounds",
        "count_abbot": "cathedral",
        "king_and_robber": "continuous",
        "fields": "second-edition",
    },
    {
        "gingerbread": True,
        "unplaceable": "back_in_bag",
        "next_tile": "at_turn_end",
        "board_limit": "fixed 13x13",
        "border_completes": True,
        "hole_bonus": True,
        "river_start_tile": "in_bag",
        "king_and_robber": "15-or-40",
        "fields": "first-edition",
        "incomplete_scores": False,
        "count_move": "clockwise",
    },
    {
        "river_uturn": "last_bend",
        "river_source_divides_field": True,
        "river2_volcano": "plain",
        "count_into_unoccupied": False,
        "count_move": "follow_meeple",
        "count_entry_per_turn": "once",
        "fields": "none",
        "board_limit": "shifting 15x15",
    },
]


@pytest.mark.parametrize("options", WITH_EVERYTHING, ids=lambda options: f"{len(options)} options")
@pytest.mark.parametrize("seats", [2, 6])
def test_everything_together(options: dict[str, Any], seats: int) -> None:
    play_checked_game(make_rule_set(EVERYTHING, seats, **options), Random(seats), every=9)


@for_each("seed", range(60))
def test_any_combination(seed: int) -> None:
    random = Random(seed)
    play_checked_game(pick_random_rules(random), random, every=11)


@for_each("seed", range(12))
def test_listing_membership_and_the_two_steps_agree(seed: int) -> None:
    random = Random(seed)
    options = {"hand": "three_open"} if seed % 3 == 0 else {}
    game = Game.new(make_rule_set(EVERYTHING, 2 + seed % 3, gingerbread=True, **options))
    number = 0
    while game.decision.kind != "over":
        legal = game.legal_actions()
        actions = list(legal)
        if game.decision.kind == "place":
            number += 1
            if number % 9 == 0:
                by_steps = {
                    Place(id, *placement, figure)
                    for id in legal.tiles
                    for placement in legal.placements_of(id)
                    for figure in legal.figures(placement, id)
                }
                assert len(set(actions)) == len(actions)
                assert set(actions) == by_steps
        action = random.choice(actions)
        survives(action, game)
        game = game.play(action)


def test_two_processes_tell_the_same_game() -> None:
    """Nothing that reaches an event depends on the order of a set."""
    code = (
        "from random import Random\n"
        "from games.rules.playout import play_random_game\n"
        "from tests.games.rules.combination_helpers import EVERYTHING, make_rule_set\n"
        "rules = make_rule_set(EVERYTHING, 4, gingerbread=True, hole_bonus=True)\n"
        "print(play_random_game(rules, Random(3)).played)"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(told) == 1


def test_a_meeple_too_few_is_noticed() -> None:
    game = Game.new(make_rule_set(("base",)))
    assert list(find_game_faults(game)) == []
    supply = ({"follower": 6}, game.state.supply[1])
    assert len(list(find_game_faults(Game(game.state._replace(supply=supply))))) == 1
    assert len(list(find_game_faults(Game(game.state._replace(left=3))))) == 2


def test_no_tile_lies_beyond_a_fixed_table() -> None:
    game = play_checked_game(make_rule_set(("base",), board_limit="fixed 9x11"), Random(2))
    assert all(abs(tile.x) <= 4 and abs(tile.y) <= 5 for tile in game.state.placed)


def test_states_stay_as_they_were() -> None:
    """Playing on from a state twice gives the same twice, whatever was played from it before."""
    random = Random(5)
    game = Game.new(make_rule_set(EVERYTHING, 3, gingerbread=True, count_abbot="cathedral"))
    for _ in range(150):
        actions = list(game.legal_actions())
        first = game.play(actions[0])
        game.play(actions[-1])
        assert game.play(actions[0]).state == first.state
        game = game.play(random.choice(actions))


def test_the_figures_of_every_set_together() -> None:
    rules = make_rule_set(EVERYTHING)
    assert rules.figures == {"follower": 7, "abbot": 1, "large": 1, "builder": 1, "pig": 1}
    few = make_rule_set(EVERYTHING, figures={"follower": 3, "pig": 0})
    assert few.figures == {"follower": 3, "abbot": 1, "large": 1, "builder": 1, "pig": 0}
    play_checked_game(few, Random(1), every=9)


@pytest.mark.parametrize("seats", [2, 6])
def test_a_rule_set_survives_json_and_pickle(seats: int) -> None:
    random = Random(seats)
    for _ in range(20):
        rules = pick_random_rules(random)
        stored = json.loads(json.dumps(rules.to_json()))
        assert RuleSet.from_json(stored, seats=rules.seats) == rules
        assert list(RuleSet.from_json(stored, seats=rules.seats).options) == list(rules.options)
        again = pickle.loads(pickle.dumps(rules))
        assert again == rules
        assert list(again.options) == list(rules.options)
        assert again.bag == rules.bag
