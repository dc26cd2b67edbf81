"""Hooks that run after a game has ended, or after a moderator has changed one that had."""

import logging

from core import hooks
from games import rated_games

logger = logging.getLogger(__name__)


def follow_ended_game(game: int) -> None:
    """Let ratings follow the end of a *game*, by primary key; then leagues (``core.hooks.ENDED_GAMES``).

    Called after the commit. It may be lost with the process, or fail: rows stay the truth, and the beat finds
    what is left to do.
    """
    for follow in (rated_games.follow, *hooks.ENDED_GAMES):
        try:
            follow(game)
        except Exception:
            logger.exception("%s failed for game %s", follow.__name__, game)
