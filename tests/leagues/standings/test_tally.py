"""Points, matches, forfeits and byes (STAND-1 to 4)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from leagues.standings import (
    DEFAULT_POINTS,
    Entrant,
    GameResult,
    Rules,
    SeatResult,
    Withdrawn,
    compute_match_result,
    compute_standings,
    find_struck_games,
    is_decided,
    list_contests,
    share_points,
)
from tests.leagues.standings.result_helpers import make_game_result


def points(players: str, rules: Rules, games: list[GameResult], byes: str = "") -> dict[str, str]:
    table = compute_standings(
        [Entrant(name) for name in players.split()], games, byes.split(), rules, "season"
    )
    return {str(one.player): str(one.points) for one in table}


def test_a_penalty_takes_points_before_anything_is_compared() -> None:
    games = [make_game_result("Ann Bob", 1, 2), make_game_result("Cid Ann", 1, 2)]
    entrants = [Entrant("Ann", penalty=Fraction(5, 2)), Entrant("Bob"), Entrant("Cid")]
    table = compute_standings(entrants, games, [], Rules.usual(2), "season")
    assert [(one.player, str(one.points)) for one in table] == [("Cid", "2"), ("Bob", "0"), ("Ann", "-1/2")]
    with pytest.raises(ValueError, match="below 0"):
        Entrant("Ann", penalty=-1)


class TestSharedPoints:
    @pytest.mark.parametrize("seats", range(2, 7))
    def test_without_ties_ranks_have_their_points(self, seats: int) -> None:
        assert share_points(range(1, seats + 1), DEFAULT_POINTS[seats]) == DEFAULT_POINTS[seats]

    @pytest.mark.parametrize(
        ("ranks", "shares"),
        [
            ([1, 1], "1 1"),
            ([1, 1, 3, 4], "9/2 9/2 1 0"),
            ([1, 2, 2, 2], "6 4/3 4/3 4/3"),
            ([1, 1, 1, 1, 1, 1], "23/6 23/6 23/6 23/6 23/6 23/6"),
            ([3, 1, 1], "0 3 3"),
            ([2, 2], "0 0"),  # no player came, and none is first
            ([1, 4, 4, 4], "6 0 0 0"),
        ],
    )
    def test_who_shares_ranks_shares_their_points(self, ranks: list[int], shares: str) -> None:
        assert " ".join(map(str, share_points(ranks, DEFAULT_POINTS[len(ranks)]))) == shares


class TestMatches:
    @pytest.mark.parametrize(
        ("course", "over", "result"),
        [
            ("A", False, None),
            ("AA", True, "2 0"),
            ("A-", False, None),  # Bob can still come level
            ("A--", True, "2 0"),
            ("AB", False, None),
            ("AB-", True, "1 1"),
            ("---", True, "1 1"),
            ("ABB", True, "0 2"),
            ("AAB", True, "2 0"),  # played to the end for nothing
        ],
    )
    def test_best_of_three(self, course: str, over: bool, result: str | None) -> None:
        ranks = {"A": (1, 2), "B": (2, 1), "-": (1, 1)}
        games = [make_game_result("Ann Bob", *ranks[winner]) for winner in course]
        assert is_decided(games, best_of=3) == over
        if over:
            assert " ".join(map(str, compute_match_result(games).points)) == result
        assert len(list_contests(games, Rules.usual(2, best_of=3))) == over

    def test_seats_may_change_from_game_to_game(self) -> None:
        games = [make_game_result("Ann Bob", 1, 2), make_game_result("Bob Ann", 2, 1)]
        assert points("Ann Bob", Rules.usual(2, best_of=3), games) == {"Ann": "2", "Bob": "0"}

    def test_with_best_of_one_the_points_of_the_game_count(self) -> None:
        rules = replace(Rules.usual(2), points=(3, 1))
        assert points("Ann Bob", rules, [make_game_result("Ann Bob", 1, 1)]) == {"Ann": "2", "Bob": "2"}

    def test_with_more_games_match_points_count_whatever_a_game_is_worth(self) -> None:
        rules = replace(Rules.usual(2, best_of=3), points=(3, 1))
        games = [make_game_result("Ann Bob", 1, 2), make_game_result("Ann Bob", 1, 2)]
        assert points("Ann Bob Cid", rules, games, byes="Cid") == {"Ann": "2", "Cid": "2", "Bob": "0"}

    @pytest.mark.parametrize(
        ("games", "told"),
        [
            ([replace(make_game_result("Ann Bob", 1, 2), match=None)], "no match"),
            ([make_game_result("Ann Bob", 1, 2), make_game_result("Ann Cid", 1, 2)], "same players"),
            ([make_game_result("Ann Bob", 1, 2)] * 4, "best of 3"),
            ([make_game_result("Ann Bob Cid", 1, 2, 3)], "3 seats"),
        ],
    )
    def test_what_is_no_match_is_refused(self, games: list[GameResult], told: str) -> None:
        with pytest.raises(ValueError, match=told):
            list_contests(games, Rules.usual(2, best_of=3))


class TestForfeitsAndByes:
    def test_a_forfeit_counts_for_points(self) -> None:
        games = [make_game_result("Ann Bob", 1, 2, forfeit=True)]
        assert points("Ann Bob", Rules.usual(2), games) == {"Ann": "2", "Bob": "0"}

    @pytest.mark.parametrize(("seats", "worth"), [(2, "2"), (4, "6")])
    def test_a_bye_is_a_win(self, seats: int, worth: str) -> None:
        assert points("Ann", Rules.usual(seats), [], byes="Ann") == {"Ann": worth}
        assert points("Ann", Rules.usual(seats), [], byes="Ann Ann") == {"Ann": str(2 * int(worth))}

    def test_what_is_struck_brings_nothing(self) -> None:
        games = [make_game_result("Ann Bob", 1, 2, struck=True)]
        assert points("Ann Bob", Rules.usual(2), games) == {"Ann": "0", "Bob": "0"}


class TestStruckGames:
    def season(self, finished: int, of: int) -> list[GameResult]:
        return [make_game_result(f"Player{n} Ann", 1, 2, forfeit=n >= finished) for n in range(of)]

    @pytest.mark.parametrize(
        ("finished", "of", "struck"), [(0, 4, 4), (1, 4, 4), (2, 4, 0), (3, 7, 7), (4, 7, 0)]
    )
    def test_less_than_half_finished_strikes_all(self, finished: int, of: int, struck: int) -> None:
        games = self.season(finished, of)
        assert len(find_struck_games(games, {"Ann"}, Withdrawn.STRIKE)) == struck
        assert not find_struck_games(games, {"Ann"}, Withdrawn.KEEP)

    def test_games_of_others_stay(self) -> None:
        other = make_game_result("Bob Cid", 1, 2, forfeit=True)
        games = [*self.season(0, 2), other]
        assert other.id not in find_struck_games(games, {"Ann"}, Withdrawn.STRIKE)
        assert find_struck_games(games, set(), Withdrawn.STRIKE) == frozenset()

    def test_a_game_with_another_who_withdrew_was_finished_all_the_same(self) -> None:
        """Bob finished two of four, one of them against Ann, whose games are all struck."""
        games = [make_game_result("Ann Bob", 1, 2), make_game_result("Bob Cid", 1, 2)]
        never_begun = ("Dee Ann", "Eve Ann", "Dee Bob", "Eve Bob")
        games += [make_game_result(pair, 1, 2, forfeit=True) for pair in never_begun]
        of_ann = {one.id for one in games if "Ann" in one.players}
        assert find_struck_games(games, {"Ann", "Bob"}, Withdrawn.STRIKE) == of_ann


class TestValues:
    def test_a_forfeit_has_no_score(self) -> None:
        with pytest.raises(ValueError, match="score"):
            SeatResult("Ann", 1, 50, forfeit=True)

    @pytest.mark.parametrize("ranks", [(1, 1, 2), (0, 2, 3), (1, 2, 2, 3)])
    def test_more_than_a_rank_says_can_not_stand_above_it(self, ranks: tuple[int, ...]) -> None:
        with pytest.raises(ValueError, match="above"):
            make_game_result(" ".join("ABCD"[: len(ranks)]), *ranks)

    def test_nobody_has_two_seats(self) -> None:
        with pytest.raises(ValueError, match="two seats"):
            make_game_result("Ann Ann", 1, 2)

    @pytest.mark.parametrize(
        ("changed", "fault"),
        [
            ({"points": (2,)}, "points"),
            ({"points": (0, 2)}, "points"),
            ({"points": (0, 0)}, "points"),
            ({"points": (2, -1)}, "points"),
            ({"best_of": 2}, "best_of"),
            ({"best_of": 0}, "best_of"),
            ({"points": (4, 2, 0), "best_of": 3}, "best_of"),
            ({"tie_breaks": ("lot", "lot")}, "tie_breaks"),
            ({"tie_breaks": ("coin",)}, "tie_breaks"),
            ({"up": -1}, "up"),
            ({"down": -1}, "down"),
        ],
    )
    def test_what_no_league_may_have(self, changed: dict[str, object], fault: str) -> None:
        rules = replace(Rules.usual(2), **changed)
        assert list(rules.faults()) == [fault]
        with pytest.raises(ValueError, match=fault):
            compute_standings([], [], [], rules, 1)

    @pytest.mark.parametrize("seats", range(2, 7))
    def test_what_is_usual_may_be(self, seats: int) -> None:
        assert list(Rules.usual(seats, up=2, down=2).faults()) == []

    @pytest.mark.parametrize(
        ("entrants", "games", "byes"),
        [
            ([Entrant("Ann"), Entrant("Ann")], [], []),
            ([Entrant("Ann")], [make_game_result("Ann Bob", 1, 2)], []),
            ([Entrant("Ann")], [make_game_result("Ann Bob", 1, 2, struck=True)], []),
            ([Entrant("Ann")], [], ["Bob"]),
        ],
    )
    def test_who_is_not_entered_once_is_refused(
        self, entrants: list[Entrant], games: list[GameResult], byes: list[str]
    ) -> None:
        with pytest.raises(ValueError, match="entered"):
            compute_standings(entrants, games, byes, Rules.usual(2), 1)
