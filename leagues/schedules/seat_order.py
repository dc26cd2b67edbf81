"""Seat order at tables whose players are known: every seat, and above all the first, in fair turns."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence


def assign_seats(tables: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """The players of each of *tables* in the order of their seats, the first seat first (STAND-14).

    One seat after the other is given away, the first one best: so that nobody who has it n times could hand
    it on, over whatever chain of tables, to somebody who has it n − 2 times or fewer. Where first seats can
    differ by at most one they do then.

    >>> assign_seats([[0, 1, 2], [0, 1, 2], [0, 1, 2]])
    [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    """
    order: list[list[int]] = [[] for _ in tables]
    left = [list(table) for table in tables]
    while any(left):
        for table, holder in enumerate(_holders(left)):
            if holder is not None:
                order[table].append(holder)
                left[table].remove(holder)
    return [tuple(table) for table in order]


def _holders(tables: Sequence[Sequence[int]]) -> list[int | None]:
    """One player of each table, none of an empty one, such that all are chosen as evenly as can be."""
    held = {player: 0 for table in tables for player in table}
    holders: list[int | None] = []
    for table in tables:
        holder = min(table, key=lambda player: held[player]) if table else None
        holders.append(holder)
        if holder is not None:
            held[holder] += 1
    while _hand_on(tables, holders, held):
        pass
    return holders


def _hand_on(tables: Sequence[Sequence[int]], holders: list[int | None], held: dict[int, int]) -> bool:
    """Hand one seat on to somebody who has it at least two times fewer than the giver, if there is a way."""
    for giver in sorted(held, key=lambda player: -held[player]):
        came_by: dict[int, int] = {}  # player: the table at which they would get the seat
        waiting = deque([giver])
        while waiting:
            player = waiting.popleft()
            if held[player] <= held[giver] - 2:
                held[giver] -= 1
                held[player] += 1
                _move_along(player, giver, holders, came_by)
                return True
            for table, holder in enumerate(holders):
                if holder != player:
                    continue
                for other in tables[table]:
                    if other != giver and other not in came_by:
                        came_by[other] = table
                        waiting.append(other)
    return False


def _move_along(player: int, giver: int, holders: list[int | None], came_by: dict[int, int]) -> None:
    while player != giver:
        table = came_by[player]
        before = holders[table]
        assert before is not None  # somebody holds it, or nobody could hand it on
        holders[table], player = player, before
