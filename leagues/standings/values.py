"""Values from which standings are computed: results, players and the rules of a league."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Self

PlayerId = str | int
GameId = str | int
MatchId = str | int
DrawId = str | int

MATCH_WIN, MATCH_EVEN, MATCH_LOSS = Fraction(2), Fraction(1), Fraction()
"""Match points (STAND-2)."""

DEFAULT_POINTS: Mapping[int, tuple[int, ...]] = {
    2: (2, 0),
    3: (4, 2, 0),
    4: (6, 3, 1, 0),
    5: (8, 5, 3, 1, 0),
    6: (10, 6, 4, 2, 1, 0),
}
"""Points of the ranks, by number of seats (STAND-1)."""

DUPLICATE = "duplicate"
"""Comparison with the players who had the same seat and the same tiles (STAND-19)."""

DUEL_TIE_BREAKS = (
    "head_to_head",
    "buchholz_cut1",
    "sonneborn_berger",
    "games_won",
    "score_difference",
    "lot",
)
TABLE_TIE_BREAKS = ("head_to_head", "firsts", "score_difference", "lot")
"""Default tie-breaks, for duels and for larger tables (STAND-5)."""

TIE_BREAKS = (
    "head_to_head",
    "games_won",
    "firsts",
    "score_difference",
    DUPLICATE,
    "buchholz",
    "buchholz_cut1",
    "sonneborn_berger",
    "rating",
    "lot",
)
"""All tie-breaks that a league may use (STAND-6 to 11, 19); ``criteria.py`` has a function for each."""


class Withdrawn(StrEnum):
    """Rules for the games of players who withdraw (STAND-4)."""

    KEEP = "keep"
    STRIKE = "strike"


class ComparisonRule(StrEnum):
    """Uses of the comparison of players with the same seat and the same tiles (STAND-19)."""

    SHOWN = "shown"  # it is shown, but doesn't count
    TIE_BREAK = "tie-break"  # the first of them
    ALONE = "alone"  # it decides in place of points


@dataclass(frozen=True, slots=True)
class SeatResult:
    """Result of a seat of a game.

    :raises ValueError: a forfeit with a score (STAND-3)
    """

    player: PlayerId
    rank: int  # from 1
    score: int | None = None
    forfeit: bool = False

    def __post_init__(self) -> None:
        if self.forfeit and self.score is not None:
            raise ValueError(f"the forfeit of {self.player!r} has a score")


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game of a division that is over.

    ``match`` names its series; it is unused where games count by themselves. Ranks count from 1, and as many
    are skipped as share one (1, 1, 3). They may skip more, as an organiser may rank two who both stayed away
    2 and 2, but never fewer. Games with the same ``draw`` had the same tiles in the same order, so their
    seats can be compared (STAND-19); it is None where nobody shared them.

    :raises ValueError: a player has two seats, or more stand above a rank than it says
    """

    id: GameId
    match: MatchId | None
    first: PlayerId
    seats: tuple[SeatResult, ...]
    struck: bool = False
    draw: DrawId | None = None

    def __post_init__(self) -> None:
        if len(set(self.players)) < len(self.seats):
            raise ValueError(f"a player has two seats in game {self.id!r}")
        for rank in self.ranks:
            above = sum(1 for other in self.ranks if other < rank)
            if rank <= above:
                raise ValueError(f"in game {self.id!r} {above} stand above rank {rank}")

    @property
    def players(self) -> tuple[PlayerId, ...]:
        return tuple(seat.player for seat in self.seats)

    @property
    def ranks(self) -> tuple[int, ...]:
        return tuple(seat.rank for seat in self.seats)

    @property
    def winners(self) -> tuple[PlayerId, ...]:
        """Return the players with the first rank; none if an organiser gave it to nobody."""
        return tuple(seat.player for seat in self.seats if seat.rank == 1)

    @property
    def forfeited(self) -> bool:
        """Return whether somebody's seat was a forfeit, so that the game was not finished (STAND-3)."""
        return any(seat.forfeit for seat in self.seats)

    @property
    def scores(self) -> tuple[int, ...] | None:
        """Return the scores in the order of the seats; None if a seat has none, so that the game is left out
        of score differences (STAND-3, 8)."""
        scores = tuple(seat.score for seat in self.seats if seat.score is not None)
        return scores if len(scores) == len(self.seats) else None


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of a division, with the rating before the season (STAND-11), and penalty points.

    :raises ValueError: a penalty below 0
    """

    id: PlayerId
    rating: Fraction | int = 0
    withdrew: bool = False
    penalty: Fraction | int = 0

    def __post_init__(self) -> None:
        if self.penalty < 0:
            raise ValueError(f"the penalty of {self.id!r} is below 0")


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of a league for its divisions; ``points`` has one number for each seat.

    If all are 0 the first criterion decides alone, as in leagues that rank by the comparison with the same
    tiles (STAND-19).

    >>> Rules.usual(3).points
    (4, 2, 0)
    """

    points: tuple[int, ...]
    best_of: int = 1
    tie_breaks: tuple[str, ...] = DUEL_TIE_BREAKS
    withdrawn: Withdrawn = Withdrawn.KEEP
    up: int = 0
    down: int = 0

    @classmethod
    def usual(cls, seats: int, *, best_of: int = 1, up: int = 0, down: int = 0) -> Self:
        """Return the default rules of a league with so many *seats* to a game (STAND-1, 5)."""
        tie_breaks = DUEL_TIE_BREAKS if seats == 2 else TABLE_TIE_BREAKS
        return cls(DEFAULT_POINTS[seats], best_of, tie_breaks, Withdrawn.KEEP, up, down)

    @property
    def seats(self) -> int:
        return len(self.points)

    @property
    def duels(self) -> bool:
        return self.seats == 2

    @property
    def series(self) -> bool:
        """Return whether several games make a match (STAND-2)."""
        return self.best_of > 1

    @property
    def bye(self) -> Fraction:
        """Return the points of a bye: a match win, or a first rank where games count (STAND-3)."""
        return MATCH_WIN if self.series else Fraction(self.points[0])

    @property
    def counts_points(self) -> bool:
        """Return whether points decide first; otherwise the first criterion does."""
        return any(self.points)

    @property
    def comparison(self) -> ComparisonRule:
        """Return the use of the comparison with the same tiles (STAND-19)."""
        if DUPLICATE not in self.tie_breaks:
            return ComparisonRule.SHOWN
        return ComparisonRule.TIE_BREAK if self.counts_points else ComparisonRule.ALONE

    def comparing(self, comparison: ComparisonRule) -> Self:
        """Return these rules, without a comparison so far, with that *comparison* (STAND-19).

        >>> Rules.usual(3).comparing(ComparisonRule.TIE_BREAK).tie_breaks
        ('duplicate', 'head_to_head', 'firsts', 'score_difference', 'lot')
        >>> alone = Rules.usual(3).comparing(ComparisonRule.ALONE)
        >>> alone.points, alone.tie_breaks
        ((0, 0, 0), ('duplicate', 'lot'))
        """
        if comparison == ComparisonRule.TIE_BREAK:
            return replace(self, tie_breaks=(DUPLICATE, *self.tie_breaks))
        if comparison == ComparisonRule.ALONE:
            return replace(self, points=(0,) * self.seats, tie_breaks=(DUPLICATE, "lot"))
        return self

    def faults(self) -> Iterator[str]:
        """Yield the names of invalid values."""
        descending = all(better >= worse for better, worse in zip(self.points, self.points[1:], strict=False))
        known = self.counts_points or self.tie_breaks[:1] == (DUPLICATE,)
        if self.seats not in DEFAULT_POINTS or not descending or min(self.points) < 0 or not known:
            yield "points"
        elif not self.counts_points and self.series:  # match points count
            yield "comparison_alone"
        if self.best_of < 1 or self.best_of % 2 == 0 or (self.series and not self.duels):
            yield "best_of"
        if len(set(self.tie_breaks)) < len(self.tie_breaks) or not set(self.tie_breaks) <= set(TIE_BREAKS):
            yield "tie_breaks"
        if self.up < 0:
            yield "up"
        if self.down < 0:
            yield "down"


@dataclass(frozen=True, slots=True)
class DivisionResults:
    """All that the standings of a division are computed from.

    ``byes`` has a player's id once for each bye; the lot is drawn with ``season`` (STAND-11). While a round
    robin is ``running``, fewer points lost come first among equals (STAND-5).
    """

    entrants: Sequence[Entrant]
    games: Sequence[GameResult]
    byes: Sequence[PlayerId]
    rules: Rules
    season: str | int
    running: bool = False


@dataclass(frozen=True, slots=True)
class UnplayedGame:
    """A game that is still to be played or to end; in a round that is not drawn yet with one player."""

    id: GameId
    match: MatchId | None
    players: tuple[PlayerId, ...]
