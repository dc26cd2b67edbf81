"""Offers by consent: to end a game, to pause it, to undo a turn; and aborting a game that has hardly begun.

A proposal takes effect when all other people who play have agreed (``consent.find_seats_to_ask``). Every step
is an act of the table, so the record keeps it and open pages are updated.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from games import clocks, outbox, rules
from games.clocks import Stretch
from games.conduct import contacts, limits
from games.exceptions import Refused
from games.models import Ending, Game, How, Offer, Outcome, Proposal, Seat, Status
from games.play import consent, timing
from games.play.ledger import Ledger
from games.play.locks import lock_players_of
from games.play.turns import end, open_ledger_at_seat, queue_what_follows
from games.play.undo import find_last_turn, take_back

PAUSE = "pause"
SHORTEST_PAUSE = timedelta(hours=1)


@transaction.atomic
def propose(*, game_id: int, seat: int, kind: Proposal, now: datetime, until: datetime | None = None) -> Game:
    """Make the proposal of *seat* to the table; with nobody to ask it takes effect at once.

    :param until: the end of a pause
    :raises Refused: it is offered already, the pause is not possible, or *seat* has proposed too much
    """
    lock_players_of(game_id)
    ledger, mine = open_ledger_at_seat(game_id, seat, now)
    game = ledger.game
    open_ones = [offer for offer in game.offers.filter(answered=None) if offer.kind == kind]
    if any(now - offer.made < consent.OFFER_FOR for offer in open_ones):
        raise Refused("offered_already")
    limits.check_offers(game, mine, now)
    consent.close(open_ones, game, Outcome.LAPSED, now)
    if kind == Proposal.PAUSE:
        _check_pause(game, until, now)
    if kind == Proposal.UNDO and find_last_turn(game, seat) is None:
        raise Refused("nothing_to_undo")
    offer = Offer.objects.create(
        game=game, kind=kind, seat=seat, made=now, until=until if kind == Proposal.PAUSE else None
    )
    game.open_offers += 1
    asked = consent.find_seats_to_ask(ledger.seats, seat)
    if not asked:
        _come_about(ledger, offer, mine)
        return game
    assert mine.player is not None
    players = [other.player for other in asked]
    contacts.record_contacts(limits.PROPOSE, mine.player, players, now=now)
    ledger.record_act("propose", seat=seat, how=How.WEB, **_build_offer_details(offer))
    ledger.write()
    outbox.tell_table_act(game, asked, now=now)
    queue_what_follows(game, ledger.seats)
    return game


@transaction.atomic
def agree(*, offer_id: int, seat: int, now: datetime) -> Game:
    """Let *seat* agree; the offer takes effect with the last agreement. Idempotent.

    :raises Refused: the offer is no longer open
    """
    offer, ledger, mine = _offer(offer_id, seat, now)
    if offer.outcome == Outcome.AGREED or seat in (offer.seat, *offer.agreed):
        return ledger.game
    _must_stand(offer, now)
    offer.agreed = sorted([*offer.agreed, seat])
    offer.save(update_fields=["agreed"])
    missing = [
        other
        for other in consent.find_seats_to_ask(ledger.seats, offer.seat)
        if other.index not in offer.agreed
    ]
    if not missing:
        _come_about(ledger, offer, mine)
        return ledger.game
    ledger.record_act("agree", seat=seat, how=How.WEB, **_build_offer_details(offer))
    ledger.write()
    return ledger.game


@transaction.atomic
def decline(*, offer_id: int, seat: int, now: datetime) -> Game:
    """Let *seat* decline an offer, or withdraw its own; either closes it. Idempotent."""
    offer, ledger, mine = _offer(offer_id, seat, now)
    game = ledger.game
    if offer.outcome in (Outcome.DECLINED, Outcome.WITHDRAWN):
        return game
    _must_stand(offer, now)
    own = offer.seat == seat
    consent.close([offer], game, Outcome.WITHDRAWN if own else Outcome.DECLINED, now)
    ledger.record_act("withdraw" if own else "decline", seat=seat, how=How.WEB, **_build_offer_details(offer))
    ledger.write()
    if not own:
        outbox.tell_table_act(game, [ledger.seats[offer.seat]], now=now, but=mine)
        queue_what_follows(game, ledger.seats)
    return game


@transaction.atomic
def abort(*, game_id: int, seat: int, now: datetime) -> Game:
    """Abort a game that has hardly begun, on behalf of *seat*; it is unrated and has no winner.

    :raises Refused: somebody may have played twice
    """
    ledger, _mine = open_ledger_at_seat(game_id, seat, now)
    if not may_abort(ledger.game, ledger.position.state):
        raise Refused("too_late_to_abort")
    ledger.record_act("abort", seat=seat, how=How.WEB)
    end(ledger, Status.ABORTED, Ending.STOPPED)
    return ledger.game


@transaction.atomic
def resume(*, game_id: int, seat: int, now: datetime) -> Game:
    """End the pause of the game early, on behalf of *seat*. No deadline lies in the next twelve hours.

    :raises Refused: the game is not paused
    """
    ledger, mine = open_ledger_at_seat(game_id, seat, now)
    game = ledger.game
    pause = find_running_pause(game, now)
    if pause is None:
        raise Refused("not_paused")
    timing.stop(game, pause.begin, now, PAUSE)
    timing.add_floor(game, now + clocks.AFTER_STOP, PAUSE)
    _set_deadline(ledger)
    ledger.record_act("resume", seat=seat, how=How.WEB)
    _tell_all(ledger, mine)
    return game


def may_abort(game: Game, state: rules.State) -> bool:
    """Return whether *game*, in *state*, has hardly begun: no player has placed a second tile."""
    placed = len(state.board.tiles) - len(game.rules.start)
    return game.status == Status.PLAYING and placed <= game.places


def find_running_pause(game: Game, now: datetime) -> Stretch | None:
    """Return the agreed pause of *game* that is not over yet."""
    pauses = (stop for stop in timing.read_stops(game) if stop.cause == PAUSE)
    return next((stop for stop in pauses if stop.begin <= now < stop.end), None)


def _offer(offer_id: int, seat: int, now: datetime) -> tuple[Offer, Ledger, Seat]:
    """The offer, read after its game was locked, with the ledger and the seat."""
    game_id = Offer.objects.values_list("game", flat=True).get(pk=offer_id)
    ledger, mine = open_ledger_at_seat(game_id, seat, now)
    return Offer.objects.get(pk=offer_id), ledger, mine


def _must_stand(offer: Offer, now: datetime) -> None:
    gone = offer.answered is not None or now - offer.made >= consent.OFFER_FOR
    if gone or (offer.until is not None and offer.until <= now):
        raise Refused("offer_gone")


def _check_pause(game: Game, until: datetime | None, now: datetime) -> None:
    if until is None or not SHORTEST_PAUSE <= until - now <= clocks.MUTUAL_PAUSE:
        raise Refused("pause_dates")
    if find_running_pause(game, now) is not None:
        raise Refused("paused_already")


def _build_offer_details(offer: Offer) -> dict[str, object]:
    """The details of *offer* for the record."""
    details: dict[str, object] = {"what": offer.kind}
    if offer.until is not None:
        details["until"] = offer.until.isoformat()
    return details


def _come_about(ledger: Ledger, offer: Offer, last: Seat) -> None:
    """Carry out *offer*, to which all have agreed, *last* as the last one."""
    game = ledger.game
    consent.close([offer], game, Outcome.AGREED, ledger.now)
    agreed = [offer.seat, *offer.agreed]
    if offer.kind == Proposal.END:
        ledger.record_act("end", seat=offer.seat, how=How.WEB, agreed=agreed)
        end(ledger, Status.ABORTED, Ending.AGREED)
    elif offer.kind == Proposal.PAUSE:
        assert offer.until is not None
        timing.stop(game, ledger.now, offer.until, PAUSE)
        _set_deadline(ledger)
        ledger.record_act("pause", seat=offer.seat, how=How.WEB, agreed=agreed, until=offer.until.isoformat())
        _tell_all(ledger, last)
    else:
        take_back(ledger, offer.seat, agreed)
        outbox.tell_table_act(game, ledger.seats, now=ledger.now, but=last)


def _set_deadline(ledger: Ledger) -> None:
    game = ledger.game
    assert game.awaited is not None
    seat = ledger.seats[game.awaited]
    timing.set_deadline(game, seat)
    outbox.remind_anew(game, seat, now=ledger.now)


def _tell_all(ledger: Ledger, but: Seat) -> None:
    ledger.write()
    outbox.tell_table_act(ledger.game, ledger.seats, now=ledger.now, but=but)
    queue_what_follows(ledger.game, ledger.seats)
