"""What one should know of people with whom one plays: how they keep time, and whether they are away.

It says nothing of how well they play. Nothing here asks a query where the players were read with their
``personal_time``.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from accounts.models import Player
from games.play.timing import EMERGENCY
from games.selectors import holidays, reliability
from games.words import holidays as words


class Acquaintance(NamedTuple):
    """A player in a few words, each of them empty where there is nothing to say."""

    reliability: str = ""
    usual_time: str = ""
    away: str = ""
    share: int | None = None  # of turns in time, in hundredths

    @property
    def habits(self) -> list[str]:
        """How they keep time."""
        return [said for said in (self.reliability, self.usual_time) if said]


def acquaintance(player: Player | None, now: datetime) -> Acquaintance:
    """What there is to know of *player*; nothing of nobody."""
    if player is None:
        return Acquaintance()
    known = reliability.known(player)
    return Acquaintance(words.reliability(known), words.usual_time(known), away(player, now), known.per_cent)


def acquaintances(players: Iterable[Player], now: datetime) -> list[tuple[Player, Acquaintance]]:
    """*players*, each with what there is to know of them."""
    return [(player, acquaintance(player, now)) for player in players]


def away(player: Player, now: datetime) -> str:
    """That *player* is away, or will be; empty for who isn't."""
    time = holidays.away(player, now)
    if time is None:
        return ""
    if time.kind == EMERGENCY:
        return words.in_emergency(time.end, now)
    return words.on_holiday(time.begin, time.end, now)
