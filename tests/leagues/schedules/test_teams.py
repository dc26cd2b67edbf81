"""Tests of matches of teams, and of the World Team Carcassonne Online Championship built from the parts."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import pytest

from leagues.schedules import (
    KnockOut,
    Pairing,
    Series,
    TeamScore,
    build_board_matches,
    count_team_score,
    find_decided_series,
    list_line_up_refusals,
    pair_round_robin,
    seed_from_groups,
)

HALF = Fraction(1, 2)


class TestLineUps:
    @pytest.mark.parametrize(
        ("line_up", "codes"),
        [("ABCDE", []), ("EDCBA", []), ("ABCD", ["number"]), ("ABCDD", ["twice"]), ("ABCDX", ["stranger"])],
    )
    def test_what_speaks_against_one(self, line_up: str, codes: list[str]) -> None:
        assert list(list_line_up_refusals(line_up, "ABCDEFG", boards=5)) == codes

    def test_boards_pair_by_number_and_begin_in_turns(self) -> None:
        boards = build_board_matches("ABCDE", "VWXYZ", best_of=3)
        assert [board.first + board.second for board in boards] == ["AV", "WB", "CX", "YD", "EZ"]
        assert {board.best_of for board in boards} == {3}

    def test_line_ups_must_match(self) -> None:
        for first, second in (("AB", "X"), ("AB", "BC"), ("AA", "XY")):
            with pytest.raises(ValueError):
                build_board_matches(first, second)


class TestScores:
    def test_boards_count_one_each(self) -> None:
        score = count_team_score([(2, 0), (0, 2), (2, 0), (1, 1), (0, 0)])
        assert score.board_points == (2 + HALF, 1 + HALF)

    @pytest.mark.parametrize(
        ("boards", "decided"),
        [
            ([(2, 0), (2, 0), (2, 0), None, None], True),
            ([(2, 0), (2, 0), None, None, (1, 1)], False),  # two more make it even
            ([(2, 0), (2, 0), (1, 1), (0, 0), None], True),
            ([None], False),
            ([(1, 1), None], False),
        ],
    )
    def test_a_lead_that_can_not_be_made_up_decides(
        self, boards: Sequence[tuple[int, int] | None], decided: bool
    ) -> None:
        assert count_team_score(boards).decided == decided

    def test_points_that_no_match_has_are_refused(self) -> None:
        for points in ((2, 1), (3, -1)):
            with pytest.raises(ValueError):
                count_team_score([points])


class Championship:
    """Sixteen nations in four groups; the first two of each play a knock-out; five boards, best of three."""

    def __init__(self, seed: str) -> None:
        self.lot = random.Random(seed)
        self.squads = {nation: [f"{nation}{n}" for n in range(7)] for nation in "ABCDEFGHIJKLMNOP"}
        self.games: list[Pairing[str]] = []
        self.duels = 0
        self.totals: dict[str, list[Fraction]] = {
            nation: [Fraction(0), Fraction(0)] for nation in self.squads
        }

    def group(self, nations: str) -> list[str]:
        """Play all matches of a group, one round after the other, and return the final order."""
        for each in pair_round_robin(nations):
            for pairing in each.pairings:
                score = self.match(*pairing.players)
                for nation, boards, others in zip(
                    pairing.players, score.board_points, reversed(score.board_points), strict=True
                ):
                    self.totals[nation][0] += 1 + (boards > others) - (boards < others)
                    self.totals[nation][1] += boards
        return sorted(nations, key=lambda nation: (*self.totals[nation], nation), reverse=True)

    def match(self, first: str, second: str) -> TeamScore:
        line_ups = [self.lot.sample(self.squads[nation], 5) for nation in (first, second)]
        for nation, line_up in zip((first, second), line_ups, strict=True):
            assert not list(list_line_up_refusals(line_up, self.squads[nation], boards=5))
        points = []
        for board in build_board_matches(*line_ups, best_of=3):
            played = find_decided_series(board.first, board.second, 3, [self.game(board) for _ in range(3)])
            self.games += played.games()[: len(played.winners)]
            self.duels += 1
            order = (board.first, board.second) if board.first in line_ups[0] else (board.second, board.first)
            points.append((played.points(order[0]), played.points(order[1])))
        return count_team_score(points)

    def game(self, board: Series[str]) -> str | None:
        return self.lot.choice([board.first, board.first, board.second, board.second, None])

    def knock_out(self, seeds: Sequence[str]) -> KnockOut[str]:
        cup = KnockOut(seeds, third_place=True)
        while ties := cup.to_play():
            results = dict(cup.results)
            for tie in ties:
                assert tie.pairing is not None
                first, second = tie.pairing.players
                ahead, behind = self.match(first, second).board_points
                results[tie.round, tie.number] = (
                    None if ahead == behind else first if ahead > behind else second
                )
            cup = KnockOut(seeds, results, third_place=True)
        return cup


class TestWorldTeamChampionship:
    @pytest.mark.parametrize("seed", ["2020", "2021", "2023"])
    def test_from_groups_to_the_final(self, seed: str) -> None:
        cup = Championship(seed)
        groups = [cup.group(nations) for nations in ("ABCD", "EFGH", "IJKL", "MNOP")]
        assert sum(match for match, _ in cup.totals.values()) == 4 * 6 * 2
        assert sum(boards for _, boards in cup.totals.values()) == 4 * 6 * 5
        seeds = seed_from_groups(groups)
        assert seeds[:4] == tuple(group[0] for group in groups)
        played = cup.knock_out(seeds)
        assert played.champion in seeds
        assert [len(each) for each in played.rounds()] == [4, 2, 2]
        assert cup.duels == (4 * 6 + 4 + 2 + 2) * 5

    def test_each_duel_is_begun_in_turns(self) -> None:
        cup = Championship("2020")
        cup.match("A", "B")
        begun = Counter((frozenset(game.players), game.first) for game in cup.games)
        for game in cup.games:
            first, second = game.players
            assert abs(begun[frozenset(game.players), first] - begun[frozenset(game.players), second]) <= 1
