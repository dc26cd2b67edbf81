"""A ladder: who stands where, whom one may challenge and why not, and what is being played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.urls import reverse

from games.access import Visitor
from leagues.models import Challenge, Division, Match
from leagues.pages.division import MatchLine, match_line
from leagues.pages.league import Taking, season_name, state_of, taking
from leagues.pages.names import division_name
from leagues.pages.who import Who, who
from leagues.schedules import challenge_refusals
from leagues.seasons.challenges import over, recent
from leagues.selectors import leagues as found
from leagues.words import challenges as words

LATEST = 20
"""So many challenges that have ended are shown."""


class Rung(NamedTuple):
    """A player on the ladder, as the visitor sees them."""

    place: int
    who: Who
    own: bool
    challenge: int | None  # the primary key of whom the visitor may challenge
    refusal: str  # why they may not; empty where nobody would ask
    against: Who | None  # with whom they play


class ChallengeLine(NamedTuple):
    """A challenge with its games."""

    told: str
    own: bool
    ends: datetime | None  # while it is open
    ended: datetime | None
    match: MatchLine


@dataclass(frozen=True, slots=True)
class LadderPage:
    """A ladder as somebody sees it."""

    name: str
    season: str
    season_url: str
    state: str
    challenge_url: str
    taking: Taking | None
    rungs: list[Rung]
    may_challenge: bool
    own: list[ChallengeLine]  # the visitor's, which is open
    open: list[ChallengeLine]  # those of others
    ended: list[ChallengeLine]  # the latest first


def page_of(division: Division, visitor: Visitor, now: datetime) -> LadderPage:
    """The ladder of *division* as *visitor* sees it."""
    season = division.season
    address = [season.league.slug, season.number]
    entries = found.table_of(division)
    people = {entry.player_id: who(entry.player) for entry in entries}
    order = tuple(entry.player_id for entry in entries if entry.row is not None)
    matches = {match.pk: match for match in found.challenged_matches(division, LATEST)}
    challenges = [match.challenge for match in matches.values()]
    own = visitor.pk if visitor.is_authenticated else None
    lines = [_line(challenge, matches[challenge.match_id], people, own) for challenge in challenges]
    rungs = _rungs(division, order, people, challenges, own, now)
    return LadderPage(
        name=division_name(division),
        season=season_name(season),
        season_url=reverse("league:season", args=address),
        state=state_of(season, now),
        challenge_url=reverse("league:challenge", args=address),
        taking=taking(season, visitor, found.own_entry(season, visitor), now),
        rungs=rungs,
        may_challenge=any(rung.challenge is not None for rung in rungs),
        own=[line for line in lines if line.ended is None and line.own],
        open=[line for line in lines if line.ended is None and not line.own],
        ended=[line for line in lines if line.ended is not None],
    )


def _rungs(
    division: Division,
    order: Sequence[int],
    people: dict[int, Who],
    challenges: Sequence[Challenge],
    own: int | None,
    now: datetime,
) -> list[Rung]:
    rules = division.season.settings.challenges.ladder
    played = recent(division, now)
    asks = own in order and not over(division.season, now)
    against: dict[int, Who] = {}
    for one in challenges:
        if one.ended is None:
            against[one.challenger_id] = people[one.challenged_id]
            against[one.challenged_id] = people[one.challenger_id]
    rungs = []
    for place, player in enumerate(order, start=1):
        refusals = ["stranger"]
        if asks and own is not None:
            refusals = list(challenge_refusals(order, own, player, played, rules, now=now))
        rungs.append(
            Rung(
                place=place,
                who=people[player],
                own=player == own,
                challenge=None if refusals else player,
                refusal=words.refusal(refusals),
                against=against.get(player),
            )
        )
    return rungs


def _line(challenge: Challenge, match: Match, people: dict[int, Who], own: int | None) -> ChallengeLine:
    challenger, challenged = people[challenge.challenger_id].name, people[challenge.challenged_id].name
    if challenge.ended is None:
        told = words.open_challenge(challenger, challenged)
    else:
        won = match.winner_id == challenge.challenger_id
        told = words.ended_challenge(challenger, challenged, won=won)
    return ChallengeLine(
        told=told,
        own=own in (challenge.challenger_id, challenge.challenged_id),
        ends=match.ends if challenge.ended is None else None,
        ended=challenge.ended,
        match=match_line(match, people),
    )
