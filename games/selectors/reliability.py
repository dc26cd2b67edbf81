"""How reliably players play in time, and how long they usually take."""

from __future__ import annotations

from accounts.models import Player
from games.clocks import Reliability
from games.models import PersonalTime


def personal_time(player: Player) -> PersonalTime | None:
    """What is kept of the time of *player*; no query where it was read with the player."""
    return getattr(player, "personal_time", None)


def known(player: Player) -> Reliability:
    """How *player* keeps time; no query where ``personal_time`` was read with the player."""
    kept = personal_time(player)
    return Reliability() if kept is None else kept.reliability


def of(player: Player) -> int | None:
    """The share of turns that *player* played in time, in hundredths; ``None`` where there are too few."""
    return known(player).per_cent
