"""How strong people are, as pages of games ask it (``games/selectors/strength.py``)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from games.play.requirements import Ratings
from games.selectors.strength import UNKNOWN, Standing, Strength
from leagues.models import Pool, Rating
from leagues.skill import NEWCOMER, expected_at_table, shown


def standings(players: Collection[int], now: datetime) -> Mapping[int, Standing]:
    """How *players* stand as of *now* (RATE-4); who has no rated game is missing. One query."""
    found: dict[int, Standing] = {}
    for rating in Rating.objects.filter(player__in=players):
        known = found.get(rating.player_id, UNKNOWN)
        found[rating.player_id] = known._replace(**{rating.pool: strength_of(rating, now)})
    return found


def strength_of(rating: Rating, now: datetime) -> Strength:
    """*rating* as it is shown *now*, after the rest since the last game."""
    seen = shown(rating.at(now))
    return Strength(seen.number, seen.spread, seen.provisional)


def numbers(player: int) -> Ratings:
    """The numbers of *player* as they are shown (RATE-4); where there is no rated game, that with which
    everybody begins. One query: rest changes how sure a number is, and not the number."""
    known = {rating.pool: rating.career.strength for rating in Rating.objects.filter(player=player)}
    duel, table = (shown(known.get(pool, NEWCOMER)).number for pool in (Pool.DUEL, Pool.TABLE))
    return Ratings(duel, table)


def expected_of(player: int, opponents: Collection[int], seats: int, now: datetime) -> float:
    """How likely *player* ends above one of *opponents*, the mean over them (RATE-5). One query."""
    rated = Rating.objects.filter(player__in=[player, *opponents], pool=Pool.of(seats))
    known = {rating.player_id: rating.at(now) for rating in rated}
    return expected_at_table([known.get(one, NEWCOMER) for one in (player, *opponents)])[0]
