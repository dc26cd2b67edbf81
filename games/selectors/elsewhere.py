"""What other parts of the site have on a player, for links on the player's page.

Games know nothing of leagues: whoever has a page about players registers a source here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from accounts.models import Player


class Elsewhere(NamedTuple):
    """A page about a player, in the reader's language."""

    name: str
    url: str


Source = Callable[[Player], Elsewhere]
"""From a player to a page, without a query."""

_sources: dict[str, Source] = {}


def register(name: str, source: Source) -> None:
    """From now on *source* is asked; there is one of each *name*."""
    _sources[name] = source


def pages_about(player: Player) -> list[Elsewhere]:
    """Where there is more about *player*."""
    return [source(player) for source in _sources.values()]
