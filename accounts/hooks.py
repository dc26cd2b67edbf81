"""Hooks for what other applications know of a player."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any

from core.hooks import Hook

if TYPE_CHECKING:
    from accounts.interests import Interest
    from accounts.models import Player
    from accounts.offices import Office

OFFICES: Hook[Callable[[Player], Iterable[Office]]] = Hook()
"""Functions from a player to the offices that nobody holds any more when the account closes."""

OWN_DATA: Hook[Callable[[Player], Iterable[tuple[str, Any]]]] = Hook()
"""Functions from a player to files for ``accounts.export``: names in the archive, with data for JSON."""

INTERESTS: Hook[Callable[[Collection[int], Collection[int]], Iterable[Interest]]] = Hook()
"""Functions from staff and players, by key, to what any two of them share (``accounts.interests``)."""

ADDRESS_PROOFS: Hook[Callable[[str], str]] = Hook()
"""Functions from the key of a mailed link to its address; empty once used (``accounts.proofs``)."""
