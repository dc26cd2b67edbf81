"""States of random games."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from games.rules import Game, RuleSet, State
from games.rules.playout import pick_random_action
from games.rules.tiles import FOLLOWER

MANY_FIGURES = {"figures": dict.fromkeys((FOLLOWER, "abbot", "large", "builder", "pig"), 20)}


def sample_states(rules: RuleSet, random: Random, every: int) -> Iterator[State]:
    """Sample one in so many of the states of a random game in which a tile is placed."""

    def placing() -> Iterator[State]:
        game = Game.new(rules)
        while game.decision.kind != "over":
            if game.decision.kind == "place":
                yield game.state
            game = game.play(pick_random_action(game, random))

    return islice(placing(), every - 1, None, every)
