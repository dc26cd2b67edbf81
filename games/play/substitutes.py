"""Seats whose time was over and that seek a substitute: taking one over, and coming back to one's own.

A caretaker bot plays for such a seat meanwhile (CLOCK-19). While it is about to play nobody may sit down, so
that no turn has two players.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import Player
from games import access, clocks, outbox
from games.clocks import TAKEOVERS
from games.conduct import active_sanctions, blocks
from games.exceptions import GameOver, Refused
from games.models import Game, How, Seat, SeatState, Status, Transfers
from games.play import consent, plans, requirements, timing
from games.play.ledger import Ledger
from games.play.locks import lock_player
from games.play.turns import lock_game, queue_what_follows


def compute_bank_when_taken(seat: Seat, clock: clocks.ClockSettings) -> timedelta:
    """Return the bank with which a player sits down at *seat*."""
    return max(seat.bank, clocks.compute_refill(clock))


@transaction.atomic
def take_over(*, game_id: int, seat: int, player: Player, now: datetime) -> Game:
    """Let *player* play on for *seat*, which seeks a substitute. Idempotent.

    The record notes who left and who came; the player who left has lost on time, whatever the seat's result.

    :raises GameOver: the game is not being played any more
    :raises Refused: the seat is not offered, the caretaker is about to play, *player* may not take it, or
        does not meet the table's requirements
    """
    lock_player(player)
    active_sanctions.must_be_free_to_act(player, now)
    game = lock_game(game_id, now)
    ledger = Ledger(game, now)
    mine = ledger.seats[seat]
    if mine.player_id == player.pk and mine.state == SeatState.PLAYING:
        return game
    if refused := _find_refusal_to_sit(game, mine, now):
        raise refused
    if mine.takeovers >= TAKEOVERS:
        raise Refused("not_offered")
    if not access.may_take_over(player, game, ledger.seats):
        raise Refused("may_not_take_over")
    blocks.must_not_be_kept_apart(player, game)
    requirements.must_be_met(player, game)
    taken = game.moves.filter(action__type="take_over").values_list("action", flat=True)
    if any(act["gone"] == player.pk for act in taken):
        raise Refused("sat_here")
    gone = mine.player
    assert gone is not None
    mine.player, mine.notice_timing, mine.transfers = player, "", Transfers.ASK
    mine.save(update_fields=["player", "notice_timing", "transfers"])
    mine.takeovers += 1
    plans.forget_seat(mine)
    total = game.clock.total
    if total is not None:  # time used by the previous player
        mine.spent = min(mine.spent, total - clocks.compute_refill(game.clock))
    _sit_down(ledger, mine, "take_over", gone=gone.pk, came=player.pk)
    outbox.tell_table_act(game, ledger.seats, now=now, but=mine, gone=gone)
    return game


@transaction.atomic
def come_back(*, game_id: int, seat: int, now: datetime) -> Game:
    """Let the player of *seat*, which a caretaker keeps, play on. Idempotent.

    :raises GameOver: the game is not being played any more
    :raises Refused: the seat is lost, the caretaker is about to play, or the player is suspended
    """
    game = lock_game(game_id, now)
    ledger = Ledger(game, now)
    mine = ledger.seats[seat]
    if mine.left:
        raise Refused("seat_lost")
    if mine.played_by_person and game.status == Status.PLAYING:
        return game
    assert mine.player is not None, "a bot's own seat is never offered"
    if refused := find_refusal_to_come_back(game, mine, mine.player, now):
        raise refused
    _sit_down(ledger, mine, "come_back")
    outbox.tell_table_act(game, ledger.seats, now=now, but=mine)
    return game


def find_refusal_to_come_back(
    game: Game, seat: Seat, player: Player, now: datetime
) -> Refused | GameOver | None:
    """Return why *player* can't resume their own *seat* now; ``None`` if they can. One query at most."""
    if refused := _find_refusal_to_sit(game, seat, now):
        return refused
    until = active_sanctions.find_suspension_end(player, now)
    return (
        None
        if until is None
        else Refused("suspended", until=until, address=active_sanctions.build_own_page_url())
    )


def _find_refusal_to_sit(game: Game, seat: Seat, now: datetime) -> Refused | GameOver | None:
    if game.status != Status.PLAYING:
        return Refused("not_begun") if game.status == Status.OPEN else GameOver()
    if not seat.offered:
        return Refused("not_offered")
    ends = game.clock.ends
    if ends is not None and ends <= now and timing.find_hold(game, now) is None:
        return Refused("time_is_over")
    return Refused("caretaker_plays") if game.awaited == seat.index else None


def _sit_down(ledger: Ledger, seat: Seat, act: str, **details: int) -> None:
    consent.lapse(ledger.game, ledger.now)
    seat.state = SeatState.PLAYING
    seat.bank = compute_bank_when_taken(seat, ledger.game.clock)
    ledger.record_act(act, seat=seat.index, how=How.WEB, **details)
    ledger.write()
    queue_what_follows(ledger.game, ledger.seats)
