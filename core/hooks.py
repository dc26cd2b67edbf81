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
"""From a player to files for ``accounts.export``: the name of each in the archive, and what JSON can say."""

INTERESTS: Hook[Callable[[Collection[int], Collection[int]], Iterable[Interest]]] = Hook()
"""From staff and players, by primary key, to all that any two of them share (``accounts.interests``)."""

ADDRESS_PROOFS: Hook[Callable[[str], str]] = Hook()
"""From the key of a mailed link to the address it went to; empty once used (``accounts.proofs``)."""

ENDED_GAMES: Hook[Callable[[int], None]] = Hook()
"""Called with the key of a game that has ended, or that a moderator has changed since; after the commit."""

PLAYER_LINKS: Hook[Callable[[Player], PlayerLink]] = Hook()
"""From a player to a page about them, without a query."""

PENDING_INVITATIONS: Hook[InvitationSource] = Hook()
"""Invitations that wait for an answer and are none to a table."""

MAIL_WRITERS: Hook[Callable[[Notice, datetime], NoticeLetter | None]] = Hook()
"""By kind of notice: from a notice to its mail as things stand; ``None`` where nothing is left to tell."""

MAIL_LINKS: Hook[Callable[[Sequence[Notice]], Mapping[int, PageLink]]] = Hook()
"""By kind of notice: from notices to the pages of what they are about, by primary key of the notice; a fixed
number of queries."""

CALENDARS: Hook[Callable[[Player], Iterable[CalendarEvent]]] = Hook()
"""From a player to events for their private calendar, in the language and the zone that are active; a fixed
number of queries."""

CONTESTS: Hook[Callable[[Collection[int]], Iterable[Collection[int]]]] = Hook()
"""From players to those of them who are in each contest, such as a season; one query."""

GAME_CONTESTS: Hook[Callable[[Collection[int]], Mapping[int, GameContest]]] = Hook()
"""By ``Game.contest``: from games, by primary key, to what is said of the contest they are in."""

NAMED_THINGS: Hook[NameSource] = Hook()
"""By kind of thing that has a name which can be reported: how it is found and renamed."""
