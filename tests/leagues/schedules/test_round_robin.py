"""Round robins of duels (STAND-14): everybody meets everybody, and begins as often as the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from leagues.schedules import Round, add_newcomer, count_first_seats, count_meetings, pair_round_robin
from tests.cases import for_each


def spread(counted: Counter[int]) -> int:
    return max(counted.values()) - min(counted.values())


def nobody_is_in_two_places(rounds: Iterable[Round[int]]) -> bool:
    return all(
        len(seated) == len(set(seated))
        for each in rounds
        for seated in [[player for pairing in each.pairings for player in pairing.players] + list(each.byes)]
    )


class TestRoundRobin:
    @for_each("players", range(2, 61))
    @for_each("rounds", [1, 2, 3])
    def test_everybody_meets_everybody_and_begins_as_often(self, players: int, rounds: int) -> None:
        schedule = pair_round_robin(range(players), rounds)
        met = count_meetings(schedule)
        assert set(met.values()) == {rounds}
        assert len(met) == players * (players - 1) // 2
        assert spread(count_first_seats(schedule)) <= (players * rounds + rounds) % 2
        assert len(schedule) == rounds * (players - 1 + players % 2)
        assert nobody_is_in_two_places(schedule)

    @for_each("players", range(2, 61))
    def test_at_any_time_games_begun_and_not_begun_differ_by_two_at_most(self, players: int) -> None:
        lead: Counter[int] = Counter()
        for each in pair_round_robin(range(players), 2):
            for pairing in each.pairings:
                lead[pairing.players[0]] += 1
                lead[pairing.players[1]] -= 1
            assert max(map(abs, lead.values())) <= 2

    @for_each("players", range(3, 60, 2))
    def test_of_an_odd_number_everybody_sits_out_once(self, players: int) -> None:
        assert Counter(bye for each in pair_round_robin(range(players)) for bye in each.byes) == Counter(
            range(players)
        )

    def test_the_second_time_the_others_begin(self) -> None:
        schedule = pair_round_robin(range(7), 2)
        first, second = (
            {pairing.players for each in half for pairing in each.pairings}
            for half in (schedule[:7], schedule[7:])
        )
        assert second == {(b, a) for a, b in first}

    @pytest.mark.parametrize(("players", "rounds"), [([1], 1), ([1, 2, 1], 1), ([1, 2], 0)])
    def test_what_can_not_be_played_is_refused(self, players: list[int], rounds: int) -> None:
        with pytest.raises(ValueError):
            pair_round_robin(players, rounds)


class TestNewcomer:
    @for_each("players", range(2, 31))
    @for_each("rounds", [1, 2])
    def test_meets_everybody_in_the_rounds_that_are_left(self, players: int, rounds: int) -> None:
        schedule = pair_round_robin(range(players), rounds)
        for played in range(0, len(schedule) + 1, 1 + players // 8):
            changed = add_newcomer(schedule, played, range(players), players, rounds)
            met = count_meetings(changed)
            assert set(met.values()) == {rounds}
            assert len(met) == players * (players + 1) // 2
            assert spread(count_first_seats(changed)) <= 1
            assert changed[:played] == schedule[:played]
            assert nobody_is_in_two_places(changed)
            assert 0 <= len(changed) - played - players * rounds <= rounds + 1

    def test_one_may_follow_another(self) -> None:
        schedule = pair_round_robin(range(6))
        for newcomer in (6, 7, 8):
            schedule = add_newcomer(schedule, newcomer - 4, range(newcomer), newcomer)
        assert set(count_meetings(schedule).values()) == {1}
        assert len(count_meetings(schedule)) == 36
        assert spread(count_first_seats(schedule)) == 0

    def test_before_the_first_round_it_is_a_round_robin_of_all(self) -> None:
        assert add_newcomer(pair_round_robin("ABC"), 0, "ABC", "D") == pair_round_robin("ABCD")

    def test_who_is_there_already_can_not_join(self) -> None:
        with pytest.raises(ValueError):
            add_newcomer(pair_round_robin("ABC"), 1, "ABC", "B")
        with pytest.raises(ValueError):
            add_newcomer(pair_round_robin("ABC"), 4, "ABC", "D")
