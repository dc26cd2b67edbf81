"""Rolling a game back: later moves stay in the record as withdrawn, and no tile changes."""

from __future__ import annotations

from collections.abc import Sequence

from games.exceptions import Refused
from games.models import ActKind, Ending, Game, Move, Seat, SeatState
from games.play import consent, plans
from games.play.audit import TABLE_ACTS
from games.play.moderation.base import ModerationContext, moderation_act
from games.play.moderation.results import must_be_secret
from games.play.timeline import SeatThen, Timeline
from games.play.undo import UndoBag

LEAVING = (SeatState.RESIGNED, SeatState.TIMED_OUT, SeatState.OFFERED)


@moderation_act(ActKind.ROLL_BACK)
def roll_back(opened: ModerationContext, ply: int) -> None:
    """Return the game to when the turn after *ply* began, whether it has ended or not.

    Tiles drawn since then go back to the front of the bag, so they come again in the same order. Banks, time
    charged and excuses are as they were when that turn began, and it begins again. Players who have resigned
    or lost on time since then have their seats back; substitutes keep theirs. If *ply* is the last one, in a
    game that ended early, only its end is withdrawn.
    """
    game, ledger = opened.game, opened.ledger
    must_be_secret(game)
    moves = list(game.moves.order_by("version"))
    by_rules = [move for move in moves if move.withdrawn is None and move.action["type"] not in TABLE_ACTS]
    withdrawn = _since(game, by_rules, ply)
    to = by_rules[len(by_rules) - len(withdrawn) - 1].version
    then = Timeline.of(game, ledger.seats, moves).at(to)
    ledger.take_back(withdrawn, UndoBag(ledger))
    for seat, was in zip(ledger.seats, then, strict=True):
        _as_then(seat, was)
    staying = [seat for seat in ledger.seats if not seat.left]
    if len(staying) < 2 or not any(seat.player_id for seat in staying):
        raise Refused("nobody_plays_on")
    for index in ledger.planning:
        plans.forget_seat(ledger.seats[index])
    ledger.planning = set()
    consent.lapse(game, opened.now)
    opened.play_on(
        "roll_back",
        ply=ply,
        to=to,
        moves=[move.version for move in withdrawn],
        states=[seat.state for seat in ledger.seats],
    )


def _since(game: Game, by_rules: Sequence[Move], ply: int) -> list[Move]:
    """Those of *by_rules*, the moves in force, that were made after *ply*.

    :raises Refused: there is no such ply, or nothing after it
    """
    first = next((at for at, move in enumerate(by_rules) if move.ply == ply + 1), None)
    if ply < 0 or ply > game.ply:
        raise Refused("no_ply_to_roll_back_to")
    if first is not None:
        return list(by_rules[first:])
    if not game.ended or game.ending == Ending.PLAYED:
        raise Refused("no_ply_to_roll_back_to")
    return []


def _as_then(seat: Seat, then: SeatThen) -> None:
    seat.bank, seat.spent, seat.excuses = then.bank, then.spent, then.excuses
    if seat.state in LEAVING and seat.player is not None and seat.player.is_active:
        seat.state = then.state
    if not seat.left:
        seat.left_at = None
