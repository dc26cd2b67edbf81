"""Invitations to something other than a table, for a player's list of games.

Games don't know leagues: applications register their invitations in ``core.hooks.PENDING_INVITATIONS``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.db.models import QuerySet

from accounts.models import Player
from core import hooks


class PendingInvitation(NamedTuple):
    """An invitation in the reader's language, with the address where it is answered."""

    name: str  # name of the thing that one is invited to
    said: str
    url: str


class InvitationSource(NamedTuple):
    """The source of invitations of a kind."""

    find: Callable[[Player], QuerySet[Any]]
    """Function that returns the pending invitations of a player, annotated with ``since``."""
    read: Callable[[Sequence[int]], list[PendingInvitation]]
    """Function that loads them by primary key, with one query."""


def find_pending(player: Player) -> list[QuerySet[Any]]:
    """Return the pending invitations of *player*, as one queryset for each source."""
    return [source.find(player) for source in hooks.PENDING_INVITATIONS]


def read_pending(ids: Sequence[int]) -> list[PendingInvitation]:
    """Read the invitations with these *ids*. There is at most one source, so that ids are unique."""
    return [one for source in hooks.PENDING_INVITATIONS for one in source.read(ids)] if ids else []
