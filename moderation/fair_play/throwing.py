"""Test for games thrown to one opponent.

A game of somebody looks thrown if they resigned or lost on time while they were not behind, or if they lost
it with fewer points than in nineteen of twenty of their own games with as many seats. Everybody has such
games. Those of somebody who throws games to a friend were played with that friend: Fisher's exact test gives
the probability of that if they fell on opponents by chance.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from moderation.fair_play import chance

LEAST_TOGETHER = 4
LEAST_THROWN = 3
LEAST_GAMES = 20  # of the same number of seats, to know which are the poor ones
POOR_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of somebody: opponents, those of them who ended above, points, and the lead when leaving."""

    code: str
    opponents: frozenset[int]
    above: frozenset[int]
    score: int
    left: int | None

    @property
    def seats(self) -> int:
        return len(self.opponents) + 1


@dataclass(frozen=True, slots=True)
class Throwing:
    """Results of somebody's games with one opponent."""

    together: int
    thrown: int  # of these
    games: int
    thrown_in_all: int
    p: float
    codes: tuple[str, ...]  # of the thrown games together


def find_thrown(games: Sequence[PlayedGame]) -> frozenset[str]:
    """Return the codes of somebody's *games* that look thrown, to whomever."""
    codes = {game.code for game in games if game.left is not None and game.left >= 0}
    for seats in {game.seats for game in games}:
        alike = [game for game in games if game.seats == seats and game.left is None]
        scores = sorted(game.score for game in alike)
        if len(alike) >= LEAST_GAMES:
            most = POOR_SHARE * len(alike)
            codes |= {game.code for game in alike if game.above and bisect_right(scores, game.score) <= most}
    return frozenset(codes)


def measure_throwing(games: Sequence[PlayedGame], thrown: Collection[str], to: int) -> Throwing | None:
    """Test *games*, of which these look *thrown*, for the opponent *to*; ``None`` if they are too few.

    A game counts as thrown to an opponent who ended above.
    """
    together = [game for game in games if to in game.opponents]
    codes = tuple(game.code for game in together if game.code in thrown and to in game.above)
    if len(together) < LEAST_TOGETHER or len(codes) < LEAST_THROWN:
        return None
    # Thrown games from which somebody else profited are not counted against *to*.
    all_thrown = len([game for game in games if game.code in thrown])
    p = chance.drawn_at_least(len(codes), len(together), all_thrown, len(games))
    return Throwing(len(together), len(codes), len(games), all_thrown, p, codes)


def is_significant(measured: Throwing, tested: int) -> bool:
    """Return whether to show *measured*, if so many pairs are *tested*."""
    return measured.p <= chance.threshold(tested)
