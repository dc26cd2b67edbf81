"""Seasons at tables of three to six: who sits with whom, so that all meet about equally often (STAND-14)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from leagues.schedules.apart import Pairs
from leagues.schedules.rounds import Id, Pairing, Round, distinct
from leagues.schedules.seat_order import seated
from leagues.schedules.table_search import Search, Shape, Tables, Window, even_window

SMALLEST, LARGEST = 3, 6
"""Seats of a table. Two players are a duel, which is rated elsewhere and scored otherwise."""

STEPS = 150_000
"""Changes that one search tries, which takes a second or less. The longest schedules take eleven times as
many, most take less than one search."""

WHEELS, AGAIN, LONGER = 3, 2, 3

LOTS = 2000
"""Orders that are tried to keep players apart, which takes some hundredths of a second."""


def tables(
    players: Sequence[Id],
    seats: int,
    rounds: int,
    seed: str,
    *,
    smaller: bool = False,
    steps: int = STEPS,
    apart: Pairs[Id] = (),
) -> tuple[Round[Id], ...]:
    """So many *rounds* at tables of *seats* players each, the first of each table in the first seat.

    It keeps the largest difference in how often two players meet as small as it can (STAND-14); where every
    pair could meet equally often, or nearly so, it mostly finds how (``docs/schedules.md`` says for which
    numbers). First seats differ by at most one, and so does how often each player sits out. The later seats
    are fair, too, as far as they can be then.

    If the players don't fill the tables some sit out, in turns; with *smaller*, some tables have a seat less
    instead, but never fewer than three, and again players sit out only if they don't fit.

    The same arguments give the same schedule. The *seed* decides who has which part in it: of many lots the
    one by which the pairs of *apart* meet least often. Where all pairs meet they meet, too.

    >>> from leagues.schedules.rounds import meetings
    >>> season = tables("ABCDEFGH", seats=4, rounds=7, seed="spring")
    >>> set(meetings(season).values())  # every pair meets three times
    {3}

    :raises ValueError: no such tables, somebody twice, or fewer players than one table needs
    """
    shape = Shape(len(players), table_sizes(len(players), seats, smaller=smaller), rounds)
    if rounds < 1:
        raise ValueError("there must be a round to play")
    lot = random.Random(f"tables {seed}")
    order = lot.sample(distinct(players), len(players))
    best = min(_searches(shape, lot, steps), key=lambda found: _unevenness(shape, found))
    if apart:
        met = _meetings(shape, best)
        lots = [order, *(lot.sample(order, len(order)) for _ in range(LOTS))]
        order = min(lots, key=lambda one: _times_together(one, met, apart))
    return _as_rounds(best, shape, order)


def table_sizes(players: int, seats: int, *, smaller: bool = False) -> tuple[int, ...]:
    """How many sit at each table of a round, large tables first; the others sit out.

    >>> table_sizes(11, 4), table_sizes(11, 4, smaller=True)
    ((4, 4), (4, 4, 3))

    :raises ValueError: no such tables, or fewer players than one table needs
    """
    if not SMALLEST <= seats <= LARGEST:
        raise ValueError(f"tables have {SMALLEST} to {LARGEST} seats")
    least = max(SMALLEST, seats - 1) if smaller else seats
    if players < least:
        raise ValueError(f"a table needs {least} players")
    number = players // seats
    if -(-players // seats) * least <= players:
        number = -(-players // seats)
    missing = max(0, number * seats - players)
    return (seats,) * (number - missing) + (seats - 1,) * missing


def _searches(shape: Shape, lot: random.Random, steps: int) -> Iterator[list[Tables]]:
    """Schedules, until one is as even as can be."""
    even = even_window(shape.meetings, shape.pairs)
    wheels = [circle for circle in shape.circles() if circle > 1]
    widest = 0
    for circle in wheels[:WHEELS] + [1] * AGAIN:
        found = _search(shape, even, lot, steps, circle)
        if not found:
            continue
        yield found
        widest = _unevenness(shape, found)[0]
        if widest <= even.most - even.least:
            return
    if widest <= 2:
        return
    # What is most even all in all may leave a pair far off; so only the extremes are looked at once more.
    for least in (even.least - 1, even.least):
        if least < 0:
            continue
        found = _search(shape, Window(least, least + 2), lot, LONGER * steps)
        yield found
        if _unevenness(shape, found)[0] <= 2:
            return


def _search(shape: Shape, window: Window, lot: random.Random, steps: int, circle: int = 1) -> list[Tables]:
    search = Search(shape, window, lot, circle)
    search.run(steps)
    return search.found()


def _unevenness(shape: Shape, rounds: Sequence[Tables]) -> tuple[int, int]:
    """The largest difference in how often two players meet, and how far from even all pairs are together."""
    met = _meetings(shape, rounds)
    return max(met.values()) - min(met.values()), sum(times * times for times in met.values())


def _meetings(shape: Shape, rounds: Sequence[Tables]) -> Counter[tuple[int, int]]:
    """How often each two players meet."""
    met = Counter(dict.fromkeys(combinations(range(shape.players), 2), 0))
    for each in rounds:
        for table in each[: len(shape.sizes)]:
            met.update(combinations(sorted(table), 2))
    return met


def _times_together(order: Sequence[Id], met: Counter[tuple[int, int]], apart: Pairs[Id]) -> int:
    """How often the pairs of *apart* meet, if the players have their parts in this *order*."""
    part = {player: at for at, player in enumerate(order)}
    pairs = [sorted(part[player] for player in pair) for pair in apart if pair <= part.keys()]
    return sum(met[first, second] for first, second in pairs)


def _as_rounds(rounds: Sequence[Tables], shape: Shape, order: Sequence[Id]) -> tuple[Round[Id], ...]:
    number = len(shape.sizes)
    in_seats = seated([table for each in rounds for table in each[:number]])
    return tuple(
        Round(
            tuple(
                Pairing(tuple(order[player] for player in table))
                for table in in_seats[index * number : (index + 1) * number]
            ),
            tuple(order[player] for table in each[number:] for player in table),
        )
        for index, each in enumerate(rounds)
    )
