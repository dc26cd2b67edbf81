"""Stopping a game, resuming it, and giving time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from games import clocks
from games.exceptions import Refused
from games.models import ActKind, Game, ModerationAct, Status
from games.play import timing
from games.play.claims import add_time
from games.play.moderation.base import ActTerms, ModerationContext, ModerationRequest, moderation_act

MOST_DAYS = 30
LONGEST_PAUSE = timedelta(days=366)


@moderation_act(ActKind.PAUSE, ActTerms.STOP)
def pause(opened: ModerationContext, until: datetime | None = None) -> None:
    """Stop the game *until* then, or until it is resumed: nobody plays, and no clock runs (CLOCK-7). In the
    moderator's own matters that lasts a day at most."""
    opened.must_be_played()
    now = opened.now
    if until is not None and not now < until <= now + LONGEST_PAUSE:
        raise Refused("hold_dates")
    if timing.find_hold(opened.game, now) is not None:
        raise Refused("held_already")
    if opened.longest is not None:
        until = min(until or clocks.FOREVER, now + opened.longest)
    stop_from(opened, now, until)


def stop_from(opened: ModerationContext, begin: datetime, until: datetime | None) -> None:
    """Stop the game from *begin* *until* then; ``None`` is until it is resumed."""
    end = clocks.FOREVER if until is None else until.astimezone(UTC)
    timing.stop(opened.game, begin, end, timing.HOLD)
    opened.set_deadline()
    opened.record_act("pause", until=None if until is None else end.isoformat())
    opened.write()


def stop_first(asked: ModerationRequest) -> None:
    """Stop the game at its current version; does nothing if it is stopped already.

    :raises Refused: it is not being played, or *who* may not
    """
    try:
        pause(asked._replace(expected_version=None))
    except Refused as refused:
        if refused.code != "held_already":
            raise


def can_be_stopped(game: Game, now: datetime) -> bool:
    """Return whether *game* is being played, and is not stopped already."""
    return game.status == Status.PLAYING and timing.find_hold(game, now) is None


@moderation_act(ActKind.RESUME)
def resume(opened: ModerationContext) -> ModerationAct | None:
    """Resume a game that was stopped."""
    opened.must_be_played()
    hold = timing.find_hold(opened.game, opened.now)
    if hold is None:
        raise Refused("not_held")
    return resume_from(opened, hold.begin)


def resume_from(opened: ModerationContext, begin: datetime) -> ModerationAct | None:
    """End the stop that began at *begin*; return its act."""
    game, now = opened.game, opened.now
    timing.stop(game, begin, now, timing.HOLD)
    timing.add_floor(game, now + clocks.AFTER_STOP, timing.HOLD)
    opened.set_deadline()
    opened.record_act("resume")
    opened.write()
    return opened.last(ActKind.PAUSE)


@moderation_act(ActKind.EXTEND)
def extend(opened: ModerationContext, days: int, to: int | None = None) -> None:
    """Give *days* to the seat *to*, or to everybody who plays (CLOCK-16)."""
    opened.must_be_played()
    if not 1 <= days <= MOST_DAYS:
        raise Refused("extend_days")
    seats = [seat for seat in opened.ledger.seats if seat.played_by_person and to in (None, seat.index)]
    if not seats:
        raise Refused("not_a_person_there")
    anew = [seat.index for seat in seats if add_time(opened.ledger, seat, days * clocks.DAY)]
    opened.set_deadline()
    opened.record_act("extend", days=days, to=[seat.index for seat in seats], anew=anew)
    opened.write()
