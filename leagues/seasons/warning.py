"""Warning players that their season ends, and telling organisers what waits on their desk."""

from __future__ import annotations

from collections.abc import Set
from datetime import datetime

from django.db import transaction

from games.clocks import DAY
from leagues import outbox
from leagues.models import Phase
from leagues.seasons.locks import locked_league, locked_season

WARNING = 7 * DAY
"""So long before its end whoever has games left is warned, in short seasons when a quarter of it is left."""

SHARE = 4


@transaction.atomic
def warn(season_id: int, now: datetime) -> bool:
    """Warn the players of a season that ends soon, once for each end that it is given. Answers whether this
    did."""
    season = locked_season(season_id)
    time = min(WARNING, (season.ends - season.begins) / SHARE)
    if season.phase != Phase.RUNNING or season.warned is not None or now < season.ends - time:
        return False
    season.warned = now
    season.save(update_fields=["warned"])
    outbox.season_ends_soon(season, now=now)
    return True


@transaction.atomic
def tell_organisers(*, league_id: int, matters: Set[str], now: datetime) -> bool:
    """Tell organisers what *matters*, if any of it is new, once a day at most. Answers whether this did."""
    league = locked_league(league_id)
    told_today = league.desk_told is not None and now < league.desk_told + DAY
    known = set(league.desk_known)
    if told_today or matters <= known:
        return False
    league.desk_told, league.desk_known = now, sorted(matters | known)
    league.save(update_fields=["desk_told", "desk_known"])
    outbox.on_the_desk(league, now=now)
    return True
