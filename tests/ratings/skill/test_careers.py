"""Tests of the effect of a rated game on its players (RATE-1, 3, 5)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from ratings.skill import (
    BEGINNING,
    Career,
    Strength,
    apply_game,
    apply_rest,
    compute_expectation,
    compute_first_share,
    update_strengths,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def test_a_first_game_has_no_rest_before_it() -> None:
    winner, _loser = apply_game([BEGINNING, BEGINNING], [1, 2], NOON)
    assert winner.before == Strength(25, 25 / 3)
    assert winner.expected == 0.5
    assert (winner.rank, winner.after.games, winner.after.ended) == (1, 1, NOON)


def test_rest_comes_before_the_game_and_before_what_is_expected_of_it() -> None:
    settled = Career(Strength(30, 4), games=40, ended=NOON)
    other = Career(Strength(26, 5), games=30, ended=NOON - DAY)
    one, two = apply_game([settled, other], [2, 1], NOON + 36 * DAY / 24)
    assert one.before == apply_rest(Strength(30, 4), 1.5)
    assert two.before == apply_rest(Strength(26, 5), 2.5)
    assert one.expected == compute_expectation(one.before, two.before)
    assert (one.after.strength, two.after.strength) == update_strengths([one.before, two.before], [2, 1])


def test_elo_knows_duels_and_no_tables() -> None:
    assert [change.after.elo for change in apply_game([BEGINNING] * 2, [2, 1], NOON)] == [1484, 1516]
    assert [change.after.elo for change in apply_game([BEGINNING] * 3, [2, 1, 3], NOON)] == [1500] * 3


def test_beta_is_asked_for_result_and_expectation_alike() -> None:
    careers = [Career(Strength(30, 4), 9, NOON), Career(Strength(26, 5), 9, NOON)]
    (wide, _), (narrow, _) = (apply_game(careers, [1, 2], NOON, beta) for beta in (12.0, 4.0))
    assert wide.expected < narrow.expected
    assert (
        wide.after.strength == update_strengths([careers[0].strength, careers[1].strength], [1, 2], 12.0)[0]
    )


def test_the_first_of_two_takes_all_half_or_nothing() -> None:
    assert [compute_first_share(ranks) for ranks in ([1, 2], [1, 1], [2, 1])] == [1.0, 0.5, 0.0]
