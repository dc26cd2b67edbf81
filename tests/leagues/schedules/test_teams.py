"""Matches of teams, and the World Team Carcassonne Online Championship put together from the parts."""

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
    board_matches,
    decided_series,
    line_up_refusals,
    points_of_teams,
    round_robin,
    seeds_from_groups,
    team_score,
)

HALF = Fraction(1, 2)


class TestLineUps:
    @pytest.mark.parametrize(
        ("line_up", "codes"),
        [("ABCDE", []), ("EDCBA", []), ("ABCD", ["number"]), ("ABCDD", ["twice"]), ("ABCDX", ["stranger"])],
    )
    def test_what_speaks_against_one(self, line_up: str, codes: list[str]) -> None:
        assert list(line_up_refusals(line_up, "ABCDEFG", boards=5)) == codes

    def test_boards_pair_by_number_and_begin_in_turns(self) -> None:
        boards = board_matches("ABCDE", "VWXYZ", best_of=3)
        assert [board.first + board.second for board in boards] == ["AV", "WB", "CX", "YD", "EZ"]
        assert {board.best_of for board in boards} == {3}

    def test_line_ups_must_match(self) -> None:
        for first, second in (("AB", "X"), ("AB", "BC"), ("AA", "XY")):
            with pytest.raises(ValueError):
                board_matches(first, second)


class TestScores:
    def test_boards_count_one_each(self) -> None:
        score = team_score([(2, 0), (0, 2), (2, 0), (1, 1), (0, 0)])
        assert (score.board_points, score.match_points) == ((2 + HALF, 1 + HALF), (2, 0))

    def test_as_many_boards_share_the_match(self) -> None:
        assert team_score([(2, 0), (0, 2)]).match_points == (1, 1)

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
        score = team_score(boards)
        assert score.decided == decided
        if not decided:
            with pytest.raises(ValueError):
                _ = score.match_points

    def test_points_are_told_by_team_whoever_begins(self) -> None:
        begins, follows = Series("A", "X", 3, ("A", "A")), Series("X", "A", 3, ("A", "A"))
        assert points_of_teams(begins, "AB") == points_of_teams(follows, "AB") == (2, 0)
        assert points_of_teams(begins, "XY") == (0, 2)
        assert points_of_teams(Series("A", "X", 3, ("A",)), "AB") is None

    def test_points_that_no_match_has_are_refused(self) -> None:
        for points in ((2, 1), (3, -1)):
            with pytest.raises(ValueError):
                team_score([points])


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
        """All matches of a group, one round after the other, and the order in the end."""
        for each in round_robin(nations):
            for pairing in each.pairings:
                score = self.match(*pairing.players)
                for nation, match, boards in zip(
                    pairing.players, score.match_points, score.board_points, strict=True
                ):
                    self.totals[nation][0] += match
                    self.totals[nation][1] += boards
        return sorted(nations, key=lambda nation: (*self.totals[nation], nation), reverse=True)

    def match(self, first: str, second: str) -> TeamScore:
        line_ups = [self.lot.sample(self.squads[nation], 5) for nation in (first, second)]
        for nation, line_up in zip((first, second), line_ups, strict=True):
            assert not list(line_up_refusals(line_up, self.squads[nation], boards=5))
        points = []
        for board in board_matches(*line_ups, best_of=3):
            played = decided_series(board.first, board.second, 3, [self.game(board) for _ in range(3)])
            self.games += played.games()[: len(played.winners)]
            self.duels += 1
            points.append(points_of_teams(played, line_ups[0]))
        return team_score(points)

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
        seeds = seeds_from_groups(groups)
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
