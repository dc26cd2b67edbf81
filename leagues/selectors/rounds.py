"""A division of players or teams: its table, cross table, and the matches of a round."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from games.access import Visitor
from leagues.models import Division, Entry, Team, TeamMatch
from leagues.seasons.tables import build_game_result
from leagues.selectors import teams
from leagues.selectors.board_records import rank_players
from leagues.selectors.leagues import (
    connect_table,
    load_byes,
    load_matches,
    load_settled_games,
    load_table,
)
from leagues.selectors.round_deals import load_comparisons
from leagues.selectors.swiss_table import load_swiss_table
from leagues.standings import CrossTable, CrossTableCell, build_cross_table
from leagues.words.criteria import format_number

AnyContender = TypeVar("AnyContender", Entry, Team)
Scores = Mapping[tuple[Any, Any], str]
"""Scores between two players or teams, by their keys."""


def load_division_of_players(division: Division, asked: str | None, visitor: Visitor) -> dict[str, Any]:
    """Return what the page of *division* shows to *visitor*, with the round *asked* for, or else the last one
    that is drawn."""
    entries = load_table(division)
    rows = connect_table(division, entries)
    settled, byes = load_settled_games(division), load_byes(division)
    shown = _read_round(asked, division.drawn, division)
    matches = list(load_matches(division, shown))
    sitting_out = {player for round, player in byes if round == shown}
    context = {
        "rows": rows,
        "round": shown,
        "rounds": _list_rounds(division.drawn),
        "matches": matches,
        "comparisons": load_comparisons(division, shown, matches, visitor),
        "byes": [entry for entry in entries if entry.player_id in sitting_out],
        "withdrawn": [entry for entry in rows if entry.has_withdrawn],
    }
    if not division.format.has_cross_table:
        return context | {"swiss": load_swiss_table(division, entries, settled, byes)}
    crossed = build_cross_table(map(build_game_result, settled), division.season.settings.standings)
    return context | {"cross": _cross(entries, _score_games(crossed), crossed)}


def load_division_of_teams(division: Division, asked: str | None) -> dict[str, Any]:
    """Return what the page of *division* shows. All its rounds can be selected from the beginning."""
    all_teams = teams.load_table(division)
    rows = connect_table(division, all_teams)
    matches = teams.load_matches(division)
    shown = _read_round(asked, division.rounds, division)
    here = [match for match in matches if match.round == shown]
    playing = {pk for match in here for pk in (match.first_id, match.second_id)}
    return {
        "rows": rows,
        "round": shown,
        "rounds": _list_rounds(division.rounds),
        "meetings": here,
        "byes": [team for team in all_teams if team.pk not in playing] if here else [],
        "cross": _cross(all_teams, _score_boards(matches, division.drawn)),
        "players": rank_players(matches),
    }


def _list_rounds(last: int) -> range:
    """The rounds that can be selected, if there are several."""
    return range(1, last + 1) if last > 1 else range(0)


def _read_round(asked: str | None, last: int, division: Division) -> int:
    """Parse the number of the round that was *asked* for, up to *last*; else the last one that is drawn."""
    known = asked is not None and asked.isdecimal() and len(asked) <= len(str(max(1, last)))
    number = int(asked) if asked and known else 0
    return number if 1 <= number <= max(1, last) else max(1, division.drawn)


def _cross(
    rows: Sequence[AnyContender], scores: Scores, crossed: CrossTable | None = None
) -> list[tuple[AnyContender, list[str], list[int]]]:
    """The *rows* with their scores against each other, and the totals of players; none before the first
    result."""
    return [
        (
            row,
            ["×" if other is row else scores.get((row.holder, other.holder), "") for other in rows],
            _total_games(crossed.get(row.holder, {}).values()) if crossed else [],
        )
        for row in rows
        if scores
    ]


def _total_games(cells: Collection[CrossTableCell]) -> list[int]:
    """The games before, level with and after another player."""
    return [sum(getattr(cell, name) for cell in cells) for name in ("won", "even", "lost")]


def _score_games(crossed: CrossTable) -> Scores:
    """The games in which the first was above the other, and below; half each where they were level."""
    return {
        (own, other): _ratio(cell.won + Fraction(cell.even, 2), cell.lost + Fraction(cell.even, 2))
        for own, cells in crossed.items()
        for other, cell in cells.items()
    }


def _score_boards(matches: Iterable[TeamMatch], drawn: int) -> Scores:
    got: dict[tuple[int, int], Fraction] = {}
    for match in matches:
        if match.round <= drawn:
            pair = match.first_id, match.second_id
            got[pair] = got.get(pair, Fraction()) + Fraction(match.first_points)
            got[pair[::-1]] = got.get(pair[::-1], Fraction()) + Fraction(match.second_points)
    return {pair: _ratio(points, got[pair[::-1]]) for pair, points in got.items()}


def _ratio(own: Fraction, other: Fraction) -> str:
    return f"{format_number(own)}:{format_number(other)}"
