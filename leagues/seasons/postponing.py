"""Postponing and cancelling seasons for which too few have registered."""

from __future__ import annotations

from datetime import datetime

from games.clocks import DAY
from leagues.mails.seasons import CalledOff
from leagues.models import Phase, Season
from leagues.seasons.founding import write_log_entry

MOST_POSTPONED = 3
"""Number of times a season with too few players is postponed before it is cancelled."""


def put_off(season: Season, now: datetime, **counted: int) -> None:
    """Postpone *season*, which is locked, or cancel it after ``MOST_POSTPONED`` times. The number of those
    registered is *counted* for the log."""
    if season.postponed >= MOST_POSTPONED:
        season.phase, season.closed = Phase.CANCELLED, now
        season.save(update_fields=["phase", "closed"])
        write_log_entry(season.league, "cancel", season=season, now=now, **counted)  # type: ignore[arg-type]
        CalledOff.tell(season, now=now)
        return
    before, longer = season.begins, max(season.settings.registration, DAY)
    season.begins = now + longer
    season.ends += season.begins - before
    season.postponed += 1
    season.save(update_fields=["begins", "ends", "postponed"])
    told: dict[str, object] = {"before": before.isoformat(), "after": season.begins.isoformat(), **counted}
    write_log_entry(season.league, "postpone", season=season, now=now, **told)  # type: ignore[arg-type]
    CalledOff.tell(season, now=now)
