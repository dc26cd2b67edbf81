"""Results as plain values: of contenders, games, boards and matches.

Three readers put them together: exports, the news feed, and the lines of ``simulate_league --json``.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from leagues.models import Board, Entry, EntryState, Fixture, Match, Seed, Team, TeamMatch
from leagues.seasons.tables import build_game_result
from leagues.standings import game_to_json

Record = dict[str, Any]


def serialise_game(
    fixture: Fixture, *, draw: int | None = None, names: Mapping[int, str] | None = None
) -> Record:
    """Return the settled game of *fixture*, with its shared *draw*; players by primary key, or by *names*."""
    game = game_to_json(build_game_result(fixture, draw))
    if names is not None:
        game["seats"] = [seat | {"player": names.get(seat["player"], "")} for seat in game["seats"]]
    return game


def count_games_won(match: Match) -> dict[int, Fraction]:
    """Count the games won by each player of *match*, by primary key; a shared first place is a part."""
    won = {seat.player_id: Fraction() for seat in match.seats.all()}
    for fixture in match.fixtures.all():
        first = [seat["player"] for seat in fixture.seats or () if seat["rank"] == 1]
        for player in first:
            if player in won:
                won[player] += Fraction(1, len(first))
    return won


def serialise_points(contender: Entry | Team) -> Record:
    """Return the points of *contender*, fractions as text; of teams also board points."""
    of_boards = {"board_points": contender.board_points} if isinstance(contender, Team) else {}
    return {"points": contender.points, **of_boards}


def serialise_standing(contender: Entry | Team) -> Record:
    """Return the standing of *contender*, with the criteria that were needed."""
    return {
        "player": contender.holder,
        "rank": contender.rank,
        **serialise_points(contender),
        "values": contender.values,
    }


def serialise_row(contender: Entry | Team) -> Record:
    """Return the row of *contender* in a table of a season."""
    assert contender.division is not None
    return {
        "division": contender.division.level,
        "row": contender.row,
        "rank": contender.rank,
        "team" if isinstance(contender, Team) else "player": contender.name,
        **serialise_points(contender),
        "penalty": str(Fraction(contender.penalty)),
        "moves": contender.moves,
        "withdrawn": contender.state == EntryState.WITHDRAWN,
    }


def serialise_place(seed: Seed) -> Record:
    """Return the row of *seed* in a knock-out after groups, which has no points."""
    return {
        "division": seed.division.level,
        "row": None,
        "rank": seed.rank,
        "team" if seed.team is not None else "player": str(seed.contender),
        "points": "",
        "penalty": "",
        "moves": "",
        "withdrawn": False,
        **({"board_points": ""} if seed.team is not None else {}),
    }


def serialise_team_match(match: TeamMatch) -> Record:
    """Return *match*, which was read with its boards."""
    return {
        "division": match.division.level,
        "round": match.round,
        "table": match.number,
        "begins": match.begins.isoformat(),
        "teams": [match.first.name, match.second.name],
        "board_points": [match.first_points, match.second_points],
        "decided": match.decided,
        "winner": match.winner.name if match.winner is not None else None,
        "boards": [_serialise_board(board) for board in match.boards.all()],
    }


def _serialise_board(board: Board) -> Record:
    """The players of both teams at *board*, and its match points; None while it is not decided."""
    return {
        "board": board.number,
        "players": [
            [str(one.first) if one.first else None, str(one.second) if one.second else None]
            for one in board.players.all()
        ],
        "points": [board.first_points, board.second_points],
    }
