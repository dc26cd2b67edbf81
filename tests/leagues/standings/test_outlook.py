"""What must still happen for a place: never said too early, and exact where little is left."""

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
    Division,
    Entrant,
    GameResult,
    Outlook,
    Rules,
    SeatResult,
    UnplayedGame,
    contests,
    outlooks,
    standings,
)

some = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


def game(number: int, match: int, players: tuple[Any, ...], ranks: tuple[int, ...]) -> GameResult:
    seats = tuple(SeatResult(player, rank) for player, rank in zip(players, ranks, strict=True))
    return GameResult(number, match, players[0], seats)


@cache
def every_rank(seats: int) -> list[tuple[int, ...]]:
    """Every order and tie, and the last rank for all."""
    orders = product(range(seats), repeat=seats)
    ranks = {tuple(1 + sum(other < order for other in one) for order in one) for one in orders}
    return sorted(ranks | {(seats,) * seats})


@dataclass(frozen=True)
class Half:
    """A season half played. Series are numbered by pair, and have as many games as they may."""

    division: Division
    unplayed: tuple[UnplayedGame, ...]
    places: int

    @cached_property
    def decided(self) -> list[frozenset[Any]]:
        """What has been decided already, each by its games."""
        over = contests(self.division.games, self.division.rules)
        return [frozenset(one.id for one in contest.games) for contest in over]

    def endings(self) -> Iterator[Division]:
        """Every way in which it may end."""
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
    entrants = [Entrant(player, withdrew=draw(st.integers(0, 9)) == 0) for player in players]
    rules = Rules.usual(seats, best_of=best_of)
    byes = draw(st.lists(st.sampled_from(players), max_size=1))
    return Half(Division(entrants, played, byes, rules, 1), unplayed, draw(st.integers(0, 3)))


def points_of(division: Division, decided: Sequence[Contest]) -> dict[Any, Fraction]:
    points = {entrant.id: Fraction(division.byes.count(entrant.id) * 2) for entrant in division.entrants}
    if not division.rules.duels:
        points = {player: won * division.rules.points[0] / 2 for player, won in points.items()}
    for contest in decided:
        for player, won in zip(contest.players, contest.points, strict=True):
            points[player] += won
    return points


def won(half: Half, decided: Sequence[Contest]) -> Counter[Any]:
    """How much of what was left when it was half played each player has won alone by what is *decided*."""
    before = half.decided
    wins: Counter[Any] = Counter()
    for contest in decided:
        ids = {one.id for one in contest.games}
        if contest.ranks.count(1) == 1 and not any(known <= ids for known in before):
            wins[contest.players[contest.ranks.index(1)]] += 1
    return wins


@some
@given(halves())
def test_they_are_those_of_trying_every_ending(half: Half) -> None:
    active = [entrant.id for entrant in half.division.entrants if not entrant.withdrew]
    failing: dict[Any, int] = dict.fromkeys(active, -1)  # the most wins with which the place may be missed
    possible = set()
    for ending in half.endings():
        decided = contests(ending.games, ending.rules)
        points, wins = points_of(ending, decided), won(half, decided)
        for player in active:
            level = sum(points[other] >= points[player] for other in active if other != player)
            ahead = sum(points[other] > points[player] for other in active)
            if level >= half.places:
                failing[player] = max(failing[player], wins[player])
            if ahead < half.places:
                possible.add(player)
    for player, found in outlooks(half.division, half.unplayed, half.places).items():
        if player not in active:
            assert found == Outlook(Chance.OUT)
        elif failing[player] < found.left:
            assert found.needs == failing[player] + 1
            assert found.chance == (Chance.NEEDS if found.needs else Chance.SAFE)
        else:
            assert (found.chance, found.needs) == (Chance.OPEN if player in possible else Chance.OUT, None)


@some
@given(halves(), st.data())
def test_nothing_is_said_that_the_final_table_does_not_keep(half: Half, data: st.DataObject) -> None:
    _is_kept(half, data.draw(st.sampled_from(list(half.endings()))))


@pytest.mark.parametrize("limit", ["race.MOST_RIVALS", "race.MOST_CHOICES", "reach.MOST_WAYS"])
@given(half=halves(), data=st.data())
@settings(some, suppress_health_check=list(HealthCheck))
def test_it_is_kept_where_too_much_is_left_to_be_exact(
    monkeypatch: pytest.MonkeyPatch, limit: str, half: Half, data: st.DataObject
) -> None:
    monkeypatch.setattr(f"leagues.standings.{limit}", 0)
    _is_kept(half, data.draw(st.sampled_from(list(half.endings()))))


def _is_kept(half: Half, ending: Division) -> None:
    table = standings(ending.entrants, ending.games, ending.byes, ending.rules, ending.season)
    withdrew = {entrant.id for entrant in ending.entrants if entrant.withdrew}
    first = [one.player for one in table if one.player not in withdrew][: half.places]
    wins = won(half, contests(ending.games, ending.rules))
    for player, found in outlooks(half.division, half.unplayed, half.places).items():
        if found.chance == Chance.SAFE or (found.needs is not None and wins[player] >= found.needs):
            assert player in first
        if found.chance == Chance.OUT:
            assert player not in first
    for player, found in outlooks(ending, [], half.places).items():
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
        found = outlooks(Division(entrants, games, [], Rules.usual(2, up=1), 1), unplayed)
        assert found["Ann"] == Outlook(Chance.NEEDS, left=3, needs=2)
        assert found["Bob"] == Outlook(Chance.OPEN, left=2)
        assert found["Cid"] == Outlook(Chance.OUT, left=1)

    def test_two_who_meet_can_not_both_pass(self) -> None:
        """Bob and Cid could each come level with Ann, but they play each other."""
        entrants = entered("Ann", "Bob", "Cid")
        games = [duel(1, "Ann", "Bob"), duel(2, "Ann", "Cid"), duel(3, "Bob", "Cid")]
        unplayed = [UnplayedGame(4, None, ("Bob", "Cid")), UnplayedGame(5, None, ("Bob", "Cid"))]
        found = outlooks(Division(entrants, games, [], Rules.usual(2, up=2), 1), unplayed)
        assert found["Ann"] == Outlook(Chance.SAFE, needs=0)

    @pytest.mark.parametrize("seats", [("Ann", "Bob"), ("Bob", "Ann")])
    def test_a_series_that_can_only_be_drawn_is_not_left_to_win(self, seats: tuple[str, str]) -> None:
        """Ann won the first of three and drew the second."""
        first = (1, 2) if seats[0] == "Ann" else (2, 1)
        games = [game(1, 1, seats, first), game(2, 1, seats, (1, 1))]
        division = Division(entered("Ann", "Bob"), games, [], Rules.usual(2, best_of=3, up=1), 1)
        found = outlooks(division, [UnplayedGame(3, 1, ("Bob", "Ann"))])
        assert found == {"Ann": Outlook(Chance.NEEDS, 1, 1), "Bob": Outlook(Chance.OPEN, 0)}

    @pytest.mark.parametrize(("places", "chance"), [(1, Chance.OUT), (2, Chance.OPEN)])
    def test_a_series_brings_its_points_to_somebody(self, places: int, chance: Chance) -> None:
        """All have the same, and Ann has nothing left, while Bob and Cid still play each other."""
        names = ("Ann", "Bob", "Cid")
        division = Division(entered(*names), [], names, Rules.usual(2, best_of=3, up=places), 1)
        assert outlooks(division, [UnplayedGame(1, 1, ("Bob", "Cid"))])["Ann"].chance == chance

    @pytest.mark.parametrize(
        ("seats", "leader"), [(2, Outlook(Chance.SAFE, 1, 0)), (5, Outlook(Chance.NEEDS, 1, 1))]
    )
    def test_of_rounds_that_are_not_drawn_everybody_may_win_theirs(self, seats: int, leader: Outlook) -> None:
        """Ann won twice, and one round is left: 4 : 0 and 2 are safe, 16 : 10 and 8 are not."""
        players = ("Ann", "Bob", "Cid", "Dee", "Eve")
        games = [game(number, number, players[:seats], tuple(range(1, seats + 1))) for number in (1, 2)]
        division = Division(entered(*players), games, [], Rules.usual(seats, up=1), 1)
        found = outlooks(division, [UnplayedGame(player, None, (player,)) for player in players])
        assert found["Ann"] == leader
        assert found["Eve"].chance == Chance.OUT

    @pytest.mark.parametrize("seats", [5, 6])
    def test_at_large_tables_everybody_may_be_first_at_once(self, seats: int) -> None:
        players = tuple("ABCDEF"[:seats])
        games = [game(1, 1, players, tuple(range(1, seats + 1)))]
        division = Division(entered(*players), games, [], Rules.usual(seats, up=1), 1)
        found = outlooks(division, [UnplayedGame(2, None, players)])
        assert found["A"] == Outlook(Chance.NEEDS, 1, 1)
        assert found["B"] == Outlook(Chance.OPEN, 1)

    def test_who_withdrew_takes_no_place(self) -> None:
        entrants = [Entrant("Ann", withdrew=True), Entrant("Bob"), Entrant("Cid")]
        games = [duel(1, "Ann", "Bob"), duel(2, "Ann", "Cid"), duel(3, "Bob", "Cid"), duel(4, "Bob", "Cid")]
        division = Division(entrants, games, [], Rules.usual(2, up=1), 1)
        found = outlooks(division, [UnplayedGame(5, None, ("Bob", "Cid"))])
        assert [found[name].chance for name in ("Ann", "Bob", "Cid")] == ["out", "safe", "out"]

    def test_somebody_from_elsewhere_is_refused(self) -> None:
        division = Division(entered("Ann"), [], [], Rules.usual(2), 1)
        with pytest.raises(ValueError, match="Bob"):
            outlooks(division, [UnplayedGame(1, None, ("Ann", "Bob"))])
