"""Ladders that have begun, and challenges in them."""

from datetime import datetime
from typing import Any

from accounts.models import Player
from games import play
from games.models import Seat, Status
from leagues import seasons
from leagues.models import Challenge, Season
from leagues.seasons.ladders import load_order
from leagues.settings import Schedule
from leagues.standings import Rules
from tests.leagues.season_helpers import BEGINS, advance_seasons, begin_season, get_numbered_player


def begin_ladder(number: int, best_of: int = 1, **settings: Any) -> Season:
    """Begin a ladder of so many players, in order of registration."""
    return begin_season(number, schedule=Schedule.LADDER, rules=Rules.usual(2, best_of=best_of), **settings)


def challenge_player(season: Season, challenger: int, challenged: int, now: datetime = BEGINS) -> Challenge:
    return seasons.challenge(
        season_id=season.pk,
        player=get_numbered_player(challenger),
        challenged=get_numbered_player(challenged),
        now=now,
    )


def read_ladder_order(season: Season) -> str:
    """Return the order of the ladder by the numbers in the names: "0123"."""
    names = {one.pk: one.username for one in Player.objects.all()}
    return "".join(str(int(names[pk][-2:])) for pk in load_order(season.divisions.get()))


def resign_games_of(loser: int, now: datetime) -> None:
    """Let a player resign all games under way."""
    for seat in Seat.objects.filter(player=get_numbered_player(loser), game__status=Status.PLAYING):
        play.resign(game_id=seat.game_id, seat=seat.index, now=now)
    advance_seasons(now)
