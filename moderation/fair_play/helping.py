"""Test for seats that keep helping the same seat with more points than expected.

A turn gives another seat the points that it brings it beyond its own. Under the null hypothesis, the parts
that somebody's turns gave the opponents of a game are randomly assigned to them: so the receiver's part in
each game is compared with a draw among all opponents. The game is one draw, as several gifts of one game
mostly go to the same large features. Points that a receiver gets more from everybody, as strong players do,
are subtracted first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from moderation.fair_play import chance

LEAST_GAMES = 5
"""Minimum number of games together; with fewer, chance does nearly everything."""

LEAST_EXCESS = 2.0
"""Minimum excess of points per game: less than a small road is no help, however certain it is."""


@dataclass(frozen=True, slots=True)
class Together:
    """A game of giver and receiver: the points given to the receiver, and to each other opponent."""

    code: str
    given: int
    others: tuple[int, ...]

    @property
    def excess(self) -> float:
        """The points given to the receiver above the mean of the other opponents."""
        return self.given - sum(self.others) / len(self.others)


@dataclass(frozen=True, slots=True)
class Helping:
    """Findings in the games of a giver and a receiver."""

    games: int
    given: int
    expected: float  # from the other opponents of these games, and from what the receiver is given by others
    popularity: float  # points a game that the receiver gets from others beyond their opponents' mean
    z: float
    p: float


def measure_helping(games: Sequence[Together], popularity: float = 0.0) -> Helping | None:
    """Test *games*; ``None`` if they are too few.

    :param popularity: the points a game that others give the receiver above their other opponents
    """
    games = [game for game in games if game.others]
    if len(games) < LEAST_GAMES:
        return None
    rows = [(game.given, *game.others) for game in games]
    liked = max(0.0, popularity) * len(games)
    given = sum(game.given for game in games)
    mean = sum(sum(row) / len(row) for row in rows)
    return Helping(
        games=len(games),
        given=given,
        expected=mean + liked,
        popularity=max(0.0, popularity),
        z=chance.deviation(given - liked, rows),
        p=chance.sum_at_least(given - liked, rows),
    )


def measure_popularity(from_others: Sequence[Together]) -> float:
    """Return the mean points a game given to a receiver above other opponents; 0 without any game."""
    if not from_others:
        return 0.0
    return sum(game.excess for game in from_others) / len(from_others)


def is_significant(measured: Helping, tested: int) -> bool:
    """Return whether to show *measured*, if so many pairs are *tested*."""
    more = (measured.given - measured.expected) / measured.games
    return measured.p <= chance.threshold(tested) and more >= LEAST_EXCESS
