"""Players who want nothing to do with each other, kept apart as far as a schedule lets them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from leagues.schedules.rounds import Id

Pairs = Collection[frozenset[Id]]


def separated(divisions: Sequence[Sequence[Id]], movable: Collection[Id], apart: Pairs[Id]) -> list[list[Id]]:
    """*divisions* in which as few of *apart* as can be sit together, if only *movable* players change places.

    Of a pair in one division the one further down changes with the nearest who may move, in the order of all
    divisions, if that brings no other pair together. Sizes stay. A pair that can't be separated so stays.

    >>> separated([[1, 2], [3, 4]], movable=[1, 2, 3, 4], apart=[frozenset({1, 2})])
    [[1, 3], [2, 4]]
    >>> separated([[1, 2], [3, 4]], movable=[4], apart=[frozenset({1, 2})])
    [[1, 2], [3, 4]]
    """
    drawn = [list(division) for division in divisions]
    order = [player for division in drawn for player in division]
    here = [pair for pair in apart if pair <= set(order)]
    here.sort(key=lambda pair: sorted(order.index(player) for player in pair))
    for pair in here:
        _separate(drawn, pair, movable, here)
    return drawn


def _separate(drawn: list[list[Id]], pair: frozenset[Id], movable: Collection[Id], apart: Pairs[Id]) -> None:
    """Let one of *pair* change places with somebody of another of the divisions *drawn*, if that helps."""
    order = [player for division in drawn for player in division]
    division_of = {player: at for at, division in enumerate(drawn) for player in division}
    if len({division_of[player] for player in pair}) > 1:
        return
    before = _together(division_of, apart)
    for mover in sorted(pair, key=order.index, reverse=True):
        if mover not in movable:
            continue
        others = [one for one in order if one in movable and division_of[one] != division_of[mover]]
        for other in sorted(others, key=lambda one: abs(order.index(one) - order.index(mover))):
            here, there = division_of[mover], division_of[other]
            if _together({**division_of, mover: there, other: here}, apart) < before:
                at, to = drawn[here].index(mover), drawn[there].index(other)
                drawn[here][at], drawn[there][to] = other, mover
                return


def _together(division_of: Mapping[Id, int], apart: Pairs[Id]) -> int:
    """How many of *apart* are in one division."""
    return sum(len({division_of[player] for player in pair}) == 1 for pair in apart)
