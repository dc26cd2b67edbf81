"""A ladder: its order, possible challenges, and the challenges being played."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from accounts.models import Player
from games.access import Visitor
from games.selectors.holidays import find_away_players
from leagues.models import Challenge, Division, Entry
from leagues.schedules import challenge_refusals
from leagues.seasons.challenges import is_over, load_recent_challenges
from leagues.seasons.ladders import count_declines_left, may_decline
from leagues.selectors.leagues import find_own_entry, load_challenge_matches, load_table
from leagues.selectors.taking import find_ways_to_take_part
from leagues.words.challenges import describe_declines

LATEST = 20
"""Maximum number of ended challenges shown."""

Rung = tuple[Entry, list[str], Player | None]
"""A player on the ladder, for one visitor: why they can't be challenged, and the current opponent."""


def load_ladder(division: Division, visitor: Visitor, now: datetime) -> dict[str, Any]:
    """Return what the page of the ladder *division* shows to *visitor*."""
    season = division.season
    entries = load_table(division)
    players = {entry.player_id: entry.player for entry in entries}
    challenges = [match.challenge for match in load_challenge_matches(division, LATEST)]
    for challenge in challenges:
        challenge.challenger = players[challenge.challenger_id]
        challenge.challenged = players[challenge.challenged_id]
    open_ones = [challenge for challenge in challenges if challenge.ended is None]
    own = [challenge for challenge in open_ones if visitor.pk in _list_sides(challenge)]
    on_ladder = [entry for entry in entries if entry.row is not None]
    return {
        "season": season,
        "now": now,
        "taking": find_ways_to_take_part(season, visitor, find_own_entry(season, visitor), now),
        "rungs": _list_rungs(division, on_ladder, open_ones, visitor, now),
        "own": own,
        "decline": " ".join(_describe_decline(challenge, visitor) for challenge in own),
        "open": [challenge for challenge in open_ones if challenge not in own],
        "ended": [challenge for challenge in challenges if challenge.ended is not None],
    }


def _list_sides(challenge: Challenge) -> tuple[int, int]:
    return challenge.challenger_id, challenge.challenged_id


def _list_rungs(
    division: Division,
    entries: Sequence[Entry],
    open_ones: Sequence[Challenge],
    visitor: Visitor,
    now: datetime,
) -> list[Rung]:
    rules = division.season.settings.challenges.ladder
    order = tuple(entry.player_id for entry in entries)
    played = load_recent_challenges(division, now)
    own = visitor.pk if visitor.pk in order and not is_over(division.season, now) else None
    away = find_away_players(order, now) if own is not None else frozenset()
    against = {challenge.challenger_id: challenge.challenged for challenge in open_ones}
    against |= {challenge.challenged_id: challenge.challenger for challenge in open_ones}

    def list_refusals(player: int) -> list[str]:
        if own is None:
            return ["stranger"]
        return list(challenge_refusals(order, own, player, played, rules, now=now, away=away))

    return [(entry, list_refusals(entry.player_id), against.get(entry.player_id)) for entry in entries]


def _describe_decline(challenge: Challenge, visitor: Visitor) -> str:
    """Describe the cost of declining an open challenge for the challenged *visitor*; empty for others, and
    when it is too late."""
    if visitor.pk != challenge.challenged_id or not may_decline(challenge.match):
        return ""
    return describe_declines(count_declines_left(challenge.division, visitor.pk))
