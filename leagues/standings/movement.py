"""Who moves up and down at the end of a season (STAND-13, as far as one division can say it)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from leagues.standings.ranking import Standing
from leagues.standings.values import PlayerId, Rules


class Movement(NamedTuple):
    up: tuple[PlayerId, ...]
    down: tuple[PlayerId, ...]


def movement(
    table: Sequence[Standing], rules: Rules, leaving: Collection[PlayerId] = (), vacancies: int = 0
) -> Movement:
    """Who of the *table* moves up and who down, in the order of the table.

    Those who are *leaving* the league take no place, neither among the first nor among the last. *vacancies*
    is how many places in the division above are free besides, which are filled in the order of rank. Nobody
    moves both ways: up comes first.

    >>> from fractions import Fraction
    >>> table = [Standing(player, rank, Fraction(), {}) for rank, player in enumerate("ABCDE", start=1)]
    >>> movement(table, Rules.usual(2, up=1, down=2), leaving={"A", "E"})
    Movement(up=('B',), down=('C', 'D'))
    """
    staying = tuple(one.player for one in table if one.player not in leaving)
    up = staying[: rules.up + vacancies]
    last = staying[max(0, len(staying) - rules.down) :]
    return Movement(up, tuple(player for player in last if player not in up))
