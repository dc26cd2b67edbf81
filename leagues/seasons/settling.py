"""Organisers settle games: those that were broken off, those that run, and those whose result was wrong."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from accounts.models import Player
from games import play
from games.conduct import contacts
from games.models import Game, Status
from games.play.locks import lock_players
from leagues import limits, outbox
from leagues.exceptions import LeagueRefused
from leagues.models import Fixture, Phase
from leagues.seasons.founding import note
from leagues.seasons.locks import locked_match, locked_season
from leagues.seasons.organisers import checked
from leagues.seasons.results import Result, forfeit_waiting, others_follow, played_result, write_result
from leagues.seasons.tables import restand

Ranks = Mapping[int, int]
"""By player, by primary key; the first is 1."""


@transaction.atomic
def settle(*, fixture_id: int, ranks: Ranks | None, who: Player, reason: str, now: datetime) -> Fixture:
    """Let *who* say how a game counts: with these *ranks*, by forfeit and without a score (STAND-3), or
    without any as it was played to its end. One that is still played is called off first.

    What follows is worked out anew: whether the match is decided, and the table. The game itself and the
    ratings stay as they are: they tell what was played.

    :raises LeagueRefused: *who* may not, plays in it, or gives no reason; or it can't be changed any more
    :raises TooMany: *who* has settled many games today
    """
    season_id = Fixture.objects.values_list("match__division__season", flat=True).get(pk=fixture_id)
    lock_players(who)
    season = locked_season(season_id)
    why = checked(season.league, who, reason)
    match = locked_match(Fixture.objects.values_list("match", flat=True).get(pk=fixture_id))
    fixture = Fixture.objects.select_related("game", "match__division__season").get(pk=fixture_id)
    players = may_be_settled(fixture, who)
    contacts.count(limits.SETTLE, who, list(Player.objects.filter(pk__in=players)), now=now)
    before = fixture.seats
    result = adjudicated(players, ranks) if ranks is not None else _as_played(fixture)
    if fixture.game is not None and fixture.game.status in (Status.PLAYING, Status.SCORING):
        play.call_off(game_id=fixture.game.pk, now=now)
        if not Game.objects.get(pk=fixture.game.pk).ended:
            raise LeagueRefused("not_settled")  # it is being scored: its result comes in a moment
    fixture.settled_by = who
    fixture.save(update_fields=["settled_by"])
    write_result(match, fixture, result, now)
    forfeit_waiting(match.pk, now)
    restand(match.division)
    log = note(
        season.league,
        "settle",
        who=who,
        season=season,
        now=now,
        reason=why,
        game=fixture.game.name if fixture.game is not None else "",
        division=match.division.level,
        round=match.round,
        before=_told(before),
        after=_told(result),
    )
    outbox.settled(fixture, log)
    return fixture


def may_be_settled(fixture: Fixture, who: Player) -> list[int]:
    """The players of *fixture*, who has the first seat first, if *who* may settle it now.

    :raises LeagueRefused: *who* plays in it, the season is over, or the next round rests on it
    """
    match = fixture.match
    players = _players(fixture)
    if who.pk in players:
        raise LeagueRefused("own_game")
    if match.division.season.phase != Phase.RUNNING:
        raise LeagueRefused("over")
    if match.decided and others_follow(match):
        raise LeagueRefused("next_drawn")
    return players


def adjudicated(players: list[int], ranks: Ranks) -> Result:
    """A result without a score (STAND-3). Nobody has won where all are last.

    :raises LeagueRefused: not everybody has a rank that there can be
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
    if fixture.game is not None:
        seats = fixture.game.seats.order_by("index").values_list("player", flat=True)
        seated = [pk for pk in seats if pk is not None]
    matched = fixture.match.seats.values_list("player", flat=True)
    return seated + [pk for pk in matched if pk not in seated]


def _as_played(fixture: Fixture) -> Result:
    if fixture.game is None or fixture.game.status != Status.FINISHED:
        raise LeagueRefused("not_played")
    return played_result(fixture.match, fixture.game)


def _told(result: Result | None) -> list[list[int]]:
    """Players and their ranks, as the log keeps them."""
    return sorted(([seat["player"], seat["rank"]] for seat in result or []), key=lambda one: one[1])
