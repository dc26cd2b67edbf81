"""Invitations to what is no game, for a player's list of games.

Games know nothing of leagues: whoever invites players elsewhere registers here how to find what they have not
answered. The list finds that by the queries that it asks anyway; only who is invited costs it one more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple


class Asked(NamedTuple):
    """An invitation, in the reader's language, and where it is answered."""

    name: str  # of what one is invited to
    said: str
    url: str


class Source(NamedTuple):
    """Who knows of invitations."""

    rows: str
    """SQL: ``id`` and ``since`` of the invitations of ``%(player)s`` that wait for an answer."""
    read: Callable[[Sequence[int]], list[Asked]]
    """From these ids, one query."""


_sources: list[Source] = []


def register(source: Source) -> None:
    """From now on *source* is asked, and no other."""
    _sources[:] = [source]


def rows() -> str:
    """SQL for what waits for an answer of ``%(player)s``; nothing where nobody invites."""
    return next(
        (source.rows for source in _sources), "SELECT id, created AS since FROM games_invitation WHERE 1 = 0"
    )


def read(ids: Sequence[int]) -> list[Asked]:
    """The invitations with these *ids*."""
    return _sources[0].read(ids) if ids else []
