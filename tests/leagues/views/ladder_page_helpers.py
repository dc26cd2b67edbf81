"""Ladder that runs in real time, for its page."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from games.clocks import DAY
from leagues.models import Season
from tests.leagues.ladder_helpers import begin_ladder

LADDER_URL = "/leagues/cup-of-foix/1/"


def make_running_ladder(number: int, **settings: Any) -> Season:
    """Make a ladder that runs in real time."""
    season = begin_ladder(number, **settings)
    now = timezone.now()
    Season.objects.update(opened=now - 8 * DAY, begins=now - DAY, ends=now + 60 * DAY + timedelta(hours=1))
    season.refresh_from_db()
    return season
