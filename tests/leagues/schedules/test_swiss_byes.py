"""Tests of byes in Swiss rounds by the FIDE Dutch rules of 2025 (STAND-15).

Compared with bug reports of other programs, with all possible pairings, and with a library for these rules.
"""

from __future__ import annotations

import filecmp
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from caissify_pairings import generate_pairings

from leagues.schedules import Round
from leagues.schedules.swiss import SwissMatch, SwissRound, pair_swiss_round
from tests.leagues.schedules.swiss_helpers import Tournament, may_meet

REPORTS = Path(__file__).parent / "reports"
SHARED = Path(__file__).parents[4] / "shared" / "reports"
DUTCH = {one["id"]: one for one in json.loads((REPORTS / "swiss-dutch-2025.json").read_text())}
BYE = json.loads((REPORTS / "swiss-bye.json").read_text())


def played(report: Mapping[str, Any]) -> list[SwissRound[int]]:
    return [
        SwissRound(
            tuple(
                SwissMatch(tuple(match["players"]), tuple(match["points"]), match.get("forfeit", False))
                for match in each["matches"]
            ),
            tuple(each["byes"]),
        )
        for each in report["rounds"]
    ]


def next_round(report: Mapping[str, Any]) -> Round[int]:
    return pair_swiss_round(
        report["players"],
        played(report),
        report["rounds_planned"],
        absent=report.get("absent", report.get("away_next")),
        first_begins=report.get("first_seat_of_top_seed_in_round_1", True),
    )


def in_order(paired: Round[int]) -> list[list[int]]:
    return [list(pairing.players) for pairing in paired.pairings]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the reports lie beside the project only where it is built")
def test_copies_equal_the_reports() -> None:
    names = sorted(path.name for path in REPORTS.iterdir())
    assert names == ["swiss-bye.json", "swiss-dutch-2025.json"]
    assert filecmp.cmpfiles(REPORTS, SHARED, names, shallow=False) == (names, [], [])


@pytest.mark.parametrize("name", ["dutch_2025_C5", "dutch_2025_C9"])
def test_pairs_and_byes_are_those_of_the_rules_of_2025(name: str) -> None:
    paired, expected = next_round(DUTCH[name]), DUTCH[name]["expected"]
    assert (in_order(paired), list(paired.byes)) == (expected["pairs"], expected["bye"])


def test_the_bye_goes_to_the_lowest_score_that_lets_all_others_be_paired() -> None:
    paired = next_round(BYE)
    assert list(paired.byes) == [BYE["right"]["bye"]]
    assert sorted(map(sorted, in_order(paired))) == sorted(BYE["right"]["pairs"])


def test_not_all_pairs_are_those_of_the_rules_of_2025() -> None:
    """docs/leagues.md says so: when it fails, the library follows the new rules as a whole."""
    paired, expected = in_order(next_round(DUTCH["issue_7"])), DUTCH["issue_7"]["expected"]["pairs"]
    same = [pair for pair in paired if pair in expected]
    assert len(same) == 26 and len(paired) == len(expected) == 30


def lowest_bye(tournament: Tournament) -> Any:
    """The lowest score of a player who may have the bye so that all others can be paired, by brute force."""
    known = tournament.as_the_library_sees_them()
    may = {(one, other): may_meet(known[one], known[other]) for one in known for other in known}

    @cache
    def can_be_paired(players: tuple[int, ...]) -> bool:
        if not players:
            return True
        first, *others = players
        return any(
            may[first, other] and can_be_paired(tuple(player for player in others if player != other))
            for other in others
        )

    present = sorted(known)
    return min(
        tournament.points(bye)
        for bye in present
        if not tournament.had_a_free_win(bye)
        and can_be_paired(tuple(player for player in present if player != bye))
    )


def odd_tournaments(sizes: Iterable[int], seeds: Iterable[int]) -> Iterable[Tournament]:
    seeds = list(seeds)
    for size in sizes:
        for seed in seeds:
            trouble = seed % 3 == 2  # forfeits, absences, withdrawals and newcomers
            yield Tournament(size, min(size - 1, 9), f"bye {size} {seed}", trouble=trouble)


def count_rounds_with_right_byes(tournaments: Iterable[Tournament]) -> int:
    rounds = 0
    for tournament in tournaments:
        for paired in tournament.course():
            for bye in paired.byes:
                rounds += 1
                assert tournament.points(bye) == lowest_bye(tournament)
    return rounds


def test_nobody_has_a_bye_above_one_who_could_have_had_it() -> None:
    assert count_rounds_with_right_byes(odd_tournaments((5, 7, 9), range(6))) > 80


@pytest.mark.slow
def test_nobody_has_a_bye_above_one_who_could_have_had_it_in_many_rounds() -> None:
    assert count_rounds_with_right_byes(odd_tournaments((5, 7, 9, 11, 13), range(51))) >= 1344


class TestBesideAnotherLibrary:
    """Comparison with ``caissify-pairings``, which implements all rules of 2025, and is only used here."""

    @pytest.mark.parametrize("name", DUTCH)
    def test_it_answers_the_reports(self, name: str) -> None:
        report = DUTCH[name]
        players, absent = report["players"], report["absent"]
        pairs, byes = pair_elsewhere(players, played(report), report["rounds_planned"], absent)
        assert (pairs, byes) == (
            {frozenset(pair) for pair in report["expected"]["pairs"]},
            report["expected"]["bye"],
        )

    def test_byes_have_the_same_score_and_mostly_go_to_the_same(self) -> None:
        rounds = same = 0
        for seed in range(9):
            for size in (5, 7, 9, 11):
                tournament = Tournament(size, min(size - 1, 7), f"beside {size} {seed}")
                for paired in tournament.course():
                    _pairs, byes = pair_elsewhere(tournament.players, tournament.played, tournament.rounds)
                    rounds += 1
                    same += byes == list(paired.byes)
                    points = [tournament.points(bye) for bye in (*paired.byes, *byes)]
                    assert points[0] == points[1]
        assert rounds > 150 and same / rounds > 0.95


def pair_elsewhere(
    players: Sequence[int],
    rounds: Sequence[SwissRound[int]],
    planned: int,
    absent: Collection[int] = (),
) -> tuple[set[frozenset[int]], list[int]]:
    """The pairs of *players*, in order of their ratings, and the byes, by the other library."""
    points = {player: [0.0] for player in players}  # before each round, and now
    for each in rounds:
        gained = dict.fromkeys(each.byes, 1.0)
        for match in each.matches:
            gained.update(zip(match.players, (float(own) / 2 for own in match.points), strict=True))
        for player, before in points.items():
            before.append(before[-1] + gained.get(player, 0))
    told: list[dict[str, Any]] = []
    met = set()
    for number, player in enumerate(players, start=1):
        if player in absent:
            continue
        colours, floats = [], []
        for at, each in enumerate(rounds):
            match = next((one for one in each.matches if player in one.players), None)
            if match is None or match.forfeit:
                floats.append("none" if match and match.points[match.players.index(player)] == 0 else "down")
                continue
            other = next(one for one in match.players if one != player)
            colours.append("white" if match.players[0] == player else "black")
            met.add((player, other))
            lead = points[player][at] - points[other][at]
            floats.append("down" if lead > 0 else "up" if lead < 0 else "none")
        won_free = sum(
            match.forfeit and (player, 2) in zip(match.players, match.points, strict=True)
            for each in rounds
            for match in each.matches
        )
        told.append(
            {
                "id": player,
                "name": str(player),
                "score": points[player][-1],
                "rating": 3000 - number,
                "starting_number": number,
                "color_hist": colours,
                "float_history": floats,
                "bye_count": sum(player in each.byes for each in rounds),
                "forfeit_win_count": won_free,
            }
        )
    answer = generate_pairings(
        system="dutch",
        players=told,
        previous_pairings=met,
        round_number=len(rounds) + 1,
        total_rounds=planned,
    )
    pairs = {frozenset((one["white_id"], one["black_id"])) for one in answer if not one.get("bye")}
    return pairs, [one["white_id"] for one in answer if one.get("bye")]
