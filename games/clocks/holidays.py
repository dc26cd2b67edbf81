"""The allowance of holidays (CLOCK-22): pure functions of the holidays that a player has entered.

A calendar year is that of UTC, so that nobody has two of them; a holiday over New Year is divided.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from games.clocks.reminders import AFTER_STOP
from games.clocks.settings import DAY

A_YEAR = 30 * DAY
AT_A_STRETCH = 21 * DAY
SHORTEST_PIECE = DAY
EMERGENCY = 14 * DAY
BETWEEN_EMERGENCIES = 180 * DAY
MUTUAL_PAUSE = 60 * DAY


class Piece(NamedTuple):
    """A holiday from *begin* up to *end*."""

    begin: datetime
    end: datetime


def compute_holiday_used(pieces: Collection[Piece], year: int) -> timedelta:
    """Return how much of *pieces* lies in the calendar *year*."""
    first, over = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    return sum(
        (max(timedelta(), min(piece.end, over) - max(piece.begin, first)) for piece in pieces), timedelta()
    )


def compute_holiday_left(pieces: Collection[Piece], year: int) -> timedelta:
    """Return the rest of the allowance of the calendar *year*."""
    return max(timedelta(), A_YEAR - compute_holiday_used(pieces, year))


def find_holiday_refusals(wanted: Piece, others: Collection[Piece], *, now: datetime) -> Iterator[str]:
    """Yield the codes of the reasons against *wanted* beside *others* (CLOCK-6, 22)."""
    if wanted.begin < now:
        yield "holiday_past"
    if wanted.end - wanted.begin < SHORTEST_PIECE:
        yield "holiday_short"
    if any(piece.begin < wanted.end and wanted.begin < piece.end for piece in others):
        yield "holiday_twice"
    elif _stretch(wanted, others) > AT_A_STRETCH:
        yield "holiday_long"
    if any(
        compute_holiday_used([wanted, *others], year) > A_YEAR
        for year in range(wanted.begin.year, wanted.end.year + 1)
    ):
        yield "holiday_used_up"


def shorten_holiday(piece: Piece, *, now: datetime) -> Piece | None:
    """Return the rest of *piece* if it is cancelled *now*; ``None`` if it begins in twelve hours or later.

    A holiday that has begun, or begins sooner, keeps a day, and ends in twelve hours at the earliest. As the
    clock stands still until then, no deadline comes sooner; and nobody gains time beyond their allowance.
    """
    if piece.begin >= now + AFTER_STOP:
        return None
    return piece._replace(end=min(piece.end, max(piece.begin + SHORTEST_PIECE, now + AFTER_STOP)))


def _stretch(wanted: Piece, others: Collection[Piece]) -> timedelta:
    """The length of *wanted* together with the holidays that adjoin it."""
    begin, end = wanted
    for piece in sorted(others, reverse=True):
        if piece.end == begin:
            begin = piece.begin
    for piece in sorted(others):
        if piece.begin == end:
            end = piece.end
    return end - begin
