"""Teams and their seasons."""

from datetime import datetime, timedelta
from typing import Any

from accounts.models import Player
from games import play
from games.models import Game, Seat
from games.rules import RuleSet
from leagues import seasons
from leagues.models import Fixture, Season, Team, TeamMatch
from leagues.schedules.team_rules import TeamRules
from leagues.settings import LeagueSettings
from leagues.standings import Rules
from tests.games.factories import NOW, make_player, play_turns
from tests.leagues.season_helpers import BEGINS, advance_seasons, make_founder

DUELS = Rules.usual(2)
THREE_BOARDS = TeamRules(boards=3, least=3, most=5)
ONE_BOARD = TeamRules(boards=1, least=1, most=3)
FIRST_ROUND = BEGINS + THREE_BOARDS.begins(1)


def make_team_settings(teams: TeamRules = THREE_BOARDS, **settings: Any) -> LeagueSettings:
    settings.setdefault("protest", timedelta())
    return LeagueSettings(
        rules=RuleSet.of(seats=2), standings=settings.pop("standings", DUELS), teams=teams, **settings
    )


def make_team_season(teams: TeamRules = THREE_BOARDS, **settings: Any) -> Season:
    return seasons.found_league(
        founder=make_founder(), name="Team Cup", settings=make_team_settings(teams, **settings), now=NOW
    ).seasons.get()


def make_team(season: Season, name: str, players: int = 4) -> Team:
    """Make a team of A0, A1 … with the first as captain."""
    captain = make_player(f"{name}0")
    team = seasons.found_team(season_id=season.pk, captain=captain, name=name, now=NOW)
    for number in range(1, players):
        at = NOW + timedelta(minutes=number)
        seasons.join_team(team_id=team.pk, player=make_player(f"{name}{number}"), now=at, token=team.token)
    return team


def begin_team_season(names: str = "ABC", players: int = 4, **settings: Any) -> Season:
    season = make_team_season(**settings)
    for name in names:
        make_team(season, name, players)
    advance_seasons(BEGINS)
    season.refresh_from_db()
    return season


def get_player(name: str) -> Player:
    return Player.objects.get(username=name)


def get_team_match(round: int = 1) -> TeamMatch:
    return TeamMatch.objects.get(round=round, number=1)


def end_games(now: datetime) -> None:
    """End every open game: the player with the earlier name wins."""
    for fixture in Fixture.objects.filter(settled=None).select_related("game").order_by("pk"):
        assert fixture.game is not None
        lose_game(fixture.game, max(str(seat.player) for seat in fixture.game.seats.all()), now)


def lose_game(game: Game, name: str, now: datetime) -> None:
    play_turns(game, 2, now=now - timedelta(hours=1))
    play.resign(game_id=game.pk, seat=Seat.objects.get(game=game, player__username=name).index, now=now)
    play.score(game_id=game.pk, now=now)
