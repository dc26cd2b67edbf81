"""Acts of an event's organisers on one of its games: calling it off, or moving its hard end.

The caller decides who may do that, and why; games know nothing of events.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from django.db import transaction

from games import outbox
from games.exceptions import Refused
from games.models import Ending, How, Status
from games.play import timing
from games.play.ledger import Ledger
from games.play.turns import end, lock_game


@transaction.atomic
def call_off(*, game_id: int, now: datetime) -> bool:
    """End a game that is being played: it is unrated, has no winner, and everybody is notified. Return
    whether this call did it; a game that has ended, or is being scored, stays as it is."""
    game = lock_game(game_id, now)
    if game.status == Status.OPEN:
        raise Refused("not_begun")
    if game.status != Status.PLAYING:
        return False
    ledger = Ledger(game, now)
    ledger.record_act("call_off", seat=None, how=How.MODERATOR)
    end(ledger, Status.ABORTED, Ending.CALLED_OFF)
    return True


@transaction.atomic
def extend(*, game_id: int, ends: datetime, now: datetime) -> bool:
    """Move the hard end of a running game to *ends*, and the deadlines that depend on it (CLOCK-14). Never
    shortens, and a hard end that has passed stays (STAND-16). Return whether this call changed anything."""
    game = lock_game(game_id, now)
    clock = game.clock
    if game.status != Status.PLAYING or clock.ends is None or not now < clock.ends < ends:
        return False
    ledger = Ledger(game, now)
    game.clock_settings = replace(clock, ends=ends).to_json()
    game.save(update_fields=["clock_settings"])
    if game.calendar is not None and game.awaited is not None:
        seat = ledger.seats[game.awaited]
        timing.set_deadline(game, seat)
        outbox.remind_anew(game, seat, now=now)
    ledger.record_act("extend", seat=None, how=How.MODERATOR, until=ends.astimezone(UTC).isoformat())
    ledger.write()
    return True
