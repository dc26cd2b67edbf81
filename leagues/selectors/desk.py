"""Matters that need an organiser, each found with a fixed number of queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Count, F, Q, QuerySet

from games.clocks import DAY
from games.models import Ending, Seat, SeatState, Status
from leagues.models import Division, Entry, EntryState, Fixture, Match, Phase, Season, Waiting
from leagues.seasons.drawing import FEWEST
from leagues.seasons.results import awaits_organiser, has_result
from leagues.seasons.untouched_matches import find_untouched_matches
from leagues.selectors.preview import count_teams
from leagues.settings import Admission

FEWEST_PLIES = 4
"""Minimum number of turns for estimating the pace of a game."""

OFTEN = 2
"""Minimum number of missed deadlines in a season for a player to be listed."""


LAST_DAYS = 2 * DAY
"""Time before the beginning of a season at which organisers are warned of too few players."""


def find_seasons_due_for_mail(now: datetime) -> QuerySet[Season]:
    """Return the open and running seasons of leagues whose organisers have had no mail from the desk for a
    day."""
    alive = Season.objects.filter(phase__in=[Phase.REGISTRATION, Phase.RUNNING]).select_related("league")
    told = Q(league__desk_told=None) | Q(league__desk_told__lte=now - DAY)
    return alive.filter(told).order_by("pk")


def list_matters(season: Season, now: datetime) -> set[str]:
    """Return the matters that need an organiser of *season*, as stable names. Waiting players need one only
    where organisers let players in."""
    if season.phase == Phase.REGISTRATION:
        few = count_ready(season) < FEWEST and now >= season.begins - LAST_DAYS
        matters = {f"few {season.pk} {season.postponed}"} if few else set()
        asking = load_waiting(season) if season.settings.admission == Admission.APPROVAL else []
        return matters | {f"asks {one.pk}" for one in asking}
    found: dict[str, Iterable[Fixture | Entry | Division]] = {
        "broken": list_broken_off_games(season, now),
        "unfinished": list_unfinished_games(season, now),
        "slow": (fixture for fixture, _at in list_slow_games(season, now)),
        "gone": (entry for entry, _matches in list_leavers(season)),
        "closed": list_closed_accounts(season),
        "time": (entry for entry, _times in list_timed_out_players(season)),
        "cut": list_shortened_divisions(season),
    }
    return {f"{kind} {row.pk}" for kind, rows in found.items() for row in rows}


def count_ready(season: Season) -> int:
    """Count the players, or the teams with enough of them, who would play if *season*, which is open for
    registration, began now."""
    if season.settings.teams is not None:
        return count_teams(season)
    return season.entries.filter(state=EntryState.REGISTERED, player__is_active=True).count()


def list_broken_off_games(season: Season, now: datetime) -> list[Fixture]:
    """Return the aborted games of *season* without a result."""
    waiting = _open(season).filter(game__status=Status.ABORTED).exclude(has_result(now))
    return list(waiting.order_by("game__finished", "pk"))


def list_unfinished_games(season: Season, now: datetime) -> list[Fixture]:
    """Return the games of *season* that ended unfinished and wait for an organiser's decision."""
    waiting = _open(season).filter(game__status=Status.FINISHED, game__ending=Ending.HARD_END)
    waiting = waiting.prefetch_related("game__seats__player")
    return [
        each
        for each in waiting.order_by("game__finished", "pk")
        if each.game is not None and awaits_organiser(each.game, now)
    ]


def list_slow_games(season: Season, now: datetime) -> list[tuple[Fixture, datetime]]:
    """Return the games of *season* expected to outlast their match at their pace so far, each with the
    expected end, the latest first (STAND-16)."""
    running = _open(season).filter(game__status=Status.PLAYING, game__ply__gte=FEWEST_PLIES)
    expected = [(fixture, _expected_end(fixture, now)) for fixture in running]
    late = [(fixture, at) for fixture, at in expected if at > fixture.match.latest_end]
    return sorted(late, key=lambda one: one[1], reverse=True)


def _expected_end(fixture: Fixture, now: datetime) -> datetime:
    game = fixture.game
    assert game is not None and game.started is not None
    each: timedelta = (now - game.started) / game.ply
    return now + each * (game.tiles_left + 1)


def list_leavers(season: Season) -> list[tuple[Entry, int]]:
    """Return the entries that left *season* without a substitute, each with the number of matches that one
    could still play; none where there are no substitutes."""
    if not season.settings.substitutes:
        return []
    entries = list(
        season.entries.filter(state=EntryState.WITHDRAWN, replaced_by=None)
        .exclude(division=None)
        .select_related("player", "division")
        .order_by("withdrew", "pk")
    )
    matches = Match.objects.filter(division__season=season)
    left = Counter(
        player for _match, player in find_untouched_matches(matches, {entry.player_id for entry in entries})
    )
    return [(entry, left[entry.player_id]) for entry in entries if left[entry.player_id]]


def list_closed_accounts(season: Season) -> list[Entry]:
    """Players of *season* whose accounts are closed."""
    playing = season.entries.filter(state=EntryState.PLAYING, player__is_active=False)
    return list(playing.select_related("player").order_by("pk"))


def list_timed_out_players(season: Season) -> list[tuple[Entry, int]]:
    """Return the players of *season* who have run out of time again and again, each with the number of times,
    the highest first."""
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


def list_shortened_divisions(season: Season) -> list[Division]:
    """Return the Swiss divisions of *season* that have fewer rounds than planned, as no pairing was left."""
    if not season.settings.swiss:
        return []
    divisions = season.divisions.annotate(players=Count("entries")).order_by("level")
    planned = season.settings.rounds
    return [one for one in divisions.filter(drawn=F("rounds")) if one.rounds < min(planned, one.players - 1)]


def load_waiting(season: Season) -> QuerySet[Waiting]:
    """Return the waiting list of *season*, in order."""
    return season.waiting.select_related("player").order_by("since", "pk")


def _open(season: Season) -> QuerySet[Fixture]:
    unsettled = Fixture.objects.filter(match__division__season=season, settled=None)
    return unsettled.select_related("game", "match__division__season").prefetch_related(
        "match__seats__player"
    )
