"""What is left to play in a division, and what it may still bring whom.

Points are whole numbers here, sixtieths of a point, which divide by any number of seats that may share them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product

from leagues.standings.matches import decided, series, wins
from leagues.standings.points import shared_points
from leagues.standings.values import (
    MATCH_EVEN,
    MATCH_LOSS,
    MATCH_WIN,
    Division,
    MatchId,
    PlayerId,
    Rules,
    UnplayedGame,
)

SIXTIETHS = 60
WIN, EVEN, LOSS = (int(points * SIXTIETHS) for points in (MATCH_WIN, MATCH_EVEN, MATCH_LOSS))
LARGEST_LISTED = 4
"""Seats of a table whose orders are listed: four have 75, six 4683."""

Outcome = tuple[int, ...]
"""What each player of a contest gets, in sixtieths of a point."""


@dataclass(frozen=True, slots=True)
class Remaining:
    """A match, or a game where games count, that is not over. Undrawn rounds have one player.

    A series has what its two players have *won* so far, and how many games are *left*.
    """

    players: tuple[PlayerId, ...]
    rules: Rules
    won: tuple[int, ...] = (0, 0)
    left: int = 1

    def outcomes(self) -> Sequence[Outcome]:
        """What it may bring, at best: every order and tie; at tables of five and more, all that each could
        get."""
        if len(self.players) == 1:
            return [(self._win,), (0,)]
        if self.rules.series:
            return self._of_series()
        points, seats = self.rules.points, len(self.players)
        if seats > LARGEST_LISTED:
            return [(points[0] * SIXTIETHS,) * seats]
        return [_sixtieths(ranks, points) for ranks in _orders(seats)]

    def at_least(self) -> Sequence[Outcome]:
        """The same at worst: an organiser may settle a game so that nobody gets anything (STAND-3), but not a
        series."""
        if self.rules.series and len(self.players) == 2:
            return self._of_series()
        return [(0,) * len(self.players)]

    def winnable(self, player: PlayerId) -> bool:
        """Whether the *player* can still win it: whoever is behind in a series may have too few games
        left."""
        return bool(self.won_by(player))

    def won_by(self, player: PlayerId) -> Sequence[Outcome]:
        """``outcomes`` in which the *player* alone is first; none if it is too late for that."""
        seat = self.players.index(player)
        if self.rules.series or len(self.players) == 1:
            return [outcome for outcome in self.outcomes() if outcome[seat] == self._win]
        return self._with_seat(seat, self.rules.points[0], self.rules.points[1 : len(self.players)])

    def worst_for(self, player: PlayerId) -> Sequence[Outcome]:
        """``outcomes`` that bring the *player* the least: last of all in a game, and without a point for
        it."""
        seat = self.players.index(player)
        if self.rules.series or len(self.players) == 1:
            return [min(self.outcomes(), key=lambda outcome: outcome[seat])]
        return self._with_seat(seat, 0, self.rules.points[: len(self.players) - 1])

    @property
    def _win(self) -> int:
        return WIN if self.rules.series else self.rules.points[0] * SIXTIETHS

    def _of_series(self) -> Sequence[Outcome]:
        lead = self.won[0] - self.won[1]
        possible = [(WIN, LOSS)] if lead + self.left > 0 else []
        possible += [(EVEN, EVEN)]  # while it is undecided, whoever is behind can make up for it
        possible += [(LOSS, WIN)] if self.left - lead > 0 else []
        return possible

    def _with_seat(self, seat: int, own: int, points: Sequence[int]) -> Sequence[Outcome]:
        """Outcomes in which that *seat* gets its *own* and the others share *points* in every order."""
        others = len(self.players) - 1
        if others >= LARGEST_LISTED:
            rest: Sequence[Outcome] = [(points[0] * SIXTIETHS,) * others]
        else:
            rest = [_sixtieths(ranks, tuple(points)) for ranks in _orders(others)]
        return [(*outcome[:seat], own * SIXTIETHS, *outcome[seat:]) for outcome in rest]


def remaining(division: Division, unplayed: Iterable[UnplayedGame]) -> list[Remaining]:
    """What is not over in a *division*, where these games are *unplayed*.

    A series goes on until it is decided, whether the rest of its games are among the unplayed ones yet or
    not, and unplayed games of one that is decided mean nothing.

    :raises ValueError: as ``series``
    """
    rules = division.rules
    if not rules.series:
        return [Remaining(game.players, rules) for game in unplayed]
    played = series(division.games, rules)
    begun = {match[0].match for match in played}
    running = [match for match in played if not decided(match, rules.best_of)]
    fresh: dict[tuple[MatchId | None, tuple[PlayerId, ...]], UnplayedGame] = {}
    for game in unplayed:
        if game.match not in begun:
            fresh.setdefault((game.match, tuple(sorted(game.players, key=str))), game)
    return [
        *(
            Remaining(
                match[0].players,
                rules,
                (wins(match, match[0].players[0]), wins(match, match[0].players[1])),
                rules.best_of - len(match),
            )
            for match in running
        ),
        *(Remaining(game.players, rules, left=rules.best_of) for game in fresh.values()),
    ]


@cache
def _orders(seats: int) -> tuple[tuple[int, ...], ...]:
    """The ranks of so many *seats* in every order, ties and all."""
    orders = {
        tuple(1 + sum(other < order for other in orders) for order in orders)
        for orders in product(range(seats), repeat=seats)
    }
    return tuple(sorted(orders))


@lru_cache(maxsize=1000)
def _sixtieths(ranks: tuple[int, ...], points: tuple[int, ...]) -> Outcome:
    return tuple(int(share * SIXTIETHS) for share in shared_points(ranks, points))
