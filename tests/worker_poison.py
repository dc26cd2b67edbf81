"""Work that kills its worker; only loaded by workers that tests start."""

import os
import signal
from collections.abc import Callable
from functools import wraps
from typing import Any

from games import play
from games.bots import house
from games.models import Game
from games.notices import email
from leagues.models import Season
from leagues.seasons import steps
from ratings import progress
from tests.worker_names import POISON


def poison(module: Any, name: str, is_poison: Callable[..., bool]) -> None:
    """Patch the function *name* of *module* to kill the process if its arguments are poison."""
    act = getattr(module, name)

    @wraps(act)
    def poisoned(*args: Any, **more: Any) -> Any:
        if is_poison(*args, **more):
            os.kill(os.getpid(), signal.SIGKILL)
        return act(*args, **more)

    setattr(module, name, poisoned)


def of_game(pk: int) -> bool:
    return Game.objects.filter(pk=pk, name=POISON).exists()


poison(email, "send", lambda notice, connection: of_game(notice.game_id))
poison(play, "score", lambda game_id, now: of_game(game_id))
poison(house, "choose", lambda state, figures: len(state.scores) == 3)  # it knows no names
poison(progress, "rate_result", lambda game, careers, beta: of_game(game.reference))
poison(steps, "begin_season", lambda season, now: Season.objects.get(pk=season).league.name == POISON)
