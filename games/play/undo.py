"""Undo: of one's own turn until others are notified of it or see it, later by consent of the table.

Withdrawn moves stay in the record, and an act ``undo`` lists them. No tile that was drawn is lost or changed:
it is the next to be drawn again.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.views.decorators.debug import sensitive_variables

from games import outbox
from games.exceptions import GameOver, Refused
from games.models import Game, How, Move, Status
from games.play import bag, timing
from games.play.audit import TABLE_ACTS
from games.play.ledger import Ledger
from games.play.timeline import UNDO
from games.play.turns import find_last_mover, lock_game_unsettled, queue_what_follows


class UndoBag:
    """The bag of a game, to which draws are given back."""

    @sensitive_variables("hidden", "seed")
    def __init__(self, ledger: Ledger) -> None:
        self._hidden = ledger.bag()
        self._ledger = ledger

    def take(self, tile: str) -> None:
        """Put *tile* at the front of the bag."""
        self._hidden.order.insert(0, tile)

    def take_out(self, tiles: Sequence[str], *, draws: int) -> None:
        """Take *tiles*, which went back into the bag after so many *draws*, out of it again (HR-6)."""
        for tile in reversed(tiles):
            del self._hidden.order[self._returned_to(tile, draws)]

    @sensitive_variables("order", "seed")
    def _returned_to(self, tile: str, draws: int) -> int:
        """The index at which the seed had put *tile*, which returned last; without a seed, its last index."""
        order, groups = self._hidden.order, self._ledger.position.rules.bag
        places = [at for at, other in enumerate(order) if other == tile]
        if not self._hidden.seed:
            return places[-1]
        n = draws + len(order) - sum(count for group in groups for count in group.values())
        game = self._ledger.game
        for at in places:
            before = [*order[:at], *order[at + 1 :]]
            seed = bytes(self._hidden.seed)
            if bag.find_return_place(before, tile, seed=seed, code=game.draw_code, n=n, groups=groups) == at:
                return at
        raise ValueError("the bag was not in the order of its seed")


@transaction.atomic
def undo(*, game_id: int, seat: int, now: datetime) -> Game:
    """Take back what *seat* has just played: everything is as before, and its clock counts as never stopped.

    Idempotent.

    :raises GameOver: the game has not begun, or is over
    :raises Refused: *seat* can't take its turn back, or no longer
    """
    game = lock_game_unsettled(game_id, now)
    if game.status not in (Status.PLAYING, Status.SCORING):
        raise GameOver
    if game.settles is None:
        if _has_undone(game, seat):
            return game
        raise Refused("too_late_to_undo")
    if find_last_mover(game) != seat:
        raise Refused("not_yours_to_undo")
    if game.settles < now:
        raise Refused("too_late_to_undo")
    ledger = Ledger(game, now)
    ledger.must_not_be_suspended(seat)
    first = game.moves.in_force().filter(seat=seat, ply__isnull=False).latest("version")
    _withdraw(ledger, seat, first.version)
    game.settles = None
    game.awaited = seat
    game.turn_version = game.version
    assert first.timing is not None
    timing.restore(game, ledger.seats[seat], first.timing)
    ledger.write()
    outbox.remind_anew(game, ledger.seats[seat], now=now)
    return game


def take_back(ledger: Ledger, seat: int, agreed: Sequence[int]) -> None:
    """Return the game of *ledger* to the beginning of the last turn of *seat*, to which all have *agreed*.

    :raises Refused: it has not played yet
    """
    game = ledger.game
    first = find_last_turn(game, seat)
    if first is None:
        raise Refused("nothing_to_undo")
    turn_before = game.turn_version
    _withdraw(ledger, seat, first, agreed=list(agreed))
    ledger.await_next()
    ledger.write()
    outbox.tell_turn_played(game, ledger.seats, turn_before, now=ledger.now)
    queue_what_follows(game, ledger.seats)


def find_last_turn(game: Game, seat: int) -> int | None:
    """Return the version of the move that placed the last tile of *seat*; ``None`` before its first one."""
    placed = game.moves.in_force().filter(seat=seat, action__type="place")
    return placed.order_by("-version").values_list("version", flat=True).first()


def _withdraw(ledger: Ledger, seat: int, first: int, **details: object) -> list[Move]:
    """Withdraw the moves by the rules from the version *first* on, and record it."""
    since = ledger.game.moves.in_force().filter(version__gte=first).order_by("version")
    moves = list(since.exclude(action__type__in=TABLE_ACTS))
    ledger.take_back(moves, UndoBag(ledger))
    ledger.record_act(UNDO, seat=seat, how=How.WEB, moves=[move.version for move in moves], **details)
    return moves


def _has_undone(game: Game, seat: int) -> bool:
    """Return whether the last thing that happened was that *seat* took its turn back."""
    last = game.moves.order_by("-version").values_list("seat", "action__type").first()
    return last == (seat, UNDO)
