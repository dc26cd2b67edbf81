"""Places in a bracket: where the seeds stand, and how seeds are given to those who come from groups."""

from __future__ import annotations

from collections.abc import Sequence

from leagues.schedules.rounds import Id, distinct


def bracket_order(places: int) -> list[int]:
    """The seeds from 1 in the order in which they stand in a bracket of so many *places*, a power of two.

    Two and two meet in the first round, and whoever is stronger meets whoever is stronger as late as can be.

    >>> bracket_order(8)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    order = [1]
    while len(order) < places:
        order = [seed for high in order for seed in (high, 2 * len(order) + 1 - high)]
    return order


def bracket_places(players: int) -> int:
    """The size of the smallest bracket for so many: the power of two that holds them."""
    return 1 << (players - 1).bit_length()


def seeds_from_groups(groups: Sequence[Sequence[Id]], taken: int = 2) -> tuple[Id, ...]:
    """Seeds for the first *taken* of each of *groups*; those of a group are in order of their ranks.

    Winners have the highest seeds in order of the groups, so that no two of them meet before they must; then
    come the seconds, and so on. The seconds have their seeds such that those of one group meet again as late
    as can be: with two from each of 2, 4, 8, … groups, not before the final.

    >>> seeds_from_groups(["ABC", "DEF"])
    ('A', 'D', 'B', 'E')
    >>> seeds_from_groups(["Aa", "Bb", "Cc", "Dd"])
    ('A', 'B', 'C', 'D', 'b', 'a', 'd', 'c')

    :raises ValueError: a group has fewer than *taken*, or somebody is named twice
    """
    if taken < 1 or not groups or any(len(group) < taken for group in groups):
        raise ValueError(f"every group must send {taken}")
    distinct([player for group in groups for player in group[:taken]], least=1)
    order = bracket_order(bracket_places(taken * len(groups)))
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
    """One of the *free* seeds for each group, so that those of one group meet as late as can be."""
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
    """A different one of the allowed seeds for each group, if there are; the first groups choose first."""
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
    """Whether every group can have a seed of its own (by augmenting paths)."""
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
