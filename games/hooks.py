"""Hooks for what other applications add to games, and what follows the end of one."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from core.hooks import Hook
from games import rated_games

if TYPE_CHECKING:
    from accounts.models import Player
    from core.calendars import CalendarEvent
    from games.models import Notice
    from games.notices.letters import NoticeLetter
    from games.selectors.contests import GameContest
    from games.selectors.pending_invitations import InvitationSource

logger = logging.getLogger(__name__)


class PageLink(NamedTuple):
    """Name of something with the URL of its page."""

    name: str
    url: str


class LetterSource(NamedTuple):
    """Functions of the application that knows what notices of a kind are about."""

    write: Callable[[Notice], NoticeLetter | None]
    """Writes a letter as things stand, in the active language; ``None`` if there is no news."""

    link: Callable[[Sequence[Notice]], Mapping[int, PageLink]] | None = None
    """Returns pages, by primary key, of what notices that are about no game are about; a fixed number of
    queries."""


class ContestSource(NamedTuple):
    """Functions of the application that knows the contests of games."""

    load: Callable[[Collection[int]], Mapping[int, GameContest]]
    """Returns the contests of games, both by primary key, with a fixed number of queries."""

    find_ruled: Callable[[Player], Collection[int]]
    """Returns the finished games of a player whose result in the contest may not be their own; one query."""


ENDED_GAMES: Hook[Callable[[int], None]] = Hook()
"""Functions called after the commit with the key of a game that ended, or was moderated after its end."""

PLAYER_LINKS: Hook[Callable[[Player], PageLink]] = Hook()
"""Functions from a player to a page about them, without a query."""

PENDING_INVITATIONS: Hook[InvitationSource] = Hook()
"""Sources of pending invitations other than those to a table."""

LETTERS: Hook[LetterSource] = Hook()
"""Writers of the letters of notices, by their kind."""

CALENDARS: Hook[Callable[[Player], Iterable[CalendarEvent]]] = Hook()
"""Functions from a player to events for their private calendar, in the active language and time zone; a fixed
number of queries."""

GAME_CONTESTS: Hook[ContestSource] = Hook()
"""Sources of the contests of games, by ``Game.contest``."""


def follow_ended_game(game: int) -> None:
    """Update ratings, then whatever is in ``ENDED_GAMES``, after the end of *game*, a primary key.

    Called after the commit. It may fail or be lost with the process: rows say what is left to do, and
    periodic tasks find it.
    """
    for follow in (rated_games.follow, *ENDED_GAMES):
        try:
            follow(game)
        except Exception:
            logger.exception("%s failed for game %s", follow.__name__, game)
