"""Knock-outs and their seeds."""

from __future__ import annotations

import random

import pytest

from leagues.schedules import (
    KnockOut,
    Part,
    count_groups,
    draw_groups,
    list_bracket_order,
    seed_from_groups,
)
from tests.cases import for_each


def played(size: int, third_place: bool = False, upset: float = 0.0, even: float = 0.0) -> KnockOut[int]:
    """Play a knock-out of the seeds 1 to *size*; the stronger wins but for chance."""
    lot = random.Random(f"{size} {upset} {even}")
    cup = KnockOut(range(1, size + 1), third_place=third_place)
    while ties := cup.to_play():
        results = dict(cup.results)
        for tie in ties:
            stronger, weaker = tie.players
            drawn = lot.random() < even
            results[tie.round, tie.number] = None if drawn else weaker if lot.random() < upset else stronger
        cup = KnockOut(cup.seeds, results, third_place=third_place)
    return cup


class TestBracket:
    def test_eight(self) -> None:
        assert list_bracket_order(8) == [1, 8, 4, 5, 2, 7, 3, 6]

    @pytest.mark.parametrize("places", [2, 4, 8, 16, 32, 64])
    def test_if_the_stronger_always_wins_every_round_is_seeded_alike(self, places: int) -> None:
        order = list_bracket_order(places)
        assert sorted(order) == list(range(1, places + 1))
        while len(order) > 1:
            pairs = list(zip(order[::2], order[1::2], strict=True))
            assert {sum(pair) for pair in pairs} == {len(order) + 1}
            order = [min(pair) for pair in pairs]

    @for_each("size", range(2, 40))
    def test_byes_go_to_the_highest_seeds_and_only_in_the_first_round(self, size: int) -> None:
        rounds = KnockOut(range(1, size + 1)).rounds()
        byes = sorted(tie.players[0] or 0 for tie in rounds[0] if tie.bye)
        assert byes == list(range(1, 2 * len(rounds[0]) - size + 1))
        assert not any(tie.bye for each in rounds[1:] for tie in each)
        assert len(rounds[0]) < size


class TestPlay:
    @for_each("size", range(2, 40))
    def test_without_upsets_the_first_beats_the_second_in_the_final(self, size: int) -> None:
        cup = played(size)
        assert cup.champion == 1
        assert cup.rounds()[-1][0].players == (1, 2)
        assert len(cup.results) == size - 1

    @for_each("size", range(2, 40))
    def test_with_upsets_everybody_but_one_loses_once(self, size: int) -> None:
        cup = played(size, upset=0.4)
        losers = [
            player
            for each in cup.rounds()
            for tie in each
            if not tie.bye
            for player in tie.players
            if player != cup.winner(tie)
        ]
        assert sorted([*losers, cup.champion]) == list(range(1, size + 1))
        assert cup.to_play() == ()

    def test_of_an_even_match_the_higher_seed_moves_on(self) -> None:
        assert played(16, even=1.0).champion == 1
        assert KnockOut("ABCD", {(0, 1): None}).rounds()[1][0].players == ("B", None)

    def test_who_is_not_known_is_waited_for(self) -> None:
        cup = KnockOut("ABCD", {(0, 1): "C"})
        assert [tie.players for tie in cup.to_play()] == [("A", "D")]
        assert cup.rounds()[1][0].pairing is None
        assert cup.champion is None

    def test_the_higher_seed_begins(self) -> None:
        cup = KnockOut("ABCD", {(0, 0): "D", (0, 1): "B"})
        pairing = cup.rounds()[1][0].pairing
        assert pairing is not None and pairing.players == ("B", "D")

    def test_third_place(self) -> None:
        cup = KnockOut("ABCD", {(0, 0): "D", (0, 1): "B"}, third_place=True)
        third = cup.rounds()[1][1]
        assert (third.players, third.part) == (("A", "C"), Part.THIRD_PLACE)
        assert {tie.number for tie in cup.to_play()} == {0, 1}
        done = KnockOut("ABCD", {**cup.results, (1, 1): "C", (1, 0): "B"}, third_place=True)
        assert (done.champion, done.winner(done.rounds()[1][1])) == ("B", "C")

    @pytest.mark.parametrize(("size", "ties"), [(2, 1), (3, 2), (4, 4), (5, 5), (8, 8)])
    def test_third_place_needs_two_who_lost(self, size: int, ties: int) -> None:
        assert len(played(size, third_place=True).results) == ties

    @pytest.mark.parametrize(
        "arguments",
        [
            {"seeds": "A"},
            {"seeds": "AA"},
            {"seeds": "AB", "best_of": 2},
            {"seeds": "ABCD", "results": {(1, 0): "A"}},
            {"seeds": "ABCD", "results": {(0, 0): "B"}},
            {"seeds": "ABC", "results": {(0, 0): "A"}},
        ],
    )
    def test_what_can_not_be_is_refused(self, arguments: dict) -> None:  # type: ignore[type-arg]
        with pytest.raises(ValueError):
            KnockOut(**arguments)


class TestRanks:
    @for_each("size", range(2, 40))
    def test_without_upsets_who_goes_out_later_stands_higher(self, size: int) -> None:
        ranks = played(size).ranks()
        assert ranks[1] == 1 and ranks[2] == 2
        assert list(ranks.values()) == sorted(ranks.values())
        for player, rank in ranks.items():
            power = 1 << (player - 1).bit_length()  # 3 and 4, 5 to 8, … go out in the same round
            assert rank == (1 if player == 1 else power // 2 + 1)

    def test_third_place_parts_who_lost_the_semi_finals(self) -> None:
        cup = played(8, third_place=True, upset=0.5)
        ranks = cup.ranks()
        third = cup.rounds()[-1][1]
        assert sorted(ranks.values()) == [1, 2, 3, 4, 5, 5, 5, 5]
        winner = cup.winner(third)
        assert winner is not None and ranks[winner] == 3
        assert {ranks[player] for player in third.players if player is not None} == {3, 4}

    def test_whoever_is_still_in_it_shares_the_first(self) -> None:
        cup = KnockOut(range(1, 5), {(0, 0): 4, (0, 1): 3}, third_place=True)
        assert cup.ranks() == {3: 1, 4: 1, 1: 3, 2: 3}
        assert KnockOut(range(1, 4)).ranks() == {1: 1, 2: 1, 3: 1}

    def test_of_three_the_only_one_who_lost_a_semi_final_is_third(self) -> None:
        assert played(3, third_place=True).ranks() == {1: 1, 2: 2, 3: 3}


class TestGroups:
    @for_each("players", range(2, 40))
    @for_each("size", [3, 4, 8])
    def test_are_as_large_and_as_strong_as_can_be(self, players: int, size: int) -> None:
        groups = draw_groups(range(players), count_groups(size, players))
        assert sorted(player for group in groups for player in group) == list(range(players))
        sizes = [len(group) for group in groups]
        assert max(sizes) <= size and max(sizes) - min(sizes) <= 1
        for seed in range(min(sizes)):  # of every so many in order of strength each group has one
            assert {group[seed] // len(groups) for group in groups} == {seed}

    def test_full_ones_are_equally_strong_in_sum(self) -> None:
        assert {sum(group) for group in draw_groups(range(16), 4)} == {30}


class TestFromGroups:
    @pytest.mark.parametrize("number", [2, 4, 8, 16])
    def test_two_of_a_group_meet_again_in_the_final_at_the_earliest(self, number: int) -> None:
        seeds = seed_from_groups([[(group, rank) for rank in range(4)] for group in range(number)])
        assert [rank for group, rank in seeds] == [0] * number + [1] * number
        assert [group for group, rank in seeds[:number]] == list(range(number))
        order = list_bracket_order(2 * number)
        halves = [{seeds[seed - 1][0] for seed in half} for half in (order[:number], order[number:])]
        assert halves == [set(range(number))] * 2
        for one, other in zip(order[::2], order[1::2], strict=True):
            assert {seeds[one - 1][1], seeds[other - 1][1]} == {0, 1}

    @for_each("number", [3, 5, 6, 7, 12])
    @for_each("taken", [1, 2, 3])
    def test_any_number_of_groups_sends_its_first(self, number: int, taken: int) -> None:
        seeds = seed_from_groups([[(group, rank) for rank in range(4)] for group in range(number)], taken)
        assert sorted(seeds) == [(group, rank) for group in range(number) for rank in range(taken)]
        for tie in KnockOut(seeds).rounds()[0]:
            if tie.pairing is not None:
                (one, _), (other, _) = tie.pairing.players
                assert one != other

    def test_groups_must_be_large_enough_and_apart(self) -> None:
        for groups in (["AB", "C"], ["AB", "BC"], []):
            with pytest.raises(ValueError):
                seed_from_groups(groups)
