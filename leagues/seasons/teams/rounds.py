"""Rounds of team seasons: drawing divisions and pairings, and turning line-ups into boards."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Max

from leagues.mails.seasons import SeasonBegan
from leagues.mails.teams import LineUpDue, TeamShort
from leagues.models import (
    Board,
    BoardPlayers,
    Division,
    Entry,
    EntryState,
    LineUp,
    Match,
    MatchSeat,
    Phase,
    Season,
    Team,
    TeamMatch,
    TeamState,
)
from leagues.schedules.round_robin import pair_round_robin
from leagues.schedules.rounds import Round
from leagues.schedules.teams import build_board_series, separate_boards
from leagues.seasons.brackets import begin_bracket
from leagues.seasons.founding import write_log_entry
from leagues.seasons.kept_apart import load_blocked_pairs
from leagues.seasons.locks import lock_division, lock_season
from leagues.seasons.moves import settle_moves
from leagues.seasons.postponing import put_off
from leagues.seasons.registration import UNRATED, load_ratings
from leagues.seasons.tables import update_standings
from leagues.seasons.teams.line_ups import load_squad_by_rating, plan_line_up
from leagues.seasons.teams.squads import require_team_rules

FEWEST = 2
"""Minimum number of teams for a season to begin."""


def begin_teams(season: Season, now: datetime) -> None:
    """Begin *season*, which is locked, with the teams that have enough players; or postpone it."""
    rules = require_team_rules(season)
    _rate(season, now)
    taking_part, short = [], []
    for team in season.teams.filter(state=TeamState.REGISTERED).order_by("registered", "pk"):
        squad = load_squad_by_rating(team)
        if len(squad) >= rules.least:
            team.rating = sum(entry.rating for entry in squad[: rules.boards]) / rules.boards
            taking_part.append(team)
        else:
            short.append(team)
    if len(taking_part) < FEWEST:
        put_off(season, now, teams=len(taking_part))
        return
    for team in short:
        _leave_out(team, now)
    by_key = {team.pk: team for team in taking_part}
    divisions = season.format.divide(taking_part, season.settings)
    season.format.draw_teams(season, [[by_key[team] for team in teams] for teams in divisions], now)
    settle_moves(season, now)
    season.phase = Phase.RUNNING
    season.save(update_fields=["phase"])
    write_log_entry(season.league, "begin", season=season, now=now, teams=len(taking_part))
    SeasonBegan.tell(season, now=now)


@transaction.atomic
def begin_round(division_id: int, now: datetime) -> bool:
    """Turn line-ups into boards and begin the next round of a division of teams, if it is due. Return whether
    one began."""
    season = lock_season(Division.objects.values_list("season", flat=True).get(pk=division_id))
    division = lock_division(division_id)
    if season.phase != Phase.RUNNING or not division.awaits_round:
        return False
    following = division.drawn + 1
    meetings = list(division.team_matches.filter(round=following).select_related("first", "second"))
    if any(match.begins > now for match in meetings):
        return False
    boards, apart = require_team_rules(season).boards, load_blocked_pairs(season)
    for match in meetings:
        home, away = (_line_up(team, match, boards, now) for team in (match.first, match.second))
        away = separate_boards(home, away, apart)
        for number, (first, second) in enumerate(zip(home, away, strict=True), start=1):
            board = Board.objects.create(team_match=match, number=number)
            first_number = (match.number - 1) * boards + number
            seat_players(board, match, (first, second), ends=match.ends, first_number=first_number)
    division.drawn = following
    division.save(update_fields=["drawn"])
    update_standings(division)
    LineUpDue.tell(division, now=now)
    return True


def seat_players(
    board: Board,
    meeting: TeamMatch,
    players: tuple[int | None, int | None],
    *,
    ends: datetime | None,
    first_number: int,
) -> BoardPlayers:
    """Create the match of *players* of the two teams at *board*; it waits for its first game and *ends* at
    the latest then, or with the season.

    The series of the board determines who begins.
    """
    first, second = players
    match = None
    if first is not None and second is not None:
        match = Match.objects.create(
            division=meeting.division,
            round=meeting.round,
            number=first_number,
            best_of=meeting.best_of,
            ends=ends,
        )
        begins = build_board_series(board.number, 1, []).first
        order = (first, second) if begins == 0 else (second, first)
        MatchSeat.objects.bulk_create(
            MatchSeat(match=match, index=index, player_id=player) for index, player in enumerate(order)
        )
    last = board.players.aggregate(last=Max("number"))["last"] or 0
    return BoardPlayers.objects.create(
        board=board, number=last + 1, match=match, first_id=first, second_id=second
    )


def _rate(season: Season, now: datetime) -> None:
    entries = list(season.entries.exclude(state=EntryState.WITHDRAWN))
    ratings = load_ratings(season, [entry.player_id for entry in entries], now)
    for entry in entries:
        entry.rating = ratings.get(entry.player_id, UNRATED)
    Entry.objects.bulk_update(entries, ["rating"])


def _leave_out(team: Team, now: datetime) -> None:
    team.state = TeamState.SHORT
    team.save(update_fields=["state"])
    members = team.members.filter(joined__isnull=False).values_list("player", flat=True)
    team.season.entries.filter(player__in=members).update(
        state=EntryState.WITHDRAWN, withdrew=now, stays=False
    )
    write_log_entry(team.season.league, "team_short", season=team.season, now=now, team=team.name)
    TeamShort.tell(team, now=now)


def _create_division(season: Season, level: int, teams: Sequence[Team]) -> Division:
    division = Division.objects.create(season=season, level=level, kind=season.format.kind)
    entries = []
    for row, team in enumerate(teams, start=1):
        team.division, team.state, team.rank, team.row = division, TeamState.PLAYING, 1, row
        entries += load_squad_by_rating(team)
    Team.objects.bulk_update(teams, ["division", "state", "rank", "row", "rating"])
    for row, entry in enumerate(sorted(entries, key=lambda one: -one.rating), start=1):
        entry.division, entry.state, entry.rank, entry.row = division, EntryState.PLAYING, 1, row
    Entry.objects.bulk_update(entries, ["division", "state", "rank", "row"])
    return division


def draw_team_bracket_first(season: Season, teams: Sequence[Team], now: datetime) -> None:
    """Draw a knock-out of *teams*, the strongest first."""
    division = _create_division(season, 1, teams)
    begin_bracket(division, [team.pk for team in teams], now)


def draw_team_tables(
    season: Season, drawn: Sequence[Sequence[Team]], ends: datetime | None, now: datetime
) -> None:
    """Draw all rounds of divisions or groups of teams; their games end at *ends* at the latest, or with the
    season."""
    for level, teams in enumerate(drawn, start=1):
        rounds = pair_round_robin([team.pk for team in teams], season.settings.rounds)
        division = _create_division(season, level, teams)
        _write_rounds(division, rounds, ends, now)
        update_standings(division)
        LineUpDue.tell(division, now=now)


def _write_rounds(
    division: Division, rounds: Sequence[Round[int]], ends: datetime | None, now: datetime
) -> None:
    """Create the team matches of *rounds*; their games end at *ends* at the latest, or with the season."""
    rules = require_team_rules(division.season)
    division.rounds = len(rounds)
    division.save(update_fields=["rounds"])
    TeamMatch.objects.bulk_create(
        TeamMatch(
            division=division,
            round=number,
            number=table,
            begins=now + rules.begins(number),
            best_of=division.season.settings.standings.best_of,
            ends=ends,
            first_id=pairing.players[0],
            second_id=pairing.players[1],
        )
        for number, each in enumerate(rounds, start=1)
        for table, pairing in enumerate(each.pairings, start=1)
    )


def _line_up(team: Team, match: TeamMatch, boards: int, now: datetime) -> tuple[int | None, ...]:
    """The line-up that is played. It is stored, as it holds for later rounds, too."""
    plan = plan_line_up(team, match, boards)
    LineUp.objects.update_or_create(
        team=team,
        match=match,
        defaults={"players": list(plan.players), "chosen": plan.chosen},
        create_defaults={"players": list(plan.players), "chosen": False, "at": now},
    )
    return plan.players
