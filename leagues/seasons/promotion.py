"""Who plays in which division of the next season (STAND-13): pure functions of tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Player = int


class Level(NamedTuple):
    """A division at the end of its season: who stays in the league, in order of rank, and who moves."""

    staying: tuple[Player, ...]
    up: tuple[Player, ...] = ()
    down: tuple[Player, ...] = ()


def next_levels(levels: Sequence[Level], newcomers: Sequence[Player], size: int) -> list[list[Player]]:
    """The divisions of the next season, the highest first; the players of each in order of strength.

    Who comes down stands first, who has come up last. Places that are vacant then are filled from below in
    order of rank, and at last by *newcomers* in the order of their registration. In the lowest division as
    many play as there are, up to *size*; then another one begins below it.

    >>> above, below = Level((1, 2, 3), down=(3,)), Level((4, 5, 6), up=(4,))
    >>> next_levels([above, below], [7], size=3)
    [[1, 2, 4], [3, 5, 6], [7]]
    >>> next_levels([Level((1, 2)), Level((4, 5, 6))], [7], size=3)  # one of the first has left
    [[1, 2, 4], [5, 6, 7]]
    """
    divisions = _moved(levels)
    for at, division in enumerate(divisions):
        for lower in divisions[at + 1 :]:
            while len(division) < size and lower:
                division.append(lower.pop(0))
    left = list(newcomers)
    for division in divisions:
        while len(division) < size and left:
            division.append(left.pop(0))
    divisions += [left[start : start + size] for start in range(0, len(left), size)]
    return [division for division in divisions if division]


def without_crumbs(divisions: Sequence[Sequence[Player]], least: int) -> list[list[Player]]:
    """*divisions* in which at least so many play: a smaller one at the end joins the one above it.

    >>> without_crumbs([[1, 2, 3], [4]], least=3)
    [[1, 2, 3, 4]]
    """
    whole = [list(division) for division in divisions]
    while len(whole) > 1 and len(whole[-1]) < least:
        crumbs = whole.pop()
        whole[-1] += crumbs
    return whole


def _moved(levels: Sequence[Level]) -> list[list[Player]]:
    divisions = []
    for at, level in enumerate(levels):
        from_above = levels[at - 1].down if at else ()
        from_below = levels[at + 1].up if at + 1 < len(levels) else ()
        gone_up = level.up if at else ()
        gone_down = level.down if at + 1 < len(levels) else ()
        stayed = [player for player in level.staying if player not in (*gone_up, *gone_down)]
        divisions.append([*from_above, *stayed, *from_below])
    return divisions
