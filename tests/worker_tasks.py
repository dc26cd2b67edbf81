"""Tasks that a worker of a test knows besides the site's."""

import os
import signal
import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from celery import shared_task
from django.conf import settings
from django.db import connection

from games import play
from games.bots import house
from games.models import Game
from games.notices import email
from leagues.models import Season
from leagues.ratings import progress
from leagues.seasons import steps


@shared_task(name="tests.hang", ignore_result=True)
def hang(number: int) -> None:
    """Never end, whatever is said."""
    while True:
        try:
            time.sleep(60)
        except Exception:
            continue


@shared_task(name="tests.die", ignore_result=True)
def die(number: int) -> None:
    """Die as whoever is killed for the memory that it takes."""
    os.kill(os.getpid(), signal.SIGKILL)


@shared_task(name="tests.ask", ignore_result=True)
def ask() -> None:
    """Note which of PostgreSQL's processes answers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [backend] = cursor.fetchone()
    with (settings.DATA_DIR / "backends").open("a") as file:
        file.write(f"{backend}\n")


POISON = "Poison"
"""Whoever does something to a game, a player or a league of this name dies of it."""


def poison(module: Any, name: str, is_poison: Callable[..., bool]) -> None:
    """Let the function *name* of *module* kill whoever calls it with poison."""
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
poison(progress, "outcome_of", lambda game, careers, beta: of_game(game.game))
poison(steps, "begin_season", lambda season, now: Season.objects.get(pk=season).league.name == POISON)
