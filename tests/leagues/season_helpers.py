"""Leagues and seasons, from founding to the last game."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.contrib.auth.models import Permission

from accounts.models import Player
from games import play
from games.clocks import DAY
from games.models import Game, Seat
from games.rules import RuleSet
from leagues import seasons
from leagues.models import Division, Fixture, League, Phase, Season
from leagues.settings import LeagueSettings
from leagues.standings import Rules
from tests.games.factories import NOW, heart_beats, make_player, play_turns

BEGINS = NOW + 7 * DAY


def make_founder() -> Player:
    player = make_player("Founder")
    player.user_permissions.add(Permission.objects.get(codename="found_league"))
    return Player.objects.get(pk=player.pk)


def make_league(seats: int = 2, rules: Rules | None = None, **settings: object) -> League:
    settings.setdefault("protest", timedelta())
    agreed = LeagueSettings(
        rules=RuleSet.of(seats=seats),
        standings=rules or Rules.usual(seats, up=1, down=1),
        **settings,  # type: ignore[arg-type]
    )
    return seasons.found_league(founder=make_founder(), name="Cup of Foix", settings=agreed, now=NOW)


def register_players(season: Season, number: int) -> list[Player]:
    """Register so many new players, each a minute after the one before."""
    players = [make_player(f"Player{index:02}") for index in range(number)]
    for order, player in enumerate(players):
        seasons.register(season_id=season.pk, player=player, now=NOW + timedelta(minutes=order))
    return players


def begin_season(number: int, **settings: object) -> Season:
    season = make_league(**settings).seasons.get()  # type: ignore[arg-type]
    register_players(season, number)
    advance_seasons(BEGINS)
    season.refresh_from_db()
    assert season.phase == Phase.RUNNING
    return season


def advance_seasons(now: datetime) -> None:
    """Run the beat as often as it has something to do."""
    heart_beats(now)
    for _ in range(3):
        assert seasons.advance(now, seconds=600)


def resign_all_games(now: datetime, loser: Callable[[Game], Player], *, played: bool = False) -> None:
    """End all games: *loser* resigns, with *played* after a turn or two."""
    for fixture in Fixture.objects.filter(settled=None).select_related("game").order_by("pk"):
        game = fixture.game
        assert game is not None
        if played:
            play_turns(game, 2 * game.places, now=now - timedelta(hours=1))
        while not Game.objects.get(pk=game.pk).ended:
            seat = Seat.objects.get(game=game, player=loser(game))
            play.resign(game_id=game.pk, seat=seat.index, now=now)
            play.score(game_id=game.pk, now=now)


def choose_later_name(game: Game) -> Player:
    """The player whose name comes last, of those who still play."""
    there = [seat.player for seat in game.seats.all() if seat.player and not seat.left]
    return max(there, key=lambda one: one.username)


def play_out_season(season: Season, now: datetime, *, played: bool = False) -> None:
    """Play all rounds of *season*: the player with the earlier name wins every game."""
    for day in range(40):
        resign_all_games(now + day * DAY, choose_later_name, played=played)
        advance_seasons(now + day * DAY)
        season.refresh_from_db()
        if not season.running:
            return
    raise AssertionError("the season does not end")


def list_names(division: Division) -> list[str]:
    return list(division.entries.order_by("row").values_list("player__username", flat=True))


def get_numbered_player(number: int) -> Player:
    return Player.objects.get(username=f"Player{number:02}")
