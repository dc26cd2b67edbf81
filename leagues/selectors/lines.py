"""Divisions as values for programs: one line each, as ``simulate_league --json`` writes them."""

from __future__ import annotations

from typing import Any

from leagues.models import Division, EntryState
from leagues.seasons.tables import results_of
from leagues.standings import game_to_json, rules_to_json


def line_of(division: Division) -> dict[str, Any]:
    """Everything that the standings of *division* follow from, and the standings as they are stored."""
    season = division.season
    results = results_of(division)
    entries = list(division.entries.order_by("row"))
    withdrew = [entry.player_id for entry in entries if entry.state == EntryState.WITHDRAWN]
    return {
        "league": season.league.slug,
        "season": season.pk,
        "division": division.level,
        "settings": rules_to_json(results.rules),
        "players": [
            {"id": entry.player_id, "rating": entry.rating, "withdrew": entry.player_id in withdrew}
            for entry in entries
        ],
        "games": [game_to_json(game) for game in results.games],
        "byes": list(results.byes),
        "standings": [
            {
                "player": entry.player_id,
                "rank": entry.rank,
                "points": entry.points,
                "values": entry.values,
            }
            for entry in entries
        ],
        "up": [entry.player_id for entry in entries if entry.moves == "up"],
        "down": [entry.player_id for entry in entries if entry.moves == "down"],
        "withdrawn": withdrew,
    }
