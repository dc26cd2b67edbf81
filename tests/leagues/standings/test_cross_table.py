"""Who got what against whom."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given

from leagues.standings import Rules, contests, cross_table, division_from_json
from leagues.standings.cross_table import Cell
from tests.leagues.lines import Line, divisions

from .test_points import game
from .test_recomputation import some


def test_a_match_has_its_points_and_its_games() -> None:
    games = [game("Ann Bob", 1, 2), game("Bob Ann", 1, 1), game("Ann Bob", 1, 2, forfeit=True)]
    table = cross_table(games, Rules.usual(2, best_of=3))
    assert table["Ann"]["Bob"] == Cell(points=Fraction(2), won=2, even=1, lost=0, forfeits=1)
    assert table["Bob"]["Ann"] == Cell(points=Fraction(), won=0, even=1, lost=2, forfeits=1)


def test_a_running_match_has_games_and_no_points() -> None:
    cell = cross_table([game("Ann Bob", 1, 2)], Rules.usual(2, best_of=3))["Ann"]["Bob"]
    assert (cell.points, cell.won, cell.games) == (0, 1, 1)


def test_at_a_table_each_pair_is_compared() -> None:
    table = cross_table([game("Ann Bob Cid", 1, 1, 3), game("Cid Ann Dee", 1, 2, 3)], Rules.usual(3))
    assert {name: cell.points for name, cell in table["Ann"].items()} == {"Bob": 1, "Cid": 2, "Dee": 2}
    assert (table["Cid"]["Ann"].won, table["Cid"]["Ann"].lost) == (1, 1)
    assert "Dee" not in table["Bob"]


def test_what_is_struck_is_not_in_it() -> None:
    assert cross_table([game("Ann Bob", 1, 2, struck=True)], Rules.usual(2)) == {}


@some
@given(divisions())
def test_rows_and_columns_agree(line: Line) -> None:
    division = division_from_json(line)
    table = cross_table(division.games, division.rules)
    for player, row in table.items():
        for other, cell in row.items():
            back = table[other][player]
            assert (cell.won, cell.even, cell.forfeits) == (back.lost, back.even, back.forfeits)
    if division.rules.duels:
        for player in (entrant.id for entrant in division.entrants):
            theirs = [one for one in contests(division.games, division.rules) if player in one.players]
            points = sum((one.points[one.seat(player)] for one in theirs), Fraction())
            assert sum((cell.points for cell in table.get(player, {}).values()), Fraction()) == points
