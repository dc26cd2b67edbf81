"""Tests of seasons at tables (STAND-14): meetings, first seats, and byes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from io import StringIO
from itertools import combinations, combinations_with_replacement
from pathlib import Path

import pytest
from django.core.management import call_command

from leagues.management.commands import improve_tables
from leagues.management.commands.improve_tables import list_usual_shapes
from leagues.schedules import Round, assign_tables, choose_table_sizes, count_first_seats, count_meetings
from leagues.schedules.seat_order import assign_seats
from leagues.schedules.table_search import SeasonShape, measure_unevenness, search_rounds
from leagues.schedules.tables import STORED, format_stored, load_stored
from tests.cases import for_each

Season = tuple[Round[int], ...]


def spread(counted: Sequence[int]) -> int:
    return max(counted) - min(counted)


def meeting_spread(players: int, season: Season) -> int:
    met = count_meetings(season)
    return spread([met[frozenset(pair)] for pair in combinations(range(players), 2)])


def bye_spread(players: int, season: Season) -> int:
    byes = Counter(player for each in season for player in each.byes)
    return spread([byes[player] for player in range(players)])


def first_seat_spread(players: int, season: Season) -> int:
    firsts = count_first_seats(season)
    return spread([firsts[player] for player in range(players)])


@pytest.fixture
def brief_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit the search to a few steps: the invariants hold then, too."""
    brief = partial(search_rounds, tries=1, steps=2)
    monkeypatch.setattr(import_module("leagues.schedules.tables"), "search_rounds", brief)


class TestStored:
    @for_each("shape", sorted(load_stored()))
    def test_a_stored_season_is_fair(self, shape: SeasonShape) -> None:
        stored = load_stored()[shape]
        season = assign_tables(range(shape.players), max(shape.sizes), shape.rounds, "spring")
        assert len(stored) == len(season) == shape.rounds
        for each in stored:
            assert sorted(player for table in each for player in table) == list(range(shape.players))
            assert tuple(map(len, each))[: len(shape.sizes)] == shape.sizes
        assert first_seat_spread(shape.players, season) <= 1
        assert bye_spread(shape.players, season) <= 1
        most = 2 if max(shape.sizes) <= 4 else 3
        assert shape.least_difference <= meeting_spread(shape.players, season) <= most

    def test_all_usual_seasons_are_stored(self) -> None:
        assert set(list_usual_shapes()) <= set(load_stored())

    def test_they_are_written_as_they_were_read(self) -> None:
        written = [format_stored(shape, rounds) for shape, rounds in sorted(load_stored().items())]
        assert written == STORED.read_text().splitlines()

    def test_the_command_keeps_what_is_most_even(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """Of two seasons for 8 players the better is kept, and the worse is found again."""
        even, uneven = SeasonShape(8, (4, 4), 7), SeasonShape(8, (4, 4), 6)
        seasons = {even: load_stored()[even], uneven: [load_stored()[uneven][0]] * 6}
        path = tmp_path / "table_rounds.txt"
        monkeypatch.setattr(improve_tables, "STORED", path)
        monkeypatch.setattr(improve_tables, "load_stored", lambda: seasons)
        monkeypatch.setattr(improve_tables, "list_usual_shapes", list)
        call_command("improve_tables", "--tries", "2", stdout=StringIO())
        better, same = path.read_text().splitlines()
        assert same == format_stored(even, seasons[even])
        assert better.startswith("8 44 6 ") and better != format_stored(uneven, seasons[uneven])


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
        ],
    )
    def test_where_all_pairs_can_meet_equally_often_they_do(
        self, players: int, seats: int, rounds: int, times: int
    ) -> None:
        season = assign_tables(range(players), seats, rounds, "spring")
        met = count_meetings(season)
        assert {met[frozenset(pair)] for pair in combinations(range(players), 2)} == {times}

    @pytest.mark.parametrize(
        ("players", "seats", "rounds"),
        [(8, 4, 6), (20, 4, 5), (28, 4, 7), (21, 3, 7), (30, 3, 10), (10, 3, 8), (16, 4, 8), (12, 3, 4)],
    )
    def test_where_all_pairs_can_nearly_meet_equally_often_they_do(
        self, players: int, seats: int, rounds: int
    ) -> None:
        assert meeting_spread(players, assign_tables(range(players), seats, rounds, "spring")) == 1

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
        assert meeting_spread(8, assign_tables(range(8), 4, rounds, "spring")) == least

    @for_each(
        ("players", "seats", "rounds"),
        [
            (players, seats, rounds)
            for seats in (3, 4, 5, 6)
            for players in range(17, 31)
            for rounds in (3, 6, 12)
            if (players + 3 * seats + rounds) % 16 == 0
        ],
    )
    def test_what_is_searched_for_is_nearly_as_even(self, players: int, seats: int, rounds: int) -> None:
        shape = SeasonShape(players, choose_table_sizes(players, seats), rounds)
        found = search_rounds(shape, random.Random("spring"), tries=1, steps=100)
        assert measure_unevenness(shape, found)[0] <= 3


@pytest.mark.usefixtures("brief_search")
class TestSeats:
    @for_each("seats", [3, 4, 5, 6])
    @for_each("players", range(5, 31))
    def test_first_seats_and_byes_differ_by_one_for_any_number(self, players: int, seats: int) -> None:
        for rounds in (1, 5, 11):
            season = assign_tables(range(players), seats, rounds, "x")
            assert first_seat_spread(players, season) <= 1
            assert bye_spread(players, season) <= 1
            for each in season:
                sat = [player for pairing in each.pairings for player in pairing.players] + list(each.byes)
                assert sorted(sat) == list(range(players))
                sizes = tuple(len(pairing.players) for pairing in each.pairings)
                assert sizes == choose_table_sizes(players, seats)

    def test_a_seat_is_handed_on_over_several_tables(self) -> None:
        """Taken one after the other one player has none and another two, and the two never sit together."""
        given = [(2, 4), (4, 3), (0, 1), (0, 2), (0, 1), (1, 4)]
        firsts = Counter(order[0] for order in assign_seats(given))
        assert sorted(firsts.values()) == [1, 1, 1, 1, 2]
        assert [set(order) for order in assign_seats(given)] == [set(table) for table in given]


class TestSizes:
    @pytest.mark.parametrize(
        ("players", "seats", "sizes"),
        [
            (8, 4, (4, 4)),
            (11, 4, (4, 4, 3)),
            (9, 4, (3, 3, 3)),
            (5, 4, (4,)),  # 3 and 2 would not do
            (3, 4, (3,)),
            (11, 3, (3, 3, 3)),  # a table of two is a duel
            (10, 6, (5, 5)),
            (13, 6, (6, 6)),  # three tables of five need fifteen
        ],
    )
    def test_tables_of_a_round(self, players: int, seats: int, sizes: tuple[int, ...]) -> None:
        assert choose_table_sizes(players, seats) == sizes

    @pytest.mark.parametrize(("players", "seats"), [(8, 2), (8, 7), (3, 5), (0, 3)])
    def test_what_is_no_table_is_refused(self, players: int, seats: int) -> None:
        with pytest.raises(ValueError):
            assign_tables(range(players), seats, 3, "x")

    def test_there_must_be_rounds_and_nobody_twice(self) -> None:
        with pytest.raises(ValueError):
            assign_tables(range(8), 4, 0, "x")
        with pytest.raises(ValueError):
            assign_tables([1, 2, 3, 1], 4, 1, "x")


class TestSeed:
    def test_the_same_seed_gives_the_same_season(self) -> None:
        assert assign_tables(range(12), 4, 5, "a") == assign_tables(range(12), 4, 5, "a")

    def test_the_same_seed_finds_the_same_season(self, brief_search: None) -> None:
        assert assign_tables(range(19), 4, 3, "a") == assign_tables(range(19), 4, 3, "a")

    def test_another_seed_gives_others_the_parts(self) -> None:
        assert assign_tables(range(8), 4, 7, "a") != assign_tables(range(8), 4, 7, "b")
