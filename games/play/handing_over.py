"""Seats of guests that an account of the same person plays on (``games.tables.guest_seats``)."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from accounts.models import Player
from games import access, outbox
from games.conduct import active_sanctions, blocks
from games.exceptions import GameOver, Refused
from games.models import Game, How, Move, SeatState, Status
from games.play.deals import knows_tiles
from games.play.ledger import Ledger
from games.play.locks import lock_players
from games.play.turns import lock_game


def must_be_free_to_take(game: Game, account: Player) -> None:
    """Refuse *account* a guest's seat in *game*, which is locked.

    :raises Refused: they have or had a seat there, know its tiles, are kept apart from somebody there, or it
        is no game of guests
    """
    if access.find_seat(account, game) is not None:
        raise Refused("seated_already")
    if Move.objects.filter(game=game, action__gone=account.pk).exists():
        raise Refused("sat_here")
    if not access.takes_guests(game) or access.is_sealed(account, game):
        raise Refused("may_not_take_over")
    if game.deal is not None and knows_tiles(game.deal, [account.pk], but=game):
        raise Refused("may_not_take_over")
    blocks.must_not_be_kept_apart(account, game)


@transaction.atomic
def hand_over(*, game_id: int, guest: Player, account: Player, now: datetime) -> Game:
    """Let *account* play on for *guest*, who is the same person. Time, plans and standing answers stay.

    :raises GameOver: the game is not being played any more
    :raises Refused: the guest doesn't play there any more, one of the two may not act now, or as
        :func:`must_be_free_to_take`
    """
    lock_players(guest, account)
    for player in (guest, account):
        active_sanctions.must_be_free_to_act(player, now)
    game = lock_game(game_id, now)
    if game.status != Status.PLAYING:
        raise GameOver
    ledger = Ledger(game, now)
    mine = next((seat for seat in ledger.seats if seat.player_id == guest.pk), None)
    if mine is None or mine.state != SeatState.PLAYING:
        raise Refused("not_seated")
    must_be_free_to_take(game, account)
    mine.player, mine.notice_timing = account, ""
    mine.save(update_fields=["player", "notice_timing"])
    ledger.record_act("hand_over", seat=mine.index, how=How.WEB, gone=guest.pk, came=account.pk)
    ledger.write()
    if game.awaited == mine.index:
        outbox.tell_turn_played(game, ledger.seats, game.turn_version, now=now)
    return game
