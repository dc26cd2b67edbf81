"""Groups of about equal strength, the first stage before a knock-out."""

from __future__ import annotations

from collections.abc import Sequence

from leagues.schedules.rounds import Id
from leagues.schedules.separation import Arrangement, Pairs, differ, keep_apart


def count_groups(size: int, players: int) -> int:
    """Return the number of groups for this number of players; nobody is alone in one.

    >>> [count_groups(4, players) for players in (2, 4, 5, 8, 9)]
    [1, 1, 2, 2, 3]
    >>> count_groups(2, 3)
    1
    """
    return max(1, min(-(-players // size), players // 2))


def draw_groups(players: Sequence[Id], groups: int, apart: Pairs[Id] = ()) -> list[list[Id]]:
    """Divide *players*, the strongest first, into groups of about equal strength, in serpentine order.

    Pairs of *apart* are in different groups if possible: players change places with others of the same turn,
    who are about as strong, and only if that fails with anybody.

    >>> ["".join(group) for group in draw_groups("ABCDEFGH", 3)]
    ['AFG', 'BEH', 'CD']
    >>> ["".join(group) for group in draw_groups("ABCDEFGH", 3, [frozenset("AF")])]
    ['AEG', 'BFH', 'CD']
    """
    turns = [at // groups for at in range(len(players))]
    to_and_fro = [*range(groups), *reversed(range(groups))]
    places = [to_and_fro[at % len(to_and_fro)] for at in range(len(players))]
    arrangement = Arrangement(list(players), places, differ)
    drawn: list[list[Id]] = [[] for _ in range(groups)]
    for place, player in zip(places, keep_apart(arrangement, apart, turns, [0] * len(turns)), strict=True):
        drawn[place].append(player)
    return drawn
