"""Search for rounds of tables in which all pairs of players meet about equally often (STAND-14).

Simulated annealing: two players of a round change places, at first nearly always, later hardly ever if that
makes the schedule worse.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import NamedTuple

Tables = list[list[int]]
"""Players at each table of a round, numbered from 0; players who sit out are in a last list."""

WARM, COLD = 2.4, 0.2
"""Temperatures at the beginning and at the end of the search, in units of the cost."""

TRIES = 4
STEPS = 1000
"""Changes tried per player and round in one run: a second for 20 players in 10 rounds."""
MOST_STEPS = 300_000


class SeasonShape(NamedTuple):
    """Shape of a season: *players* sit at tables of these *sizes* in each of *rounds*."""

    players: int
    sizes: tuple[int, ...]
    rounds: int

    @property
    def byes(self) -> int:
        """Return the number of players who sit out in each round."""
        return self.players - sum(self.sizes)

    @property
    def mean(self) -> Fraction:
        """Return how often two players meet on average."""
        meetings = self.rounds * sum(size * (size - 1) for size in self.sizes)
        return Fraction(meetings, self.players * (self.players - 1))

    @property
    def least_difference(self) -> int:
        """Return the smallest possible difference in how often two players meet: 0 or 1."""
        return int(self.mean.denominator > 1)


def search_rounds(
    shape: SeasonShape, lot: random.Random, tries: int = TRIES, steps: int = STEPS
) -> list[Tables]:
    """The most even of some seasons of this *shape* that a search found; byes differ by at most one."""
    best: list[Tables] = []
    low, high = math.floor(shape.mean), math.ceil(shape.mean)
    # The best sum of squares may leave one pair far off, so some tries penalise only the extremes.
    windows = [(low, high), (low - 1, low + 1), (low, low + 2), (low - 1, low + 2)]
    for at in range(tries):
        search = _Search(shape, *windows[at % len(windows)], lot)
        search.run(min(steps * shape.players * shape.rounds, MOST_STEPS))
        best = min(filter(None, [best, search.rounds]), key=lambda one: measure_unevenness(shape, one))
        if measure_unevenness(shape, best)[0] == shape.least_difference:
            break
    return best


def measure_unevenness(shape: SeasonShape, rounds: Sequence[Tables]) -> tuple[int, int]:
    """Return the largest difference in how often two players meet, and the sum of squares over all pairs."""
    met = count_table_meetings(shape, rounds)
    return max(met.values()) - min(met.values()), sum(times * times for times in met.values())


def count_table_meetings(shape: SeasonShape, rounds: Sequence[Tables]) -> Counter[tuple[int, int]]:
    """Count how often each pair of players meets, including 0."""
    met = Counter(dict.fromkeys(combinations(range(shape.players), 2), 0))
    for each in rounds:
        for table in each[: len(shape.sizes)]:
            met.update(combinations(sorted(table), 2))
    return met


class _Search:
    """One run in which all pairs should meet at *least* and at *most* so often; the cost is the sum of
    squared deviations. Byes change, too, as long as they differ by at most one."""

    def __init__(self, shape: SeasonShape, least: int, most: int, lot: random.Random) -> None:
        self.shape, self.lot = shape, lot
        self.rounds = [self._draw_round(byes) for byes in self._draw_byes()]
        self.sat_out = Counter(player for each in self.rounds for player in each[-1] if shape.byes)
        self.least_byes, left = divmod(shape.byes * shape.rounds, shape.players)
        self.most_byes = self.least_byes + (left > 0)
        costs = [max(least - times, times - most, 0) ** 2 for times in range(-1, shape.rounds + 2)]
        self.one_more = [after - before for before, after in pairwise(costs[1:])]
        self.one_less = [before - after for before, after in pairwise(costs[:-1])]
        self.met = [[0] * shape.players for _ in range(shape.players)]
        met = count_table_meetings(shape, self.rounds)
        for (one, other), times in met.items():
            self.met[one][other] = self.met[other][one] = times
        self.cost: float = sum(costs[times + 1] for times in met.values())

    def run(self, steps: int) -> None:
        """Try *steps* changes of two players of a round."""
        random_number = self.lot.random
        groups = len(self.shape.sizes) + (self.shape.byes > 0)
        if groups < 2:
            return
        for step in range(steps):
            if not self.cost:
                return
            tables = self.rounds[int(random_number() * len(self.rounds))]
            one = int(random_number() * len(self.shape.sizes))
            other = (one + 1 + int(random_number() * (groups - 1))) % groups
            here = int(random_number() * len(tables[one]))
            there = int(random_number() * len(tables[other]))
            worse = self._cost(tables, one, here, other, there)
            warmth = WARM * (COLD / WARM) ** (step / steps)
            if worse <= 0 or random_number() < math.exp(-worse / warmth):
                self._exchange(tables, one, here, other, there)
                self.cost += worse

    def _draw_byes(self) -> Iterator[list[int]]:
        """The byes of each round: everybody once before anybody has a second one."""
        waiting: list[int] = []
        for _ in range(self.shape.rounds):
            if len(waiting) < self.shape.byes:
                everybody = self.lot.sample(range(self.shape.players), self.shape.players)
                waiting += sorted(everybody, key=lambda player: player in waiting)  # nobody twice in a round
            yield waiting[: self.shape.byes]
            waiting = waiting[self.shape.byes :]

    def _draw_round(self, byes: list[int]) -> Tables:
        playing = [player for player in range(self.shape.players) if player not in byes]
        self.lot.shuffle(playing)
        tables = [[playing.pop() for _ in range(size)] for size in self.shape.sizes]
        return [*tables, byes] if byes else tables

    def _cost(self, tables: Tables, one: int, here: int, other: int, there: int) -> float:
        """The increase of cost if two players swap; infinite where byes would be unfair."""
        goes, comes = tables[one][here], tables[other][there]
        if other < len(self.shape.sizes):
            return self._cost_at(tables[one], goes, comes) + self._cost_at(tables[other], comes, goes)
        if self.sat_out[goes] >= self.most_byes or self.sat_out[comes] <= self.least_byes:
            return math.inf
        return self._cost_at(tables[one], goes, comes)

    def _cost_at(self, table: list[int], goes: int, comes: int) -> float:
        left, joined, more, less = self.met[goes], self.met[comes], self.one_more, self.one_less
        return sum(more[joined[player]] + less[left[player]] for player in table if player != goes)

    def _exchange(self, tables: Tables, one: int, here: int, other: int, there: int) -> None:
        goes, comes = tables[one][here], tables[other][there]
        self._meet(goes, comes, tables[one])
        if other < len(self.shape.sizes):
            self._meet(comes, goes, tables[other])
        else:
            self.sat_out[goes] += 1
            self.sat_out[comes] -= 1
        tables[one][here], tables[other][there] = comes, goes

    def _meet(self, goes: int, comes: int, table: list[int]) -> None:
        for player in table:
            if player != goes:
                for who, more in ((goes, -1), (comes, 1)):
                    self.met[who][player] += more
                    self.met[player][who] += more
