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

Forecast = Callable[[int, Collection[int], int, datetime], float]
"""From the primary key of a player, those of their opponents and the number of seats to how likely the player
ends above an opponent, of several the mean; in one query."""

_sources: list[Source] = []
_forecasts: list[Forecast] = []


def register(source: Source, forecast: Forecast) -> None:
    """From now on *source* and *forecast* are asked; there is one of each at a time."""
    _sources[:], _forecasts[:] = [source], [forecast]


def standings(players: Iterable[Player | None], now: datetime) -> Mapping[int, Standing]:
    """How each of *players* stands, by primary key; who has no rated game may be missing."""
    keys = {player.pk for player in players if player is not None and not player.is_bot}
    return _sources[0](keys, now) if keys and _sources else {}


def expected(player: Player, opponents: Iterable[Player | None], seats: int, now: datetime) -> float | None:
    """How likely *player* ends above an opponent at a table of so many *seats*, of several the mean; ``None``
    if no other person sits there yet."""
    keys = {one.pk for one in opponents if one is not None and not one.is_bot} - {player.pk}
    return _forecasts[0](player.pk, keys, seats, now) if keys and _forecasts else None
