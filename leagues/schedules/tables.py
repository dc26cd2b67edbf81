"""Seasons at tables of three to six, in which all pairs meet about equally often (STAND-14)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from string import ascii_letters

from leagues.schedules.rounds import Id, Pairing, Round, check_distinct
from leagues.schedules.seat_order import assign_seats
from leagues.schedules.separation import Arrangement, Pairs
from leagues.schedules.table_search import SeasonShape, Tables, count_table_meetings, search_rounds

SMALLEST, LARGEST = 3, 6
"""Minimum and maximum number of seats of a table; two players are a duel."""

STORED = Path(__file__).with_name("table_rounds.txt")
"""File with a line for each season: players, sizes of the tables, number of rounds; then for each round the
letters of its players, table by table, byes last. ``manage.py improve_tables`` writes it."""

LOTS = 2000
"""Number of orders tried to keep players apart, which takes some hundredths of a second."""


def assign_tables(
    players: Sequence[Id], seats: int, rounds: int, seed: str, *, apart: Pairs[Id] = ()
) -> tuple[Round[Id], ...]:
    """Draw *rounds* at tables of *seats* players each, the first of each table in the first seat.

    The largest difference in how often two players meet is minimised (STAND-14): seasons of usual sizes are
    stored, others are searched for, which takes seconds (``docs/schedules.md``). First seats differ by at
    most one, and so do byes. Then later seats are as fair as possible.

    If the players don't fill the tables some tables have a seat less, but never fewer than three; if that
    doesn't do, some players sit out, in turns.

    The same arguments give the same schedule. The *seed* decides which player has which part in it. The pairs
    of *apart* get parts that never meet; if there are too few, the best of many lots is taken, by which they
    meet least often.

    >>> from leagues.schedules.rounds import count_meetings
    >>> season = assign_tables("ABCDEFGH", seats=4, rounds=7, seed="spring")
    >>> set(count_meetings(season).values())  # every pair meets three times
    {3}

    :raises ValueError: no such tables, somebody twice, or fewer players than one table needs
    """
    shape = SeasonShape(len(players), choose_table_sizes(len(players), seats), rounds)
    if rounds < 1:
        raise ValueError("there must be a round to play")
    lot = random.Random(f"tables {seed}")
    order = lot.sample(check_distinct(players), len(players))
    drawn = load_stored().get(shape) or search_rounds(shape, lot)
    if apart:
        order = _separate(order, count_table_meetings(shape, drawn), apart, lot)
    return _as_rounds(drawn, shape, order)


def choose_table_sizes(players: int, seats: int) -> tuple[int, ...]:
    """Return the number of players at each table of a round, large tables first; the others sit out.

    >>> choose_table_sizes(11, 4), choose_table_sizes(11, 3)
    ((4, 4, 3), (3, 3, 3))

    :raises ValueError: no such tables, or fewer players than one table needs
    """
    if not SMALLEST <= seats <= LARGEST:
        raise ValueError(f"tables have {SMALLEST} to {LARGEST} seats")
    least = max(SMALLEST, seats - 1)
    if players < least:
        raise ValueError(f"a table needs {least} players")
    number = players // seats
    if -(-players // seats) * least <= players:
        number = -(-players // seats)
    missing = max(0, number * seats - players)
    return (seats,) * (number - missing) + (seats - 1,) * missing


@cache
def load_stored() -> Mapping[SeasonShape, list[Tables]]:
    """Load the stored seasons."""
    found = {}
    for line in STORED.read_text().splitlines():
        players, sizes, rounds, *words = line.split()
        shape = SeasonShape(int(players), tuple(map(int, sizes)), int(rounds))
        found[shape] = [_split(shape, [ascii_letters.index(letter) for letter in word]) for word in words]
    return found


def format_stored(shape: SeasonShape, rounds: Sequence[Tables]) -> str:
    """Format a season as a line of ``STORED``."""
    words = ("".join(ascii_letters[player] for table in each for player in table) for each in rounds)
    return " ".join([str(shape.players), "".join(map(str, shape.sizes)), str(shape.rounds), *words])


def _split(shape: SeasonShape, players: list[int]) -> Tables:
    """The tables of a round, and its byes, from one list of its *players*."""
    drawn = []
    for size in (*shape.sizes, shape.byes):
        drawn.append(players[:size])
        players = players[size:]
    return [table for table in drawn if table]


def _separate(
    order: Sequence[Id], met: Counter[tuple[int, int]], apart: Pairs[Id], lot: random.Random
) -> list[Id]:
    def never_meet(one: int, other: int) -> int:
        return int(met[min(one, other), max(one, other)] == 0)

    parts, here = range(len(order)), [pair for pair in apart if pair <= set(order)]
    found = Arrangement(order, parts, never_meet).find(dict.fromkeys(here, 1), [0] * len(order))
    if found is not None:
        return found
    lots = [list(order), *(lot.sample(order, len(order)) for _ in range(LOTS))]
    return min(lots, key=lambda one: _times_together(one, met, apart))


def _times_together(order: Sequence[Id], met: Counter[tuple[int, int]], apart: Pairs[Id]) -> int:
    part = {player: at for at, player in enumerate(order)}
    pairs = [sorted(part[player] for player in pair) for pair in apart if pair <= part.keys()]
    return sum(met[first, second] for first, second in pairs)


def _as_rounds(rounds: Sequence[Tables], shape: SeasonShape, order: Sequence[Id]) -> tuple[Round[Id], ...]:
    number = len(shape.sizes)
    in_seats = assign_seats([table for each in rounds for table in each[:number]])
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
