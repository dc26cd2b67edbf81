"""``python -m benchmarks.bot_duels [DUELS]``: the house bot against a player of random legal turns.

Prints how many duels the bot won and its slowest turn; exit 1 if it won too few or took too long.
"""

from __future__ import annotations

import sys
import time
from random import Random
from typing import NamedTuple

from games.bots.house import choose
from games.rules import Final, Game, RuleSet

DUELS = 200
LEAST_WON = 0.95
SLOWEST = 200.0  # ms


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


def main(duels: int = DUELS) -> bool:
    """Play so many duels and print their results."""
    played = [duel(number) for number in range(duels)]
    won = sum(one.won for one in played)
    slowest = max(turn for one in played for turn in one.turns)
    count = sum(len(one.turns) for one in played)
    mean = sum(turn for one in played for turn in one.turns) / count
    print(
        f"bot       {won} of {duels} duels won, {100 * won / duels:.1f} % (floor {100 * LEAST_WON:.0f} %); "
        f"mean score {sum(one.bot for one in played) / duels:.1f} "
        f"to {sum(one.other for one in played) / duels:.1f}; "
        f"a turn {mean:.1f} ms, the slowest of {count} {slowest:.1f} ms (ceiling {SLOWEST:.0f})"
    )
    return won >= LEAST_WON * duels and slowest <= SLOWEST


if __name__ == "__main__":
    sys.exit(0 if main(*map(int, sys.argv[1:2])) else 1)
