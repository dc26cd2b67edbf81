"""Tests that blocked players meet as little as a schedule allows."""

import random
from itertools import combinations

from leagues.schedules.rounds import count_meetings
from leagues.schedules.separation import separate_pairs
from leagues.schedules.tables import assign_tables
from tests.cases import for_each


def pairs(*names: str) -> list[frozenset[str]]:
    return [frozenset(name) for name in names]


def drawn(*divisions: str, movable: str, apart: list[frozenset[str]]) -> list[str]:
    return ["".join(one) for one in separate_pairs(divisions, movable, apart)]


def test_without_pairs_divisions_stay_as_they_are() -> None:
    assert drawn("ABC", "DEF", movable="ABCDEF", apart=[]) == ["ABC", "DEF"]


def test_who_must_move_changes_with_the_nearest() -> None:
    assert drawn("ABC", "DEF", movable="ABCDEF", apart=pairs("AB")) == ["ADC", "BEF"]
    assert drawn("ABC", "DEF", movable="ABCDEF", apart=pairs("EF")) == ["ABE", "DCF"]


def test_who_may_not_move_stays() -> None:
    assert drawn("ABC", "DEF", movable="AE", apart=pairs("AB")) == ["EBC", "DAF"]
    assert drawn("ABC", "DEF", movable="DEF", apart=pairs("AB")) == ["ABC", "DEF"]


def test_no_other_pair_is_brought_together() -> None:
    found = separate_pairs(["ABC", "DEF"], "ABCDEF", pairs("AB", "AD", "BE"))
    together = [set(pair) for division in found for pair in combinations(division, 2)]
    assert not any(set(pair) in together for pair in pairs("AB", "AD", "BE"))


def test_who_is_not_there_is_no_matter() -> None:
    assert drawn("ABC", "DEF", movable="ABCDEF", apart=pairs("AZ")) == ["ABC", "DEF"]


@for_each("seed", range(20))
def test_sizes_and_players_stay_and_it_is_never_worse(seed: int) -> None:
    lot = random.Random(seed)
    players = list(range(20))
    divisions = [players[:6], players[6:12], players[12:]]
    apart = [frozenset(lot.sample(players, 2)) for _ in range(lot.randrange(8))]
    movable = lot.sample(players, lot.randrange(20))

    def together(divided: list[list[int]]) -> int:
        return sum(pair <= set(division) for pair in apart for division in divided)

    found = separate_pairs(divisions, movable, apart)
    assert [len(division) for division in found] == [6, 6, 8]
    assert sorted(player for division in found for player in division) == players
    assert together(found) <= together(divisions)
    moved = {
        player for before, after in zip(divisions, found, strict=True) for player in set(before) ^ set(after)
    }
    assert moved <= set(movable)


def test_at_tables_they_never_meet_where_some_never_do() -> None:
    season = assign_tables("ABCDEFGHI", seats=3, rounds=2, seed="spring", apart=pairs("AB", "CD", "EF"))
    met = count_meetings(season)
    assert [met[pair] for pair in pairs("AB", "CD", "EF")] == [0, 0, 0]


def test_where_all_pairs_meet_they_meet_too() -> None:
    season = assign_tables("ABCDEFGH", seats=4, rounds=7, seed="spring", apart=pairs("AB"))
    assert set(count_meetings(season).values()) == {3}


def test_a_draw_without_pairs_is_what_it_always_was() -> None:
    assert assign_tables("ABCDEFG", 3, 2, "spring") == assign_tables("ABCDEFG", 3, 2, "spring", apart=pairs())
