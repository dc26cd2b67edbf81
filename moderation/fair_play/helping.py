"""Seats that keep helping the same seat: points given against expectation.

A turn gives what it brings another seat beyond what it brings its own. Of all that somebody's turns gave in
a game, each opponent is as likely to be the one who got any given part of it, if there is nothing between
the two: so the receiver's part in each game is held against a draw among all opponents of that game. The
game is drawn as a whole, as several gifts of one game mostly go to the same large features. Who is given
more by everybody, as strong players are, has that taken off first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from moderation.fair_play import chance

LEAST_GAMES = 5
"""With fewer games together, chance does nearly everything."""

LEAST_EXCESS = 2.0
"""Points a game: less than a small road is no help worth looking at, however sure it is."""


@dataclass(frozen=True, slots=True)
class Together:
    """A game of giver and receiver: what the giver's turns gave the receiver, and each other opponent."""

    code: str
    given: int
    others: tuple[int, ...]

    @property
    def excess(self) -> float:
        """By how much more the receiver got than the other opponents in the mean."""
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
    """Return what *games* say; ``None`` if they are too few.

    *popularity*: by how many points a game others give the receiver more than their other opponents.
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
    """By how many points a game a receiver is given more than other opponents; 0 without any game."""
    if not from_others:
        return 0.0
    return sum(game.excess for game in from_others) / len(from_others)


def is_significant(found: Helping, tested: int) -> bool:
    """Return whether *found* is to be shown, where so many pairs are *tested*."""
    more = (found.given - found.expected) / found.games
    return found.p <= chance.threshold(tested) and more >= LEAST_EXCESS
