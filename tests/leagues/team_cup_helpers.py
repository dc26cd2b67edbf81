"""Knock-outs of teams that have begun."""

from datetime import datetime
from typing import Any

from django.db.models import F

from games.clocks import HOUR
from leagues.models import Fixture, Season, TeamMatch
from leagues.settings import Schedule, Seeding
from tests.leagues.season_helpers import advance_seasons
from tests.leagues.team_season_helpers import ONE_BOARD, begin_team_season, end_games


def begin_team_cup(names: str, players: int = 1, **settings: Any) -> Season:
    """Begin a knock-out of teams of one board, seeded in order of registration."""
    cup_of = {"teams": ONE_BOARD, "schedule": Schedule.KNOCK_OUT, "seeding": Seeding.REGISTRATION, **settings}
    return begin_team_season(names, players, **cup_of)


def play_team_round(season: Season, now: datetime) -> datetime:
    """Begin the drawn round, let players with the earlier name win, and draw the next one."""
    following = TeamMatch.objects.filter(round__gt=F("division__drawn")).order_by("begins")
    now = max(now, following[0].begins)
    advance_seasons(now)
    while Fixture.objects.filter(settled=None).exists():
        now += HOUR
        end_games(now)
        advance_seasons(now)
    season.refresh_from_db()
    return now
