"""Tests by simulation that honest play is found no more often than stated, and that collusion is found."""

from __future__ import annotations

from random import Random

import pytest

from games.rules.playout import pick_random_action
from moderation.fair_play import chance, helping, likeness, stalling, throwing
from moderation.fair_play.helping import Together
from moderation.fair_play.likeness import BotAgreement
from moderation.fair_play.sheet import SeatSheet
from moderation.fair_play.stalling import Pace
from moderation.fair_play.throwing import PlayedGame
from tests.moderation.fair_play import simulating
from tests.moderation.fair_play.simulating import Bank, at_table, helper_of, play_out

STATED = chance.RARE
SLACK = 3
"""Tolerance in standard deviations of the simulation, so that the seed doesn't matter."""


@pytest.fixture(scope="module")
def bank() -> Bank:
    """Random games of the base set, by four independent players."""
    return Bank.of(80, Random(5))


def at_most(rate: float, tries: int) -> float:
    """The largest share that a simulation of so many tries may show if the true one is at most *rate*."""
    return rate + SLACK * (rate / tries) ** 0.5


class TestChance:
    def test_sums_are_exact(self) -> None:
        dice = [range(1, 7)] * 2
        assert chance.sum_at_least(12, dice) == pytest.approx(1 / 36)
        assert chance.sum_at_least(11, dice) == pytest.approx(3 / 36)
        assert chance.sum_at_least(0, dice) == pytest.approx(1)
        assert chance.sum_at_least(13, dice) == 0

    def test_ranks_follow_chance(self) -> None:
        random = Random(3)
        low = sum(
            chance.ranks_above([random.random() for _ in range(8)], [random.random() for _ in range(12)])
            <= 0.05
            for _ in range(4000)
        )
        assert 0.03 < low / 4000 < at_most(0.05, 4000)
        assert chance.ranks_above([1, 1], [1, 1]) == chance.ranks_above([], [1]) == 1

    def test_draws_without_putting_back(self) -> None:
        assert chance.drawn_at_least(1, 1, 3, 10) == pytest.approx(0.3)
        assert chance.drawn_at_least(3, 3, 3, 10) == pytest.approx(1 / 120)
        assert chance.drawn_at_least(0, 3, 3, 10) == pytest.approx(1)

    @pytest.mark.parametrize("spread", [0, 0.01, 0.3])
    def test_hits_add_up_and_spread_makes_the_rare_more_likely(self, spread: float) -> None:
        assert chance.hits_at_least(0, 50, 0.3, spread) == pytest.approx(1)
        assert chance.hits_at_least(40, 50, 0.3, spread) <= chance.hits_at_least(40, 50, 0.3, 0.5)
        assert chance.hits_at_least(5, 10, 0.0, spread) == 0
        assert chance.hits_at_least(5, 10, 1.0, spread) == 1

    def test_a_large_site_shows_one_by_chance_at_most(self) -> None:
        assert chance.threshold(0) == chance.threshold(1000) == 0.001
        assert chance.threshold(50_000) * 50_000 == pytest.approx(1)


class TestHelping:
    def test_honest_pairs_are_found_no_more_often_than_stated(self, bank: Bank) -> None:
        tries = 4000
        assert simulating.helping_found(bank, tries, 10, Random(1)) <= at_most(STATED, tries)

    def test_looking_after_every_game_shows_few_honest_pairs(self, bank: Bank) -> None:
        assert simulating.helping_ever_shown(bank, 300, 25, Random(2)) <= at_most(0.005, 300)

    def test_who_plays_for_a_friend_is_found(self) -> None:
        random = Random(4)
        choosers = [helper_of(1), pick_random_action, pick_random_action, pick_random_action]
        games = [at_table(str(n), 0, 1, play_out(choosers, random)) for n in range(16)]
        measured = helping.measure_helping(games)
        assert measured is not None and helping.is_significant(measured, 2000)
        assert measured.z > 3 and measured.given > 2 * measured.expected
        back = helping.measure_helping([Together("", 0, (4, 5)) for _ in games])
        assert back is not None and not helping.is_significant(back, 1)

    def test_who_is_given_more_by_everybody_is_not_helped(self) -> None:
        random = Random(6)
        loved = [
            Together(str(n), random.randint(4, 16), tuple(random.randint(0, 8) for _ in "ab"))
            for n in range(40)
        ]
        alone, among_others = (
            helping.measure_helping(loved),
            helping.measure_helping(loved, helping.measure_popularity(loved)),
        )
        assert alone is not None and helping.is_significant(alone, 1)
        assert among_others is not None and not helping.is_significant(among_others, 1)

    def test_few_games_and_duels_say_nothing(self) -> None:
        assert helping.measure_helping([Together("", 50, (0, 0))] * 4) is None
        assert helping.measure_helping([Together("", 50, ())] * 40) is None

    def test_little_help_is_none_however_sure(self) -> None:
        measured = helping.measure_helping([Together("", 2, (0, 0))] * 40)
        assert measured is not None and measured.p < 1e-6 and not helping.is_significant(measured, 1)


class TestStalling:
    def test_honest_people_are_found_no_more_often_than_stated(self) -> None:
        tries = 2000
        assert simulating.stalling_found(tries, 40, Random(1)) <= at_most(STATED, tries)

    def test_who_slows_down_when_behind_is_found(self) -> None:
        random = Random(2)
        honest = [simulating.honest_pace(random) for _ in range(80)]
        stalls = [Pace(one.code, one.slowed + (3 if one.behind else 0), one.behind) for one in honest]
        for paces, shown in ((honest, False), (stalls, True)):
            measured = stalling.measure_stalling(paces)
            assert measured is not None and stalling.is_significant(measured, 100) == shown
        assert measured is not None and measured.factor > 4

    @pytest.mark.parametrize(("own", "best", "behind"), [(30, 40, True), (31, 40, False), (5, 14, False)])
    def test_behind_is_a_quarter_and_ten_points(self, own: int, best: int, behind: bool) -> None:
        seat = SeatSheet((), 100.0, 400.0, own - best, best, None, 0, True)
        assert stalling.measure_pace("", seat) == Pace("", 2.0, behind)


class TestThrowing:
    def test_honest_people_are_found_no_more_often_than_stated(self) -> None:
        tries = 300
        share = simulating.throwing_found(tries, 60, Random(1))
        assert share <= at_most(STATED, 8 * tries)

    def test_who_resigns_when_ahead_of_a_friend_is_found(self) -> None:
        games = simulating.honest_games(60, 8, Random(2))
        friend = frozenset({9})
        thrown = [PlayedGame(f"x{n}", friend, friend, 60, 12) for n in range(8)]
        fair = [PlayedGame(f"y{n}", friend, friend, 75, None) for n in range(4)]
        every = [*games, *thrown, *fair]
        measured = throwing.measure_throwing(every, throwing.find_thrown(every), 9)
        assert measured is not None and throwing.is_significant(measured, 500)
        assert measured.codes == tuple(game.code for game in thrown)

    def test_who_resigns_when_behind_throws_nothing(self) -> None:
        games = [PlayedGame(str(n), frozenset({2}), frozenset({2}), 20, -30) for n in range(30)]
        assert throwing.find_thrown(games) == frozenset()


class TestLikeness:
    def test_honest_people_are_found_no_more_often_than_stated(self) -> None:
        tries = 40 * 50
        assert simulating.likeness_found(40, 50, 100, Random(1)) <= at_most(STATED, tries)

    def test_who_plays_what_the_program_says_is_found(self) -> None:
        others = simulating.honest_agreements(50, 100, Random(2))
        measured = likeness.measure_likeness(BotAgreement(95, 100), others)
        assert measured is not None and likeness.is_significant(measured, 51)
        assert 0.25 < measured.rate < 0.45 and 0.01 < measured.spread < 0.12

    def test_few_turns_say_nothing(self) -> None:
        others = simulating.honest_agreements(50, 100, Random(2))
        assert likeness.measure_likeness(BotAgreement(59, 59), others) is None
        assert likeness.measure_likeness(BotAgreement(99, 100), []) is None
