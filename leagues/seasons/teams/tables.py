"""The tables of teams: stored with every result, worked out by ``leagues.standings`` like all others.

To it the teams are the players, a match of teams is a match, best of as many games as there are boards, and
each board is one of its games. So match points are STAND-2, and ``games_won`` are the board points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from leagues.models import Board, Division, Entry, Kind, Season, Team, TeamMatch, TeamState
from leagues.schedules.series import Points
from leagues.schedules.teams import board_series, team_score
from leagues.seasons.teams.boards import Result, games_of, points_of_board
from leagues.standings import Division as Results
from leagues.standings import Entrant, GameResult, Rules, SeatResult, standings
from leagues.standings.ranking import Standing

COLUMNS = ("rank", "row", "points", "board_points", "values", "explained")
BOARD_POINTS = "games_won"
"""The criterion that comes to the board points, where boards are the games."""


def rules_of_teams(season: Season) -> Rules:
    """By what the teams of *season* are ordered: match points, board points, then the league's criteria."""
    settings = season.settings
    assert settings.teams is not None
    others = tuple(name for name in settings.standings.tie_breaks if name != BOARD_POINTS)
    return Rules(
        points=(2, 0),
        best_of=settings.teams.boards,
        tie_breaks=(BOARD_POINTS, *others),
        up=settings.standings.up,
        down=settings.standings.down,
    )


def restand_teams(division: Division) -> list[Standing]:
    """Work out anew how the boards, the matches and the table of *division* stand, which is locked."""
    matches = counted_matches(division)
    totals: dict[int, Fraction] = {}
    for match in matches:
        for key, points in ((match.first_id, match.first_points), (match.second_id, match.second_points)):
            totals[key] = totals.get(key, Fraction()) + Fraction(points)
    results = team_results(division, matches)
    table = standings(results.entrants, results.games, results.byes, results.rules, results.season)
    teams = {team.pk: team for team in division.teams.all()}
    for row, one in enumerate(table, start=1):
        team = teams[int(one.player)]
        team.rank, team.row, team.points = one.rank, row, str(one.points)
        team.board_points = str(totals.get(team.pk, Fraction()))
        team.values = {name: str(value) for name, value in one.values.items()}
        team.explained = _explained(one)
    Team.objects.bulk_update(teams.values(), COLUMNS)
    return table


def counted_matches(division: Division) -> list[TeamMatch]:
    """Work out anew how the boards and matches of *division* stand, which is locked; these are all that have
    begun."""
    matches = matches_with_games(division)
    boards = [board for match in matches for board in match.boards.all()]
    for board in boards:
        points = points_of_board(board)
        board.first_points, board.second_points = points if points is not None else (None, None)
    Board.objects.bulk_update(boards, ["first_points", "second_points"])
    for match in matches:
        _count(match)
    TeamMatch.objects.bulk_update(matches, ["first_points", "second_points", "decided", "winner"])
    return matches


def matches_with_games(division: Division) -> list[TeamMatch]:
    """The matches of *division* that have begun, with their boards and games."""
    begun = division.team_matches.filter(round__lte=division.drawn).order_by("round", "number")
    return list(begun.select_related("division__season").prefetch_related("boards__players__match__fixtures"))


def team_results(division: Division, matches: Sequence[TeamMatch]) -> Results:
    """All that the table of the teams of *division* follows from."""
    teams = division.teams.order_by("pk")
    gone = withdrawn_teams(division)
    return Results(
        entrants=tuple(Entrant(team.pk, Fraction(str(team.rating)), team.pk in gone) for team in teams),
        games=tuple(board_results(matches)),
        byes=(),
        rules=rules_of_teams(division.season),
        season=division.season_id,
    )


def withdrawn_teams(division: Division) -> set[int]:
    """Which teams have withdrawn from *division*, by primary key; who did when their group was finished has
    not, as ``tables.withdrawn`` has it for players."""
    left = division.teams.filter(state=TeamState.WITHDRAWN)
    if division.finished is not None:
        later = Entry.objects.filter(season=division.season_id, withdrew__gt=division.finished)
        left = left.exclude(members__player__in=later.values("player"))
    return set(left.values_list("pk", flat=True))


def board_results(matches: Iterable[TeamMatch]) -> list[GameResult]:
    """The boards of *matches* that are decided, as games of teams."""
    return [
        _board_result(match, board)
        for match in matches
        for board in match.boards.all()
        if board.first_points is not None
    ]


def _count(match: TeamMatch) -> None:
    score = team_score([_points(board) for board in match.boards.all()])
    first, second = score.board_points
    match.first_points, match.second_points, match.decided = str(first), str(second), score.decided
    lead = first - second
    if not lead and match.division.kind == Kind.KNOCK_OUT:
        lead = score_lead(match)
    match.winner_id = (match.first_id if lead > 0 else match.second_id) if score.decided and lead else None


def score_lead(match: TeamMatch) -> Fraction:
    """By how many points the first team of *match* is ahead in all games at boards whose games all have
    scores."""
    scores = [scores for board in match.boards.all() if (scores := _scores(board)) is not None]
    return Fraction(sum(first - second for first, second in scores))


def _points(board: Board) -> Points | None:
    if board.first_points is None or board.second_points is None:
        return None
    return board.first_points, board.second_points


def _board_result(match: TeamMatch, board: Board) -> GameResult:
    """A decided *board* as a game of the two teams; its score is that of all its games, if all have one."""
    points = _points(board)
    assert points is not None
    ranks = {(2, 0): (1, 2), (0, 2): (2, 1), (1, 1): (1, 1), (0, 0): (2, 2)}[int(points[0]), int(points[1])]
    scores = _scores(board)
    teams = match.first_id, match.second_id
    seats = tuple(
        SeatResult(teams[side], ranks[side], scores[side] if scores else None, not scores and ranks[side] > 1)
        for side in (0, 1)
    )
    return GameResult(board.pk, match.pk, teams[board_series(board.number, 1, []).first], seats)


def _scores(board: Board) -> tuple[int, int] | None:
    totals = [0, 0]
    games = games_of(board)
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


def _explained(one: Standing) -> dict[str, Any] | None:
    """What separates a team from the next, as the row keeps it (STAND-12)."""
    why = one.explanation
    if why is None:
        return None
    return {"ahead_of": why.ahead_of, "by": why.criterion, "own": str(why.own), "other": str(why.other)}
