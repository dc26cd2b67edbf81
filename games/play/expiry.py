"""Passed deadlines and hard ends, and their effect on a game (CLOCK-19, 20, 24)."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from core.task_queue import queue_on_commit
from games import clocks, heartbeat
from games.clocks import AtEnd, TimeoutStep
from games.models import Ending, How, SeatState, Status
from games.play import hard_ends, timeouts
from games.play.ledger import Ledger
from games.play.turns import end, finalise_turn, leave, lock_game_unsettled, offer, play_automatic_moves


@transaction.atomic
def lose_on_time(*, game_id: int, now: datetime) -> bool:
    """Apply the last step of the game's ladder to the seat awaited, if it missed its deadline (CLOCK-19)
    through no fault of the site; or close the game, if its hard end has come (CLOCK-24). Return whether its
    time was over for good.

    A seat that owes the answer to a step rather than a turn does not lose: the default answer is given
    (CLOCK-20; COUNT, table of decisions; WINTER-14).
    """
    game = lock_game_unsettled(game_id, now)
    if game.may_have_outage and heartbeat.stands_still(now):
        return False
    game = finalise_turn(game, now)
    # A program has no deadline, but the game that waits for it has its hard end.
    deadline = game.clock.ends if game.deadline is None else game.deadline
    if game.status != Status.PLAYING or not clocks.is_expired(deadline, now):
        return False
    before = game.version, game.deadline
    ledger = Ledger(game, now)
    if ledger.held:
        return False
    step = timeouts.decide_last_step(ledger, now)
    if step == TimeoutStep.HARD_END:
        end_at_hard_end(ledger)
        return True
    if step is None:
        if (game.version, game.deadline) != before:
            ledger.write()
            queue_on_commit("games.tasks.deliver_notices")
        return False
    assert game.awaited is not None
    default = ledger.position.legal_actions().default_answer()
    if default is not None:
        turn_before = game.turn_version
        ledger.act(default, seat=game.awaited, how=How.TIME_OUT)
        play_automatic_moves(ledger, turn_before, How.TIME_OUT)
    elif step == TimeoutStep.SUBSTITUTE:
        offer(ledger, game.awaited)
    else:
        leave(ledger, game.awaited, SeatState.TIMED_OUT, How.TIME_OUT)
    return True


def end_at_hard_end(ledger: Ledger) -> None:
    """Close the game, which has reached its hard end, as its clock settings say (CLOCK-24)."""
    game = ledger.game
    assert game.clock.ends is not None
    result = hard_ends.decide(game, ledger.seats, lambda: ledger.position, game.clock.ends)
    details = {"by": result.by.value, "ranks": [*result.ranks]}
    if result.by == AtEnd.SCORE:
        details["scores"] = [*result.scores]
        for seat, score in zip(ledger.seats, result.scores, strict=True):
            seat.score = score
    else:
        details["charged"] = [round(span.total_seconds()) for span in result.charged]
        game.rated = False
    ledger.record_act(hard_ends.ACT, seat=None, how=How.TIME_OUT, **details)
    ending = Ending.SCORED if result.by == AtEnd.SCORE else Ending.HARD_END
    end(ledger, Status.FINISHED, ending, result.ranks)
