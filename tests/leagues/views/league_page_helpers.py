"""Season with open registration in real time, for its page."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from games.clocks import DAY
from leagues.models import Season
from tests.leagues.season_helpers import make_league

LEAGUE_URL = "/leagues/cup-of-foix/"


def make_open_season(**settings: Any) -> Season:
    """Make a season with open registration in real time."""
    season = make_league(**settings).seasons.get()
    now = timezone.now()
    Season.objects.filter(pk=season.pk).update(
        opened=now, begins=now + 6 * DAY + timedelta(hours=1), ends=now + 90 * DAY
    )
    season.refresh_from_db()
    return season
