"""An upper bound on the end of a game that no course of play and no use of holidays can exceed (CLOCK-23).

It does not cover pauses, and delays that only others than the player awaited can cause: outages, holds of
moderators, given time. The bound adds up, for every wait of the game, the most time that can pass:

* A seat has, over the whole game, the bank at the start and what the turns add, the grace of each turn, and
  what excuses fill in.
* A deadline may wait for the end of rest hours, once for each wait and once more for a third of the holidays:
  rest hours of twelve are gained only where holidays of a day and a half end in them.
* Where the clock stops at weekends, at most three days of every seven are stopped, and those at the edges.
* In each calendar year each seat has its allowance of holidays; a substitute brings one allowance more.
* The sweep may be late by the longest gap that is not yet an outage, and a turn be held open for an undo.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from core.undo_window import LONGEST_UNDO
from games.clocks.calendar import LONGEST_REST, MOST_WEEKEND_DAYS
from games.clocks.holidays import A_YEAR
from games.clocks.ladder import CLAIM_FOR, Ladder, TimeoutStep, compute_refill
from games.clocks.reminders import ARRIVAL, OUTAGE
from games.clocks.settings import DAY, HOUR, ClockSettings, Counting

TAKEOVERS = 1
"""Maximum number of times that a seat may be taken over by a substitute."""

RESTED = LONGEST_REST + HOUR  # summer time may end in them
YEARS = 100
"""Years above which a worst case counts as endless, and the table is refused. Tables of six with every
set come close, though played in a year: the bound counts thousands of decisions that hardly ever arise."""


def compute_worst_case_end(
    clock: ClockSettings, ladder: Ladder, *, seats: int, decisions: int, began: datetime
) -> datetime | None:
    """Return the worst-case end of a game that *began* then; ``None`` if it may last for decades.

    :param decisions: how often the game can come to wait for a seat (``rules.count_most_decisions``)
    """
    if clock.ends is not None:
        bounded = _without_ends(clock, ladder, seats, decisions, began)
        hard = max(clock.ends, began) + decisions * _late()
        return hard if bounded is None else min(hard, bounded)
    return _without_ends(clock, ladder, seats, decisions, began)


def _without_ends(
    clock: ClockSettings, ladder: Ladder, seats: int, decisions: int, began: datetime
) -> datetime | None:
    """The bound without a hard end. Calendar years are added until their holidays are used up."""
    waits = decisions + seats * ladder.excuses
    spent = _compute_total_charge(clock, ladder, seats, decisions) + waits * (clock.grace + RESTED + _late())
    if ladder.last == TimeoutStep.CLAIM:
        spent += waits * CLAIM_FOR  # a late seat may still play, and be late again
    edges = waits
    holidays = timedelta()
    if clock.holidays == Counting.STOP:
        holidays = (A_YEAR + A_YEAR / 3) * seats
        spent += RESTED * seats
        if ladder.last == TimeoutStep.SUBSTITUTE:
            spent += holidays * TAKEOVERS
    for years in range(1, YEARS + 1):
        end = _beyond(began, spent + years * holidays, edges, clock)
        if end is None:
            return None
        if end.year < began.year + years:
            return end
    return None


def _compute_total_charge(clock: ClockSettings, ladder: Ladder, seats: int, decisions: int) -> timedelta:
    """The most that all seats together can be charged."""
    # A player who comes back, or takes over, has at least the bank after an excuse.
    each = compute_refill(clock) if ladder.last == TimeoutStep.SUBSTITUTE else clock.gain
    charged = seats * clock.start + decisions * each
    if clock.total is not None and ladder.last != TimeoutStep.SUBSTITUTE:
        charged = min(charged, seats * clock.total)
    return charged + seats * ladder.excuses * compute_refill(clock)


def _beyond(began: datetime, spent: timedelta, edges: int, clock: ClockSettings) -> datetime | None:
    """The instant at which so much time is *spent*, including weekends, with *edges* of them at the waits."""
    length = spent
    if clock.weekends == Counting.STOP:
        week = 7
        length = spent * week / (week - MOST_WEEKEND_DAYS) + edges * (MOST_WEEKEND_DAYS * DAY + HOUR)
    if length > 366 * YEARS * DAY:
        return None
    return (began + length).astimezone(UTC)


def _late() -> timedelta:
    """The longest delay of a wait: its end after its deadline, and its beginning after the move before it."""
    return OUTAGE + ARRIVAL + LONGEST_UNDO
