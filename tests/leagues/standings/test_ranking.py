"""Tests of the order, each criterion, and explanations of ranks (STAND-5 to 12)."""

from __future__ import annotations

import hashlib
import random
from dataclasses import replace
from fractions import Fraction

import pytest

from leagues.standings import (
    CRITERIA,
    TIE_BREAKS,
    Entrant,
    Explanation,
    GameResult,
    Rules,
    SeatResult,
    TableStanding,
    compute_movement,
    compute_standings,
)
from tests.cases import count_calls

from .result_helpers import make_game_result


def table(players: str, rules: Rules, games: list[GameResult], byes: str = "") -> list[TableStanding]:
    return compute_standings(
        [Entrant(name) for name in players.split()], games, byes.split(), rules, "season"
    )


def values(
    name: str, players: str, games: list[GameResult], *, seats: int = 2, byes: str = "", best_of: int = 1
) -> dict[str, str]:
    """The value of the criterion *name* for each player who is tied before it."""
    rules = replace(Rules.usual(seats, best_of=best_of), tie_breaks=(name,))
    found = table(players, rules, games, byes)
    return {str(one.player): str(one.values[name]) for one in found if name in one.values}


def same(value: str, *players: str) -> dict[str, str]:
    return dict.fromkeys(players, value)


def duel(winner: str, loser: str, scores: tuple[int, int] = (90, 70)) -> GameResult:
    plain = make_game_result(f"{winner} {loser}", 1, 2)
    seats = tuple(replace(seat, score=score) for seat, score in zip(plain.seats, scores, strict=True))
    return replace(plain, seats=seats)


def duels(results: str, match: str = "m") -> list[GameResult]:
    """Games of one match, or single ones: "AB CA" is a win of Ann against Bob and of Cid against Ann."""
    names = {name[0]: name for name in ("Ann", "Bob", "Cid", "Dee", "Eve")}
    return [replace(duel(names[winner], names[loser]), match=match) for winner, loser in results.split()]


ROUND = duels("AB BC CA")
"""Each has beaten one of the others."""


class TestCriteria:
    def test_every_name_that_a_league_may_list_has_a_function(self) -> None:
        assert set(CRITERIA) == set(TIE_BREAKS)
        assert [name for name, criterion in CRITERIA.items() if criterion.ascending] == ["lot"]

    def test_head_to_head_counts_only_who_are_equal(self) -> None:
        """Ann and Bob have 4 points, Cid and Dee 2; Ann lost to Cid, which is of no account."""
        games = duels("AB CA AD BC BD DC")
        found = values("head_to_head", "Ann Bob Cid Dee", games)
        assert found == {"Ann": "2", "Bob": "0", "Cid": "0", "Dee": "2"}

    def test_head_to_head_is_not_computed_again_for_what_is_left(self) -> None:
        """Four have 4 points: among them Cid has 4, Ann and Bob 2, Dee 0. Ann has beaten Bob."""
        rules = replace(Rules.usual(2), tie_breaks=("head_to_head",))
        found = table("Ann Bob Cid Dee Eve", rules, duels("AB CA BD CD AE BE DE DE"))
        ranks = {str(one.player): one.rank for one in found}
        assert ranks == {"Cid": 1, "Ann": 2, "Bob": 2, "Dee": 4, "Eve": 5}
        assert [str(one.values["head_to_head"]) for one in found[1:3]] == ["2", "2"]

    def test_a_circle_is_broken_by_the_next_criterion(self) -> None:
        games = [duel("Ann", "Bob", (90, 60)), duel("Bob", "Cid", (80, 70)), duel("Cid", "Ann", (80, 70))]
        rules = replace(Rules.usual(2), tie_breaks=("head_to_head", "score_difference"))
        found = table("Ann Bob Cid", rules, games)
        assert [(one.player, one.rank) for one in found] == [("Ann", 1), ("Cid", 2), ("Bob", 3)]
        assert [str(one.values["score_difference"]) for one in found] == ["20", "0", "-20"]
        assert {str(one.values["head_to_head"]) for one in found} == {"2"}

    def test_head_to_head_of_matches_counts_match_points(self) -> None:
        games = [*duels("AB AB", "1"), *duels("BC BC", "2"), *duels("CA AC CA", "3")]
        found = values("head_to_head", "Ann Bob Cid", games, best_of=3)
        assert found == same("2", "Ann", "Bob", "Cid")

    def test_at_tables_the_order_of_the_group_alone_counts(self) -> None:
        """Ann and Bob are equal; Cid and Dee sit between them and are of no account."""
        games = [
            make_game_result("Ann Cid Dee Bob", 1, 2, 3, 4),
            make_game_result("Bob Cid Dee Ann", 1, 2, 3, 4),
        ]
        games += [make_game_result("Ann Bob Cid Dee", 3, 3, 1, 2)]
        found = values("head_to_head", "Ann Bob Cid Dee", games, seats=4)
        assert (found["Ann"], found["Bob"]) == ("3", "3")  # 2 + 0 + 1 each

    def test_games_won_and_firsts_differ_where_more_than_two_share(self) -> None:
        games = [make_game_result("Ann Bob Cid", 1, 1, 1)]
        assert values("games_won", "Ann Bob Cid", games, seats=3) == same("1/2", "Ann", "Bob", "Cid")
        assert values("firsts", "Ann Bob Cid", games, seats=3) == same("1/3", "Ann", "Bob", "Cid")

    def test_a_bye_is_a_match_won_and_no_game(self) -> None:
        assert values("games_won", "Ann Bob Cid", [duel("Ann", "Bob")], byes="Cid") == {
            "Ann": "1",
            "Cid": "0",
        }

    def test_a_forfeit_is_a_game_won(self) -> None:
        games = [make_game_result("Ann Bob", 1, 2, forfeit=True)]
        assert values("games_won", "Ann Bob Cid", games, byes="Cid") == {"Ann": "1", "Cid": "0"}

    def test_nobody_wins_where_nobody_is_first(self) -> None:
        games = [make_game_result("Ann Bob", 2, 2, forfeit=True)]
        assert values("games_won", "Ann Bob", games) == same("0", "Ann", "Bob")

    def test_score_difference_is_to_the_mean_of_the_others(self) -> None:
        seats = tuple(SeatResult(name, 1, score) for name, score in (("Ann", 80), ("Bob", 75), ("Cid", 60)))
        found = values("score_difference", "Ann Bob Cid", [GameResult(1, None, "Ann", seats)], seats=3)
        assert found == {"Ann": "25/2", "Bob": "5", "Cid": "-35/2"}

    def test_a_game_in_which_a_seat_has_no_score_is_not_in_the_difference(self) -> None:
        seats = (SeatResult("Ann", 1, 80), SeatResult("Bob", 1, 70), SeatResult("Cid", 1, forfeit=True))
        found = values("score_difference", "Ann Bob Cid", [GameResult(1, None, "Ann", seats)], seats=3)
        assert found == same("0", "Ann", "Bob", "Cid")

    def test_buchholz_has_a_term_for_each_opponent_but_a_bye(self) -> None:
        """Ann has beaten Bob (2 points) and Dee (0); Cid has beaten Bob, and a bye."""
        games = [duel("Ann", "Bob"), duel("Ann", "Dee"), duel("Bob", "Dee"), duel("Cid", "Bob")]
        assert values("buchholz", "Ann Bob Cid Dee", games, byes="Cid") == {"Ann": "2", "Cid": "2"}
        assert values("buchholz_cut1", "Ann Bob Cid Dee", games, byes="Cid") == {"Ann": "2", "Cid": "0"}

    def test_buchholz_counts_a_match_once_and_none_that_is_running(self) -> None:
        """Each match was won by two games to none; Cid leads Ann by one."""
        games = [*duels("AB AB", "1"), *duels("CD CD", "2"), *duels("BD BD", "3"), *duels("CA", "4")]
        found = values("buchholz", "Ann Bob Cid Dee", games, best_of=3)
        assert found == {"Ann": "2", "Bob": "2", "Cid": "0"}

    def test_at_tables_buchholz_has_a_term_for_each_other_seat(self) -> None:
        games = [make_game_result("Ann Bob Cid", 1, 2, 3), make_game_result("Bob Ann Cid", 1, 2, 3)]
        for name in ("buchholz", "buchholz_cut1"):  # 6 + 0 twice; a nought is cut
            assert values(name, "Ann Bob Cid", games, seats=3) == same("12", "Ann", "Bob")

    def test_struck_games_have_no_terms(self) -> None:
        games = [*ROUND, make_game_result("Ann Dee", 1, 2, struck=True), duel("Dee", "Eve")]
        found = values("buchholz", "Ann Bob Cid Dee Eve", games)
        assert found == same("4", "Ann", "Bob", "Cid") | {"Dee": "0"}

    def test_sonneborn_berger_halves_what_was_even(self) -> None:
        """Ann and Bob drew and have 3 points each; Ann has beaten Cid (2), Bob has beaten Dee (0)."""
        games = [make_game_result("Ann Bob", 1, 1), *duels("AC BD CD")]
        found = values("sonneborn_berger", "Ann Bob Cid Dee", games)
        assert found == {"Ann": "7/2", "Bob": "3/2"}

    def test_rating_is_that_before_the_season(self) -> None:
        rules = replace(Rules.usual(2), tie_breaks=("rating",))
        found = compute_standings(
            [Entrant("Ann", 1500), Entrant("Bob", Fraction("1500.5"))], [], [], rules, 1
        )
        assert [(one.player, str(one.values["rating"])) for one in found] == [
            ("Bob", "3001/2"),
            ("Ann", "1500"),
        ]

    def test_the_smallest_lot_comes_first(self) -> None:
        rules = replace(Rules.usual(2), tie_breaks=("lot",))
        found = compute_standings([Entrant(player) for player in range(20)], [], [], rules, "2027-1")
        lots = [hashlib.sha256(f"2027-1/{one.player}".encode()).hexdigest() for one in found]
        assert lots == sorted(lots) == [one.values["lot"] for one in found]
        assert [one.rank for one in found] == list(range(1, 21))


def table_with(draw: int | None, scores: str, *, struck: bool = False) -> GameResult:
    """A game with this draw: "Ann 80, Bob 75", the first seat first; "Bob -" without a score."""
    seats = [one.split() for one in scores.split(", ")]
    results = tuple(SeatResult(name, 1, None if score == "-" else int(score)) for name, score in seats)
    return GameResult(f"{draw} {scores}", None, results[0].player, results, struck, draw)


class TestDuplicate:
    """Comparison with players in the same seat with the same tiles (STAND-19)."""

    def compared(self, *games: GameResult, players: str = "Ann Bob Cid Dee Eve Fay") -> dict[str, str]:
        seats = len(games[0].seats)
        rules = replace(Rules.usual(seats), points=(0,) * seats, tie_breaks=("duplicate",))
        return {str(one.player): str(one.values["duplicate"]) for one in table(players, rules, list(games))}

    def test_the_mean_of_the_others_at_the_same_seat(self) -> None:
        found = self.compared(
            table_with(1, "Ann 80, Bob 70"), table_with(1, "Cid 60, Dee 75"), table_with(1, "Eve 71, Fay 71")
        )
        assert found == {"Ann": "29/2", "Eve": "1", "Cid": "-31/2", "Dee": "9/2", "Fay": "-3/2", "Bob": "-3"}

    def test_terms_of_several_rounds_are_summed_exactly(self) -> None:
        of_a_round = ["Ann 81, Bob 70, Cid 50", "Dee 80, Eve 70, Fay 50"]
        found = self.compared(
            *[table_with(1, one) for one in of_a_round],
            *[table_with(2, one) for one in of_a_round],
            table_with(2, "Bob 10, Cid 0, Ann 0"),
        )
        assert found["Ann"] == str(1 + (81 - Fraction(80 + 10, 2)) + (0 - 50))
        assert found["Bob"] == str(0 + (70 - Fraction(70, 2)) + (10 - Fraction(161, 2)))

    def test_what_has_no_term(self) -> None:
        alone = table_with(1, "Ann 80, Bob 70")
        for other in (
            table_with(2, "Cid 60, Dee 75"),
            table_with(None, "Cid 60, Dee 75"),
            table_with(1, "Cid -, Dee -"),  # decided by time
            table_with(1, "Cid 60, Dee -"),
            table_with(1, "Cid 60, Dee 75", struck=True),
            replace(make_game_result("Cid Dee", 1, 2, forfeit=True), draw=1),
        ):
            assert set(self.compared(alone, other).values()) == {"0"}
        nobody = table_with(None, "Ann 80, Bob 70"), table_with(None, "Cid 60, Dee 75")
        assert set(self.compared(*nobody).values()) == {"0"}

    def test_among_those_with_equal_points_it_explains_the_rank(self) -> None:
        games = [make_game_result("Ann Bob", 1, 2), make_game_result("Cid Dee", 1, 2)]
        scored = [
            replace(
                one,
                draw=1,
                seats=tuple(replace(seat, score=n) for seat, n in zip(one.seats, scores, strict=True)),
            )
            for one, scores in zip(games, [(80, 70), (60, 55)], strict=True)
        ]
        rules = replace(Rules.usual(2), tie_breaks=("duplicate", "lot"))
        first, second, third, _ = table("Ann Bob Cid Dee", rules, scored)
        assert first.explanation == Explanation("Cid", "duplicate", Fraction(20), Fraction(-20))
        assert (second.explanation and second.explanation.criterion) == "points"
        assert third.explanation == Explanation("Dee", "duplicate", Fraction(15), Fraction(-15))

    def test_where_points_are_worth_nothing_it_decides_alone(self) -> None:
        rules = replace(Rules.usual(2), points=(0, 0), tie_breaks=("duplicate", "lot"))
        games = [table_with(1, "Ann 60, Bob 20"), table_with(1, "Cid 70, Dee 75")]
        found = table("Ann Bob Cid Dee Eve", rules, games, byes="Eve")
        ranks = {str(one.player): one.rank for one in found}
        assert ranks == {"Dee": 1, "Cid": 2, "Eve": 3, "Ann": 4, "Bob": 5}
        assert {str(one.points) for one in found} == {"0"}
        assert list(replace(rules, best_of=3).faults()) == ["comparison_alone"]
        assert list(replace(rules, tie_breaks=("lot", "duplicate")).faults()) == ["points"]


class TestOrder:
    def test_who_is_equal_after_the_last_criterion_shares_the_rank(self) -> None:
        rules = replace(Rules.usual(2), tie_breaks=("head_to_head",))
        found = table("Ann Bob Cid Dee", rules, [*ROUND, *duels("AD BD CD")])
        assert {str(one.player): one.rank for one in found} == {"Ann": 1, "Bob": 1, "Cid": 1, "Dee": 4}

    def test_values_are_those_that_were_needed(self) -> None:
        """Cid is alone on points; Ann and Bob need head to head, and no more."""
        found = table("Ann Bob Cid Dee", Rules.usual(2), duels("CA CB AB BD CD"))
        needed = {str(one.player): list(one.values) for one in found}
        assert needed == {"Cid": [], "Ann": ["head_to_head"], "Bob": ["head_to_head"], "Dee": []}

    def test_an_empty_division_has_an_empty_table(self) -> None:
        assert table("", Rules.usual(2), []) == []


class TestRunningRoundRobin:
    RULES = replace(Rules.usual(2), tie_breaks=("games_won", "lot"))
    GAMES = (duel("Ann", "Cid"), duel("Bob", "Dee"), duel("Cid", "Bob"), duel("Cid", "Dee"))

    def ranked(self, *, running: bool, **rules: object) -> list[TableStanding]:
        entrants = [Entrant(name) for name in ("Ann", "Bob", "Cid", "Dee")]
        chosen = replace(self.RULES, **rules)  # type: ignore[arg-type]
        return compute_standings(entrants, self.GAMES, [], chosen, "season", running=running)

    def test_fewer_points_lost_come_first_among_equals_and_it_says_so(self) -> None:
        found = self.ranked(running=True)
        assert [(one.player, one.rank) for one in found] == [("Cid", 1), ("Ann", 2), ("Bob", 3), ("Dee", 4)]
        assert all("points_lost" not in one.values for one in found), "it is no criterion of the league"
        assert found[1].explanation == Explanation("Bob", "points_lost", Fraction(0), Fraction(2))

    def test_points_still_come_before_them(self) -> None:
        (first, *_others) = self.ranked(running=True)
        assert first.explanation is not None
        assert (first.player, first.explanation.criterion) == ("Cid", "points")

    def test_the_final_table_knows_nothing_of_them(self) -> None:
        found = self.ranked(running=False)
        assert {one.explanation.criterion for one in found if one.explanation} == {"points", "lot"}

    def test_of_matches_two_points_can_be_lost_in_each(self) -> None:
        rules = Rules.usual(2, best_of=3)
        series = [replace(game, match=1) for game in (duel("Ann", "Cid"), duel("Ann", "Cid"))]
        series += [replace(game, match=2) for game in (duel("Bob", "Dee"), duel("Bob", "Dee"))]
        series += [replace(game, match=3) for game in (duel("Cid", "Bob"), duel("Cid", "Bob"))]
        entrants = [Entrant(name) for name in ("Ann", "Bob", "Cid", "Dee")]
        games = [replace(game, id=number) for number, game in enumerate(series)]
        first, *_others = compute_standings(entrants, games, [], rules, 1, running=True)
        assert (first.player, first.rank) == ("Ann", 1)
        assert {one.player for one in _others[:2]} == {"Bob", "Cid"}, "each has won one and lost one"
        assert first.explanation == Explanation(_others[0].player, "points_lost", Fraction(0), Fraction(2))


class TestExplanation:
    def test_points_explain_most(self) -> None:
        first, last = table("Ann Bob", Rules.usual(2), [duel("Ann", "Bob")])
        assert first.explanation == Explanation("Bob", "points", Fraction(2), Fraction(0))
        assert last.explanation is None

    def test_head_to_head_tells_both_numbers(self) -> None:
        """Ann and Bob played twice: a win of Ann's and a draw, 3 : 1; Bob beat Cid."""
        games = [duel("Ann", "Bob"), make_game_result("Ann Bob", 1, 1), duel("Bob", "Cid")]
        first, second, _ = table("Ann Bob Cid", Rules.usual(2), games)
        assert first.explanation == Explanation("Bob", "head_to_head", Fraction(3), Fraction(1))
        assert second.explanation == Explanation("Cid", "points", Fraction(3), Fraction(0))

    def test_nothing_explains_a_shared_rank(self) -> None:
        rules = replace(Rules.usual(2), tie_breaks=())
        first, _ = table("Ann Bob", rules, [make_game_result("Ann Bob", 1, 1)])
        assert first.explanation is not None
        assert (first.explanation.criterion, first.explanation.own) == (None, Fraction(1))


class TestMovement:
    @pytest.mark.parametrize(
        ("up", "down", "leaving", "moves"),
        [
            (1, 2, "", "A DE"),
            (0, 0, "", " "),
            (1, 2, "A", "B DE"),
            (1, 2, "E", "A CD"),
            (4, 4, "", "ABCD E"),  # nobody moves both ways
            (9, 9, "", "ABCDE "),
        ],
    )
    def test_first_and_last_of_those_who_stay(self, up: int, down: int, leaving: str, moves: str) -> None:
        found = compute_movement("ABCDE", Rules.usual(2, up=up, down=down), set(leaving))
        assert " ".join("".join(map(str, who)) for who in found) == moves


def many_games(players: int, chance: random.Random) -> list[GameResult]:
    """Random games, nine times as many as *players*."""
    games = []
    for number in range(9 * players):
        pair = chance.sample(range(players), 2)
        ranks = chance.choice([(1, 2), (2, 1), (1, 1)])
        seats = tuple(SeatResult(one, rank, 80 - rank) for one, rank in zip(pair, ranks, strict=True))
        games.append(GameResult(number, None, pair[0], seats))
    return games


def test_a_thousand_players_and_nine_thousand_games_are_quick() -> None:
    """Twice as many take twice as long, not four times."""

    def count(players: int) -> int:
        games = many_games(players, random.Random(1))
        entrants = [Entrant(player) for player in range(players)]
        return count_calls(lambda: compute_standings(entrants, games, [], Rules.usual(2), 1))

    assert count(2000) < 2.2 * count(1000)
