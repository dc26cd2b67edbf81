"""Rounds as values: pairings, first seats and byes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Generic, TypeVar

Id = TypeVar("Id", bound=Hashable)
"""Identifier of a player or a team, such as a primary key."""


@dataclass(frozen=True, slots=True)
class Pairing(Generic[Id]):
    """One game or match: the first of its *players* has the first seat."""

    players: tuple[Id, ...]

    @property
    def first(self) -> Id:
        """The player who begins."""
        return self.players[0]


@dataclass(frozen=True, slots=True)
class Round(Generic[Id]):
    """Pairings that are played at the same time. Nobody is in two pairings of a round.

    ``byes`` are those who sit out. Only in a Swiss tournament or a knock-out is that a bye that brings a win
    (STAND-3): in a round robin everybody meets everybody, and at tables all sit out equally often, or once
    more than others.
    """

    pairings: tuple[Pairing[Id], ...]
    byes: tuple[Id, ...] = ()


def check_distinct(players: Sequence[Id], least: int = 2) -> tuple[Id, ...]:
    """Return *players* as a tuple.

    :raises ValueError: somebody is named twice, or there are fewer than *least*
    """
    if len(set(players)) < len(players):
        raise ValueError("nobody can be named twice")
    if len(players) < least:
        raise ValueError(f"there must be at least {least}")
    return tuple(players)


def count_first_seats(rounds: Iterable[Round[Id]]) -> Counter[Id]:
    """Count how often each player begins, including 0."""
    counted: Counter[Id] = Counter()
    for each in rounds:
        counted.update(dict.fromkeys(each.byes, 0))
        for pairing in each.pairings:
            counted.update(dict.fromkeys(pairing.players, 0))
            counted[pairing.first] += 1
    return counted


def count_meetings(rounds: Iterable[Round[Id]]) -> Counter[frozenset[Id]]:
    """Count how often each two players meet; two who never do are missing."""
    return Counter(
        frozenset(two)
        for each in rounds
        for pairing in each.pairings
        for two in combinations(pairing.players, 2)
    )
