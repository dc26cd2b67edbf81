"""Missed deadlines, after crediting outages, emergencies and unsent notices, and the steps of the timeout
ladder (CLOCK-19, 20)."""

from __future__ import annotations

from datetime import datetime

from games import clocks, outbox
from games.clocks import Piece, TimeoutStep
from games.conduct import active_sanctions
from games.exceptions import Refused
from games.models import Game, How, Seat
from games.play import allowance, clock_pauses, emergencies, hard_ends, timing
from games.play.ledger import Ledger

CLAIM = "claim"


def must_not_be_over(game: Game, now: datetime) -> None:
    """:raises Refused: the hard end of *game* has passed (CLOCK-24)"""
    if hard_ends.has_come(game, now):
        raise Refused("time_is_over")


def decide_last_step(ledger: Ledger, now: datetime) -> TimeoutStep | None:
    """Return the last step of the game's ladder if an action received at *now* missed the deadline, otherwise
    ``None``. Pauses of the clock are recorded first, then the ladder is climbed."""
    game = ledger.game
    if hard_ends.has_come(game, now):
        return TimeoutStep.HARD_END
    if game.calendar is None or game.awaited is None:
        return None
    seat = ledger.seats[game.awaited]
    clock_pauses.note_outages(game, seat, now)
    if clocks.is_late(now, game.deadline):
        emergencies.record_emergencies(ledger, emergencies.find_unnoted_emergencies(game))
    if not clocks.is_late(now, game.deadline) or clock_pauses.note_unsent(game, seat, now):
        return None
    return climb_ladder(ledger, now)


def climb_ladder(ledger: Ledger, now: datetime) -> TimeoutStep | None:
    """Apply the steps of the ladder that excuse the seat awaited, whose deadline has passed, until it has
    time again; return the last step if none is left. Steps count from the deadline, even if applied late."""
    game = ledger.game
    assert game.awaited is not None
    seat, version = ledger.seats[game.awaited], game.version
    timing.set_deadline(game, seat)  # a holiday may have been entered since it was set
    while game.deadline is not None and game.deadline < now:
        step = _next_step(game, seat)
        if step == TimeoutStep.EXCUSE:
            seat.excuses += 1
            ledger.record_act("excuse", seat=seat.index, how=How.TIME_OUT)
            timing.begin_again(game, seat, game.deadline, clocks.compute_refill(game.clock))
        elif step == TimeoutStep.HOLIDAY:
            _take_holiday(ledger, seat)
        elif step == TimeoutStep.CLAIM and game.claimable is None and not _is_silent(ledger):
            _open_claim(ledger, seat)
        else:
            return TimeoutStep.LOSS if step == TimeoutStep.CLAIM else step
    outbox.remind_anew(game, seat, now=now)
    if version < game.version:
        outbox.tell_time_ran_out(game, seat, now=now)
    return None


def _is_silent(ledger: Ledger) -> bool:
    """Return whether the decision awaited has a default answer, so that nobody loses (CLOCK-20)."""
    return ledger.position.legal_actions().default_answer() is not None


def _next_step(game: Game, seat: Seat) -> TimeoutStep:
    assert game.deadline is not None
    clock, ladder = game.clock, game.ladder
    if game.claimable is not None:
        return TimeoutStep.LOSS
    excused = ladder.excuses <= seat.excuses  # excuses are used up before a holiday is taken
    can_rest = excused and ladder.holiday and clocks.holidays_help(clock) and _may_rest(seat, game.deadline)
    return ladder.step(excused=seat.excuses, holiday=can_rest)


def _may_rest(seat: Seat, at: datetime) -> bool:
    """Return whether an automatic holiday of a day can begin *at* the deadline. Locks the holidays."""
    assert seat.player is not None
    if not seat.player.auto_holiday or active_sanctions.find_suspension_end(seat.player, at) is not None:
        return False
    allowance.lock(seat.player.pk)
    return (
        next(clocks.holiday_refusals(_day(at), allowance.load_pieces(seat.player.pk), now=at), None) is None
    )


def _day(at: datetime) -> Piece:
    return Piece(at, at + clocks.DAY)


def _take_holiday(ledger: Ledger, seat: Seat) -> None:
    game = ledger.game
    assert game.deadline is not None and seat.player is not None
    day = _day(game.deadline)
    allowance.enter(seat.player.pk, day, now=ledger.now, automatic=True)
    ledger.record_act("holiday", seat=seat.index, how=How.TIME_OUT)
    timing.set_deadline(game, seat)
    if game.deadline < day.end:  # it came from a floor, which no stop moves
        timing.add_floor(game, day.end, timing.HOLIDAY)
        timing.set_deadline(game, seat)


def _open_claim(ledger: Ledger, seat: Seat) -> None:
    game = ledger.game
    assert game.deadline is not None
    game.claimable = game.deadline
    ledger.record_act("claimable", seat=seat.index, how=How.TIME_OUT)
    outbox.tell_table_act(game, ledger.seats, now=ledger.now)
    timing.add_floor(game, game.deadline + clocks.CLAIM_FOR, CLAIM)
    timing.set_deadline(game, seat)
