"""Groups of about the same strength, from which the first go on to a knock-out."""

from __future__ import annotations

from collections.abc import Sequence

from leagues.schedules.rounds import Id


def groups_of_at_most(size: int, players: int) -> int:
    """How many groups so many *players* make; nobody is alone in one.

    >>> [groups_of_at_most(4, players) for players in (2, 4, 5, 8, 9)]
    [1, 1, 2, 2, 3]
    >>> groups_of_at_most(2, 3)
    1
    """
    return max(1, min(-(-players // size), players // 2))


def drawn_groups(players: Sequence[Id], groups: int) -> list[list[Id]]:
    """*players*, the strongest first, in so many groups: to and fro, so that all are about as strong.

    >>> ["".join(group) for group in drawn_groups("ABCDEFGH", 3)]
    ['AFG', 'BEH', 'CD']
    """
    drawn: list[list[Id]] = [[] for _ in range(groups)]
    for at, player in enumerate(players):
        turn, place = divmod(at, groups)
        drawn[place if turn % 2 == 0 else groups - 1 - place].append(player)
    return drawn
