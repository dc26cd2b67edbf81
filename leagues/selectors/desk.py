"""What needs an organiser, each with a fixed number of queries however large a season is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Count, F, Q, QuerySet

from games.clocks import DAY
from games.models import Seat, SeatState, Status
from leagues.models import Division, Entry, EntryState, Fixture, Match, Phase, Season, Waiting
from leagues.seasons.drawing import FEWEST
from leagues.seasons.replacing import untouched, with_games
from leagues.seasons.results import ended_with_a_result

FEWEST_PLIES = 4
"""Before so many turns nobody can say how fast a game is played."""

OFTEN = 2
"""Whose time ran out so often in a season time out again and again."""


LAST_DAYS = 2 * DAY
"""So long before it begins organisers are told that too few have registered."""


def seasons_to_tell_of(now: datetime) -> QuerySet[Season]:
    """Those that are open or run, of leagues whose organisers have had no mail of the desk for a day."""
    alive = Season.objects.filter(phase__in=[Phase.REGISTRATION, Phase.RUNNING]).select_related("league")
    told = Q(league__desk_told=None) | Q(league__desk_told__lte=now - DAY)
    return alive.filter(told).order_by("pk")


def matters(season: Season, now: datetime) -> set[str]:
    """What needs an organiser of *season*, each by a name that stays the same. Who waits for a place needs
    nobody."""
    if season.phase == Phase.REGISTRATION:
        there = season.entries.filter(state=EntryState.REGISTERED).count()
        few = there < FEWEST and now >= season.begins - LAST_DAYS
        return {f"few {season.pk} {season.postponed}"} if few else set()
    found: dict[str, Iterable[Fixture | Entry | Division]] = {
        "broken": broken_off(season, now),
        "slow": (fixture for fixture, _at in too_slow(season, now)),
        "gone": (entry for entry, _matches in gone(season)),
        "closed": closed_accounts(season),
        "time": (entry for entry, _times in out_of_time(season)),
        "cut": cut_short(season),
    }
    return {f"{kind} {row.pk}" for kind, rows in found.items() for row in rows}


def broken_off(season: Season, now: datetime) -> list[Fixture]:
    """Games of *season* that ended without a result."""
    waiting = _open(season).filter(game__status=Status.ABORTED).exclude(ended_with_a_result(now))
    return list(waiting.order_by("game__finished", "pk"))


def too_slow(season: Season, now: datetime) -> list[tuple[Fixture, datetime]]:
    """Games of *season* that would go on beyond its end if all turns took as long as those before, with when
    they would end then, the latest first."""
    running = _open(season).filter(game__status=Status.PLAYING, game__ply__gte=FEWEST_PLIES)
    expected = [(fixture, _expected_end(fixture, now)) for fixture in running]
    late = [(fixture, at) for fixture, at in expected if at > season.ends]
    return sorted(late, key=lambda one: one[1], reverse=True)


def _expected_end(fixture: Fixture, now: datetime) -> datetime:
    game = fixture.game
    assert game is not None and game.started is not None
    each: timedelta = (now - game.started) / game.ply
    return now + each * (game.tiles_left + 1)


def gone(season: Season) -> list[tuple[Entry, int]]:
    """Who has left *season* without a substitute, with the number of matches that one could still play."""
    entries = list(
        season.entries.filter(state=EntryState.WITHDRAWN, replaced_by=None)
        .exclude(division=None)
        .select_related("player", "division")
        .order_by("withdrew", "pk")
    )
    left = Counter[int]()
    players = {entry.player_id for entry in entries}
    if players:
        theirs = Match.objects.filter(division__season=season, seats__player__in=players).distinct()
        for match in with_games(theirs):
            for seat in match.seats.all():
                if seat.player_id in players and untouched(match, seat.player_id):
                    left[seat.player_id] += 1
    return [(entry, left[entry.player_id]) for entry in entries if left[entry.player_id]]


def closed_accounts(season: Season) -> list[Entry]:
    """Players of *season* whose accounts are closed."""
    playing = season.entries.filter(state=EntryState.PLAYING, player__is_active=False)
    return list(playing.select_related("player").order_by("pk"))


def out_of_time(season: Season) -> list[tuple[Entry, int]]:
    """Who of *season* plays and has run out of time again and again, with how often, the most often first."""
    games = Fixture.objects.filter(match__division__season=season).values("game")
    seats = Seat.objects.filter(game__in=games, player__isnull=False)
    seats = seats.filter(Q(state=SeatState.TIMED_OUT) | Q(excuses__gt=0))
    times = Counter[int]()
    for player, state, excuses in seats.values_list("player", "state", "excuses"):
        times[player or 0] += excuses + (state == SeatState.TIMED_OUT)
    often = [player for player, count in times.items() if count >= OFTEN]
    playing = season.entries.filter(state=EntryState.PLAYING, player__in=often).select_related("player")
    found = [(entry, times[entry.player_id]) for entry in playing.order_by("pk")]
    return sorted(found, key=lambda one: -one[1])


def cut_short(season: Season) -> list[Division]:
    """Swiss divisions of *season* that have fewer rounds than were planned, as nobody was left to meet."""
    if not season.settings.swiss:
        return []
    divisions = season.divisions.annotate(players=Count("entries")).order_by("level")
    planned = season.settings.rounds
    return [one for one in divisions.filter(drawn=F("rounds")) if one.rounds < min(planned, one.players - 1)]


def waiting(season: Season) -> QuerySet[Waiting]:
    """Who waits for a place in *season*, or after it, in the order in which they came."""
    return season.waiting.select_related("player").order_by("since", "pk")


def _open(season: Season) -> QuerySet[Fixture]:
    unsettled = Fixture.objects.filter(match__division__season=season, settled=None)
    return unsettled.select_related("game", "match__division").prefetch_related("match__seats__player")
