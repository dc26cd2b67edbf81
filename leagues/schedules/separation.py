"""Separation of blocked pairs of players in a schedule (STAND-18).

Every schedule is a list of places: divisions, groups, seeds or boards. To separate pairs, some players change
places with others near them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from leagues.schedules.rounds import Id

Pairs = Collection[frozenset[Id]]

STEPS = 20_000
"""Maximum number of places tried in a search, which then takes a second at most."""


def differ(one: Hashable, other: Hashable) -> int:
    """Return the distance of two places that several players share: divisions, groups, boards."""
    return int(one != other)


@dataclass(frozen=True)
class Arrangement(Generic[Id]):
    """The *players* of a schedule in the order of its *places*.

    Players meet if the *distance* of their places is 0; callers may require more. Equal places are
    interchangeable. Players only change places within a tier, by the same index as the places.
    """

    players: Sequence[Id]
    places: Sequence[Hashable]
    distance: Callable[[Any, Any], int]

    def find(self, least: Mapping[frozenset[Id], int], tiers: Sequence[Hashable]) -> list[Id] | None:
        """Return the players in an order in which all pairs have at *least* these distances, and none of them
        moves further than necessary; None if there is no such order, or none is found in :data:`STEPS`."""
        reach = 1
        while reach < 2 * len(self.players):
            found = self._search(least, tiers, reach)
            if found is not None:
                return found
            reach *= 2
        return None

    def _search(
        self, least: Mapping[frozenset[Id], int], tiers: Sequence[Hashable], reach: int
    ) -> list[Id] | None:
        """Backtracking. Players with one choice and those with most pairs choose first, each the nearest free
        place, up to *reach* places away."""
        others = _distances_of_players(least)
        movers = [player for player in self.players if player in others]
        choices = {player: self._list_places_of_tier(player, tiers, reach) for player in movers}
        movers.sort(key=lambda player: (len(choices[player]) > 1, -len(others[player])))  # stable
        chosen: dict[Id, int] = {}
        tried: list[set[Hashable]] = [set()]  # one set for each player who has chosen, and one for the next
        for _ in range(STEPS):
            if len(chosen) == len(movers):
                return self._fill(chosen, tiers)
            mover = movers[len(chosen)]
            place = self._choose(choices[mover], chosen, others[mover], tried[-1])
            if place is not None:
                chosen[mover] = place
                tried.append(set())
            elif chosen:
                chosen.popitem()  # backtrack: the last player tries another place
                tried.pop()
            else:
                return None
        return None

    def are_apart(self, pair: frozenset[Id]) -> bool:
        """Return whether *pair* doesn't meet in the present order."""
        one, other = (self.places[self.players.index(player)] for player in pair)
        return self.distance(one, other) > 0

    def _list_places_of_tier(
        self, player: Id, tiers: Sequence[Hashable], reach: int | None = None
    ) -> list[int]:
        home = self.players.index(player)
        near = range(len(self.places)) if reach is None else range(home - reach, home + reach + 1)
        same = [at for at in near if 0 <= at < len(self.places) and tiers[at] == tiers[home]]
        return sorted(same, key=lambda at: abs(at - home))

    def _choose(
        self,
        choices: Sequence[int],
        chosen: Mapping[Id, int],
        others: Mapping[Id, int],
        tried: set[Hashable],
    ) -> int | None:
        """The next of *choices* that is free and far enough from the *others*; it and all equal places are
        then *tried*."""
        taken = set(chosen.values())
        for at in choices:
            here = self.places[at]
            if at in taken or here in tried:
                continue
            tried.add(here)
            there = [
                (self.places[chosen[other]], least) for other, least in others.items() if other in chosen
            ]
            if all(self.distance(here, place) >= least for place, least in there):
                return at
        return None

    def _fill(self, chosen: Mapping[Id, int], tiers: Sequence[Hashable]) -> list[Id]:
        """Everybody at a place: those who have *chosen* one there, the others at their own or the nearest
        free one."""
        standing = {place: player for player, place in chosen.items()}
        staying = [
            at for at, player in enumerate(self.players) if player not in chosen and at not in standing
        ]
        standing.update((at, self.players[at]) for at in staying)
        displaced = [player for player in self.players if player not in standing.values()]
        for player in displaced:
            free = (at for at in self._list_places_of_tier(player, tiers) if at not in standing)
            standing[next(free)] = player
        return [standing[at] for at in range(len(self.places))]


def _distances_of_players(least: Mapping[frozenset[Id], int]) -> dict[Id, dict[Id, int]]:
    found: dict[Id, dict[Id, int]] = {}
    for pair, distance in least.items():
        one, other = pair
        found.setdefault(one, {})[other] = distance
        found.setdefault(other, {})[one] = distance
    return found


def keep_apart(arrangement: Arrangement[Id], apart: Pairs[Id], *tierings: Sequence[Hashable]) -> list[Id]:
    """Return the players of *arrangement* in an order in which the pairs of *apart* don't meet, by the first
    of *tierings* that allows it.

    If none does, separate as many pairs as possible, in their order, without joining others.
    """
    here = set(arrangement.players)
    pairs = [pair for pair in apart if pair <= here]
    for tiers in tierings:
        found = arrangement.find(dict.fromkeys(pairs, 1), tiers)
        if found is not None:
            return found
    order = list(arrangement.players)
    kept = [pair for pair in pairs if arrangement.are_apart(pair)]
    for pair in (pair for pair in pairs if pair not in kept):
        found = arrangement.find(dict.fromkeys([*kept, pair], 1), tierings[-1])
        if found is not None:
            order, kept = found, [*kept, pair]
    return order


def separate_pairs(
    divisions: Sequence[Sequence[Id]], movable: Collection[Id], apart: Pairs[Id]
) -> list[list[Id]]:
    """Separate the pairs of *apart* into different *divisions*. Only *movable* players change places, with
    the nearest in the order of all divisions. Sizes stay. Pairs that can't be separated stay together.

    >>> separate_pairs([[1, 2], [3, 4]], movable=[1, 2, 3, 4], apart=[frozenset({1, 2})])
    [[1, 3], [2, 4]]
    >>> separate_pairs([[1, 2], [3, 4]], movable=[4], apart=[frozenset({1, 2})])
    [[1, 2], [3, 4]]
    """
    order = [player for division in divisions for player in division]
    places = [number for number, division in enumerate(divisions) for _ in division]
    tiers = [-1 if player in movable else at for at, player in enumerate(order)]
    separated = iter(keep_apart(Arrangement(order, places, differ), apart, tiers))
    return [[next(separated) for _ in division] for division in divisions]
