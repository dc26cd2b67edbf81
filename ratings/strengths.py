"""Strengths of players as they are shown, and their expected results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from django.conf import settings

from accounts.models import Player
from ratings.models import Pool, Rating
from ratings.skill import NEWCOMER, RoundedStrength, compute_table_expectation, round_strength


class PlayerStrengths(NamedTuple):
    """A player's strengths in duels and at larger tables; ``None`` without rated games."""

    duel: RoundedStrength | None = None
    table: RoundedStrength | None = None

    def at(self, seats: int) -> RoundedStrength | None:
        """Return the strength for a table of so many *seats*."""
        return self.duel if seats == 2 else self.table


UNKNOWN = PlayerStrengths()


class ShownNumbers(NamedTuple):
    """A player's numbers as they are shown, also provisional ones; a newcomer's without rated games."""

    duel: int
    table: int

    def at(self, seats: int) -> int:
        """Return the number for a table of so many *seats*."""
        return self.duel if seats == 2 else self.table


def load_standings(players: Iterable[Player | None], now: datetime) -> Mapping[int, PlayerStrengths]:
    """Return the strengths of *players* as of *now* (RATE-4), by primary key. Players without rated games are
    missing. One query."""
    keys = {player.pk for player in players if player is not None and not player.is_bot}
    standings: dict[int, PlayerStrengths] = {}
    for rating in Rating.objects.filter(player__in=keys) if keys else ():
        known = standings.get(rating.player_id, UNKNOWN)
        standings[rating.player_id] = known._replace(**{rating.pool: rating.shown_at(now)})
    return standings


def load_numbers(player: int) -> ShownNumbers:
    """Return the numbers of *player* as they are shown (RATE-4). One query.

    The time is not needed: rest changes the spread of a number, and not the number.
    """
    known = {rating.pool: rating.career.strength for rating in Rating.objects.filter(player=player)}
    duel, table = (round_strength(known.get(pool, NEWCOMER)).number for pool in (Pool.DUEL, Pool.TABLE))
    return ShownNumbers(duel, table)


def compute_expected(
    player: Player, opponents: Iterable[Player | None], seats: int, now: datetime
) -> float | None:
    """Return the probability that *player* ends above one of *opponents* at a table of so many *seats*,
    the mean over them (RATE-5); ``None`` without human opponents. One query."""
    keys: Collection[int] = {
        opponent.pk for opponent in opponents if opponent is not None and not opponent.is_bot
    } - {player.pk}
    if not keys:
        return None
    rated = Rating.objects.filter(player__in=[player.pk, *keys], pool=Pool.of(seats))
    known = {rating.player_id: rating.at(now) for rating in rated}
    strengths = [known.get(key, NEWCOMER) for key in (player.pk, *keys)]
    return compute_table_expectation(strengths, settings.RATING_BETA)[0]
