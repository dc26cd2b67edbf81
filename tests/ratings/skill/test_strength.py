"""Tests of strengths: changes by rest and results, shown numbers, and expectations (RATE-1, 3, 4, 5)."""

from __future__ import annotations

import math

import pytest
from openskill.models import PlackettLuce

from ratings.skill import (
    NEWCOMER,
    RoundedStrength,
    Strength,
    apply_rest,
    compute_expectation,
    compute_table_expectation,
    count_settled_days,
    expect_elo,
    round_strength,
    update_elo,
    update_strengths,
)


class TestRest:
    def test_variance_grows_by_the_day_and_by_parts_of_it(self) -> None:
        assert apply_rest(Strength(30, 4), 100).sigma == pytest.approx(math.sqrt(16 + 6))
        assert apply_rest(Strength(30, 4), 0.5).sigma == pytest.approx(math.sqrt(16 + 0.03))

    def test_rest_moves_nobody(self) -> None:
        assert apply_rest(Strength(31.5, 4), 1000).mu == 31.5

    def test_nobody_is_less_known_than_a_newcomer(self) -> None:
        assert apply_rest(Strength(30, 4), 10_000).sigma == 25 / 3

    def test_rest_in_parts_is_rest_at_once(self) -> None:
        assert apply_rest(apply_rest(Strength(30, 4), 12), 30).sigma == pytest.approx(
            apply_rest(Strength(30, 4), 42).sigma
        )

    def test_a_clock_that_is_a_moment_behind_is_no_rest(self) -> None:
        assert apply_rest(Strength(30, 4), -0.001) == Strength(30, 4)


class TestShown:
    def test_a_newcomer_is_in_the_middle_and_provisional(self) -> None:
        assert round_strength(NEWCOMER) == RoundedStrength(number=1500, spread=167, provisional=True)

    def test_number_and_range_are_rounded(self) -> None:
        told = round_strength(Strength(27.03, 4.52))
        assert (told.number, told.spread, told.low, told.high) == (1541, 90, 1451, 1631)

    def test_provisional_is_who_has_more_than_six_and_a_half(self) -> None:
        assert not round_strength(Strength(25, 6.5)).provisional
        assert round_strength(Strength(25, 6.5000001)).provisional

    def test_who_rests_is_provisional_from_the_day_that_is_foretold(self) -> None:
        strength = Strength(30, 4.5)
        days = count_settled_days(strength)
        assert days is not None and 360 < days < 370, "about a year brings a settled player back there"
        assert not apply_rest(strength, days - 0.01).provisional
        assert apply_rest(strength, days + 0.01).provisional

    @pytest.mark.parametrize(("seats", "games"), [(2, 13), (4, 19)])
    def test_so_many_even_games_settle_a_player(self, seats: int, games: int) -> None:
        """RATE-4 says some 13 duels and 19 tables; here all end in each place in turns."""
        strengths, played = (NEWCOMER,) * seats, 0
        while strengths[0].provisional:
            ranks = [1 + (seat + played) % seats for seat in range(seats)]
            strengths, played = update_strengths(strengths, ranks), played + 1
        assert played == games


class TestRate:
    def test_it_is_plackett_luce_with_the_numbers_of_rule_one(self) -> None:
        model = PlackettLuce(mu=25, sigma=25 / 3, beta=6.25, kappa=0.0001, tau=0, limit_sigma=False)
        given = [Strength(28, 5), Strength(25, 25 / 3), Strength(22, 6)]
        teams = model.rate([[model.rating(one.mu, one.sigma)] for one in given], ranks=[2, 1, 3])
        assert update_strengths(given, [2, 1, 3]) == tuple(
            Strength(team[0].mu, team[0].sigma) for team in teams
        )

    def test_a_duel_by_hand(self) -> None:
        """Weng and Lin's algorithm 4 for two, written out."""
        winner, loser = Strength(24, 6), Strength(27, 5)
        c = math.sqrt(36 + 25 + 2 * 6.25**2)
        p = 1 / (1 + math.exp((loser.mu - winner.mu) / c))
        after, beaten = update_strengths([winner, loser], [1, 2])
        assert after.mu == pytest.approx(24 + 36 / c * (1 - p))
        assert beaten.mu == pytest.approx(27 - 25 / c * (1 - p))
        assert after.sigma == pytest.approx(6 * math.sqrt(1 - 36 / c**2 * p * (1 - p) * 6 / c))

    def test_the_order_of_the_seats_does_not_matter(self) -> None:
        given = [Strength(28, 5), Strength(25, 8), Strength(22, 6), Strength(30, 4)]
        straight = update_strengths(given, [2, 1, 3, 3])
        backward = update_strengths(given[::-1], [3, 3, 1, 2])[::-1]
        for one, other in zip(straight, backward, strict=True):
            assert (one.mu, one.sigma) == pytest.approx((other.mu, other.sigma))

    def test_a_draw_brings_two_together_and_equals_stay(self) -> None:
        strong, weak = update_strengths([Strength(30, 6), Strength(20, 6)], [1, 1])
        assert 20 < weak.mu < strong.mu < 30
        one, other = update_strengths([NEWCOMER, NEWCOMER], [1, 1])
        assert one == other and one.mu == 25 and one.sigma < NEWCOMER.sigma

    def test_a_loss_that_surprises_moves_more(self) -> None:
        favourite = update_strengths([Strength(30, 6), Strength(20, 6)], [2, 1])[0].mu - 30
        outsider = update_strengths([Strength(20, 6), Strength(30, 6)], [2, 1])[0].mu - 20
        assert favourite < outsider < 0

    def test_more_chance_says_less(self) -> None:
        assert (
            update_strengths([NEWCOMER] * 2, [1, 2], beta=12)[0].mu
            < update_strengths([NEWCOMER] * 2, [1, 2], beta=4)[0].mu
        )

    def test_nothing_that_was_given_is_changed(self) -> None:
        given = [Strength(28, 5), Strength(25, 8)]
        update_strengths(given, [1, 2])
        assert given == [Strength(28, 5), Strength(25, 8)]

    @pytest.mark.parametrize(("seats", "ranks"), [(2, [1]), (1, [1]), (0, []), (2, [1, 2, 3])])
    def test_what_is_no_game_is_refused(self, seats: int, ranks: list[int]) -> None:
        with pytest.raises(ValueError):
            update_strengths([NEWCOMER] * seats, ranks)


class TestExpected:
    def test_by_the_formula(self) -> None:
        one, other = Strength(30, 4), Strength(26, 5)
        c = math.sqrt(2 * 6.25**2 + 16 + 25)
        assert compute_expectation(one, other) == pytest.approx(1 / (1 + math.exp(-4 / c)))
        assert compute_expectation(one, other) + compute_expectation(other, one) == pytest.approx(1)

    def test_the_less_known_both_are_the_nearer_to_one_half(self) -> None:
        known, unknown = [compute_expectation(Strength(30, sigma), Strength(25, sigma)) for sigma in (2, 8)]
        assert 0.5 < unknown < known

    def test_at_a_table_it_is_the_mean_over_the_opponents(self) -> None:
        seats = [Strength(30, 4), Strength(26, 5), Strength(22, 6)]
        told = compute_table_expectation(seats)
        assert told[0] == pytest.approx(
            (compute_expectation(seats[0], seats[1]) + compute_expectation(seats[0], seats[2])) / 2
        )
        assert sum(told) == pytest.approx(1.5)

    def test_a_duel_is_a_table_of_two(self) -> None:
        seats = [Strength(30, 4), Strength(26, 5)]
        assert compute_table_expectation(seats)[0] == compute_expectation(*seats)
        assert compute_table_expectation(seats)[1] == pytest.approx(compute_expectation(seats[1], seats[0]))


class TestElo:
    def test_what_one_wins_the_other_loses(self) -> None:
        assert update_elo(1500, 1500, 1.0) == (1516, 1484)
        assert update_elo(1500, 1500, 0.5) == (1500, 1500)
        assert sum(update_elo(1700, 1400, 0.0)) == 3100

    def test_two_hundred_points_are_three_of_four(self) -> None:
        assert expect_elo(1700, 1500) == pytest.approx(0.7597, abs=1e-4)
