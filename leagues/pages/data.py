"""Export of a season: tables and games as CSV, or everything as JSON, streamed row by row."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from core.outputs import clean_for_cell
from leagues.models import Board, Entry, EntryState, Fixture, Season, Seed, Team, TeamMatch
from leagues.selectors import feed as found

TABLES = ("division", "row", "rank", "player", "points", "moves", "withdrawn", "penalty")
TEAMS = ("division", "row", "rank", "team", "points", "board_points", "moves", "withdrawn", "penalty")
GAMES = ("division", "round", "table", "number", "game", "settled", "struck", "seats")


class _Line:
    """File-like object whose ``write`` returns the line, for ``csv.writer``."""

    def write(self, line: str) -> str:
        return line


def list_table_rows(season: Season) -> Iterator[dict[str, Any]]:
    """The rows of all tables, the highest division first; points are fractions."""
    for entry in found.load_table_rows(season):
        yield _row(entry, {"player": str(entry.player), "points": entry.points})
    for seed in found.load_bracket_rows(season):
        if seed.player is not None:
            yield _place(seed, "player", str(seed.player))


def list_team_rows(season: Season) -> Iterator[dict[str, Any]]:
    """Yield the rows of the tables of teams, the highest division first."""
    for team in found.load_team_rows(season):
        yield _row(team, {"team": team.name, "points": team.points, "board_points": team.board_points})
    for seed in found.load_bracket_rows(season):
        if seed.team is not None:
            yield _place(seed, "team", seed.team.name) | {"board_points": ""}


def team_matches(season: Season) -> Iterator[dict[str, Any]]:
    """The matches of teams that have begun, board by board."""
    return (_team_match(match) for match in found.load_team_results(season))


def list_game_rows(season: Season) -> Iterator[dict[str, Any]]:
    """Yield the public games that count."""
    names = found.load_names(season)
    return (_game(fixture, names) for fixture in found.load_results(season))


def render_csv(columns: tuple[str, ...], rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield *rows* as lines of CSV; the players of a game are in one column: "Anna 1 90; Bruno 2 70"."""
    writer = csv.writer(_Line())
    yield writer.writerow(columns)
    for row in rows:
        yield writer.writerow([_cell(row[column]) for column in columns])


def render_json(season: Season) -> Iterator[str]:
    """Yield all of *season* as JSON, a row at a time."""
    head = {
        "league": season.league.slug,
        "season": season.number,
        "phase": season.phase,
        "begins": season.begins.isoformat(),
        "ends": season.ends.isoformat(),
        "settings": season.agreed,
    }
    yield json.dumps(head)[:-1]
    listed = [("tables", list_table_rows(season)), ("games", list_game_rows(season))]
    if season.settings.teams is not None:
        listed += [("teams", list_team_rows(season)), ("team_matches", team_matches(season))]
    for name, rows in listed:
        yield f', "{name}": ['
        for at, row in enumerate(rows):
            yield (", " if at else "") + json.dumps(row)
        yield "]"
    yield "}"


def _row(one: Entry | Team, named: dict[str, Any]) -> dict[str, Any]:
    assert one.division is not None
    return {
        "division": one.division.level,
        "row": one.row,
        "rank": one.rank,
        **named,
        "penalty": str(Fraction(one.penalty)),
        "moves": one.moves,
        "withdrawn": one.state == EntryState.WITHDRAWN,
    }


def _place(seed: Seed, kind: str, name: str) -> dict[str, Any]:
    """A row of a knock-out after groups, which has no points."""
    return {
        "division": seed.division.level,
        "row": None,
        "rank": seed.rank,
        kind: name,
        "points": "",
        "penalty": "",
        "moves": "",
        "withdrawn": False,
    }


def _team_match(match: TeamMatch) -> dict[str, Any]:
    return {
        "division": match.division.level,
        "round": match.round,
        "table": match.number,
        "begins": match.begins.isoformat(),
        "teams": [match.first.name, match.second.name],
        "board_points": [match.first_points, match.second_points],
        "decided": match.decided,
        "winner": match.winner.name if match.winner is not None else None,
        "boards": [_board(board) for board in match.boards.all()],
    }


def _board(board: Board) -> dict[str, Any]:
    """The players of both teams at *board*, and its match points; None while it is not decided."""
    return {
        "board": board.number,
        "players": [
            [str(one.first) if one.first else None, str(one.second) if one.second else None]
            for one in board.players.all()
        ],
        "points": [board.first_points, board.second_points],
    }


def _game(fixture: Fixture, names: dict[int, str]) -> dict[str, Any]:
    match = fixture.match
    seats = [
        {
            "player": names.get(seat["player"], ""),
            "rank": seat["rank"],
            "score": seat["score"],
            "forfeit": seat["forfeit"],
        }
        for seat in fixture.seats or ()
    ]
    return {
        "division": match.division.level,
        "round": match.round,
        "table": match.number,
        "number": fixture.number,
        "game": fixture.game.code if fixture.game is not None else None,
        "settled": fixture.settled.isoformat() if fixture.settled else None,
        "struck": fixture.struck,
        "seats": seats,
    }


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, list):
        value = "; ".join(_seat(seat) for seat in value)
    return clean_for_cell(value)


def _seat(seat: dict[str, Any]) -> str:
    told = [seat["player"], str(seat["rank"])]
    if seat["score"] is not None:
        told.append(str(seat["score"]))
    if seat["forfeit"]:
        told.append("forfeit")
    return " ".join(told)
