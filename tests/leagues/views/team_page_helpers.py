"""Season of teams with open registration in real time, for its page."""

from django.utils import timezone

from games.clocks import DAY
from leagues.models import Season, Team
from tests.leagues.team_season_helpers import make_team_season

TEAM_LEAGUE_URL = "/leagues/team-cup/"
TEAM_SEASON_URL = f"{TEAM_LEAGUE_URL}1/"


def make_open_team_season() -> Season:
    """Make a season of teams with open registration in real time."""
    season = make_team_season()
    now = timezone.now()
    Season.objects.filter(pk=season.pk).update(opened=now, begins=now + 6 * DAY, ends=now + 90 * DAY)
    season.refresh_from_db()
    return season


def build_team_url(team: str) -> str:
    return f"{TEAM_SEASON_URL}teams/{Team.objects.get(season__number=1, name=team).pk}/"
