"""Double elimination (STAND-23), against an oracle that plays it again."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations, product

import pytest

from leagues.schedules import DoubleElimination, Part
from leagues.schedules.double_elimination import locate_tie
from tests.cases import for_each
from tests.leagues.double_oracle import Replay

Cup = DoubleElimination[int]


def play(size: int, *, upset: float = 0.5, even: float = 0.0, reset: bool = True, lot: object = 0) -> Cup:
    """Play with the seeds 1 to *size*; the stronger wins but for chance."""
    chance = random.Random(f"{size} {upset} {even} {lot}")
    cup = DoubleElimination(range(1, size + 1), reset=reset)
    while ties := cup.to_play():
        results = dict(cup.results)
        for tie in (tie for tie in ties if tie.round == ties[0].round):
            stronger, weaker = sorted(tie.players)  # type: ignore[type-var]
            drawn = chance.random() < even
            results[tie.round, tie.number] = (
                None if drawn else weaker if chance.random() < upset else stronger
            )
        cup = DoubleElimination(cup.seeds, results, reset=reset)
    return cup


def build_line(cup: Cup) -> dict:  # type: ignore[type-arg]
    """The line of *cup*, as far as the oracle needs it."""
    ties = [tie for each in cup.rounds() for tie in each]
    return {
        "settings": {"reset": cup.reset},
        "players": [{"id": seed} for seed in cup.seeds],
        "byes": [tie.players[0] for tie in ties if tie.bye and tie.players[0] is not None],
        "matches": [
            {
                "part": tie.part.value,
                "round": tie.round + 1,
                "number": tie.number + 1,
                "players": list(tie.players),
                "winner": cup.results[tie.round, tie.number],
            }
            for tie in ties
            if tie.pairing is not None
        ],
        "standings": [{"player": player, "rank": rank} for player, rank in cup.ranks().items()],
    }


class TestPlay:
    @for_each(("size", "reset", "even"), product(range(2, 41), (True, False), (0.0, 0.3)))
    def test_is_what_the_oracle_makes_of_it(self, size: int, reset: bool, even: float) -> None:
        cup = play(size, even=even, reset=reset)
        assert Replay(build_line(cup)).faults == []
        assert cup.champion is not None

    def test_the_oracle_finds_what_is_wrong(self) -> None:
        line = build_line(play(12))
        for tamper in (
            lambda line: line["matches"].pop(),
            lambda line: line["byes"].pop(),
            lambda line: line["matches"][-1]["players"].reverse(),
            lambda line: line["matches"][9].update(round=9),
            lambda line: line["standings"][-1].update(rank=4),
            lambda line: line["players"].reverse(),
        ):
            changed = {**line, **{name: [*line[name]] for name in ("byes", "players")}}
            changed["matches"] = [one | {"players": [*one["players"]]} for one in line["matches"]]
            changed["standings"] = [dict(one) for one in line["standings"]]
            tamper(changed)
            assert Replay(changed).faults != []

    @for_each(("size", "reset"), product(range(2, 41), (True, False)))
    def test_all_but_the_winner_lose_twice(self, size: int, reset: bool) -> None:
        cup = play(size, reset=reset)
        ties = [tie for each in cup.rounds() for tie in each if tie.pairing]
        assert len(ties) == len(cup.results)
        defeats = Counter(cup.loser(tie) for tie in ties)
        decided = ties[-1].part == Part.DECIDER
        assert len(ties) == 2 * size - 2 + decided
        final = next(tie for tie in ties if tie.part == Part.FINAL)
        above, below = final.players
        assert defeats[below] + defeats[above] == (2 if cup.winner(final) == above or not reset else 3)
        assert decided == (reset and cup.winner(final) == below)
        assert {defeats[player] for player in cup.seeds if player not in final.players} <= {2}

    @for_each("size", range(2, 41))
    def test_without_upsets_the_first_beats_the_second_twice(self, size: int) -> None:
        cup = play(size, upset=0.0)
        assert (cup.champion, len(cup.results)) == (1, 2 * size - 2)
        assert cup.rounds()[-1][0].players == (1, 2)

    @for_each("size", range(2, 41))
    def test_byes_go_to_the_highest_seeds_and_every_round_has_a_match(self, size: int) -> None:
        cup = play(size)
        first = [tie.players[0] for tie in cup.rounds()[0] if tie.bye]
        assert sorted(first) == list(range(1, len(first) + 1))  # type: ignore[type-var]
        assert all(any(tie.pairing for tie in each) for each in cup.rounds())
        assert not any(tie.bye for each in cup.rounds()[3:] for tie in each)

    def test_the_one_who_has_not_lost_wins_an_even_final(self) -> None:
        won = {(0, 0): 2, (1, 0): None}
        assert DoubleElimination([1, 2], won).champion == 2
        won[1, 0] = 1
        decider = DoubleElimination([1, 2], won).rounds()[-1][0]
        assert (decider.part, decider.players) == (Part.DECIDER, (1, 2))
        assert DoubleElimination([1, 2], {**won, (2, 0): None}).champion == 1
        assert DoubleElimination([1, 2], won, reset=False).champion == 1

    def test_nobody_wins_a_final_without_a_game(self) -> None:
        won = {(0, 0): 2, (1, 0): None}
        final = DoubleElimination([1, 2], won, unplayed=[(1, 0)])
        assert final.champion is None and final.ranks() == {1: 2, 2: 2}
        won[1, 0], won[2, 0] = 1, None
        decider = DoubleElimination([1, 2], won, unplayed=[(2, 0)])
        assert decider.champion is None and decider.ranks() == {1: 2, 2: 2}

    def test_the_deciding_match_is_a_round_until_it_is_known_that_it_is_not_needed(self) -> None:
        assert len(DoubleElimination([1, 2], {(0, 0): 1}).rounds()) == 3
        assert len(DoubleElimination([1, 2], {(0, 0): 1, (1, 0): 1}).rounds()) == 2
        assert len(DoubleElimination([1, 2], {(0, 0): 1}, reset=False).rounds()) == 2

    @pytest.mark.parametrize(
        "results",
        [
            {(1, 0): 1},  # not drawn yet
            {(0, 0): 3},  # of others
            {(0, 0): 1, (1, 0): 1, (2, 0): 2},  # not needed
            {(0, 0): 1, (1, 0): 2, (3, 0): 2},
        ],
    )
    def test_what_can_not_be_is_refused(self, results: dict[tuple[int, int], int]) -> None:
        with pytest.raises(ValueError):
            DoubleElimination([1, 2], results)


class TestRanks:
    def test_go_by_the_round_of_the_second_defeat(self) -> None:
        assert sorted(play(8).ranks().values()) == [1, 2, 3, 4, 5, 5, 7, 7]
        places = [1, 2, 3, 4, 5, 5, 7, 7, 9, 9, 9, 9, 13, 13, 13, 13]
        assert sorted(play(16).ranks().values()) == places
        assert sorted(play(12).ranks().values()) == places[:12]

    def test_whoever_is_still_in_it_shares_the_first(self) -> None:
        lost = DoubleElimination([1, 2, 3, 4], {(0, 0): 1, (0, 1): 2, (1, 1): 3})
        assert lost.ranks() == {1: 1, 2: 1, 3: 1, 4: 4}


class TestRounds:
    @for_each("size", range(2, 41))
    def test_a_tie_is_found_by_its_numbers(self, size: int) -> None:
        cup = play(size, upset=0.9)
        counted: dict[tuple[Part, int], int] = {}
        for tie in (tie for each in cup.rounds() for tie in each):
            where = locate_tie(len(cup.rounds()), tie.round + 1, tie.number + 1)
            assert where[0] == tie.part
            counted[where] = counted.get(where, 0) + 1
        rounds = size - 1
        k = rounds.bit_length()
        assert [counted[Part.MAIN, r] for r in range(1, k + 1)] == [1 << (k - r) for r in range(1, k + 1)]
        below = [counted.get((Part.LOSERS, j)) for j in range(1, 2 * k - 1)]
        assert below == [1 << (k - 1 - (j + 1) // 2) for j in range(1, 2 * k - 1)]


def find_earliest_repeat(k: int, order: dict[int, tuple[int, ...]]) -> int:
    """The first round of losers in which two can meet who have met, if losers of round r enter in this
    *order*."""

    def enter(r: int, tie: int) -> tuple[int, int]:
        return (1, tie // 2) if r == 1 else (2 * (r - 1), order[r].index(tie))

    def meet(one: tuple[int, int], other: tuple[int, int]) -> int:
        while one != other:
            first = min(one, other)
            moved = first[0] + 1, first[1] if first[0] % 2 else first[1] // 2
            one, other = (moved, other) if first == one else (one, moved)
        return one[0]

    return min(
        meet(enter(q, tie), enter(r, tie >> (r - q)))
        for q in range(1, k)
        for tie in range(1 << (k - q))
        for r in range(q + 1, k + 1)
    )


EARLIEST = {2: 2, 3: 3, 4: 4, 5: 5, 6: 6}
"""The first round of losers in which two may meet again, with 2^k places."""


class TestRepeats:
    @for_each("size", range(3, 41))
    def test_nobody_meets_again_before_it_can_not_be_avoided(self, size: int) -> None:
        for lot in range(3):
            met: set[frozenset[int | None]] = set()
            for tie in (tie for each in play(size, lot=lot).rounds() for tie in each if tie.pairing):
                pair = frozenset(tie.players)
                if pair in met and tie.part == Part.LOSERS:
                    assert tie.round >= EARLIEST[(size - 1).bit_length()]
                met.add(pair)

    @for_each("k", [2, 3, 4])
    def test_no_other_order_would_keep_them_apart_for_longer(self, k: int) -> None:
        ties = {r: range(1 << (k - r)) for r in range(2, k + 1)}
        orders = product(*(permutations(each) for each in ties.values()))
        best = max(find_earliest_repeat(k, dict(zip(ties, order, strict=True))) for order in orders)
        assert best == EARLIEST[k]
