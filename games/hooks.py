"""Hooks that run after a game has ended, or after a moderator has changed one that had."""

import logging

from core import hooks
from games import rated_games

logger = logging.getLogger(__name__)


def follow_ended_game(game: int) -> None:
    """Update ratings, then leagues (``core.hooks.ENDED_GAMES``), after the end of *game*, a primary key.

    Called after the commit. It may fail or be lost with the process: rows say what is left to do, and
    periodic tasks find it.
    """
    for follow in (rated_games.follow, *hooks.ENDED_GAMES):
        try:
            follow(game)
        except Exception:
            logger.exception("%s failed for game %s", follow.__name__, game)
