"""Matters that need an organiser, each found with a fixed number of queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.references import show_rows
from games.clocks import DAY
from games.models import Ending, Seat, SeatState, Status
from games.play import hard_ends
from games.play.positions import load_position
from games.words.times import format_day
from leagues.models import Division, Entry, EntryState, Fixture, League, Match, Phase, Season, Waiting
from leagues.seasons.drawing import FEWEST
from leagues.seasons.postponing import MOST_POSTPONED
from leagues.seasons.results import PATIENCE, TIME_TO_DECIDE, awaits_organiser, has_result
from leagues.seasons.untouched_matches import find_untouched_matches
from leagues.selectors.leagues import ALIVE, load_open_requests
from leagues.settings import Admission
from leagues.words.log import format_ranking

FEWEST_PLIES = 4
"""Minimum number of turns for estimating the pace of a game."""

SHOWN = 50
SHOWN_REQUESTS = 20
"""Maximum number of entries listed of each kind; the others follow when these are done."""
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
        asking = load_waiting(season) if lets_players_in(season) else []
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


def load_desk(league: League, season: Season | None, now: datetime) -> dict[str, list[Any]]:
    """Return what needs an organiser of *league* with its current *season*, by kind; no kind without
    anything."""
    matters: dict[str, list[Any]] = {"asked": show_rows(load_open_requests(league)[:SHOWN_REQUESTS])}
    if season is None:
        return {kind: rows for kind, rows in matters.items() if rows}
    if season.is_open:
        few = count_ready(season) < FEWEST
        matters["few"] = [MOST_POSTPONED - season.postponed] if few else []
    else:
        broken = list_broken_off_games(season, now)[:SHOWN]
        unfinished = list_unfinished_games(season, now)[:SHOWN]
        matters |= {
            "broken": [(fixture, fixture.match.latest_end + PATIENCE) for fixture in broken],
            "unfinished": [(fixture, describe_proposals(fixture)) for fixture in unfinished],
            "slow": list_slow_games(season, now)[:SHOWN],
            "gone": [
                *list_leavers(season)[:SHOWN],
                *((entry, None) for entry in list_closed_accounts(season)[:SHOWN]),
            ],
            "time": list_timed_out_players(season)[:SHOWN],
            "swiss": list_shortened_divisions(season),
        }
    matters["waiting"] = list(load_waiting(season)[:SHOWN])
    return {kind: rows for kind, rows in matters.items() if rows}


def find_current_season(league: League) -> Season | None:
    """Return the season of *league* that is open for registration or runs."""
    return league.seasons.filter(phase__in=ALIVE).select_related("league").first()


def lets_players_in(season: Season) -> bool:
    """Return whether organisers have to let players into *season* now."""
    return season.is_open and season.settings.admission == Admission.APPROVAL


def describe_fixture(fixture: Fixture, players: Sequence[Player]) -> list[str]:
    """Describe a game of *fixture* and how it counts now."""
    names = {player.pk: str(player) for player in players}
    told = [fixture.match.name, " – ".join(names.values())]
    if fixture.seats is not None:
        ranks = sorted((seat["rank"], seat["player"]) for seat in fixture.seats)
        now = format_ranking(((player, rank) for rank, player in ranks), names)
        told.append(_("It currently counts as: {result}.").format(result=now))
    elif fixture.game is not None and not fixture.game.ended:
        told.append(_("It's still being played."))
    elif fixture.game is not None and awaits_organiser(fixture.game, timezone.now()):
        told.append(describe_proposals(fixture))
    else:
        told.append(_("It has no result."))
    return told


def describe_proposals(fixture: Fixture) -> str:
    """Describe how an unfinished game would count by the time used, and by its board (CLOCK-24). One query
    where its position isn't cached."""
    game = fixture.game
    assert game is not None and game.finished is not None
    seats = sorted(game.seats.all(), key=lambda seat: seat.index)
    scores = hard_ends.score_as_it_stands(load_position(game))
    by_time = _list_places(seats, [seat.rank or 0 for seat in seats])
    by_board = _list_places(seats, hard_ends.rank_scores(seats, scores), scores)
    said = _(
        "By time used: {time}. By the board: {board}. Without a decision, the time used counts on {day}."
    )
    day = format_day(game.finished + TIME_TO_DECIDE)
    return said.format(time=by_time, board=by_board, day=day)


def list_decisions(fixture: Fixture) -> list[tuple[str, dict[int, int]]]:
    """List how an undecided game can be settled, in words, with the ranks by primary key of the player: by
    the time used and by the board if it ended at its hard end, else for each of its players, and evenly."""
    game = fixture.game
    assert game is not None
    players = {seat.player_id: str(seat.player) for seat in fixture.match.seats.all()}
    if game.ending == Ending.HARD_END and set(players) == {seat.player_id for seat in game.seats.all()}:
        seats = sorted(game.seats.all(), key=lambda seat: seat.index)
        scores = hard_ends.score_as_it_stands(load_position(game))
        by_time, by_board = [seat.rank or 0 for seat in seats], hard_ends.rank_scores(seats, scores)
        return [
            (
                _("By time used: {result}").format(result=_list_places(seats, by_time)),
                {seat.player_id or 0: rank for seat, rank in zip(seats, by_time, strict=True)},
            ),
            (
                _("By the board: {result}").format(result=_list_places(seats, by_board, scores)),
                {seat.player_id or 0: rank for seat, rank in zip(seats, by_board, strict=True)},
            ),
        ]
    last = len(players)
    return [
        *(
            (_("{player} wins").format(player=name), {one: 1 if one == pk else 2 for one in players})
            for pk, name in players.items()
        ),
        (_("A tie"), dict.fromkeys(players, 1)),
        (_("Nobody wins"), dict.fromkeys(players, last)),
    ]


def name_fixture(fixture: Fixture) -> str:
    """Name the match and the players of *fixture*, with whom it was read."""
    return f"{fixture.match.name}, {' – '.join(str(seat.player) for seat in fixture.match.seats.all())}"


def list_undecided_games(season: Season) -> list[Fixture]:
    """Return the games of *season* that ended without a result, which organisers can decide now."""
    now = timezone.now()
    return [*list_unfinished_games(season, now), *list_broken_off_games(season, now)][:SHOWN]


def _list_places(seats: Sequence[Seat], ranks: Sequence[int], scores: Sequence[int] = ()) -> str:
    names = [f"{seat.player} ({scores[seat.index]})" if scores else str(seat.player) for seat in seats]
    return ", ".join(f"{rank}. {name}" for rank, name in sorted(zip(ranks, names, strict=True)))


def count_ready(season: Season) -> int:
    """Count the players, or the teams with enough of them, who would play if *season*, which is open for
    registration, began now."""
    return season.contenders.count_ready(season)


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
    """Return the divisions of *season* that have fewer rounds than planned, as no pairing was left."""
    return season.format.list_shortened_divisions(season)


def list_swiss_divisions_cut_short(season: Season) -> list[Division]:
    """As :func:`list_shortened_divisions`, where rounds are Swiss."""
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
