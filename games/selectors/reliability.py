"""The reliability of players in time, and the time that they usually take."""

from __future__ import annotations

from accounts.models import Player
from games.clocks import Reliability
from games.models import PersonalTime


def load_personal_time(player: Player) -> PersonalTime | None:
    """Return what is kept of the time of *player*; no query where it was read with the player."""
    return getattr(player, "personal_time", None)


def load_reliability(player: Player) -> Reliability:
    """Return how *player* keeps time; no query where ``personal_time`` was read with the player."""
    kept = load_personal_time(player)
    return Reliability() if kept is None else kept.reliability
