"""Final moves between divisions, which may differ from those of the tables (STAND-13)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TypeVar

from leagues.models import Entry, Phase, Season, Team

Row = TypeVar("Row", Entry, Team)

PLAYING = "playing"
"""State of entries and teams that have a place in a running season."""


def settle_moves(season: Season, now: datetime) -> None:
    """Store the final moves after the season before *season*, whose divisions are drawn now.

    They replace the moves known when that season closed, as places may have become vacant since. Players and
    teams that don't play on haven't moved.
    """
    earlier = season.league.seasons.filter(phase=Phase.CLOSED, number__lt=season.number)
    before = earlier.order_by("-number").first()
    if before is None:
        return
    before.entries.update(moves="")
    before.teams.update(moves="")
    if season.format.keeps_order(before.format):
        players = season.entries.filter(follows__season=before, state=PLAYING)
        teams = season.teams.filter(follows__season=before, state=PLAYING)
        Entry.objects.bulk_update(_settle(players.select_related("division", "follows__division")), ["moves"])
        Team.objects.bulk_update(_settle(teams.select_related("division", "follows__division")), ["moves"])
    before.moves_final = now
    before.save(update_fields=["moves_final"])


def _settle(rows: Iterable[Row]) -> list[Row]:
    settled = []
    for row in rows:
        earlier = row.follows
        if earlier is not None and row.division is not None and earlier.division is not None:
            steps = row.division.level - earlier.division.level
            earlier.moves = "up" if steps < 0 else "down" if steps > 0 else ""
            settled.append(earlier)
    return settled
