"""Tests of calibration (RATE-7), by hand and with players of known strengths."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from statistics import correlation

import pytest

from ratings.skill import (
    BEGINNING,
    BETAS,
    Calibration,
    Career,
    CareerChange,
    Duel,
    Strength,
    apply_game,
    compare_betas,
    compute_log_loss,
    compute_wilson_interval,
    expect_elo,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
KNOWN, UNKNOWN = Strength(28, 4), Strength(28, 7)
ANNA, BRUNO = 3, 8  # primary keys


def duel(first: Strength, second: Strength, ranks: tuple[int, int] = (1, 2)) -> tuple[CareerChange, ...]:
    careers = [Career(first, 20, NOON, 1600.0), Career(second, 20, NOON, 1400.0)]
    return apply_game(careers, ranks, NOON)


class TestWilson:
    def test_known_values(self) -> None:
        assert compute_wilson_interval(0.9, 10) == pytest.approx((0.5958, 0.9821), abs=1e-4)
        assert compute_wilson_interval(0.0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)

    def test_it_stays_among_the_probabilities_and_narrows(self) -> None:
        assert compute_wilson_interval(1.0, 5)[1] == 1.0
        few, many = compute_wilson_interval(0.6, 50), compute_wilson_interval(0.6, 5000)
        assert few[0] < many[0] < 0.6 < many[1] < few[1]


class TestCalibration:
    def test_a_game_counts_in_the_tenth_of_what_was_expected_of_the_player_named_first(self) -> None:
        changes = duel(Strength(31, 4), Strength(25, 4))
        told = Calibration().after((ANNA, BRUNO), changes)
        chance = changes[0].expected
        assert 0.6 < chance < 0.7
        assert [tenth.count for tenth in told.tenths] == [0, 0, 0, 0, 0, 0, 1, 0, 0, 0]
        assert (told.tenths[6].predicted_share, told.tenths[6].actual_share) == (chance, 1.0)

    def test_the_smaller_key_is_named_first_wherever_it_sits_and_however_it_ends(self) -> None:
        changes = duel(Strength(31, 4), Strength(25, 4))
        told = Calibration().after((BRUNO, ANNA), changes)
        assert told.tenths[3].count == 1
        assert told.tenths[3].predicted_share == pytest.approx(1 - changes[0].expected)
        assert told.tenths[3].actual_share == 0.0

    @pytest.mark.parametrize("provisional", [0, 1])
    def test_a_game_of_a_provisional_player_counts_for_the_first_seat_alone(self, provisional: int) -> None:
        strengths = [KNOWN, KNOWN]
        strengths[provisional] = UNKNOWN
        told = Calibration().after((ANNA, BRUNO), duel(*strengths))
        assert (told.games, told.loss, told.elo_loss, told.mean_loss) == (0, 0.0, 0.0, None)
        assert (told.first_seat.count, told.first_seat.actual_share) == (1, 1.0)

    def test_losses_are_those_of_the_two_predictions(self) -> None:
        changes = duel(Strength(31, 4), Strength(25, 4), ranks=(2, 1))
        told = Calibration().after((ANNA, BRUNO), changes)
        assert told.mean_loss == pytest.approx(-math.log(1 - changes[0].expected))
        assert told.mean_elo_loss == pytest.approx(-math.log(1 - expect_elo(1600, 1400)))
        assert told.half_loss == pytest.approx(0.6931, abs=1e-4)

    def test_a_draw_is_half_of_each(self) -> None:
        told = Calibration().after((ANNA, BRUNO), duel(KNOWN, KNOWN, ranks=(1, 1)))
        assert told.tenths[5].actual_share == 0.5
        assert told.mean_loss == pytest.approx(math.log(2))
        assert compute_log_loss(0.9, 0.5) == pytest.approx(
            (compute_log_loss(0.9, 1.0) + compute_log_loss(0.9, 0.0)) / 2
        )

    def test_no_certainty_costs_infinitely_much(self) -> None:
        assert 30 < compute_log_loss(1.0, 0.0) < 40
        assert compute_log_loss(1.0, 1.0) == pytest.approx(0)

    def test_parts_add_up_to_the_whole_and_survive_a_row(self) -> None:
        games = [
            ((ANNA, BRUNO), duel(Strength(31, 4), KNOWN)),
            ((BRUNO, ANNA), duel(Strength(22, 4), KNOWN, (2, 1))),
            ((ANNA, BRUNO), duel(KNOWN, UNKNOWN)),
        ]
        parts = [Calibration().after(*game) for game in games]
        whole = Calibration()
        for game in games:
            whole = whole.after(*game)
        added = parts[2] + parts[0] + parts[1]
        assert (added.games, added.first_seat.count) == (whole.games, whole.first_seat.count) == (2, 3)
        assert added.loss == pytest.approx(whole.loss)
        assert Calibration.from_json(json.loads(json.dumps(whole.to_json()))) == whole

    def test_a_row_with_fewer_tenths_is_refused(self) -> None:
        stored = Calibration().to_json()
        stored["tenths"].pop()
        with pytest.raises(ValueError):
            Calibration.from_json(stored)


class Simulation:
    """Players with known true strengths, in points of Elo, and their duels."""

    def __init__(self, seed: int, *, players: int = 400, spread: float = 200, rounds: int = 60) -> None:
        self.lot = random.Random(seed)
        self.true = [self.lot.gauss(0, spread) for _ in range(players)]
        self.rounds = rounds

    def duels(self) -> Iterator[Duel]:
        """Yield one duel a round for everybody, with a random opponent; a round a day."""
        for day in range(self.rounds):
            order = list(range(len(self.true)))
            self.lot.shuffle(order)
            for first, second in zip(order[::2], order[1::2], strict=True):
                won = self.lot.random() < expect_elo(self.true[first], self.true[second])
                yield Duel((first, second), (1, 2) if won else (2, 1), NOON + timedelta(days=day))


def test_four_hundred_players_of_sixty_duels_are_put_in_order_and_told_rightly() -> None:
    """The figure that ratings are held to, at a spread of 200 points of Elo."""
    simulation, calibration = Simulation(seed=11), Calibration()
    careers = [BEGINNING] * len(simulation.true)
    for duel in simulation.duels():
        changes = apply_game([careers[player] for player in duel.players], duel.ranks, duel.ended)
        calibration = calibration.after(duel.players, changes)
        for player, change in zip(duel.players, changes, strict=True):
            careers[player] = change.after
    numbers = [career.strength.mu for career in careers]
    assert correlation(places(simulation.true), places(numbers)) > 0.94  # Spearman's
    told = [tenth for tenth in calibration.tenths if tenth.count >= 500]
    assert len(told) >= 8
    for tenth in told:
        assert tenth.actual_share == pytest.approx(tenth.predicted_share, abs=0.05)
    assert calibration.mean_loss is not None and calibration.mean_elo_loss is not None
    assert calibration.mean_loss < calibration.mean_elo_loss < calibration.half_loss
    low, high = calibration.first_seat.interval
    assert calibration.first_seat.count == 400 * 60 / 2
    assert low < 0.5 < high, "nobody has an advantage here"


def test_an_advantage_of_the_first_seat_is_measured() -> None:
    simulation, calibration = Simulation(seed=5, players=100, rounds=20), Calibration()
    for duel in simulation.duels():
        ranks = (1, 2) if simulation.lot.random() < 0.56 else (2, 1)
        changes = apply_game([BEGINNING] * 2, ranks, duel.ended)
        calibration = calibration.after(duel.players, changes)
    low, high = calibration.first_seat.interval
    assert 0.5 < low < 0.56 < high
    assert calibration.first_seat.predicted_share == 0.5


class TestFit:
    def test_what_is_in_force_is_tried_beside_the_others_on_the_same_games(self) -> None:
        simulation = Simulation(seed=2, players=40, rounds=40)
        duels = list(simulation.duels())
        tried = compare_betas(iter(duels), 6.25)
        assert [one.beta for one in tried] == sorted([6.25, *BETAS])
        assert BETAS == (4, 5, 6, 7, 8, 9, 10, 11, 12)
        assert len({one.games for one in tried}) == 1 and 0 < tried[0].games < len(duels)

    def test_the_loss_of_the_beta_in_force_is_that_of_the_calibration(self) -> None:
        simulation, calibration = Simulation(seed=3, players=40, rounds=40), Calibration()
        duels, careers = list(simulation.duels()), [BEGINNING] * 40
        for duel in duels:
            changes = apply_game([careers[player] for player in duel.players], duel.ranks, duel.ended, 7.0)
            calibration = calibration.after(duel.players, changes)
            for player, change in zip(duel.players, changes, strict=True):
                careers[player] = change.after
        (told,) = [fit for fit in compare_betas(duels, 7.0) if fit.beta == 7.0]
        assert (told.games, told.loss) == (calibration.games, pytest.approx(calibration.mean_loss))

    def test_the_wider_strengths_spread_the_smaller_beta_tells_best(self) -> None:
        def best(spread: float) -> float:
            duels = Simulation(seed=4, players=60, rounds=60, spread=spread).duels()
            tried = compare_betas(duels, 6.25, betas=(4.0, 6.0, 8.0, 12.0))
            return min(tried, key=lambda one: one.loss or math.inf).beta

        assert best(350) < best(120)

    def test_without_games_there_is_nothing_to_tell(self) -> None:
        assert {fit.loss for fit in compare_betas([], 6.25)} == {None}


def places(values: list[float]) -> list[float]:
    """The position of each of *values* in their order."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    for place, index in enumerate(order):
        ranks[index] = float(place)
    return ranks


def test_strengths_are_values() -> None:
    with pytest.raises(AttributeError):
        KNOWN.mu = 3  # type: ignore[misc]
    assert replace(KNOWN, mu=3.0) == Strength(3.0, 4)
