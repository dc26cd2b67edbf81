"""Fair seat orders at tables whose players are known, above all of first seats."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence


def assign_seats(tables: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Order the players of each of *tables* by seats, the first seat first (STAND-14).

    Seats are assigned one after the other, the first one best: nobody who has it n times could pass it, over
    any chain of tables, to somebody who has it n − 2 times or fewer. First seats differ by at most one
    wherever that is possible.

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
    """One player of each table, None of an empty one, all chosen as equally often as possible."""
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
    """Pass one seat to a player who has it at least two times fewer than the giver, along an augmenting path,
    if there is one."""
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
        assert before is not None  # a seat that can be handed on has a holder
        holders[table], player = player, before
