"""Seasons at tables (STAND-14): who meets whom how often, who begins, who sits out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement

import pytest

from leagues.schedules import Round, first_seats, meetings, table_sizes, tables
from leagues.schedules.seat_order import seated

Season = tuple[Round[int], ...]


def spread(counted: Sequence[int]) -> int:
    return max(counted) - min(counted)


def meeting_spread(players: int, season: Season) -> int:
    met = meetings(season)
    return spread([met[frozenset(pair)] for pair in combinations(range(players), 2)])


def bye_spread(players: int, season: Season) -> int:
    byes = Counter(player for each in season for player in each.byes)
    return spread([byes[player] for player in range(players)])


def first_seat_spread(players: int, season: Season) -> int:
    firsts = first_seats(season)
    return spread([firsts[player] for player in range(players)])


class TestMeetings:
    @pytest.mark.parametrize(
        ("players", "seats", "rounds", "times"),
        [
            (8, 4, 7, 3),  # the season of a division of eight
            (9, 3, 4, 1),  # the lines of the plane of order three
            (16, 4, 5, 1),  # of order four
            (25, 5, 6, 1),  # of order five
            (15, 3, 7, 1),  # Kirkman's schoolgirls
            (6, 3, 10, 4),
            (12, 3, 11, 2),
            (12, 4, 11, 3),
            (12, 6, 11, 5),
            (20, 4, 19, 3),
            (9, 4, 9, 3),  # everybody sits out once
            (13, 4, 13, 3),
        ],
    )
    def test_where_all_pairs_can_meet_equally_often_they_do(
        self, players: int, seats: int, rounds: int, times: int
    ) -> None:
        season = tables(range(players), seats, rounds, "spring")
        met = meetings(season)
        assert {met[frozenset(pair)] for pair in combinations(range(players), 2)} == {times}
        assert first_seat_spread(players, season) <= 1

    @pytest.mark.parametrize(
        ("players", "seats", "rounds"),
        [(8, 4, 6), (20, 4, 5), (28, 4, 7), (21, 3, 7), (30, 3, 10), (10, 3, 8), (16, 4, 8), (12, 3, 4)],
    )
    def test_where_all_pairs_can_nearly_meet_equally_often_they_do(
        self, players: int, seats: int, rounds: int
    ) -> None:
        assert meeting_spread(players, tables(range(players), seats, rounds, "spring")) == 1

    @pytest.mark.parametrize(
        ("players", "seats", "rounds", "steps"),
        [(12, 4, 5, 5_000), (10, 4, 6, 5_000), (24, 6, 8, 50_000), (14, 5, 9, 5_000), (11, 4, 8, 5_000)],
    )
    def test_elsewhere_the_extremes_are_kept_near(
        self, players: int, seats: int, rounds: int, steps: int
    ) -> None:
        season = tables(range(players), seats, rounds, "spring", steps=steps)
        assert meeting_spread(players, season) == 2

    @pytest.mark.parametrize("rounds", [1, 2, 3, 4])
    def test_eight_players_can_not_do_better_in_a_short_season(self, rounds: int) -> None:
        """All seasons there are: each round is one of the 35 ways to halve eight players."""
        halves = [half for half in combinations(range(8), 4) if 0 in half]
        together = [
            [(one in half) == (other in half) for one, other in combinations(range(8), 2)] for half in halves
        ]
        least = min(
            spread([sum(pair) for pair in zip(*(together[way] for way in ways), strict=True)])
            # The players can be renamed, so that any way can be the first.
            for ways in ((0, *rest) for rest in combinations_with_replacement(range(35), rounds - 1))
        )
        assert meeting_spread(8, tables(range(8), 4, rounds, "spring", steps=3_000)) == least

    @pytest.mark.parametrize(
        ("players", "seats", "rounds"),
        [
            (players, seats, rounds)
            for seats in (3, 4, 5, 6)
            for players in range(seats + 1, 31)
            for rounds in (3, 6, 9)
            if (players + 3 * seats + rounds) % 16 == 0
        ],
    )
    def test_no_pair_meets_four_times_more_often_than_another(
        self, players: int, seats: int, rounds: int
    ) -> None:
        season = tables(range(players), seats, rounds, "spring", steps=4_000)
        assert meeting_spread(players, season) <= 3
        assert first_seat_spread(players, season) <= 1
        assert bye_spread(players, season) <= 1


class TestSeats:
    @pytest.mark.parametrize("smaller", [False, True])
    @pytest.mark.parametrize("seats", [3, 4, 5, 6])
    @pytest.mark.parametrize("players", range(7, 31))
    def test_first_seats_and_byes_differ_by_one_for_any_number(
        self, players: int, seats: int, smaller: bool
    ) -> None:
        for rounds in (1, 5):
            season = tables(range(players), seats, rounds, "x", smaller=smaller, steps=50)
            assert first_seat_spread(players, season) <= 1
            assert bye_spread(players, season) <= 1
            for each in season:
                sat = [player for pairing in each.pairings for player in pairing.players] + list(each.byes)
                assert sorted(sat) == list(range(players))
                sizes = tuple(len(pairing.players) for pairing in each.pairings)
                assert sizes == table_sizes(players, seats, smaller=smaller)

    def test_a_seat_is_handed_on_over_several_tables(self) -> None:
        """Taken one after the other one player has none and another two, and the two never sit together."""
        given = [(2, 4), (4, 3), (0, 1), (0, 2), (0, 1), (1, 4)]
        firsts = Counter(order[0] for order in seated(given))
        assert sorted(firsts.values()) == [1, 1, 1, 1, 2]
        assert [set(order) for order in seated(given)] == [set(table) for table in given]


class TestSizes:
    @pytest.mark.parametrize(
        ("players", "seats", "smaller", "sizes"),
        [
            (8, 4, False, (4, 4)),
            (11, 4, False, (4, 4)),
            (11, 4, True, (4, 4, 3)),
            (9, 4, True, (3, 3, 3)),
            (5, 4, True, (4,)),  # 3 and 2 would not do
            (3, 4, True, (3,)),
            (11, 3, True, (3, 3, 3)),  # a table of two is a duel
            (10, 6, True, (5, 5)),
            (13, 6, True, (6, 6)),  # three tables of five need fifteen
        ],
    )
    def test_tables_of_a_round(self, players: int, seats: int, smaller: bool, sizes: tuple[int, ...]) -> None:
        assert table_sizes(players, seats, smaller=smaller) == sizes

    @pytest.mark.parametrize(("players", "seats"), [(8, 2), (8, 7), (3, 4), (0, 3)])
    def test_what_is_no_table_is_refused(self, players: int, seats: int) -> None:
        with pytest.raises(ValueError):
            tables(range(players), seats, 3, "x")

    def test_there_must_be_rounds_and_nobody_twice(self) -> None:
        with pytest.raises(ValueError):
            tables(range(8), 4, 0, "x")
        with pytest.raises(ValueError):
            tables([1, 2, 3, 1], 4, 1, "x")


class TestSeed:
    def test_the_same_seed_gives_the_same_season(self) -> None:
        assert tables(range(12), 4, 5, "a", steps=5000) == tables(range(12), 4, 5, "a", steps=5000)

    def test_another_seed_gives_others_the_parts(self) -> None:
        assert tables(range(8), 4, 7, "a") != tables(range(8), 4, 7, "b")

    def test_a_seed_of_last_year_still_gives_the_same_season(self) -> None:
        """Written down once; a change of it would draw other seasons from the same seed."""
        season = tables("ABCDEFGH", 4, 2, "spring", steps=100)
        assert [["".join(pairing.players) for pairing in each.pairings] for each in season] == [
            ["HGBE", "DFCA"],
            ["AEDG", "BCFH"],
        ]
