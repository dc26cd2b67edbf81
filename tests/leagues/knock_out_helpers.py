"""Knock-outs that have begun."""

from collections.abc import Callable
from typing import Any

from accounts.models import Player
from games.clocks import DAY
from games.models import Game
from leagues.models import Division, Kind, Season
from leagues.settings import Schedule
from leagues.standings import Rules
from tests.leagues.season_helpers import (
    BEGINS,
    advance_seasons,
    begin_season,
    choose_later_name,
    resign_all_games,
)


def begin_cup(number: int, best_of: int = 1, **settings: Any) -> Season:
    """Begin a knock-out of so many players; without ratings they are seeded in order of registration."""
    agreed = {"schedule": Schedule.KNOCK_OUT, "rules": Rules.usual(2, best_of=best_of), **settings}
    return begin_season(number, **agreed)


def get_bracket(season: Season) -> Division:
    return season.divisions.get(kind=Kind.KNOCK_OUT)


def play_round(season: Season, loser: Callable[[Game], Player] = choose_later_name, days: int = 1) -> None:
    """Play all open games, and let the beat draw what comes next."""
    resign_all_games(BEGINS + days * DAY, loser)
    advance_seasons(BEGINS + days * DAY)
    season.refresh_from_db()
