"""Search for rounds of tables in which all players meet about equally often (STAND-14).

Simulated annealing: two players of a round change places, over and over; at first nearly always, later hardly
ever where it makes the schedule worse. Some schedules are like wheels, as that of the circle method is: when
the players are turned by one place each round becomes the next. Then only one round of each wheel is looked
for; most schedules in which every pair meets equally often are found so.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

Tables = list[list[int]]
"""The players of each table of a round, numbered from 0; if anybody sits out the last list has them."""

WARM, COLD = 2.4, 0.2
"""Temperatures at the beginning and at the end, in units of the cost."""


class Window(NamedTuple):
    """How often two players should meet, at least and at most."""

    least: int
    most: int

    def cost(self, times: int) -> int:
        """The square of how far *times* lies outside."""
        return max(self.least - times, times - self.most, 0) ** 2


@dataclass(frozen=True, slots=True)
class Shape:
    """What is looked for: *rounds* rounds in which *players* sit at tables of these *sizes*."""

    players: int
    sizes: tuple[int, ...]
    rounds: int

    @property
    def byes(self) -> int:
        """How many sit out in each round."""
        return self.players - sum(self.sizes)

    @property
    def meetings(self) -> int:
        """How many meetings of two players there are in all rounds."""
        return self.rounds * sum(size * (size - 1) // 2 for size in self.sizes)

    @property
    def pairs(self) -> int:
        """How many pairs of players there are."""
        return self.players * (self.players - 1) // 2

    def circles(self) -> list[int]:
        """How long the wheels can be on which all players sit, or all but one: in whole turns they make the
        rounds. The longest come first; 1, which turns nobody, is last."""
        lengths = [length for length in range(self.rounds, 1, -1) if self.rounds % length == 0]
        return [length for length in lengths if length <= self.players and self.players % length <= 1] + [1]


class Search:
    """One search: :meth:`run` makes it, :meth:`found` has the best that it came by.

    The cost is that of all pairs outside of *window*, and of all who sit out more or less often than is fair:
    0 cannot be beaten.
    """

    met: list[int]  # by class of pairs
    sat_out: list[int]  # by player

    def __init__(self, shape: Shape, window: Window, lot: random.Random, circle: int = 1) -> None:
        self.shape, self.circle, self.lot = shape, circle, lot
        self._count_pairs()
        fair_byes = even_window(shape.byes * shape.rounds, shape.players)
        self.met_cost = [window.cost(times) for times in range(shape.rounds + 1)]
        self._tabulate_costs()
        self.bye_cost = [fair_byes.cost(times) for times in range(shape.rounds + 1)]
        self.rounds: list[Tables] = [self._random_round() for _ in range(shape.rounds // circle)]
        self.cost = self._whole_cost()
        self.best_cost: int | None = None
        self.best: list[Tables] = []
        self._remember()

    def run(self, steps: int) -> None:
        """Try *steps* changes, or as many as it takes."""
        random_number = self.lot.random
        groups = len(self.shape.sizes) + (self.shape.byes > 0)
        if groups < 2:
            return
        cooling = math.log(COLD / WARM) / steps
        for step in range(steps):
            if self.best_cost == 0:
                return
            tables = self.rounds[int(random_number() * len(self.rounds))]
            one = int(random_number() * groups)
            other = (one + 1 + int(random_number() * (groups - 1))) % groups
            here = int(random_number() * len(tables[one]))
            there = int(random_number() * len(tables[other]))
            goes, comes = tables[one][here], tables[other][there]
            met, sat_out = self.met[:], self.sat_out[:]  # to be taken back, which a copy does soonest
            worse = self._replace(tables, one, here, comes) + self._replace(tables, other, there, goes)
            if worse > 0 and random_number() >= math.exp(-worse / (WARM * math.exp(cooling * step))):
                tables[one][here], tables[other][there] = goes, comes
                self.met, self.sat_out = met, sat_out
            else:
                self.cost += worse
                self._remember()

    def found(self) -> list[Tables]:
        """All rounds of the best schedule that was seen; none if byes were unfair in all of them."""
        return [
            [[self._turned(player, turn) for player in table] for table in tables]
            for tables in self.best
            for turn in range(self.circle)
        ]

    def _turned(self, player: int, turn: int) -> int:
        if player >= self.shape.players - self.shape.players % self.circle:
            return player  # stands aside
        return player - player % self.circle + (player + turn) % self.circle

    def _count_pairs(self) -> None:
        """Number the classes of pairs, and of players, that follow from each other by turning."""
        players = range(self.shape.players)
        self.pair_class = [[0] * len(players) for _ in players]
        self.class_sizes: list[int] = []
        for one, other in combinations(players, 2):
            turned = {
                frozenset((self._turned(one, turn), self._turned(other, turn))) for turn in range(self.circle)
            }
            if any(tuple(sorted(pair)) < (one, other) for pair in turned):
                continue
            for a, b in map(tuple, turned):
                self.pair_class[a][b] = self.pair_class[b][a] = len(self.class_sizes)
            self.class_sizes.append(len(turned))
        self.met = [0] * len(self.class_sizes)
        turns = range(self.circle)
        self.player_class = [min(self._turned(player, turn) for turn in turns) for player in players]
        self.player_sizes = [self.player_class.count(player) for player in players]
        self.sat_out = [0] * len(players)

    def _tabulate_costs(self) -> None:
        """For each class of pairs: how often it meets with one pair of it at a table, and what one more of
        them costs, and one less, by how often the class has met. Looked up in the innermost loop."""
        cost = self.met_cost
        self.share = [self.circle // size for size in self.class_sizes]
        of_size = {
            size: (
                [size * (now - then) for then, now in zip(cost, cost[share:], strict=False)],
                [0] * share + [size * (now - then) for then, now in zip(cost[share:], cost, strict=False)],
            )
            for size, share in zip(self.class_sizes, self.share, strict=True)
        }
        self.one_more = [of_size[size][0] for size in self.class_sizes]
        self.one_less = [of_size[size][1] for size in self.class_sizes]

    def _random_round(self) -> Tables:
        order = self.lot.sample(range(self.shape.players), self.shape.players)
        order.sort(key=lambda player: -self.sat_out[self.player_class[player]])
        playing = order[: sum(self.shape.sizes)]
        self.lot.shuffle(playing)
        tables: Tables = []
        for size in self.shape.sizes:
            tables.append([playing.pop() for _ in range(size)])
            for one, other in combinations(tables[-1], 2):
                kind = self.pair_class[one][other]
                self.met[kind] += self.circle // self.class_sizes[kind]
        if self.shape.byes:
            tables.append(order[-self.shape.byes :])
            for player in tables[-1]:
                kind = self.player_class[player]
                self.sat_out[kind] += self.circle // self.player_sizes[kind]
        return tables

    def _whole_cost(self) -> int:
        met = sum(size * self.met_cost[times] for size, times in zip(self.class_sizes, self.met, strict=True))
        return met + sum(
            size * self.bye_cost[times] for size, times in zip(self.player_sizes, self.sat_out, strict=True)
        )

    def _replace(self, tables: Tables, table: int, place: int, comes: int) -> int:
        """Let a player come for another, and say by how much that makes the schedule worse."""
        group = tables[table]
        goes = group[place]
        group[place] = comes
        if table == len(self.shape.sizes):
            return self._bye(goes, -1) + self._bye(comes, 1)
        worse = 0
        met, share, one_more, one_less = self.met, self.share, self.one_more, self.one_less
        classes_before, classes_now = self.pair_class[goes], self.pair_class[comes]
        for player in group:
            if player != comes:
                kind = classes_before[player]
                times = met[kind]
                worse += one_less[kind][times]
                met[kind] = times - share[kind]
                kind = classes_now[player]
                times = met[kind]
                worse += one_more[kind][times]
                met[kind] = times + share[kind]
        return worse

    def _bye(self, player: int, more: int) -> int:
        kind = self.player_class[player]
        size, times = self.player_sizes[kind], self.sat_out[kind]
        self.sat_out[kind] = now = times + more * (self.circle // size)
        return size * (self.bye_cost[now] - self.bye_cost[times])

    def _remember(self) -> None:
        """Keep the rounds as they are if they are the best so far, and nobody sits out too often."""
        if self.best_cost is not None and self.cost >= self.best_cost:
            return
        if not any(self.bye_cost[self.sat_out[kind]] for kind in self.player_class):
            self.best_cost = self.cost
            self.best = [[list(table) for table in tables] for tables in self.rounds]


def even_window(total: int, among: int) -> Window:
    """What is most even if something happens *total* times to some of so many."""
    return Window(total // among, -(-total // among))
