"""Double eliminations that have begun."""

from typing import Any

from leagues.models import Season
from leagues.settings import Schedule
from leagues.standings import Rules
from tests.leagues.knock_out_helpers import play_round
from tests.leagues.season_helpers import begin_season


def begin_double(number: int, best_of: int = 1, **settings: Any) -> Season:
    """Begin a double elimination of so many players, seeded in order of registration."""
    agreed = {"schedule": Schedule.DOUBLE, "rules": Rules.usual(2, best_of=best_of), **settings}
    return begin_season(number, **agreed)


def lose_rounds(season: Season, rounds: int) -> None:
    """Play so many rounds, a day each: the player with the later name loses."""
    for day in range(1, rounds + 1):
        play_round(season, days=day)
