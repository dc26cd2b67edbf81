"""Games that stand still although they are being played: nothing is composed in them."""

from __future__ import annotations

from datetime import datetime
from enum import Enum

from games.models import Game, Status
from games.play.offers import find_running_pause
from games.play.timing import find_hold


class Standstill(Enum):
    """Reason why a game stands still."""

    HELD = "h"  # a moderator has stopped it: nobody can play
    PAUSED = "p"  # its players have agreed on a pause, in which they may play


def find_standstill(game: Game, now: datetime) -> Standstill | None:
    """Return why *game* stands still *now*; ``None`` if it doesn't. No query."""
    if not game.stops or game.status != Status.PLAYING:
        return None
    if find_hold(game, now) is not None:
        return Standstill.HELD
    return None if find_running_pause(game, now) is None else Standstill.PAUSED
