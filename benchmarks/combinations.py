"""``python -m benchmarks.combinations``: the cost of sets and options beside the base game.

Whole random games, with all legal actions listed at each decision, alternate between the base game and the
most expensive combinations that a search over sets, options and seats has found. None may take more than four
times as long per placed tile as the base game.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from random import Random
from statistics import median
from typing import Any

from games.rules import Game, Place, RuleSet
from games.rules.modules import MODULES
from games.rules.playout import pick_random_action
from games.rules.ruleset import MOST_FIGURES
from games.rules.tiles import FOLLOWER, list_sets_with_tiles

ROUNDS = 15
CEILING = 4.0  # times the base game
EVERY_SET = ("base", *sorted({*list_sets_with_tiles(), *MODULES} - {"base"}))
EVERY_FIGURE = {FOLLOWER, *(figure for module in MODULES.values() for figure in module.figures)}
GINGERBREAD = {"gingerbread": True}
MANY = {"figures": dict.fromkeys(sorted(EVERY_FIGURE), MOST_FIGURES)}
HAND = {"hand": "three_open"}
COMBINATIONS: Mapping[str, tuple[int, Mapping[str, Any]]] = {
    "every set, 2 seats": (2, {}),
    "every set, 6 seats": (6, {}),
    "the same with the Gingerbread Man": (6, GINGERBREAD),
    "… and a tile known ahead": (6, GINGERBREAD | {"next_tile": "at_turn_end"}),
    "… and a table with edges": (6, GINGERBREAD | {"board_limit": "fixed 31x31"}),
    "… and three tiles in hand": (6, GINGERBREAD | HAND),
    "… and twenty of every figure": (6, GINGERBREAD | MANY),
    "… and both": (6, GINGERBREAD | HAND | MANY),
    "every set, 2 seats, three tiles in hand": (2, HAND),
    "every set, 2 seats, twenty of every figure": (2, MANY),
}


def cost(rules: RuleSet, seeds: range) -> float:
    """Play one random game for each of *seeds*; return µs for each placed tile."""
    placed = 0
    start = time.process_time()
    for seed in seeds:
        chance, game = Random(seed), Game.new(rules)
        while game.decision.kind != "over":
            action = pick_random_action(game, chance)
            placed += isinstance(action, Place)
            game = game.play(action)
    return (time.process_time() - start) / placed * 1e6


def main() -> bool:
    """Print the cost of each combination."""
    base = RuleSet.of(seats=2)
    others = {
        name: RuleSet.of(sets=EVERY_SET, edition="C2", options=options, seats=seats)
        for name, (seats, options) in COMBINATIONS.items()
    }
    beside: list[float] = []
    costs: dict[str, list[float]] = {name: [] for name in others}
    for round in range(-5, ROUNDS):  # the first ones fill the tables that a process keeps
        beside.append(cost(base, range(5 * round, 5 * round + 5)))
        for name, rules in others.items():
            costs[name].append(cost(rules, range(round, round + 1)))
    usual = median(beside[-ROUNDS:])
    print(f"combinations  {usual:6.0f} µs a tile in the base game (ceiling {CEILING:.0f} times that)")
    worst = 0.0
    for name, taken in costs.items():
        each = median(taken[-ROUNDS:])
        worst = max(worst, each / usual)
        print(f"              {each:6.0f} {each / usual:5.2f} times  {name}")
    return worst <= CEILING


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
