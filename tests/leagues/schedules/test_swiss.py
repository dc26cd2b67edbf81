"""Tests of Swiss rounds (STAND-15): the library's pairings against its own rules and a simple count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from py4swiss.engines.common import ColorPreferenceSide
from py4swiss.engines.dutch.criteria import COLOR_CRITERIA
from py4swiss.engines.dutch.criteria.absolute import C2
from py4swiss.engines.dutch.player import Player
from py4swiss.trf import TrfParser

from leagues.schedules import Round
from leagues.schedules.swiss import (
    NoPairing,
    SwissMatch,
    SwissRound,
    build_tournament_report,
    pair_swiss_round,
)
from tests.cases import for_each
from tests.leagues.schedules.swiss_helpers import Tournament, may_meet


def tournaments(sizes: Iterable[int], most: int) -> Iterator[Tournament]:
    """Yield two tournaments of each size, the second with trouble, over at *most* so many rounds."""
    for size in sizes:
        rounds = min(size - 1, most)
        yield Tournament(size, rounds, f"{size}")
        yield Tournament(size, rounds, f"{size} trouble", trouble=True)


def begins(one: Player, other: Player) -> Player:
    """The player who begins by the library's rules for colours; *one* is ranked higher (E.1 to E.5)."""
    for rule in COLOR_CRITERIA:
        side = rule.evaluate(one, other)
        if side != ColorPreferenceSide.NONE:
            return one if side == ColorPreferenceSide.WHITE else other
    raise AssertionError("the last rule always decides")


class TestAgainstTheRules:
    def test_short_tournaments_keep_the_rules(self) -> None:
        assert self.rounds_that_keep_the_rules(tournaments(range(13, 41, 3), 5)) == 100

    def test_small_tournaments_keep_the_rules_to_the_last_round(self) -> None:
        assert self.rounds_that_keep_the_rules(tournaments(range(2, 13), 12)) > 110

    def test_tournaments_with_penalties_keep_the_rules(self) -> None:
        punished = (
            Tournament(size, 5, f"{size} penalties", trouble=True, penalties=True) for size in range(6, 30)
        )
        assert self.rounds_that_keep_the_rules(punished) > 110

    @pytest.mark.slow
    def test_large_tournaments_keep_the_rules_to_the_last_round(self) -> None:
        assert self.rounds_that_keep_the_rules(tournaments(range(16, 41, 8), 40)) > 150

    def rounds_that_keep_the_rules(self, simulated: Iterable[Tournament]) -> int:
        """Check each round before it is played; return the number of rounds."""
        rounds = 0
        for tournament in simulated:
            for paired in tournament.course():
                self.keeps_the_rules_of_the_library(tournament, paired)
                self.keeps_the_rules_as_we_count_them(tournament, paired)
                rounds += 1
        return rounds

    def keeps_the_rules_of_the_library(self, tournament: Tournament, paired: Round[int]) -> None:
        known = tournament.as_the_library_sees_them()
        for pairing in paired.pairings:
            first, second = (known[player] for player in pairing.players)
            assert may_meet(first, second)
            assert begins(max(first, second), min(first, second)) == first
        for bye in paired.byes:
            assert C2.evaluate(known[bye], known[bye])

    def keeps_the_rules_as_we_count_them(self, tournament: Tournament, paired: Round[int]) -> None:
        """Check the round by pairings and results alone, without the library's records."""
        here = set(tournament.players) - tournament.absent
        seated = [player for pairing in paired.pairings for player in pairing.players]
        assert Counter(seated) + Counter(paired.byes) == Counter(here)
        assert len(paired.byes) == len(here) % 2
        assert not any(tournament.had_a_free_win(bye) for bye in paired.byes)
        for first, second in (pairing.players for pairing in paired.pairings):
            assert second not in tournament.opponents(first)
            if tournament.top(first) or tournament.top(second):
                continue
            for player in (first, second):
                firsts = [*tournament.firsts(player), player == first]
                assert abs(2 * sum(firsts) - len(firsts)) <= 2
                assert firsts[-3:] not in ([True] * 3, [False] * 3)

    @for_each("size", range(4, 9))
    @for_each("seed", range(8))
    @for_each("penalties", [False, True])
    def test_as_many_of_the_leaders_meet_as_any_whole_round_allows(
        self, size: int, seed: int, penalties: bool
    ) -> None:
        """C.5 and C.6 for the first bracket, by trying all rounds that there are."""
        tournament = Tournament(size, size - 1, f"leaders {seed}", penalties=penalties)
        for paired in tournament.course():
            known = tournament.as_the_library_sees_them()
            most = max(tournament.points(player) for player in known)
            leaders = {player for player in known if tournament.points(player) == most}
            every = list(whole_rounds(list(known), known))
            lowest = min((tournament.points(bye) for pairs in every for bye in byes(pairs)), default=None)
            possible = max(
                sum(leaders.issuperset(pair) for pair in pairs if len(pair) == 2)
                for pairs in every
                if all(tournament.points(bye) == lowest for bye in byes(pairs))
            )
            assert sum(leaders.issuperset(pairing.players) for pairing in paired.pairings) == possible

    @pytest.mark.parametrize("size", range(4, 9))
    def test_where_no_pairing_is_found_there_is_none(self, size: int) -> None:
        stuck = 0
        for seed in range(12):
            tournament = Tournament(size, size, f"stuck {seed}")  # one round more than there are opponents
            done = len(list(tournament.course()))
            if done < size:
                stuck += 1
                known = tournament.as_the_library_sees_them()
                assert list(whole_rounds(list(known), known)) == []
        assert stuck > 0


def whole_rounds(players: Sequence[int], known: dict[int, Player]) -> Iterator[list[tuple[int, ...]]]:
    """Yield all ways to pair *players* within the absolute rules, by brute force; a bye is a pair of one."""
    if not players:
        yield []
        return
    first, *others = players
    if len(players) % 2 and not known[first].bye_received:
        for rest in whole_rounds(others, known):
            yield [(first,), *rest]
    for other in others:
        if may_meet(known[first], known[other]):
            for rest in whole_rounds([player for player in others if player != other], known):
                yield [(first, other), *rest]


def byes(pairs: Iterable[tuple[int, ...]]) -> list[int]:
    """The players with a bye in a round."""
    return [pair[0] for pair in pairs if len(pair) == 1]


class TestWords:
    """Translation of results into the library's format."""

    @pytest.mark.parametrize(
        ("points", "forfeit", "tokens"),
        [
            ((2, 0), False, "10"),
            ((0, 2), False, "01"),
            ((1, 1), False, "=="),
            ((Fraction(2), Fraction(0)), True, "+-"),
            ((0, 2), True, "-+"),
            ((0, 0), True, "--"),
            ((1, 1), True, "HH"),
        ],
    )
    def test_a_match(self, points: tuple[int, int], forfeit: bool, tokens: str) -> None:
        report = build_tournament_report("AB", [SwissRound((SwissMatch(("B", "A"), points, forfeit),))], 3)
        results = [section.results[0].result.value for section in report.player_sections]
        assert "".join(reversed(results)) == tokens
        assert [section.points_times_ten for section in report.player_sections] == [
            5 * points[1],
            5 * points[0],
        ]

    def test_byes_win_and_absence_does_not(self) -> None:
        report = build_tournament_report("ABC", [SwissRound((), ("B",))], 3, absent={"C"})
        assert [section.points_times_ten for section in report.player_sections] == [0, 10, 0]
        assert report.x_section.zeroed_ids == {3}

    def test_a_report_is_read_back_by_the_library(self, tmp_path: Path) -> None:
        tournament = Tournament(9, 5, "written", trouble=True)
        list(tournament.course())
        report = build_tournament_report(tournament.players, tournament.played, 5)
        report.write_to_file(tmp_path / "tournament.trf")
        assert TrfParser.parse(tmp_path / "tournament.trf", strict=True) == report

    def test_who_forfeited_may_be_met_again(self) -> None:
        forfeit = SwissRound((SwissMatch(("A", "B"), (2, 0), forfeit=True),))
        assert len(pair_swiss_round("AB", [forfeit], 2).pairings) == 1
        with pytest.raises(NoPairing):
            pair_swiss_round("AB", [SwissRound((SwissMatch(("A", "B"), (2, 0)),))], 2)

    def test_who_has_withdrawn_is_not_paired(self) -> None:
        paired = pair_swiss_round("ABCDE", [], 3, absent={"B"})
        assert {player for pairing in paired.pairings for player in pairing.players} == set("ACDE")

    def test_who_joins_late_is_paired_as_one_without_points(self) -> None:
        first = SwissRound((SwissMatch(("A", "B"), (2, 0)), SwissMatch(("C", "D"), (2, 0))))
        paired = pair_swiss_round("ABNCD", [first], 3, absent={"B"})
        assert {frozenset(pairing.players) for pairing in paired.pairings} == {
            frozenset("AC"),
            frozenset("ND"),
        }

    def test_the_other_colour_may_begin(self) -> None:
        usual, other = (pair_swiss_round("ABCD", [], 3, first_begins=begins) for begins in (True, False))
        assert [pairing.players[::-1] for pairing in usual.pairings] == [
            pairing.players for pairing in other.pairings
        ]


class TestRefusals:
    @pytest.mark.parametrize(
        "played",
        [
            [SwissRound((SwissMatch(("A", "B"), (2, 1)),))],
            [SwissRound((SwissMatch(("A", "B"), (0, 0)),))],
            [SwissRound((SwissMatch(("A", "X"), (2, 0)),))],
            [SwissRound((SwissMatch(("A", "B"), (2, 0)),), ("A",))],
        ],
    )
    def test_what_can_not_have_been_played(self, played: list[SwissRound[str]]) -> None:
        with pytest.raises(ValueError):
            pair_swiss_round("ABCD", played, 3)

    def test_there_is_no_round_after_the_last(self) -> None:
        with pytest.raises(ValueError):
            pair_swiss_round("AB", [SwissRound((SwissMatch(("A", "B"), (2, 0)),))], 1)

    def test_nobody_twice_and_no_strangers(self) -> None:
        with pytest.raises(ValueError):
            pair_swiss_round("ABA", [], 1)
        with pytest.raises(ValueError):
            pair_swiss_round("AB", [], 1, absent={"C"})

    def test_without_players_there_is_no_pairing(self) -> None:
        with pytest.raises(NoPairing):
            pair_swiss_round("AB", [], 1, absent={"A", "B"})
        with pytest.raises(NoPairing):
            pair_swiss_round("A", [SwissRound((), ("A",))], 2)
