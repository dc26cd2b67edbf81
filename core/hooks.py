"""Hooks through which applications extend lower ones, which must not import them.

Each hook is filled in ``ready()`` of the application that extends it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from accounts.interests import Interest
    from accounts.models import Player
    from core.calendars import CalendarEvent
    from games.models import Notice
    from games.notices.letters import NoticeLetter
    from games.selectors.contests import GameContest
    from games.selectors.pending_invitations import InvitationSource
    from games.selectors.people import PlayerLink
    from moderation.acts.named_things import NameSource

T = TypeVar("T")


class Hook(Generic[T]):
    """Registry of values by name, in the order of registration."""

    def __init__(self) -> None:
        self._values: dict[str, T] = {}

    def register(self, name: str, value: T) -> None:
        """Register *value*, replacing an earlier one of the same *name*."""
        self._values[name] = value

    def get(self, name: str) -> T | None:
        return self._values.get(name)

    def __iter__(self) -> Iterator[T]:
        return iter(self._values.values())


class PageLink(NamedTuple):
    """Name of something with the URL of its page."""

    name: str
    url: str


OWN_DATA: Hook[Callable[[Player], Iterable[tuple[str, Any]]]] = Hook()
"""Functions from a player to files for ``accounts.export``: names in the archive, with data for JSON."""

INTERESTS: Hook[Callable[[Collection[int], Collection[int]], Iterable[Interest]]] = Hook()
"""Functions from staff and players, by key, to what any two of them share (``accounts.interests``)."""

ADDRESS_PROOFS: Hook[Callable[[str], str]] = Hook()
"""Functions from the key of a mailed link to its address; empty once used (``accounts.proofs``)."""

ENDED_GAMES: Hook[Callable[[int], None]] = Hook()
"""Functions called after the commit with the key of a game that ended, or was moderated after its end."""

PLAYER_LINKS: Hook[Callable[[Player], PlayerLink]] = Hook()
"""Functions from a player to a page about them, without a query."""

PENDING_INVITATIONS: Hook[InvitationSource] = Hook()
"""Sources of pending invitations other than those to a table."""

MAIL_WRITERS: Hook[Callable[[Notice, datetime], NoticeLetter | None]] = Hook()
"""Functions by kind of notice, from a notice to its mail as things stand; ``None`` if it has no news."""

MAIL_LINKS: Hook[Callable[[Sequence[Notice]], Mapping[int, PageLink]]] = Hook()
"""Functions by kind of notice, from notices to the pages of what they are about, by primary key of the
notice; a fixed number of queries."""

CALENDARS: Hook[Callable[[Player], Iterable[CalendarEvent]]] = Hook()
"""Functions from a player to events for their private calendar, in the active language and time zone; a fixed
number of queries."""

CONTESTS: Hook[Callable[[Collection[int]], Iterable[Collection[int]]]] = Hook()
"""Functions from players to those of them who are in each contest, such as a season; one query."""

GAME_CONTESTS: Hook[Callable[[Collection[int]], Mapping[int, GameContest]]] = Hook()
"""Functions by ``Game.contest``, from games, by primary key, to descriptions of their contests."""

NAMED_THINGS: Hook[NameSource] = Hook()
"""Sources by kind of thing with a name that can be reported; they find and rename it."""
