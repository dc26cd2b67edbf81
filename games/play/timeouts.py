"""Missed deadlines, after crediting outages, emergencies and unsent notices."""

from __future__ import annotations

from datetime import datetime

from games import clocks
from games.clocks import TimeoutStep
from games.play import clock_pauses, emergencies, hard_ends, timeout_ladder
from games.play.ledger import Ledger


def decide_last_step(ledger: Ledger, now: datetime) -> TimeoutStep | None:
    """Return what the ladder of the game comes to if what comes *now* has missed the deadline; ``None`` if it
    has not. What stopped the clock is noted first, then the ladder is climbed."""
    game = ledger.game
    if hard_ends.has_come(game, now):
        return TimeoutStep.HARD_END
    if game.calendar is None or game.awaited is None:
        return None
    seat = ledger.seats[game.awaited]
    clock_pauses.note_outages(game, seat, now)
    if clocks.is_late(now, game.deadline):
        emergencies.note(ledger, emergencies.find_unnoted_emergencies(game))
    if not clocks.is_late(now, game.deadline) or clock_pauses.note_unsent(game, seat, now):
        return None
    return timeout_ladder.climb(ledger, now)
