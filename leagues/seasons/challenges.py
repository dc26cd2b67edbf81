"""Challenges on a ladder."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import Max, Q

from accounts.models import Player
from games import play
from games.conduct import contacts
from games.exceptions import Refused
from games.models import Seat, Status
from games.play.locks import lock_players
from games.selectors.holidays import extend_by_absences, find_away_players
from leagues import limits
from leagues.exceptions import LeagueRefused
from leagues.mails.players import Challenged
from leagues.models import Challenge, Division, Match, MatchSeat, Phase, Season
from leagues.schedules import LadderChallenge as Played
from leagues.schedules import challenge_refusals, counts_as_declined
from leagues.seasons.admission import must_not_be_suspended
from leagues.seasons.founding import write_log_entry
from leagues.seasons.kept_apart import load_blocked_pairs
from leagues.seasons.ladders import load_order, may_decline
from leagues.seasons.locks import lock_division, lock_match, lock_season
from leagues.seasons.results import begin_game, record_result


@transaction.atomic
def challenge(*, season_id: int, player: Player, challenged: Player, now: datetime) -> Challenge:
    """Let *player* challenge *challenged*, who has the first seat of the first game, which begins at once.

    Between two players who are kept apart it counts as declined, and no game begins (STAND-18). Absences of
    *challenged* that are entered already move the end of the match.

    :raises LeagueRefused: there is no such ladder, or the challenge isn't allowed now
    :raises TooMany: *player* challenges too much, or *challenged* has left such a match at once lately
    """
    lock_players(player, challenged)
    season = lock_season(season_id)
    if not season.format.has_challenges or season.phase != Phase.RUNNING:
        raise LeagueRefused("no_ladder")
    must_not_be_suspended(player, now)
    division = lock_division(season.divisions.get().pk)
    refusal = next(iter(list_refusals(division, player.pk, challenged.pk, now)), None)
    if refusal is not None:
        raise LeagueRefused(f"challenge_{refusal}")
    contacts.record_contacts(limits.CHALLENGE, player, [challenged], now=now)
    rules = season.settings.challenges
    declined = counts_as_declined(
        load_order(division), player.pk, challenged.pk, load_blocked_pairs(season), rules.ladder
    )
    match = Match.objects.create(
        division=division,
        round=1,
        number=(division.matches.aggregate(last=Max("number"))["last"] or 0) + 1,
        ends=extend_by_absences(challenged, now, now + rules.length),
        waits=not declined,
        decided=now if declined else None,
    )
    MatchSeat.objects.bulk_create(
        MatchSeat(match=match, index=index, player=one) for index, one in enumerate((challenged, player))
    )
    made = Challenge.objects.create(
        match=match,
        division=division,
        challenger=player,
        challenged=challenged,
        made=now,
        declined=declined,
        ended=now if declined else None,
    )
    write_log_entry(season.league, "challenge", who=player, season=season, now=now, challenged=challenged.pk)
    if not declined:
        begin_game(match.pk, now)
        Challenged.tell(made)
    return made


@transaction.atomic
def decline_challenge(*, season_id: int, player: Player, now: datetime) -> Challenge:
    """Decline the open challenge to *player*, while not both have played in its first game.

    :raises LeagueRefused: there is none, or both have played
    """
    season = lock_season(season_id)
    made = Challenge.objects.filter(division__season=season, challenged=player, ended=None).first()
    if made is None:
        raise LeagueRefused("challenge_none")
    match = lock_match(made.match_id)
    if not may_decline(match):
        raise LeagueRefused("challenge_begun")
    seat = Seat.objects.get(game=match.fixtures.get(number=1).game_id, player=player)
    try:
        game = play.resign(game_id=seat.game_id, seat=seat.index, now=now)
    except Refused as error:  # the game ended meanwhile, or is about to
        raise LeagueRefused("challenge_begun") from error
    if game.status != Status.ABORTED:  # both have played meanwhile; the rollback undoes the resignation
        raise LeagueRefused("challenge_begun")
    record_result(game.pk, now)
    made.refresh_from_db()
    return made


def list_refusals(division: Division, challenger: int, challenged: int, now: datetime) -> Iterable[str]:
    """Return the reasons against a challenge now: the names of ``leagues.schedules.challenge_refusals``, and
    "over" when the season is."""
    if is_over(division.season, now):
        return ["over"]
    rules = division.season.settings.challenges.ladder
    played = load_recent_challenges(division, now)
    away = find_away_players([challenged], now)
    order = load_order(division)
    return challenge_refusals(order, challenger, challenged, played, rules, now=now, away=away)


def is_over(season: Season, now: datetime) -> bool:
    """Return whether no challenge can be made any more; open ones are still played to their end."""
    return season.phase != Phase.RUNNING or now >= season.ends


def load_recent_challenges(division: Division, now: datetime) -> list[Played[int]]:
    """The challenges that may rule out others: all that are open, or ended within the rest period."""
    rest = division.season.settings.challenges.rest
    rows = division.challenges.filter(Q(ended=None) | Q(ended__gt=now - rest))
    return [Played(row.challenger_id, row.challenged_id, row.ended) for row in rows]
