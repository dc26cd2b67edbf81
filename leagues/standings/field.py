"""Comparison of players with the same tiles and the same seat, as in duplicate bridge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from leagues.standings.values import PlayerId

Scores = Sequence[tuple[PlayerId, int]]
"""Players and scores of one table, in the order of its seats."""


class FieldResult(NamedTuple):
    """Result of a player at a seat: *lead* is the own score minus the mean of the others at the table
    (STAND-8), *against_field* minus the mean of all who had that seat."""

    table: int
    player: PlayerId
    score: int
    lead: Fraction
    against_field: Fraction


class SeatField(NamedTuple):
    """All results of the same seat, the best first, and their means."""

    seat: int
    score: Fraction
    lead: Fraction
    results: tuple[FieldResult, ...]


def compare(tables: Mapping[int, Scores]) -> tuple[SeatField, ...]:
    """Compare the *tables* with one draw, by seat. All have the same number of seats.

    >>> first, second = compare({1: [("Ann", 90), ("Bob", 70)], 2: [("Cid", 60), ("Dan", 80)]})
    >>> [(one.player, int(one.against_field), int(one.lead)) for one in first.results]
    [('Ann', 15, 20), ('Cid', -15, -20)]
    >>> [(one.player, int(one.against_field)) for one in second.results], int(second.score), int(second.lead)
    ([('Dan', 5), ('Bob', -5)], 75, 0)
    """
    if not tables:
        return ()
    seats = range(len(next(iter(tables.values()))))
    return tuple(_field(seat, tables) for seat in seats)


def _field(seat: int, tables: Mapping[int, Scores]) -> SeatField:
    mean = _mean([scores[seat][1] for scores in tables.values()])
    leads = {table: _lead(seat, scores) for table, scores in tables.items()}
    results = [
        FieldResult(table, *scores[seat], leads[table], scores[seat][1] - mean)
        for table, scores in tables.items()
    ]
    results.sort(key=lambda one: (-one.against_field, -one.lead, one.table))
    return SeatField(seat, mean, _mean(list(leads.values())), tuple(results))


def _lead(seat: int, scores: Scores) -> Fraction:
    others = [score for at, (_player, score) in enumerate(scores) if at != seat]
    return scores[seat][1] - _mean(others)


def _mean(numbers: Sequence[int | Fraction]) -> Fraction:
    return sum(map(Fraction, numbers), Fraction()) / len(numbers)
