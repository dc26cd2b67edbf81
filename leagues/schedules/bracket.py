"""Positions of seeds in a bracket, and seeding from groups."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import combinations

from leagues.schedules.rounds import Id, check_distinct
from leagues.schedules.separation import Arrangement, Pairs, keep_apart


def list_bracket_order(places: int) -> list[int]:
    """Return the seeds from 1 in the order of a bracket of so many *places*, a power of two.

    Neighbours meet in the first round, and strong seeds meet as late as possible.

    >>> list_bracket_order(8)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    order = [1]
    while len(order) < places:
        order = [seed for high in order for seed in (high, 2 * len(order) + 1 - high)]
    return order


def list_bracket_places(players: int) -> int:
    """Return the size of the smallest bracket for this number of players, a power of two."""
    return 1 << (players - 1).bit_length()


def separate_seeds(seeds: Sequence[Id], apart: Pairs[Id], groups: Sequence[Collection[Id]] = ()) -> list[Id]:
    """*seeds*, the strongest first, in an order in which the pairs of *apart* meet as late as can be.

    Seeds 3 and 4 may change places, 5 to 8, 9 to 16 and so on, as in a draw of tennis; after *groups*, those
    who had the same rank in them, if none of one group meet earlier than before. Where that doesn't keep all
    of *apart* out of the first round, others may change places.

    >>> separate_seeds("ABCDEFGH", [frozenset("AD"), frozenset("BG")])
    ['A', 'B', 'D', 'C', 'E', 'F', 'H', 'G']
    >>> separate_seeds("ABba", [frozenset("Ab")], groups=["Aa", "Bb"])
    ['A', 'B', 'b', 'a']
    """
    here = [pair for pair in apart if pair <= set(seeds)]
    if not here:
        return list(seeds)
    find_round = _find_round_of(len(seeds))
    tiers = [at // len(groups) if groups else at.bit_length() for at in range(len(seeds))]
    mates = {
        frozenset(two): find_round(seeds.index(two[0]), seeds.index(two[1]))
        for group in groups
        for two in combinations([player for player in group if player in seeds], 2)
    }
    arrangement = Arrangement(list(seeds), range(len(seeds)), find_round)
    for earliest in range(list_bracket_places(len(seeds)).bit_length() - 2, 0, -1):
        found = arrangement.find({**dict.fromkeys(here, earliest), **mates}, tiers)
        if found is not None:
            return found
    return keep_apart(arrangement, here, [0] * len(seeds))


def _find_round_of(seeds: int) -> Callable[[int, int], int]:
    """A function that gives the round, from 0, in which two seeds, from 0, can meet."""
    order = list_bracket_order(list_bracket_places(seeds))
    place = {seed - 1: at for at, seed in enumerate(order)}
    return lambda one, other: _meet_in(place[one], place[other])


def seed_from_groups(groups: Sequence[Sequence[Id]], taken: int = 2) -> tuple[Id, ...]:
    """Seeds for the first *taken* of each of *groups*; those of a group are in order of their ranks.

    Winners have the highest seeds in order of the groups, so that no two of them meet before they must; then
    come the seconds, and so on. The seconds have their seeds such that those of one group meet again as late
    as can be: with two from each of 2, 4, 8, … groups, not before the final.

    >>> seed_from_groups(["ABC", "DEF"])
    ('A', 'D', 'B', 'E')
    >>> seed_from_groups(["Aa", "Bb", "Cc", "Dd"])
    ('A', 'B', 'C', 'D', 'b', 'a', 'd', 'c')

    :raises ValueError: a group has fewer than *taken*, or somebody is named twice
    """
    if taken < 1 or not groups or any(len(group) < taken for group in groups):
        raise ValueError(f"every group must send {taken}")
    check_distinct([player for group in groups for player in group[:taken]], least=1)
    order = list_bracket_order(list_bracket_places(taken * len(groups)))
    place = {seed: index for index, seed in enumerate(order)}
    seeds: dict[int, Id] = {}
    of_group: list[list[int]] = [[] for _ in groups]
    for rank in range(taken):
        free = [rank * len(groups) + index + 1 for index in range(len(groups))]
        for group, seed in enumerate(_apart(free, of_group, place)):
            of_group[group].append(seed)
            seeds[seed] = groups[group][rank]
    return tuple(seeds[seed] for seed in sorted(seeds))


def _apart(free: Sequence[int], of_group: Sequence[Sequence[int]], place: dict[int, int]) -> list[int]:
    """One of the *free* seeds for each group, so that those of one group meet as late as possible."""
    rounds = len(place).bit_length()
    for earliest in range(rounds, -1, -1):
        allowed = [
            [seed for seed in free if all(_meet_in(place[seed], place[own]) >= earliest for own in own_seeds)]
            for own_seeds in of_group
        ]
        given = _one_each(allowed)
        if given is not None:
            return given
    raise AssertionError("from the first round on everybody may meet")


def _meet_in(one: int, other: int) -> int:
    """The round, from 0, in which two places of a bracket can meet."""
    return (one ^ other).bit_length() - 1


def _one_each(allowed: Sequence[Sequence[int]]) -> list[int] | None:
    """A different one of the allowed seeds for each group, if possible; the first groups choose first."""
    if not _can_be_given(allowed):
        return None
    choices = [list(seeds) for seeds in allowed]
    for group in range(len(choices)):
        for seed in allowed[group]:
            others = [[other for other in seeds if other != seed] for seeds in choices[group + 1 :]]
            if seed in choices[group] and _can_be_given(others):
                choices[group:] = [[seed], *others]
                break
    return [seed for (seed,) in choices]


def _can_be_given(allowed: Sequence[Sequence[int]]) -> bool:
    """Find a system of distinct representatives by augmenting paths."""
    holder: dict[int, int] = {}

    def find(group: int, tried: set[int]) -> bool:
        for seed in allowed[group]:
            if seed in tried:
                continue
            tried.add(seed)
            if seed not in holder or find(holder[seed], tried):
                holder[seed] = group
                return True
        return False

    return all(find(group, set()) for group in range(len(allowed)))
