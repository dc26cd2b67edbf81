"""Acts of opponents on a player's time: claiming the win after a timeout, and giving days (CLOCK-16, 19)."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max

from games import clocks, outbox
from games.conduct import contacts, limits
from games.exceptions import NotYourTurn, Refused
from games.models import Game, How, Seat, SeatState
from games.play import timing
from games.play.ledger import Ledger
from games.play.locks import lock_players_of
from games.play.turns import leave, open_ledger_at_seat, queue_what_follows

GIVE = "give"
FEWEST_DAYS, MOST_DAYS = 1, 7


@transaction.atomic
def claim_win(*, game_id: int, seat: int, now: datetime) -> Game:
    """Let *seat* claim that the seat awaited, whose time is over, has lost (CLOCK-19).

    :raises Refused: there is nothing to claim, or not for *seat*
    """
    ledger, mine = open_ledger_at_seat(game_id, seat, now)
    game = ledger.game
    if game.claimable is None or game.awaited is None:
        raise Refused("nothing_to_claim")
    if game.awaited == seat:
        raise NotYourTurn
    if timing.find_hold(game, now) is not None:
        raise Refused("held")
    ledger.record_act("claim_win", seat=mine.index, how=How.WEB)
    leave(ledger, game.awaited, SeatState.TIMED_OUT, How.TIME_OUT)
    return game


@transaction.atomic
def give_days(*, game_id: int, seat: int, days: int, to: int | None = None, now: datetime) -> Game:
    """Let *seat* give *days* to the opponent at seat *to*, or to all: once in each turn of the receiver.

    If the win may already be claimed from the receiver, the days run from *now*.

    :raises Refused: all of them were given time for this turn already, or there is nobody to give it to
    """
    lock_players_of(game_id)
    ledger, mine = open_ledger_at_seat(game_id, seat, now)
    game = ledger.game
    if not FEWEST_DAYS <= days <= MOST_DAYS:
        raise Refused("days_given")
    opponents = [other for other in ledger.seats if other != mine and other.played_by_person]
    asked = [other for other in opponents if to in (None, other.index)]
    if not asked:
        raise Refused("nobody_to_give_to")
    had = find_seats_given_time(game)
    givable = [other for other in asked if other.index not in had]
    if not givable:
        raise Refused("given_already")
    assert mine.player is not None
    contacts.record_contacts(limits.GIVE_TIME, mine.player, [other.player for other in givable], now=now)
    anew = [other.index for other in givable if add_time(ledger, other, days * clocks.DAY)]
    details = {"to": [other.index for other in givable], "days": days}
    ledger.record_act(GIVE, seat=seat, how=How.WEB, **details, **({"anew": anew} if anew else {}))
    ledger.write()
    outbox.tell_table_act(game, givable, now=now)
    if any(other.index == game.awaited for other in givable):
        outbox.remind_anew(game, ledger.seats[game.awaited or 0], now=now)
    queue_what_follows(game, ledger.seats)
    return game


def find_seats_given_time(game: Game) -> set[int]:
    """Return the seats that were given time since they played last."""
    moves = game.moves.in_force()
    played = moves.filter(ply__isnull=False).order_by("seat").values_list("seat")
    last = dict(played.annotate(last=Max("version")))
    given = moves.filter(action__type=GIVE).values_list("version", "action")
    return {index for version, act in given for index in act["to"] if version > last.get(index, 0)}


def add_time(ledger: Ledger, seat: Seat, span: timedelta) -> bool:
    """Add *span* to the bank of *seat*. Return whether its turn began again with it, because its time was
    over."""
    game = ledger.game
    if game.awaited == seat.index and game.claimable is not None:
        game.claimable = None
        timing.begin_again(game, seat, ledger.now, span)
        return True
    seat.bank += span
    if game.awaited == seat.index:
        timing.set_deadline(game, seat)
    return False
