"""Whether something has missed its deadline, for all that can be said for it."""

from __future__ import annotations

from datetime import datetime

from games import clocks
from games.clocks import Step
from games.play import emergencies, ladder, stops
from games.play.ledger import Ledger


def last_step(ledger: Ledger, now: datetime) -> Step | None:
    """What the ladder of the game comes to if what comes *now* has missed the deadline; ``None`` if it has
    not. What stopped the clock is noted first, then the ladder is climbed."""
    game = ledger.game
    if game.calendar is None or game.awaited is None:
        return None
    seat = ledger.seats[game.awaited]
    stops.note_outages(game, seat, now)
    if clocks.late(now, game.deadline):
        emergencies.note(ledger, emergencies.unnoted(game))
    if not clocks.late(now, game.deadline) or stops.note_unsent(game, seat, now):
        return None
    return ladder.climb(ledger, now)
