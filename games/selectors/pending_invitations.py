"""Invitations to something other than a table, for a player's list of games.

Games don't know leagues: applications register their invitations in ``games.hooks.PENDING_INVITATIONS``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from games import hooks


class PendingInvitation(NamedTuple):
    """An invitation in the reader's language, with the address where it is answered."""

    name: str  # name of the thing that one is invited to
    said: str
    url: str


class InvitationSource(NamedTuple):
    """The source of invitations of a kind."""

    sql: str
    """SQL that finds the pending invitations of a player, its one parameter, as ``id`` and ``since``."""
    read: Callable[[Sequence[int]], list[PendingInvitation]]
    """Function that loads them by primary key, with one query."""


def read_pending(ids: Sequence[int]) -> list[PendingInvitation]:
    """Read the invitations with these *ids*. There is at most one source, so that ids are unique."""
    return (
        [invitation for source in hooks.PENDING_INVITATIONS for invitation in source.read(ids)] if ids else []
    )
