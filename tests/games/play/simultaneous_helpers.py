"""Simultaneous calls in several threads, and a turn that can be undone."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import connection, connections
from django.utils import timezone

from games import play
from games.models import Game
from games.play import positions
from tests.games.factories import (
    heart_beats,
    make_game,
)


def run_at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Begin all *acts* at the same moment, each in a thread; return each result or exception."""
    gate = threading.Barrier(len(acts))
    results: list[Any] = [None] * len(acts)

    def run(number: int) -> None:
        connection.ensure_connection()
        gate.wait(10)
        try:
            results[number] = acts[number]()
        except Exception as error:
            results[number] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=[number]) for number in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return results


def make_undoable_game() -> Game:
    """A game in which Anna has just played, and may still undo it."""
    now = timezone.now()
    heart_beats(now)
    game = make_game(now=now)
    action = next(iter(positions.load_position(game).legal_actions()))
    window = timedelta(minutes=2)
    return play.play(
        game_id=game.pk, seat=0, action=action, expected_version=game.version, now=now, undo_window=window
    )
