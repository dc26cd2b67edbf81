"""Careers: a player's standing in one pool, and its change by each rated game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ratings.skill.elo import ELO, update_elo
from ratings.skill.model import BETA, compute_table_expectation, update_strengths
from ratings.skill.strength import NEWCOMER, Strength, apply_rest

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Career:
    """Standing of a player in a pool after so many rated games, the last of which *ended* then."""

    strength: Strength = NEWCOMER
    games: int = 0
    ended: datetime | None = None
    elo: float = ELO  # changed by duels alone

    def at(self, now: datetime) -> Strength:
        """The strength as of *now*, after the rest since the last rated game (RATE-3)."""
        return self.strength if self.ended is None else apply_rest(self.strength, (now - self.ended) / DAY)


BEGINNING = Career()


@dataclass(frozen=True, slots=True)
class CareerChange:
    """Effect of a game on one seat."""

    rank: int
    before: Strength  # after RATE-3
    expected: float  # RATE-5: the chance to end above an opponent, of several the mean
    elo_before: float
    after: Career


def apply_game(
    careers: Sequence[Career], ranks: Sequence[int], ended: datetime, beta: float = BETA
) -> tuple[CareerChange, ...]:
    """Return the effect of a game on each of its seats, in their order (RATE-1, 3, 5).

    :param careers: of the seats in the game's pool, before this game
    :param ranks: of the same seats, the best is 1; equal ranks are ties
    """
    before = [career.at(ended) for career in careers]
    chances = compute_table_expectation(before, beta)
    after = update_strengths(before, ranks, beta)
    elos = [career.elo for career in careers]
    elos_after = update_elo(elos[0], elos[1], compute_first_share(ranks)) if len(ranks) == 2 else elos
    return tuple(
        CareerChange(
            rank=ranks[seat],
            before=before[seat],
            expected=chances[seat],
            elo_before=elos[seat],
            after=Career(after[seat], careers[seat].games + 1, ended, elos_after[seat]),
        )
        for seat in range(len(ranks))
    )


def compute_first_share(ranks: Sequence[int]) -> float:
    """Return the points of the first player in a duel: 1, one half or 0."""
    first, second = ranks
    return (1 + (first < second) - (first > second)) / 2
