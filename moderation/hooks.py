"""Hooks for what moderators deal with in other applications."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING

from core.hooks import Hook

if TYPE_CHECKING:
    from moderation.acts.named_things import NameSource

CONTESTS: Hook[Callable[[Collection[int]], Iterable[Collection[int]]]] = Hook()
"""Functions from players to those of them who are in each contest, such as a season; one query."""

NAMED_THINGS: Hook[NameSource] = Hook()
"""Sources by kind of thing with a name that can be reported; they find and rename it."""
