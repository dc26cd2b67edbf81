"""Tests of ladders: allowed challenges, and the order after them."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest

from leagues.schedules import (
    LadderChallenge,
    LadderRules,
    add_entrant,
    apply_challenge,
    challenge_refusals,
    remove_player,
)
from tests.cases import for_each

NOW = datetime(2026, 5, 1, tzinfo=UTC)
RULES = LadderRules(reach=3, rest=timedelta(days=7))


def ended(days_ago: float, players: str = "DC") -> LadderChallenge[str]:
    return LadderChallenge(players[0], players[1], NOW - timedelta(days=days_ago))


class TestChallenges:
    @for_each(
        ("two", "challenges", "codes"),
        [
            ("DC", [], []),
            ("DA", [], []),
            ("EA", [], ["too_far"]),
            ("CD", [], ["not_above"]),
            ("CC", [], ["not_above"]),
            ("DX", [], ["stranger"]),
            ("DC", [LadderChallenge("D", "B")], ["busy"]),
            ("DC", [LadderChallenge("E", "D")], ["busy"]),  # a challenged player may not challenge
            ("DC", [LadderChallenge("C", "A")], ["protected"]),
            ("DC", [LadderChallenge("E", "C")], ["protected"]),
            ("DC", [LadderChallenge("F", "E")], []),
            ("DC", [ended(6.9)], ["rematch"]),
            ("DC", [ended(6.9, "CD")], ["rematch"]),
            ("DC", [ended(7)], []),
            ("DC", [ended(1, "DB")], []),
            ("DC", [ended(1), LadderChallenge("C", "B")], ["protected", "rematch"]),
        ],
    )
    def test_what_speaks_against_one(
        self, two: str, challenges: list[LadderChallenge[str]], codes: list[str]
    ) -> None:
        assert list(challenge_refusals("ABCDEF", two[0], two[1], challenges, RULES, now=NOW)) == codes

    def test_rules_that_are_none(self) -> None:
        with pytest.raises(ValueError):
            LadderRules(reach=0)
        with pytest.raises(ValueError):
            LadderRules(rest=timedelta(days=-1))


class TestOrder:
    @pytest.mark.parametrize(("winner", "order"), [("E", "AEBCDF"), ("B", "ABCDEF"), (None, "ABCDEF")])
    def test_who_wins_takes_the_place(self, winner: str | None, order: str) -> None:
        assert "".join(apply_challenge("ABCDEF", "E", "B", winner)) == order

    def test_who_has_risen_meanwhile_does_not_fall_by_winning(self) -> None:
        assert "".join(apply_challenge("EABCD", "E", "B", "E")) == "EABCD"

    def test_only_the_places_between_the_two_change(self) -> None:
        lot = random.Random("ladder")
        order = tuple(range(20))
        for _ in range(500):
            high, low = sorted(lot.sample(range(20), 2))
            changed = apply_challenge(order, order[low], order[high], order[low])
            assert changed[:high] == order[:high] and changed[low + 1 :] == order[low + 1 :]
            assert changed[high] == order[low] and changed[high + 1 : low + 1] == order[high:low]
            order = changed

    def test_who_comes_starts_at_the_foot_and_who_goes_leaves_no_gap(self) -> None:
        assert add_entrant("AB", "C") == ("A", "B", "C")
        assert add_entrant("", "C") == ("C",)
        assert remove_player("ABC", "B") == ("A", "C")

    def test_what_can_not_have_happened_is_refused(self) -> None:
        for two, winner in (("XB", "B"), ("BX", "B"), ("CB", "A")):
            with pytest.raises(ValueError):
                apply_challenge("ABC", two[0], two[1], winner)
        with pytest.raises(ValueError):
            add_entrant("AB", "A")
        with pytest.raises(ValueError):
            remove_player("AB", "C")
