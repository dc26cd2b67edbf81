"""Settling of games by organisers: aborted ones, running ones, and those with a wrong result."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from accounts.models import Player
from games import play
from games.conduct import contacts
from games.models import Game, Status
from games.play.locks import lock_players
from leagues import limits
from leagues.exceptions import LeagueRefused
from leagues.mails.players import Settled
from leagues.models import Fixture, Match, Phase, Season
from leagues.seasons.closing import update_moves
from leagues.seasons.founding import write_log_entry
from leagues.seasons.locks import lock_match, lock_season
from leagues.seasons.organisers import check_organiser
from leagues.seasons.own_matters import Matter, check_own_matter
from leagues.seasons.results import (
    Result,
    build_played_result,
    correct_result,
    forfeit_waiting,
    has_consequences,
    write_result,
)
from leagues.seasons.tables import update_standings

Ranks = Mapping[int, int]
"""Ranks from 1, by primary key of the player."""


@transaction.atomic
def settle(*, fixture_id: int, ranks: Ranks | None, who: Player, reason: str, now: datetime) -> Fixture:
    """Decide how a game counts: with *ranks*, by forfeit and without a score (STAND-3), or, if None, as it
    was played to its end. A running game is called off first.

    The decision of the match and the table are recomputed. What was drawn because of the old result stands,
    and so do promotions on which a season has begun (STAND-17). The game itself and the ratings stay: they
    record what was played.

    :raises LeagueRefused: *who* may not, gains by it, or gives no reason; or it can't be changed any more
    :raises TooMany: *who* has settled many games today
    """
    season_id = Fixture.objects.values_list("match__division__season", flat=True).get(pk=fixture_id)
    lock_players(who)
    season = lock_season_of_result(season_id)
    why = check_organiser(season.league, who, reason)
    match = lock_match(Fixture.objects.values_list("match", flat=True).get(pk=fixture_id))
    fixture = Fixture.objects.select_related("game", "match__division__season").get(pk=fixture_id)
    players = check_may_settle(fixture)
    own_matter = check_own_matter(season.league, who, build_matter(fixture))
    others = Player.objects.filter(pk__in=players).exclude(pk=who.pk)
    contacts.record_contacts(limits.SETTLE, who, list(others), now=now)
    before = fixture.seats
    result = adjudicate(players, ranks) if ranks is not None else _as_played(fixture)
    if fixture.game is not None and fixture.game.status in (Status.PLAYING, Status.SCORING):
        play.call_off(game_id=fixture.game.pk, now=now)
        if not Game.objects.get(pk=fixture.game.pk).ended:
            raise LeagueRefused("not_settled")  # it is still being scored
    late = has_followed(match)
    fixture.settled_by, fixture.corrected = who, now if late else fixture.corrected
    fixture.save(update_fields=["settled_by", "corrected"])
    if late:
        correct_result(match, fixture, result, now)
    else:
        write_result(match, fixture, result, now)
        forfeit_waiting(match.pk, now)
    update_standings(match.division)
    if season.phase == Phase.CLOSED:
        update_moves(season)
    log = write_log_entry(
        season.league,
        "settle",
        who=who,
        season=season,
        now=now,
        reason=why,
        game=fixture.game.name if fixture.game is not None else "",
        division=match.division.level,
        round=match.round,
        before=_serialize_ranks(before),
        after=_serialize_ranks(result),
        late=late,
        own_matter=own_matter,
    )
    fixture.ruling = log
    fixture.save(update_fields=["ruling"])
    Settled.tell(fixture, log)
    return fixture


@transaction.atomic
def settle_several(
    *, decisions: Mapping[int, Ranks], who: Player, reason: str, now: datetime
) -> list[Fixture]:
    """Settle several games, each with the ranks in *decisions* by primary key of its fixture: all of them, or
    none.

    :raises LeagueRefused, TooMany: as :func:`settle`
    """
    return [
        settle(fixture_id=fixture, ranks=ranks, who=who, reason=reason, now=now)
        for fixture, ranks in sorted(decisions.items())
    ]


def build_matter(fixture: Fixture) -> Matter:
    """Return the matter of settling *fixture*."""
    match = fixture.match
    return Matter([match.division], Match.objects.filter(pk=match.pk), _players(fixture))


def check_may_settle(fixture: Fixture) -> list[int]:
    """Return the players of *fixture* in order of seats, if it may be settled now.

    :raises LeagueRefused: the season has not begun, or a place on a ladder was decided
    """
    match = fixture.match
    players = _players(fixture)
    if match.division.season.phase not in (Phase.RUNNING, Phase.CLOSED):
        raise LeagueRefused("over")
    if match.decided and not match.division.format.corrects_results:
        raise LeagueRefused("ladder_stands")
    return players


def has_followed(match: Match) -> bool:
    """Return whether something that stands has followed from the result of *match* (STAND-17). The result may
    still be corrected."""
    closed = match.division.season.phase == Phase.CLOSED
    return closed or (match.decided is not None and has_consequences(match))


def lock_season_of_result(season_id: int) -> Season:
    """Lock the season of a result, and before it the next one if it is open, whose places may depend on
    it."""
    following = Season.objects.filter(league__seasons=season_id, phase=Phase.REGISTRATION).first()
    if following is not None:
        lock_season(following.pk)
    return lock_season(season_id)


def adjudicate(players: list[int], ranks: Ranks) -> Result:
    """Return a result without a score (STAND-3). Nobody has won where all are last.

    :raises LeagueRefused: the ranks are incomplete or impossible
    """
    if set(ranks) != set(players):
        raise LeagueRefused("ranks")
    for rank in ranks.values():
        above = sum(other < rank for other in ranks.values())
        if not above < rank <= len(players):
            raise LeagueRefused("ranks")
    return [{"player": pk, "rank": ranks[pk], "score": None, "forfeit": True} for pk in players]


def _players(fixture: Fixture) -> list[int]:
    if fixture.seats is not None:
        return [seat["player"] for seat in fixture.seats]
    seated: list[int] = []
    matched = list(fixture.match.seats.values_list("player", flat=True))
    if fixture.game is not None:
        seats = fixture.game.seats.order_by("index").values_list("player", flat=True)
        seated = [pk for pk in seats if pk in matched]  # others sit there for one whom a moderator replaced
    return seated + [pk for pk in matched if pk not in seated]


def _as_played(fixture: Fixture) -> Result:
    if fixture.game is None or fixture.game.status != Status.FINISHED:
        raise LeagueRefused("not_played")
    return build_played_result(fixture.match, fixture.game)


def _serialize_ranks(result: Result | None) -> list[list[int]]:
    return sorted(([seat["player"], seat["rank"]] for seat in result or []), key=lambda one: one[1])
