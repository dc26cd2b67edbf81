"""Random games, every legal action listed at every decision: what measures and exercises the engine."""

from __future__ import annotations

from random import Random
from typing import Any

from .game import Game
from .ruleset import RuleSet


def random_game(rules: RuleSet, random: Random) -> Game:
    """A whole game of random legal actions, played to the end.

    Draws are uniform over the tiles that remain, turns over the listed legal actions.
    """
    game = Game.new(rules)
    while game.decision.kind != "over":
        actions: list[Any] = list(game.legal_actions())
        if game.decision.kind == "draw":
            remaining = game.state.remaining
            (action,) = random.choices(actions, [remaining[draw.tile] for draw in actions])
        else:
            action = actions[int(random.random() * len(actions))]
        game = game.play(action)
    return game
