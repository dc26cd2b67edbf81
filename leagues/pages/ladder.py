"""The page of a ladder: its order, possible challenges, and the challenges being played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.urls import reverse

from games.access import Visitor
from games.selectors.holidays import find_away_players
from leagues.models import Challenge, Division, Match
from leagues.pages.division import MatchLine, build_match_line
from leagues.pages.league import Taking, build_taking, describe_state, format_season_name
from leagues.pages.names import NameLink, format_division_name, link_player
from leagues.schedules import challenge_refusals
from leagues.seasons.challenges import is_over, load_recent_challenges
from leagues.seasons.ladders import count_declines_left, may_decline
from leagues.selectors import leagues as found
from leagues.words import challenges as words

LATEST = 20
"""Maximum number of ended challenges shown."""


class Rung(NamedTuple):
    """A player on the ladder, for one visitor."""

    place: int
    who: NameLink
    own: bool
    challenge: int | None  # the player's primary key, if the visitor may challenge them
    refusal: str  # reason why not; empty for players below
    against: NameLink | None  # opponent in the current challenge


class ChallengeLine(NamedTuple):
    """A challenge with its games."""

    decline: str  # costs of declining, if the visitor may decline

    told: str
    own: bool
    ends: datetime | None  # while it is open
    ended: datetime | None
    match: MatchLine


@dataclass(frozen=True, slots=True)
class LadderPage:
    """The page of a ladder for one visitor."""

    name: str
    season: str
    season_url: str
    state: str
    challenge_url: str
    decline_url: str
    taking: Taking | None
    rungs: list[Rung]
    own: list[ChallengeLine]  # the open challenge of the visitor
    open: list[ChallengeLine]  # open challenges of others
    ended: list[ChallengeLine]  # the latest first


def build_page(division: Division, visitor: Visitor, now: datetime) -> LadderPage:
    """Build the page of the ladder *division* for *visitor*."""
    season = division.season
    address = [season.league.slug, season.number]
    entries = found.load_table(division)
    people = {entry.player_id: link_player(entry.player) for entry in entries}
    order = tuple(entry.player_id for entry in entries if entry.row is not None)
    matches = {match.pk: match for match in found.load_challenge_matches(division, LATEST)}
    challenges = [match.challenge for match in matches.values()]
    own = visitor.pk if visitor.is_authenticated else None
    lines = [_line(challenge, matches[challenge.match_id], people, own) for challenge in challenges]
    return LadderPage(
        name=format_division_name(division),
        season=format_season_name(season),
        season_url=reverse("league:season", args=address),
        state=describe_state(season, now),
        challenge_url=reverse("league:challenge", args=address),
        decline_url=reverse("league:decline_challenge", args=address),
        taking=build_taking(season, visitor, found.find_own_entry(season, visitor), now),
        rungs=_rungs(division, order, people, challenges, own, now),
        own=[line for line in lines if line.ended is None and line.own],
        open=[line for line in lines if line.ended is None and not line.own],
        ended=[line for line in lines if line.ended is not None],
    )


def _rungs(
    division: Division,
    order: Sequence[int],
    people: dict[int, NameLink],
    challenges: Sequence[Challenge],
    own: int | None,
    now: datetime,
) -> list[Rung]:
    rules = division.season.settings.challenges.ladder
    played = load_recent_challenges(division, now)
    asks = own in order and not is_over(division.season, now)
    away = find_away_players(order, now) if asks else frozenset()
    against: dict[int, NameLink] = {}
    for one in challenges:
        if one.ended is None:
            against[one.challenger_id] = people[one.challenged_id]
            against[one.challenged_id] = people[one.challenger_id]
    rungs = []
    for place, player in enumerate(order, start=1):
        refusals = ["stranger"]
        if asks and own is not None:
            refusals = list(challenge_refusals(order, own, player, played, rules, now=now, away=away))
        rungs.append(
            Rung(
                place=place,
                who=people[player],
                own=player == own,
                challenge=None if refusals else player,
                refusal=words.describe_refusal(refusals),
                against=against.get(player),
            )
        )
    return rungs


def _line(challenge: Challenge, match: Match, people: dict[int, NameLink], own: int | None) -> ChallengeLine:
    challenger, challenged = people[challenge.challenger_id].name, people[challenge.challenged_id].name
    if challenge.ended is None:
        told = words.describe_open_challenge(challenger, challenged)
    else:
        won = match.winner_id == challenge.challenger_id
        told = words.describe_ended_challenge(challenger, challenged, won=won, declined=challenge.declined)
    return ChallengeLine(
        decline=_describe_decline(challenge, match, own),
        told=told,
        own=own in (challenge.challenger_id, challenge.challenged_id),
        ends=match.ends if challenge.ended is None else None,
        ended=challenge.ended,
        match=build_match_line(match, people),
    )


def _describe_decline(challenge: Challenge, match: Match, own: int | None) -> str:
    """Describe the cost of declining for the challenged visitor; empty for others, and when it is too
    late."""
    if own != challenge.challenged_id or challenge.ended is not None or not may_decline(match):
        return ""
    return words.describe_declines(count_declines_left(challenge.division, own))
