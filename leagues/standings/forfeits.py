"""What becomes of the games of players who withdraw (STAND-4)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from leagues.standings.values import GameId, GameResult, PlayerId, Withdrawn


def struck_games(
    games: Sequence[GameResult], withdrew: Collection[PlayerId], rule: Withdrawn
) -> frozenset[GameId]:
    """Which of a division's *games* are struck from the table because of those who *withdrew* (STAND-4).

    *games* are all of the division, those among them that were not played as the forfeits that they have
    become: only the others were finished. Whoever finished less than half of theirs has all of them struck.
    Games count as finished for one who withdrew even if they are struck because of another, so that the order
    in which two withdraw makes no difference.

    >>> from leagues.standings.values import SeatResult
    >>> def lost(number, other, forfeit):
    ...     seats = SeatResult(other, 1), SeatResult("Ann", 2, forfeit=forfeit)
    ...     return GameResult(number, None, "Ann", seats)
    >>> games = [lost(1, "Bob", False), lost(2, "Cid", True), lost(3, "Dee", True)]
    >>> sorted(struck_games(games, {"Ann"}, Withdrawn.STRIKE))
    [1, 2, 3]
    >>> sorted(struck_games(games[:2], {"Ann"}, Withdrawn.STRIKE))  # half of them were finished
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
