"""Divisions of teams: the stored table, who got what against whom, rounds, and how the players did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from leagues.models import Board, BoardPlayers, Division, Season, Team, TeamMatch, TeamState
from leagues.pages.names import division_name, round_name
from leagues.pages.race import Race, race_of_teams
from leagues.pages.who import Who, who
from leagues.selectors import teams as found
from leagues.words import criteria, teams
from leagues.words.criteria import number


class TeamRow(NamedTuple):
    """A team in the table of a division."""

    rank: str
    who: Who
    points: str
    board_points: str
    why: str  # what separates from the next
    moves: str
    move: str
    gone: bool


class TeamTable(NamedTuple):
    """A division of teams with its table."""

    name: str
    url: str
    rows: list[TeamRow]


class TeamCrossRow(NamedTuple):
    """What a team got against each of the others, in the order of the table."""

    number: int
    who: Who
    cells: list[str]


class MeetingLine(NamedTuple):
    """Two teams who meet."""

    round: str
    first: Who
    second: Who
    score: str  # empty before it begins
    url: str
    state: str


class PlayerLine(NamedTuple):
    """How a player did at the boards of a team."""

    who: Who
    team: Who
    boards: str
    won: str
    games: str  # won and lost


@dataclass(slots=True)
class Record:
    """What a player has played at boards; an even board or game is half a win."""

    boards: int = 0
    won: Fraction = Fraction()
    games: int = 0
    games_won: Fraction = Fraction()


@dataclass(frozen=True, slots=True)
class TeamDivisionPage:
    """A division of teams as anybody sees it."""

    name: str
    season: str
    season_url: str
    table: TeamTable
    cross: list[TeamCrossRow]
    round: int
    rounds: list[tuple[int, bool]]  # and whether it is this one
    matches: list[MeetingLine]
    byes: list[Who]
    players: list[PlayerLine]
    race: Race | None


def team_who(team: Team, season: Season) -> Who:
    """The name of *team*, which leads to its page."""
    return Who(team.name, reverse("league:team", args=[season.league.slug, season.number, team.pk]))


def tables_of(season: Season, divisions: Iterable[Division]) -> list[TeamTable]:
    """The tables of *divisions*, which were read with their teams."""
    return [table_of(season, division, division.table) for division in divisions]  # type: ignore[attr-defined]


def table_of(season: Season, division: Division, rows: Sequence[Team]) -> TeamTable:
    url = reverse("league:division", args=[season.league.slug, season.number, division.level])
    names = {team.pk: team.name for team in rows}
    return TeamTable(division_name(division), url, [_row(season, team, names) for team in rows])


def _row(season: Season, team: Team, names: dict[int, str]) -> TeamRow:
    explained = team.explained
    next_one = names.get(int(explained["ahead_of"]), "") if explained else ""
    return TeamRow(
        rank=str(team.rank or ""),
        who=team_who(team, season),
        points=number(team.points),
        board_points=number(team.board_points),
        why=criteria.why(explained, next_one, teams.NAMES) if next_one else "",
        moves=team.moves,
        move=str(criteria.MOVES[team.moves]) if team.moves else "",
        gone=team.state == TeamState.WITHDRAWN,
    )


def division_page(division: Division, season_name: str, asked: str | None) -> TeamDivisionPage:
    """*division* with the round *asked* for, or else the one that is played, or comes first."""
    season = division.season
    rows = found.table_of(division)
    matches = list(found.matches_of(division))
    last = max(1, division.rounds)
    shown = int(asked) if asked and asked.isdecimal() and 1 <= int(asked[:4]) <= last else 0
    shown = shown or max(1, division.drawn)
    here = [match for match in matches if match.round == shown]
    playing = {pk for match in here for pk in (match.first_id, match.second_id)}
    return TeamDivisionPage(
        name=division_name(division),
        season=season_name,
        season_url=reverse("league:season", args=[season.league.slug, season.number]),
        table=table_of(season, division, rows),
        cross=_cross(season, rows, matches, division.drawn),
        round=shown,
        rounds=[(n, n == shown) for n in range(1, last + 1)] if last > 1 else [],
        matches=[meeting_line(season, division, match) for match in here],
        byes=[team_who(team, season) for team in rows if team.pk not in playing] if here else [],
        players=player_lines(season, matches),
        race=race_of_teams([(team.pk, team_who(team, season)) for team in rows], matches),
    )


def _cross(
    season: Season, rows: Sequence[Team], matches: Sequence[TeamMatch], drawn: int
) -> list[TeamCrossRow]:
    """Nothing before the first round."""
    got: dict[tuple[int, int], Fraction] = {}
    for match in matches:
        if match.round <= drawn:
            pair = match.first_id, match.second_id
            got[pair] = got.get(pair, Fraction()) + Fraction(match.first_points)
            got[pair[::-1]] = got.get(pair[::-1], Fraction()) + Fraction(match.second_points)
    if not got:
        return []
    return [
        TeamCrossRow(at, team_who(team, season), [_cell(got, team, other) for other in rows])
        for at, team in enumerate(rows, start=1)
    ]


def _cell(got: dict[tuple[int, int], Fraction], team: Team, other: Team) -> str:
    if team is other:
        return "×"
    own = got.get((team.pk, other.pk))
    return "" if own is None else f"{number(own)}:{number(got[other.pk, team.pk])}"


def meeting_line(season: Season, division: Division, match: TeamMatch) -> MeetingLine:
    """A match of teams in a list; one that has begun has a score."""
    return MeetingLine(
        round=round_name(division, match.round, match.number),
        first=team_who(match.first, season),
        second=team_who(match.second, season),
        score=score(match),
        url=reverse(
            "league:team_match",
            args=[season.league.slug, season.number, division.level, match.round, match.number],
        ),
        state=state(match),
    )


def score(match: TeamMatch) -> str:
    """Board points of a match that was read with its boards; nothing before it begins."""
    if not match.boards.all():
        return ""
    return f"{number(match.first_points)}:{number(match.second_points)}"


def state(match: TeamMatch) -> str:
    """How far a match has come, read with its boards."""
    boards = match.boards.all()
    if not boards:
        return _("begins {when}").format(when=teams.when(match.begins))
    if match.over:
        return _("over")
    return _("decided; some boards are still played") if match.decided else _("being played")


def records(matches: Iterable[TeamMatch]) -> dict[int, Record]:
    """How each player did at the boards of *matches*, by primary key. A board that two have played in turn
    is won by who ended it."""
    kept: dict[int, Record] = {}
    for match in matches:
        for board in match.boards.all():
            for players in board.players.all():
                for side, player in enumerate((players.first_id, players.second_id)):
                    if player is not None and players.match is not None:
                        _count(kept.setdefault(player, Record()), board, players, side)
    return kept


def _count(record: Record, board: Board, players: BoardPlayers, side: int) -> None:
    assert players.match is not None
    player = (players.first_id, players.second_id)[side]
    games = [fixture for fixture in players.match.fixtures.all() if fixture.seats is not None]
    record.boards += 1
    record.games += len(games)
    for game in games:
        first = [seat["player"] for seat in game.seats or () if seat["rank"] == 1]
        record.games_won += Fraction(player in first, len(first) or 1)
    points = (board.first_points, board.second_points)[side]
    if points is not None and players == board.players.all()[len(board.players.all()) - 1]:
        record.won += Fraction(points, 2)


def player_lines(season: Season, matches: Sequence[TeamMatch]) -> list[PlayerLine]:
    """Who has played, the most boards won first."""
    people: dict[int, tuple[Who, Who]] = {}
    for match in matches:
        first, second = team_who(match.first, season), team_who(match.second, season)
        for board in match.boards.all():
            for players in board.players.all():
                for player, team in ((players.first, first), (players.second, second)):
                    if player is not None:
                        people[player.pk] = who(player), team
    kept = records(matches)
    order = sorted(
        kept, key=lambda pk: (-kept[pk].won, kept[pk].boards, -kept[pk].games_won, people[pk][0].name)
    )
    return [PlayerLine(*people[pk], *told(kept[pk])) for pk in order]


def told(record: Record) -> tuple[str, str, str]:
    """Boards, boards won, and games won and lost."""
    lost = record.games - record.games_won
    return str(record.boards), number(record.won), f"{number(record.games_won)}:{number(lost)}"
