"""A match of two players: best of N games with alternating first seats (STAND-2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic

from leagues.schedules.rounds import Id, Pairing

HALF = Fraction(1, 2)

Points = tuple[Fraction | int, Fraction | int]
"""Match points of the two players of a match, or of two teams."""


@dataclass(frozen=True, slots=True)
class Series(Generic[Id]):
    """Best of *best_of* games between *first*, who begins the first of them, and *second*.

    *winners* are those of the finished games in order, None for one that was drawn, which is half a win for
    each.

    >>> series = Series("A", "B", best_of=3, winners=("A", None))
    >>> series.decided, series.winner
    (False, None)
    >>> series.next_game()
    Pairing(players=('A', 'B'))

    :raises ValueError: *best_of* is not odd, more games than it were played, or one was won by a stranger
    """

    first: Id
    second: Id
    best_of: int = 1
    winners: tuple[Id | None, ...] = ()

    def __post_init__(self) -> None:
        if self.best_of < 1 or self.best_of % 2 == 0:
            raise ValueError("best of an odd number of games")
        if len(self.winners) > self.best_of:
            raise ValueError("more games than the match has")
        if not {winner for winner in self.winners if winner is not None} <= {self.first, self.second}:
            raise ValueError("only the two players can win a game")

    def wins(self, player: Id) -> Fraction:
        """Return the number of games that *player* has won; draws count half."""
        return self.winners.count(player) + HALF * self.winners.count(None)

    @property
    def games_left(self) -> int:
        """Return the number of games that could still be played."""
        return self.best_of - len(self.winners)

    @property
    def decided(self) -> bool:
        """Return whether somebody's lead can't be made up any more, or all games were played."""
        lead = abs(self.wins(self.first) - self.wins(self.second))
        return lead > self.games_left or self.games_left == 0

    @property
    def winner(self) -> Id | None:
        """Return the winner of the match; None before it is decided, and if it ended even."""
        if not self.decided or self.even:
            return None
        return self.first if self.wins(self.first) > self.wins(self.second) else self.second

    @property
    def even(self) -> bool:
        """Return whether all games were played and both won as many."""
        return self.decided and self.wins(self.first) == self.wins(self.second)

    def beginner(self, game: int) -> Id:
        """Return who begins the *game*-th game of the match, from 0: A B A …"""
        return self.first if game % 2 == 0 else self.second

    def next_game(self) -> Pairing[Id] | None:
        """Return the next game; None when the match is decided."""
        if self.decided:
            return None
        return self._game(len(self.winners))

    def games(self) -> tuple[Pairing[Id], ...]:
        """Return all games that the match can have, for playing them in parallel."""
        return tuple(self._game(game) for game in range(self.best_of))

    def points(self, player: Id) -> Fraction:
        """Return the match points of *player* (STAND-2): 2 for a win, 1 each if it ended even.

        :raises ValueError: the match is not decided
        """
        if not self.decided:
            raise ValueError("the match is not decided")
        if self.even:
            return Fraction(1)
        return Fraction(2 if self.winner == player else 0)

    def _game(self, game: int) -> Pairing[Id]:
        begins = self.beginner(game)
        return Pairing((begins, self.second if begins == self.first else self.first))


def find_decided_series(first: Id, second: Id, best_of: int, winners: Sequence[Id | None]) -> Series[Id]:
    """Return the match when it was decided: parallel games that ended later don't count."""
    series = Series(first, second, best_of)
    for winner in winners:
        if series.decided:
            break
        series = Series(first, second, best_of, (*series.winners, winner))
    return series
