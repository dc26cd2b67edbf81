"""The turn whose clock runs in a game, as board, mails and admin explain its deadline (CLOCK-18)."""

from __future__ import annotations

from collections.abc import Sequence

from games.clocks import Counting, TimedTurn
from games.models import Game, Seat, Status
from games.play import timing


def find_running_turn(game: Game, seats: Sequence[Seat]) -> TimedTurn | None:
    """The turn that *game* waits for; ``None`` where no clock runs. *seats*: all of them, in order.

    One query, for holidays, but mostly none.
    """
    if game.status != Status.PLAYING or game.awaited is None or game.calendar is None:
        return None
    seat, clock = seats[game.awaited], game.clock
    plain = timing.build_turn(game, seat, ())
    only_by_time = clock.ends is None and not game.floors
    if clock.holidays == Counting.COUNT or (only_by_time and plain.deadline() == game.deadline):
        return plain  # no holiday has moved the deadline, so there is none in it
    return timing.build_turn(game, seat)
