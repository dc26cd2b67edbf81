"""Suspensions: who is suspended comes to no season, and nobody brings them there."""

from __future__ import annotations

from datetime import datetime

from accounts.models import Player
from games.conduct import active_sanctions
from games.words.sanctions import format_when
from leagues.exceptions import LeagueRefused


def must_not_be_suspended(player: Player, now: datetime) -> None:
    """:raises LeagueRefused: *player* is suspended"""
    until = active_sanctions.find_suspension_end(player, now)
    if until is not None:
        raise LeagueRefused("suspended", until=format_when(until))
