"""Standings of teams, stored with every result and computed by ``leagues.standings``.

In its terms teams are the players, a match of teams is a match, best of as many games as there are boards,
and each board is one of its games. So match points are STAND-2, and ``games_won`` are the board points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from django.db.models import Max

from leagues.models import (
    STANDING,
    Board,
    Division,
    Entry,
    Season,
    Team,
    TeamMatch,
    TeamMember,
    TeamState,
)
from leagues.schedules.series import Points
from leagues.schedules.teams import build_board_series, count_team_score
from leagues.seasons.teams.boards import Result, compute_board_points, list_games
from leagues.standings import DivisionResults as Results
from leagues.standings import Entrant, GameResult, Rules, SeatResult, count_records
from leagues.standings.ranking import TableStanding, rank_results

BOARD_POINTS = "games_won"
"""Criterion that amounts to the board points if boards are the games."""


def build_table_rules(season: Season) -> Rules:
    """Return the rules by which the teams of *season* are ordered: match points, board points, then the
    league's criteria."""
    settings = season.settings
    others = tuple(name for name in settings.standings.tie_breaks if name != BOARD_POINTS)
    return Rules(
        points=(2, 0),
        best_of=settings.team_rules.boards,
        tie_breaks=(BOARD_POINTS, *others),
        up=settings.standings.up,
        down=settings.standings.down,
    )


def update_team_standings(division: Division) -> list[TableStanding]:
    """Recompute the boards, the matches and the table of *division*, which is locked."""
    matches = update_matches(division)
    totals: dict[int, Fraction] = {}
    for match in matches:
        for key, points in ((match.first_id, match.first_points), (match.second_id, match.second_points)):
            totals[key] = totals.get(key, Fraction()) + Fraction(points)
    results = load_team_results(division, matches)
    table = rank_results(results)
    teams = {team.pk: team for team in division.teams.all()}
    records = count_records(results)
    for row, one in enumerate(table, start=1):
        team = teams[int(one.player)]
        team.set_standing(row, one)
        team.board_points = str(totals.get(team.pk, Fraction()))
        team.record = records[one.player]
    Team.objects.bulk_update(teams.values(), [*STANDING, "board_points"])
    return table


def update_matches(division: Division) -> list[TeamMatch]:
    """Recompute the boards and matches of *division*, which is locked; return all matches that have begun."""
    matches = load_matches_with_games(division)
    boards = [board for match in matches for board in match.boards.all()]
    for board in boards:
        points = compute_board_points(board)
        board.first_points, board.second_points = points if points is not None else (None, None)
    Board.objects.bulk_update(boards, ["first_points", "second_points"])
    latest = division.team_matches.aggregate(latest=Max("round"))["latest"]
    for match in matches:
        _count(match, moved_on=division.format.moves_winners_on and match.round < latest)
    TeamMatch.objects.bulk_update(matches, ["first_points", "second_points", "decided", "winner"])
    return matches


def load_matches_with_games(division: Division) -> list[TeamMatch]:
    """The matches of *division* that have begun, with their boards and games."""
    begun = division.team_matches.filter(round__lte=division.drawn).order_by("round", "number")
    return list(begun.select_related("division__season").prefetch_related("boards__players__match__fixtures"))


def load_team_results(division: Division, matches: Sequence[TeamMatch]) -> Results:
    """Load all that the table of the teams of *division* is computed from."""
    teams = division.teams.order_by("pk")
    gone = load_withdrawn_teams(division)
    return Results(
        entrants=tuple(
            Entrant(team.pk, Fraction(str(team.rating)), team.pk in gone, Fraction(team.penalty))
            for team in teams
        ),
        games=tuple(list_board_results(matches)),
        byes=(),
        rules=build_table_rules(division.season),
        season=division.season_id,
        running=is_team_round_robin_running(division),
    )


def is_team_round_robin_running(division: Division) -> bool:
    """Return whether *division* is a round robin of teams with matches to decide (STAND-5)."""
    return division.format.meets_everybody and division.team_matches.filter(decided=False).exists()


def load_withdrawn_teams(division: Division) -> set[int]:
    """Return the teams that have withdrawn from *division*, by primary key; withdrawals after their group was
    finished don't count, as in ``tables.load_withdrawn_players``."""
    left = division.teams.filter(state=TeamState.WITHDRAWN)
    if division.finished is not None:
        later = Entry.objects.filter(season=division.season_id, withdrew__gt=division.finished)
        there = TeamMember.objects.filter(joined__isnull=False, player__in=later.values("player"))
        left = left.exclude(pk__in=there.values("team"))
    return set(left.values_list("pk", flat=True))


def list_board_results(matches: Iterable[TeamMatch]) -> list[GameResult]:
    """Return the decided boards of *matches* as games of teams."""
    return [
        _board_result(match, board)
        for match in matches
        for board in match.boards.all()
        if board.first_points is not None
    ]


def _count(match: TeamMatch, *, moved_on: bool) -> None:
    """Recompute *match*. If somebody has *moved_on* because of it, its winner stays (STAND-17)."""
    score = count_team_score([_points(board) for board in match.boards.all()])
    first, second = score.board_points
    match.first_points, match.second_points = str(first), str(second)
    if moved_on:
        return
    match.decided = score.decided
    lead = first - second
    if not lead:
        lead = match.division.format.break_tie(match)
    match.winner_id = (match.first_id if lead > 0 else match.second_id) if score.decided and lead else None


def score_lead(match: TeamMatch) -> Fraction:
    """Return the lead in points of the first team of *match*, over boards whose games all have scores."""
    scores = [scores for board in match.boards.all() if (scores := _scores(board)) is not None]
    return Fraction(sum(first - second for first, second in scores))


def _points(board: Board) -> Points | None:
    if board.first_points is None or board.second_points is None:
        return None
    return board.first_points, board.second_points


def _board_result(match: TeamMatch, board: Board) -> GameResult:
    """A decided *board* as a game of the two teams, with the score of all its games if all have one."""
    points = _points(board)
    assert points is not None
    ranks = {(2, 0): (1, 2), (0, 2): (2, 1), (1, 1): (1, 1), (0, 0): (2, 2)}[int(points[0]), int(points[1])]
    scores = _scores(board)
    teams = match.first_id, match.second_id
    seats = tuple(
        SeatResult(teams[side], ranks[side], scores[side] if scores else None, not scores and ranks[side] > 1)
        for side in (0, 1)
    )
    return GameResult(board.pk, match.pk, teams[build_board_series(board.number, 1, []).first], seats)


def _scores(board: Board) -> tuple[int, int] | None:
    totals = [0, 0]
    games = list_games(board)
    for players, result in games:
        for side, player in enumerate((players.first_id, players.second_id)):
            score = _score(result, player)
            if score is None:
                return None
            totals[side] += score
    return (totals[0], totals[1]) if games else None


def _score(result: Result, player: int | None) -> int | None:
    found: list[int | None] = [seat["score"] for seat in result if seat["player"] == player]
    return found[0] if found else None
