"""Results of games."""

from __future__ import annotations

from itertools import count

from leagues.standings import GameResult, SeatResult

numbers = count()


def make_game_result(players: str, *ranks: int, forfeit: bool = False, struck: bool = False) -> GameResult:
    """Make a game of these *players* with these *ranks*; with *forfeit* the last stayed away."""
    names = players.split()
    scores = [None if forfeit else 100 - 10 * rank for rank in ranks]
    seats = tuple(
        SeatResult(name, rank, score, forfeit and name == names[-1])
        for name, rank, score in zip(names, ranks, scores, strict=True)
    )
    return GameResult(next(numbers), "m", names[0], seats, struck)
