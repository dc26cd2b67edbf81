"""The instant that no course of play and no use of holidays can pass (CLOCK-23).

Pauses are excepted, and what only others than the player awaited bring about: outages, holds of moderators,
time that is given. The bound adds up, for every wait of the game, the most that can pass in it:

* Whoever is awaited has, over the whole game, the bank at the start and what the turns add, the grace of each
  turn, and what excuses fill in.
* A deadline may wait for the end of rest hours, once for each wait and once more for a third of the holidays:
  rest hours of twelve are gained only where holidays of a day and a half end in them.
* Where the clock stops at weekends, at most three days of every seven stand still, and those at the edges.
* In each calendar year each seat has its allowance of holidays; a substitute brings one allowance more.
* The sweep may come late by as much as is no outage yet, and a turn be open to be undone for a moment.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from games.clocks.calendar import LONGEST_REST, MOST_WEEKEND_DAYS
from games.clocks.holidays import A_YEAR
from games.clocks.ladder import CLAIM_FOR, Ladder, TimeoutStep, compute_refill
from games.clocks.reminders import ARRIVAL, OUTAGE
from games.clocks.settings import DAY, HOUR, ClockSettings, Counting

TAKEOVERS = 1
"""How often a seat may be taken over by a substitute."""

LONGEST_UNDO = timedelta(seconds=120)
"""For how long a turn may be kept open to be undone; no clock runs meanwhile."""

RESTED = LONGEST_REST + HOUR  # summer time may end in them
YEARS = 100
"""What may end later is as good as endless, and no table is set up so. Tables of six with every set come
close, which are played in a year: the bound counts thousands of questions that are hardly ever asked."""


def compute_worst_case_end(
    clock: ClockSettings, ladder: Ladder, *, seats: int, decisions: int, began: datetime
) -> datetime | None:
    """The worst-case end of a game that *began* then; ``None`` where it may last for decades.

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
    """Calendar years are added until what they allow in holidays is used up."""
    waits = decisions + seats * ladder.excuses
    spent = _compute_total_charge(clock, ladder, seats, decisions) + waits * (clock.grace + RESTED + _late())
    if ladder.last == TimeoutStep.CLAIM:
        spent += waits * CLAIM_FOR  # whoever is late may still play, and be late again
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
    # Who comes back, or takes over, begins with at least what an excuse fills the bank to.
    each = compute_refill(clock) if ladder.last == TimeoutStep.SUBSTITUTE else clock.gain
    charged = seats * clock.start + decisions * each
    if clock.total is not None and ladder.last != TimeoutStep.SUBSTITUTE:
        charged = min(charged, seats * clock.total)
    return charged + seats * ladder.excuses * compute_refill(clock)


def _beyond(began: datetime, spent: timedelta, edges: int, clock: ClockSettings) -> datetime | None:
    """When so much time is *spent*, weekends added, which have *edges* at each wait."""
    length = spent
    if clock.weekends == Counting.STOP:
        week = 7
        length = spent * week / (week - MOST_WEEKEND_DAYS) + edges * (MOST_WEEKEND_DAYS * DAY + HOUR)
    if length > 366 * YEARS * DAY:
        return None
    return (began + length).astimezone(UTC)


def _late() -> timedelta:
    """How much longer a wait may be than its deadline says, or later it may begin than it could."""
    return OUTAGE + ARRIVAL + LONGEST_UNDO
