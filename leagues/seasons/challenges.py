"""Challenges on a ladder."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from accounts.models import Player
from games.conduct import contacts
from games.play.locks import lock_players
from leagues import limits, outbox
from leagues.exceptions import LeagueRefused
from leagues.models import Challenge, Division, Match, MatchSeat, Phase, Season
from leagues.schedules import Challenge as Played
from leagues.schedules import challenge_refusals
from leagues.seasons.founding import note
from leagues.seasons.ladders import order_of
from leagues.seasons.locks import locked_division, locked_season
from leagues.seasons.results import begin_game
from leagues.seasons.suspended import must_not_be_suspended
from leagues.settings import Schedule


@transaction.atomic
def challenge(*, season_id: int, player: Player, challenged: Player, now: datetime) -> Challenge:
    """Let *player* play for the place of *challenged*, who has the first seat of the first game, which begins
    at once.

    :raises LeagueRefused: there is no such ladder, or something speaks against it
    :raises TooMany: *player* challenges too much, or *challenged* has left such a match at once lately
    """
    lock_players(player, challenged)
    season = locked_season(season_id)
    if season.settings.schedule != Schedule.LADDER or season.phase != Phase.RUNNING:
        raise LeagueRefused("no_ladder")
    must_not_be_suspended(player, now)
    division = locked_division(season.divisions.get().pk)
    refusal = next(iter(refusals(division, player.pk, challenged.pk, now)), None)
    if refusal is not None:
        raise LeagueRefused(f"challenge_{refusal}")
    contacts.count(limits.CHALLENGE, player, [challenged], now=now)
    rules = season.settings.challenges
    number = division.matches.count() + 1
    match = Match.objects.create(division=division, round=1, number=number, ends=now + rules.length)
    MatchSeat.objects.bulk_create(
        MatchSeat(match=match, index=index, player=one) for index, one in enumerate((challenged, player))
    )
    made = Challenge.objects.create(
        match=match, division=division, challenger=player, challenged=challenged, made=now
    )
    note(season.league, "challenge", who=player, season=season, now=now, challenged=challenged.pk)
    begin_game(match.pk, now)
    outbox.challenged(made)
    return made


def refusals(division: Division, challenger: int, challenged: int, now: datetime) -> Iterable[str]:
    """What speaks against a challenge now, as ``leagues.schedules.challenge_refusals`` names it, and "over"
    when the season is."""
    if over(division.season, now):
        return ["over"]
    rules = division.season.settings.challenges.ladder
    played = recent(division, now)
    return challenge_refusals(order_of(division), challenger, challenged, played, rules, now=now)


def over(season: Season, now: datetime) -> bool:
    """Whether no challenge can be made any more: those that are open are played to their end."""
    return season.phase != Phase.RUNNING or now >= season.ends


def recent(division: Division, now: datetime) -> list[Played[int]]:
    """The challenges that may speak against others: all that are open, or ended lately."""
    rest = division.season.settings.challenges.ladder.rest
    rows = division.challenges.filter(Q(ended=None) | Q(ended__gt=now - rest))
    return [Played(row.challenger_id, row.challenged_id, row.ended) for row in rows]
