"""Games and matches that count in a division, and their points (STAND-1 to 4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from leagues.standings.values import (
    MATCH_EVEN,
    MATCH_LOSS,
    MATCH_WIN,
    GameId,
    GameResult,
    PlayerId,
    Rules,
    Withdrawn,
)


@dataclass(frozen=True, slots=True)
class Contest:
    """Match or game that brings points once it is over: a match where matches are played, else a game.

    Of a match the winner has rank 1 and the loser 2; both have 1 if it ended even.
    """

    players: tuple[PlayerId, ...]
    ranks: tuple[int, ...]
    points: tuple[Fraction, ...]
    games: tuple[GameResult, ...]

    def seat(self, player: PlayerId) -> int:
        return self.players.index(player)


def count_wins(games: Iterable[GameResult], player: PlayerId) -> int:
    """Count the *games* in which *player* alone was first."""
    return sum(1 for game in games if game.winners == (player,))


def is_decided(games: Sequence[GameResult], best_of: int) -> bool:
    """Return whether a match of these *games* so far is over: the lead can't be made up, or no game is left
    (STAND-2)."""
    first, second = games[0].players
    lead = abs(count_wins(games, first) - count_wins(games, second))
    left = best_of - len(games)
    return left == 0 or lead > left


def compute_match_result(games: Sequence[GameResult]) -> Contest:
    """Return the result of a match that is over, its players in the order of the first game's seats
    (STAND-2).

    Drawn games are won by nobody, but they are played, so there are fewer left to make up for a loss.

    >>> from leagues.standings.values import SeatResult
    >>> def game(number, rank, other):
    ...     return GameResult(number, "m", "Ann", (SeatResult("Ann", rank, 50), SeatResult("Bob", other, 50)))
    >>> compute_match_result([game(1, 1, 2), game(2, 1, 1), game(3, 1, 1)]).ranks
    (1, 2)
    """
    first, second = games[0].players
    lead = count_wins(games, first) - count_wins(games, second)
    if lead == 0:
        return Contest((first, second), (1, 1), (MATCH_EVEN, MATCH_EVEN), tuple(games))
    if lead > 0:
        return Contest((first, second), (1, 2), (MATCH_WIN, MATCH_LOSS), tuple(games))
    return Contest((first, second), (2, 1), (MATCH_LOSS, MATCH_WIN), tuple(games))


def build_series(games: Iterable[GameResult], rules: Rules) -> list[list[GameResult]]:
    """Group the *games* that are not struck by match, in the order of each first game.

    :raises ValueError: a match has no name, more games than it may, or other players in one than in another
    """
    matches: dict[object, list[GameResult]] = {}
    for game in games:
        if game.match is None:
            raise ValueError(f"game {game.id!r} is of no match")
        if not game.struck:
            matches.setdefault(game.match, []).append(game)
    for match, its_games in matches.items():
        if len({frozenset(game.players) for game in its_games}) > 1:
            raise ValueError(f"match {match!r} is not of the same players throughout")
        if len(its_games) > rules.best_of:
            raise ValueError(f"match {match!r} has more games than best of {rules.best_of}")
    return list(matches.values())


def list_contests(games: Iterable[GameResult], rules: Rules) -> list[Contest]:
    """Return all that brings points: matches that are over, or the games themselves; nothing that is struck
    (STAND-1, 2).

    :raises ValueError: as ``build_series``, or a game has too few seats or too many
    """
    games = list(games)
    for game in games:
        if not 2 <= len(game.seats) <= rules.seats:
            raise ValueError(f"game {game.id!r} has {len(game.seats)} seats")
    if rules.series:
        matches = build_series(games, rules)
        return [compute_match_result(match) for match in matches if is_decided(match, rules.best_of)]
    return [
        Contest(game.players, game.ranks, share_points(game.ranks, rules.points), (game,))
        for game in games
        if not game.struck
    ]


def find_struck_games(
    games: Sequence[GameResult], withdrew: Collection[PlayerId], rule: Withdrawn
) -> frozenset[GameId]:
    """Return which of a division's *games* are struck from the table because of those who *withdrew*
    (STAND-4).

    *games* are all of the division, those among them that were not played as the forfeits that they have
    become: only the others were finished. Whoever finished less than half of theirs has all of them struck.
    Games count as finished for one who withdrew even if they are struck because of another, so that the order
    in which two withdraw makes no difference.

    >>> from leagues.standings.values import SeatResult
    >>> def lost(number, other, forfeit):
    ...     seats = SeatResult(other, 1), SeatResult("Ann", 2, forfeit=forfeit)
    ...     return GameResult(number, None, "Ann", seats)
    >>> games = [lost(1, "Bob", False), lost(2, "Cid", True), lost(3, "Dee", True)]
    >>> sorted(find_struck_games(games, {"Ann"}, Withdrawn.STRIKE))
    [1, 2, 3]
    >>> sorted(find_struck_games(games[:2], {"Ann"}, Withdrawn.STRIKE))  # half of them were finished
    []
    """
    if rule == Withdrawn.KEEP:
        return frozenset()
    struck: set[GameId] = set()
    for player in withdrew:
        theirs = [game for game in games if player in game.players]
        finished = sum(1 for game in theirs if not game.forfeited)
        if 2 * finished < len(theirs):
            struck.update(game.id for game in theirs)
    return frozenset(struck)


def share_points(ranks: Sequence[int], points: Sequence[int]) -> tuple[Fraction, ...]:
    """Return the points of each seat, in the order of *ranks*; *points* has the worth of the first, the
    second and so on.

    Seats that share a rank share the points of the ranks that they take up, equally. Ranks beyond the list
    are worth nothing (STAND-1).

    >>> [str(share) for share in share_points([1, 3, 1], [4, 2, 0])]
    ['3', '0', '3']
    >>> [str(share) for share in share_points([2, 2], [2, 0])]  # both stayed away
    ['0', '0']
    """
    return tuple(_share(rank, ranks.count(rank), points) for rank in ranks)


def _share(rank: int, sharing: int, points: Sequence[int]) -> Fraction:
    return Fraction(sum(points[rank - 1 : rank - 1 + sharing]), sharing)


def award_pair_points(own: int, other: int) -> int:
    """Return the points of the rank *own* against another seat at a larger table (STAND-6).

    >>> award_pair_points(1, 3), award_pair_points(2, 2), award_pair_points(3, 1)
    (2, 1, 0)
    """
    return 2 if own < other else 1 if own == other else 0
