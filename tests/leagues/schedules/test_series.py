"""Matches of several games (STAND-2)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from leagues.schedules import Series, find_decided_series


def series(best_of: int, course: str) -> Series[str]:
    """A match of A and B; *course* has the winner of each game, ``=`` for a drawn one."""
    return Series("A", "B", best_of, tuple(None if game == "=" else game for game in course))


class TestSeries:
    @pytest.mark.parametrize(
        ("best_of", "course", "winner"),
        [
            (1, "A", "A"),
            (3, "AA", "A"),
            (3, "ABB", "B"),
            (3, "A==", "A"),  # two and a half against half a game
            (5, "BABB", "B"),
            (5, "AAA", "A"),
            (5, "AA==", "A"),
        ],
    )
    def test_a_lead_that_can_not_be_made_up_wins(self, best_of: int, course: str, winner: str) -> None:
        assert series(best_of, course).winner == winner
        assert series(best_of, course).decided
        assert not series(best_of, course[:-1]).decided

    @pytest.mark.parametrize(
        ("best_of", "course"), [(1, ""), (3, "A"), (3, "A="), (5, "AA"), (5, "AA="), (5, "ABAB")]
    )
    def test_as_long_as_it_can_be_made_up_nobody_has_won(self, best_of: int, course: str) -> None:
        open_match = series(best_of, course)
        assert (open_match.decided, open_match.winner, open_match.even) == (False, None, False)
        with pytest.raises(ValueError):
            open_match.points("A")

    @pytest.mark.parametrize(("best_of", "course"), [(1, "="), (3, "AB="), (3, "===")])
    def test_an_even_match_shares_the_points(self, best_of: int, course: str) -> None:
        even = series(best_of, course)
        assert even.even and even.winner is None
        assert [even.points(player) for player in "AB"] == [1, 1]

    def test_the_winner_has_two_match_points_however_it_went(self) -> None:
        assert [series(3, "ABA").points(player) for player in "AB"] == [2, 0]
        assert series(3, "A==").wins("A") == Fraction(2)

    def test_first_seats_alternate(self) -> None:
        assert ["".join(game.players) for game in series(5, "").games()] == ["AB", "BA", "AB", "BA", "AB"]
        following = series(5, "AB").next_game()
        assert following is not None and following.first == "A"
        assert series(3, "AA").next_game() is None

    def test_games_that_ended_after_the_decision_do_not_count(self) -> None:
        assert find_decided_series("A", "B", 3, ["A", "A", "B"]) == series(3, "AA")

    @pytest.mark.parametrize(("best_of", "course"), [(2, ""), (0, ""), (1, "AB"), (3, "C")])
    def test_what_is_no_match_is_refused(self, best_of: int, course: str) -> None:
        with pytest.raises(ValueError):
            series(best_of, course)
