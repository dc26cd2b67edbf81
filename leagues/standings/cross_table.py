"""Cross table of results between all pairs of players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from leagues.standings.matches import award_pair_points, list_contests
from leagues.standings.values import GameResult, PlayerId, Rules


@dataclass(frozen=True, slots=True)
class CrossTableCell:
    """Result of a player (of the row) against another (of the column), over all their games.

    ``points`` are those of duels, match points where matches are played; at larger tables 2 for each game in
    which the row's player ranked higher and 1 for each with the same rank, as head to head counts them
    (STAND-6).
    """

    points: Fraction = Fraction()
    won: int = 0  # games in which the row's player ranked higher
    even: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.even + self.lost


CrossTable = Mapping[PlayerId, Mapping[PlayerId, CrossTableCell]]
Pair = tuple[PlayerId, PlayerId]


def build_cross_table(games: Iterable[GameResult], rules: Rules) -> CrossTable:
    """Build a cell for every pair that met, in each direction; struck games are left out.

    Games of a match that is still running are counted, but it brings no points yet.

    >>> from leagues.standings.values import SeatResult
    >>> game = GameResult(1, None, "Ann", (SeatResult("Ann", 1, 90), SeatResult("Bob", 2, 70)))
    >>> build_cross_table([game], Rules.usual(2))["Bob"]["Ann"]
    CrossTableCell(points=Fraction(0, 1), won=0, even=0, lost=1)

    :raises ValueError: as ``list_contests``
    """
    counted = [game for game in games if not game.struck]
    won = _points(counted, rules)
    meetings: dict[Pair, list[GameResult]] = {}
    for game in counted:
        for pair in permutations(game.players, 2):
            meetings.setdefault(pair, []).append(game)
    table: dict[PlayerId, dict[PlayerId, CrossTableCell]] = {}
    for pair, their_games in meetings.items():
        player, other = pair
        table.setdefault(player, {})[other] = _cell(pair, their_games, won.get(pair, Fraction()))
    return table


def _points(games: list[GameResult], rules: Rules) -> Mapping[Pair, Fraction]:
    won: dict[Pair, Fraction] = {}
    for contest in list_contests(games, rules):
        for (player, rank, points), (other, below, _) in permutations(
            zip(contest.players, contest.ranks, contest.points, strict=True), 2
        ):
            against = points if rules.duels else Fraction(award_pair_points(rank, below))
            won[player, other] = won.get((player, other), Fraction()) + against
    return won


def _cell(pair: Pair, games: list[GameResult], points: Fraction) -> CrossTableCell:
    ranks = [[game.ranks[game.players.index(player)] for player in pair] for game in games]
    return CrossTableCell(
        points=points,
        won=sum(own < other for own, other in ranks),
        even=sum(own == other for own, other in ranks),
        lost=sum(own > other for own, other in ranks),
    )
