"""Promotion and relegation between the divisions of two seasons (STAND-13): pure functions of tables."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from leagues.standings import Rules, compute_movement

Player = int


class Level(NamedTuple):
    """A division at the end of its season: players who stay in the league, in order of rank, and those who
    move."""

    staying: tuple[Player, ...]
    up: tuple[Player, ...] = ()
    down: tuple[Player, ...] = ()


class FinalTable(NamedTuple):
    """A final table, or one as if the season closed now: players or teams in order, and those who leave."""

    order: Sequence[Player]
    leaving: Collection[Player]


def compute_moves(tables: Sequence[FinalTable], rules: Rules, size: int) -> dict[Player, str]:
    """Return who moves "up" and "down" by *tables*, the highest division first, after vacant places are
    filled from below (STAND-13). *size* is the number of places of a division."""
    last = len(tables) - 1
    levels = [
        build_level(table, rules, highest=at == 0, lowest=at == last) for at, table in enumerate(tables)
    ]
    return list_moves([level.staying for level in levels], compute_next_levels(levels, [], size))


def build_level(table: FinalTable, rules: Rules, *, highest: bool, lowest: bool) -> Level:
    """Build the level of *table*: the moves of players who stay, by this table alone. Nobody moves up from
    the *highest*, or down from the *lowest*."""
    here = replace(rules, up=0 if highest else rules.up, down=0 if lowest else rules.down)
    up, down = (tuple(map(int, movers)) for movers in compute_movement(table.order, here, table.leaving))
    return Level(tuple(player for player in table.order if player not in table.leaving), up, down)


def compute_next_levels(
    levels: Sequence[Level], newcomers: Sequence[Player], size: int
) -> list[list[Player]]:
    """The divisions of the next season, the highest first; the players of each in the order in which they
    take places that become vacant above them.

    Vacant places, of which a division has *size*, are filled from the division below: by those who played
    there in order of rank, then by those who have come up into it, and last of all by those who were
    relegated into it (STAND-13). At last *newcomers* come, in the order of their registration. In the lowest
    division as many play as there are, up to *size*; then another one begins below it.

    >>> above, below = Level((1, 2, 3), down=(3,)), Level((4, 5, 6), up=(4,))
    >>> compute_next_levels([above, below], [7], size=3)
    [[1, 2, 4], [5, 6, 3], [7]]
    >>> compute_next_levels([Level((1, 2)), Level((4, 5, 6))], [7], size=3)  # one of the first has left
    [[1, 2, 4], [5, 6, 7]]
    >>> compute_next_levels([Level((1, 3), down=(3,)), below], [], size=3)  # who was relegated comes last
    [[1, 4, 5], [6, 3]]
    """
    divisions = _move(levels)
    homes = {player: at for at, level in enumerate(levels) for player in level.staying}
    ranks = {player: rank for rank, player in enumerate(homes)}
    for at, division in enumerate(divisions):
        for lower in divisions[at + 1 :]:
            while len(division) < size and lower:
                division.append(lower.pop(0))
        # Promoted and returning players come, by rank, before those who were relegated into it.
        division.sort(key=lambda player: (homes[player] < at, ranks[player]))
    left = list(newcomers)
    for division in divisions:
        while len(division) < size and left:
            division.append(left.pop(0))
    divisions += [left[start : start + size] for start in range(0, len(left), size)]
    return [division for division in divisions if division]


def list_moves(
    homes: Sequence[Collection[Player]], divisions: Sequence[Collection[Player]]
) -> dict[Player, str]:
    """Return who moves "up" or "down" from the divisions *homes* to the next *divisions*.

    >>> list_moves([[1, 2, 3], [4, 5]], [[1, 4], [2, 5]])
    {2: 'down', 4: 'up'}
    """
    level = {player: at for at, players in enumerate(divisions) for player in players}
    moves = {}
    for at, players in enumerate(homes):
        for player in players:
            if level.get(player, at) != at:
                moves[player] = "up" if level[player] < at else "down"
    return moves


def merge_small_divisions(divisions: Sequence[Sequence[Player]], least: int) -> list[list[Player]]:
    """Merge divisions of fewer than *least* players at the end into the one above them.

    >>> merge_small_divisions([[1, 2, 3], [4]], least=3)
    [[1, 2, 3, 4]]
    """
    whole = [list(division) for division in divisions]
    while len(whole) > 1 and len(whole[-1]) < least:
        crumbs = whole.pop()
        whole[-1] += crumbs
    return whole


def _move(levels: Sequence[Level]) -> list[list[Player]]:
    """The divisions by the tables alone, each with those first who take vacant places first."""
    divisions = []
    for at, level in enumerate(levels):
        from_above = levels[at - 1].down if at else ()
        from_below = levels[at + 1].up if at + 1 < len(levels) else ()
        gone_up = level.up if at else ()
        gone_down = level.down if at + 1 < len(levels) else ()
        stayed = [player for player in level.staying if player not in (*gone_up, *gone_down)]
        divisions.append([*stayed, *from_below, *from_above])
    return divisions
