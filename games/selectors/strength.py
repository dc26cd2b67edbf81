"""How strong players are, for pages where one chooses with whom to play.

Games know nothing of ratings: whoever works them out registers a source here, and without one there is
nothing to say. A source is asked once for all the people of a page.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from accounts.models import Player


class Strength(NamedTuple):
    """A strength as it is shown: a number, how far it may be off, and whether that is too far to rely on."""

    number: int
    spread: int
    provisional: bool


class Standing(NamedTuple):
    """How strong somebody is at tables of two, and at larger ones; nothing where they have no rated game."""

    duel: Strength | None = None
    table: Strength | None = None

    def at(self, seats: int) -> Strength | None:
        """The strength that counts at a table of so many *seats*."""
        return self.duel if seats == 2 else self.table


UNKNOWN = Standing()

Source = Callable[[Collection[int], datetime], Mapping[int, Standing]]
"""From the primary keys of players to how they stand at a moment, in one query."""

_sources: list[Source] = []


def register(source: Source) -> None:
    """From now on *source* is asked; there is one at a time."""
    _sources[:] = [source]


def standings(players: Iterable[Player | None], now: datetime) -> Mapping[int, Standing]:
    """How each of *players* stands, by primary key; who has no rated game may be missing."""
    keys = {player.pk for player in players if player is not None and not player.is_bot}
    return _sources[0](keys, now) if keys and _sources else {}
