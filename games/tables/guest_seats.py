"""Seats of a guest whose address belongs to an account: a link mailed there leads to signing in, and the
account plays on.

The guest has typed the address, the mail proves that its reader owns it, and signing in that the account is
theirs.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.core import signing
from django.db import transaction

from accounts.models import Player
from accounts.provisional import SEATS_LINK
from games import play
from games.conduct import active_sanctions, limits
from games.exceptions import Refused
from games.models import Game, Seat, SeatState, Status
from games.play.handing_over import must_be_free_to_take
from games.play.locks import lock_players
from games.tables.locks import lock_game, must_be_open


class SeatHandover(NamedTuple):
    """A guest whose seats an account of the same person may take."""

    guest: Player
    account: Player


class HandoverResult(NamedTuple):
    """The games that the account plays on, and those that it may not, with the reason."""

    taken: list[Game]
    refused: list[tuple[Game, str]]


def read_token(token: str) -> SeatHandover | None:
    """Return whose seats the mailed *token* is about; ``None`` if it is invalid, old, or one of them has
    been closed or become something else."""
    try:
        handover = signing.loads(token, salt=SEATS_LINK.salt, max_age=SEATS_LINK.lasts)
    except signing.BadSignature:
        return None
    guest = Player.objects.filter(pk=handover[0], provisional=True, closed=None).first()
    account = Player.objects.with_account().filter(pk=handover[1], is_active=True, email=handover[2]).first()
    return None if guest is None or account is None else SeatHandover(guest, account)


def list_games(guest: Player) -> list[Game]:
    """Return the games and open tables at which *guest* has a seat."""
    seats = Seat.objects.filter(player=guest, state=SeatState.PLAYING)
    going_on = Game.objects.filter(status__in=[Status.OPEN, Status.PLAYING], seats__in=seats)
    return list(going_on.order_by("pk"))


def hand_over_seats(handover: SeatHandover, *, now: datetime) -> HandoverResult:
    """Let the account play on in all games of the guest in which it may."""
    result = HandoverResult([], [])
    for game in list_games(handover.guest):
        hand_over = play.hand_over if game.status == Status.PLAYING else _hand_over_at_table
        try:
            hand_over(game_id=game.pk, guest=handover.guest, account=handover.account, now=now)
        except Refused as refused:
            result.refused.append((game, refused.message))
        else:
            result.taken.append(game)
    return result


@transaction.atomic
def _hand_over_at_table(*, game_id: int, guest: Player, account: Player, now: datetime) -> Game:
    lock_players(guest, account)
    for player in (guest, account):
        active_sanctions.must_be_free_to_act(player, now)
    game = lock_game(game_id)
    must_be_open(game)
    limits.check_seats_held(account)
    must_be_free_to_take(game, account)
    if not game.seats.filter(player=guest).update(player=account):
        raise Refused("not_seated")
    return game
