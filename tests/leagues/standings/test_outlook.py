"""Tests of what a player needs for a place: never claimed too early, and exact for the first place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leagues.standings import (
    Chance,
    Contest,
    DivisionResults,
    Entrant,
    GameResult,
    PlaceOutlook,
    Rules,
    SeatResult,
    UnplayedGame,
    compute_chances,
    compute_standings,
    list_contests,
)

some = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


def game(number: int, match: int, players: tuple[Any, ...], ranks: tuple[int, ...]) -> GameResult:
    seats = tuple(SeatResult(player, rank) for player, rank in zip(players, ranks, strict=True))
    return GameResult(number, match, players[0], seats)


@cache
def every_rank(seats: int) -> list[tuple[int, ...]]:
    """All orders and ties, and the last rank for all."""
    orders = product(range(seats), repeat=seats)
    ranks = {tuple(1 + sum(other < order for other in one) for order in one) for one in orders}
    return sorted(ranks | {(seats,) * seats})


@dataclass(frozen=True)
class Half:
    """Half-played season. Series are numbered by pair, and have the maximum number of games."""

    division: DivisionResults
    unplayed: tuple[UnplayedGame, ...]
    places: int

    @cached_property
    def decided(self) -> list[frozenset[Any]]:
        """The contests that are decided already, each by its games."""
        over = list_contests(self.division.games, self.division.rules)
        return [frozenset(one.id for one in contest.games) for contest in over]

    def endings(self) -> Iterator[DivisionResults]:
        """Yield all possible endings."""
        for chosen in product(*(every_rank(len(one.players)) for one in self.unplayed)):
            rest = [
                game(int(one.id), int(one.match or 0), one.players, ranks)
                for one, ranks in zip(self.unplayed, chosen, strict=True)
            ]
            yield replace(self.division, games=[*self.division.games, *rest])


@st.composite
def halves(draw: st.DrawFn) -> Half:
    kind = draw(st.sampled_from(["duel", "duel", "series", "table of 3", "table of 4"]))
    seats = {"table of 3": 3, "table of 4": 4}.get(kind, 2)
    best_of = 3 if kind == "series" else 1
    players = tuple(range(draw(st.integers(max(3, seats), 5))))
    pairs = draw(st.permutations(list(combinations(players, seats))))
    at_a_time = [(match, pair) for match, pair in enumerate(pairs) for _ in range(best_of)]
    left = draw(st.integers(1, {"duel": 4, "series": 4, "table of 3": 2, "table of 4": 1}[kind]))
    cut = max(0, len(at_a_time) - left)
    played = [
        game(number, match, pair, draw(st.sampled_from(every_rank(seats))))
        for number, (match, pair) in enumerate(at_a_time[:cut])
    ]
    unplayed = tuple(
        UnplayedGame(cut + number, match, pair) for number, (match, pair) in enumerate(at_a_time[cut:])
    )
    penalties = st.sampled_from([0, 0, 0, Fraction(1, 2), 3])
    entrants = [
        Entrant(player, withdrew=draw(st.integers(0, 9)) == 0, penalty=draw(penalties)) for player in players
    ]
    rules = Rules.usual(seats, best_of=best_of)
    byes = draw(st.lists(st.sampled_from(players), max_size=1))
    return Half(DivisionResults(entrants, played, byes, rules, 1), unplayed, draw(st.integers(0, 3)))


def points_of(division: DivisionResults, decided: Sequence[Contest]) -> dict[Any, Fraction]:
    points = {entrant.id: Fraction(division.byes.count(entrant.id) * 2) for entrant in division.entrants}
    if not division.rules.duels:
        points = {player: won * division.rules.points[0] / 2 for player, won in points.items()}
    for contest in decided:
        for player, won in zip(contest.players, contest.points, strict=True):
            points[player] += won
    return {entrant.id: points[entrant.id] - entrant.penalty for entrant in division.entrants}


def won(half: Half, decided: Sequence[Contest]) -> Counter[Any]:
    """The number of contests left at half time that each player has won alone among those *decided*."""
    before = half.decided
    wins: Counter[Any] = Counter()
    for contest in decided:
        ids = {one.id for one in contest.games}
        if contest.ranks.count(1) == 1 and not any(known <= ids for known in before):
            wins[contest.players[contest.ranks.index(1)]] += 1
    return wins


@some
@given(halves())
def test_trying_every_ending_finds_nothing_that_was_said_too_early(half: Half) -> None:
    """For one place it isn't said late either, but that a series brings points to somebody is not seen."""
    active = [entrant.id for entrant in half.division.entrants if not entrant.withdrew]
    failing: dict[Any, int] = dict.fromkeys(active, -1)  # the most wins with which the place may be missed
    possible = set()
    for ending in half.endings():
        decided = list_contests(ending.games, ending.rules)
        points, wins = points_of(ending, decided), won(half, decided)
        for player in active:
            level = sum(points[other] >= points[player] for other in active if other != player)
            ahead = sum(points[other] > points[player] for other in active)
            if level >= half.places:
                failing[player] = max(failing[player], wins[player])
            if ahead < half.places:
                possible.add(player)
    for player, found in compute_chances(half.division, half.unplayed, half.places).items():
        if player not in active:
            assert found == PlaceOutlook(Chance.OUT)
            continue
        needs = found.left + 1 if found.needs is None else found.needs
        assert needs > failing[player]
        assert (found.chance == Chance.SAFE) == (needs == 0)
        assert found.chance != Chance.OUT or player not in possible
        if half.places == 1:
            assert needs == min(failing[player], found.left) + 1
            assert (found.chance == Chance.OUT) == (player not in possible) or half.division.rules.series


@some
@given(halves(), st.data())
def test_nothing_is_said_that_the_final_table_does_not_keep(half: Half, data: st.DataObject) -> None:
    _is_kept(half, data.draw(st.sampled_from(list(half.endings()))))


def _is_kept(half: Half, ending: DivisionResults) -> None:
    table = compute_standings(ending.entrants, ending.games, ending.byes, ending.rules, ending.season)
    withdrew = {entrant.id for entrant in ending.entrants if entrant.withdrew}
    first = [one.player for one in table if one.player not in withdrew][: half.places]
    wins = won(half, list_contests(ending.games, ending.rules))
    for player, found in compute_chances(half.division, half.unplayed, half.places).items():
        if found.chance == Chance.SAFE or (found.needs is not None and wins[player] >= found.needs):
            assert player in first
        if found.chance == Chance.OUT:
            assert player not in first
    for player, found in compute_chances(ending, [], half.places).items():
        assert found.chance == (Chance.SAFE if player in first else Chance.OUT)


def entered(*names: str) -> list[Entrant]:
    return [Entrant(name) for name in names]


def duel(number: int, winner: str, loser: str) -> GameResult:
    return game(number, number, (winner, loser), (1, 2))


class TestExamples:
    def test_needs_two_of_three(self) -> None:
        """Ann and Bob each have three duels left; Ann is a win ahead of Bob and won against him."""
        entrants = entered("Ann", "Bob", "Cid", "Dee", "Eve")
        games = [duel(1, "Ann", "Bob"), duel(2, "Ann", "Cid"), duel(3, "Bob", "Cid")]
        left = [("Ann", "Dee"), ("Ann", "Eve"), ("Ann", "Cid"), ("Bob", "Dee"), ("Bob", "Eve")]
        unplayed = [UnplayedGame(4 + number, None, pair) for number, pair in enumerate(left)]
        found = compute_chances(DivisionResults(entrants, games, [], Rules.usual(2, up=1), 1), unplayed)
        assert found["Ann"] == PlaceOutlook(Chance.NEEDS, left=3, needs=2)
        assert found["Bob"] == PlaceOutlook(Chance.OPEN, left=2)
        assert found["Cid"] == PlaceOutlook(Chance.OUT, left=1)

    def test_a_win_against_a_rival_counts_twice(self) -> None:
        """Both have 2 and meet once more, and nobody else comes near: a win is enough, whichever it is."""
        games = [duel(1, "Ann", "Cid"), duel(2, "Bob", "Cid")]
        division = DivisionResults(entered("Ann", "Bob", "Cid"), games, [], Rules.usual(2, up=1), 1)
        found = compute_chances(division, [UnplayedGame(3, None, ("Ann", "Bob"))])
        assert found["Ann"] == found["Bob"] == PlaceOutlook(Chance.NEEDS, left=1, needs=1)
        assert found["Cid"].chance == Chance.OUT

    def test_rivals_who_meet_are_each_looked_at_alone(self) -> None:
        """Bob and Cid could each come level with Ann, not both, but her place is called certain later."""
        games = [duel(1, "Ann", "Bob"), duel(2, "Ann", "Cid"), duel(3, "Bob", "Cid")]
        unplayed = [UnplayedGame(4, None, ("Bob", "Cid")), UnplayedGame(5, None, ("Bob", "Cid"))]
        division = DivisionResults(entered("Ann", "Bob", "Cid"), games, [], Rules.usual(2, up=2), 1)
        assert compute_chances(division, unplayed)["Ann"] == PlaceOutlook(Chance.OPEN)

    @pytest.mark.parametrize("seats", [("Ann", "Bob"), ("Bob", "Ann")])
    def test_a_series_that_can_only_be_drawn_is_not_left_to_win(self, seats: tuple[str, str]) -> None:
        """Ann won the first of three and drew the second."""
        first = (1, 2) if seats[0] == "Ann" else (2, 1)
        games = [game(1, 1, seats, first), game(2, 1, seats, (1, 1))]
        division = DivisionResults(entered("Ann", "Bob"), games, [], Rules.usual(2, best_of=3, up=1), 1)
        found = compute_chances(division, [UnplayedGame(3, 1, ("Bob", "Ann"))])
        assert found == {"Ann": PlaceOutlook(Chance.NEEDS, 1, 1), "Bob": PlaceOutlook(Chance.OPEN, 0)}

    @pytest.mark.parametrize(
        ("seats", "leader"), [(2, PlaceOutlook(Chance.SAFE, 1, 0)), (5, PlaceOutlook(Chance.NEEDS, 1, 1))]
    )
    def test_of_rounds_that_are_not_drawn_everybody_may_win_theirs(
        self, seats: int, leader: PlaceOutlook
    ) -> None:
        """Ann won twice, and one round is left: 4 : 0 and 2 are safe, 16 : 10 and 8 are not."""
        players = ("Ann", "Bob", "Cid", "Dee", "Eve")
        games = [game(number, number, players[:seats], tuple(range(1, seats + 1))) for number in (1, 2)]
        division = DivisionResults(entered(*players), games, [], Rules.usual(seats, up=1), 1)
        found = compute_chances(division, [UnplayedGame(player, None, (player,)) for player in players])
        assert found["Ann"] == leader
        assert found["Eve"].chance == Chance.OUT

    @pytest.mark.parametrize("seats", [5, 6])
    def test_at_large_tables_everybody_may_be_first_at_once(self, seats: int) -> None:
        players = tuple("ABCDEF"[:seats])
        games = [game(1, 1, players, tuple(range(1, seats + 1)))]
        division = DivisionResults(entered(*players), games, [], Rules.usual(seats, up=1), 1)
        found = compute_chances(division, [UnplayedGame(2, None, players)])
        assert found["A"] == PlaceOutlook(Chance.NEEDS, 1, 1)
        assert found["B"] == PlaceOutlook(Chance.OPEN, 1)

    def test_who_withdrew_takes_no_place(self) -> None:
        entrants = [Entrant("Ann", withdrew=True), Entrant("Bob"), Entrant("Cid")]
        games = [duel(1, "Ann", "Bob"), duel(2, "Ann", "Cid"), duel(3, "Bob", "Cid"), duel(4, "Bob", "Cid")]
        division = DivisionResults(entrants, games, [], Rules.usual(2, up=1), 1)
        found = compute_chances(division, [UnplayedGame(5, None, ("Bob", "Cid"))])
        assert [found[name].chance for name in ("Ann", "Bob", "Cid")] == ["out", "safe", "out"]

    def test_somebody_from_elsewhere_is_refused(self) -> None:
        division = DivisionResults(entered("Ann"), [], [], Rules.usual(2), 1)
        with pytest.raises(ValueError, match="Bob"):
            compute_chances(division, [UnplayedGame(1, None, ("Ann", "Bob"))])
