"""Tests of cross tables."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given

from leagues.standings import Rules, build_cross_table, division_from_json, list_contests
from leagues.standings.cross_table import CrossTableCell
from tests.leagues.lines import Line, divisions

from .property_helpers import repeatable
from .result_helpers import make_game_result


def test_a_match_has_its_points_and_its_games() -> None:
    games = [
        make_game_result("Ann Bob", 1, 2),
        make_game_result("Bob Ann", 1, 1),
        make_game_result("Ann Bob", 1, 2, forfeit=True),
    ]
    table = build_cross_table(games, Rules.usual(2, best_of=3))
    assert table["Ann"]["Bob"] == CrossTableCell(points=Fraction(2), won=2, even=1, lost=0)
    assert table["Bob"]["Ann"] == CrossTableCell(points=Fraction(), won=0, even=1, lost=2)


def test_a_running_match_has_games_and_no_points() -> None:
    cell = build_cross_table([make_game_result("Ann Bob", 1, 2)], Rules.usual(2, best_of=3))["Ann"]["Bob"]
    assert (cell.points, cell.won, cell.games) == (0, 1, 1)


def test_at_a_table_each_pair_is_compared() -> None:
    table = build_cross_table(
        [make_game_result("Ann Bob Cid", 1, 1, 3), make_game_result("Cid Ann Dee", 1, 2, 3)], Rules.usual(3)
    )
    assert {name: cell.points for name, cell in table["Ann"].items()} == {"Bob": 1, "Cid": 2, "Dee": 2}
    assert (table["Cid"]["Ann"].won, table["Cid"]["Ann"].lost) == (1, 1)
    assert "Dee" not in table["Bob"]


def test_what_is_struck_is_not_in_it() -> None:
    assert build_cross_table([make_game_result("Ann Bob", 1, 2, struck=True)], Rules.usual(2)) == {}


@repeatable
@given(divisions())
def test_rows_and_columns_agree(line: Line) -> None:
    division = division_from_json(line)
    table = build_cross_table(division.games, division.rules)
    for player, row in table.items():
        for other, cell in row.items():
            back = table[other][player]
            assert (cell.won, cell.even) == (back.lost, back.even)
    if division.rules.duels:
        for player in (entrant.id for entrant in division.entrants):
            theirs = [one for one in list_contests(division.games, division.rules) if player in one.players]
            points = sum((one.points[one.seat(player)] for one in theirs), Fraction())
            assert sum((cell.points for cell in table.get(player, {}).values()), Fraction()) == points
