"""Tests of the set-up of load tests."""

import random

import pytest
from django.utils import timezone

from benchmarks.load import audit, tables
from games import play, rated_games
from games.models import Game, Kind, Notice
from games.play.audit import find_differences
from leagues import seasons
from leagues.models import Entry, Fixture, Match, Phase, Season
from leagues.tasks import advance
from ratings import calibration_months
from ratings.models import Rating
from tests.games.factories import make_player, play_turns

pytestmark = pytest.mark.django_db


def test_games_on_the_way_are_genuine_and_those_with_fewest_tiles_left_are_of_the_league() -> None:
    people = [make_player(f"Player{number}") for number in range(tables.DIVISION)]
    matches = tables._matches(people)
    tables._on_the_way({40: 5, 1: 6}, people, random.Random(3), matches)
    games = Game.objects.all()
    copies = 5 + 6 + tables.GAMES_OF_DIVISION
    assert games.count() == copies + tables.PATTERNS
    assert all(find_differences(game) == [] for game in games)
    assert games.filter(tiles_left=40).count() == 5
    assert games.filter(tiles_left=1).count() == copies - 5 + tables.PATTERNS
    assert Fixture.objects.count() == tables.GAMES_OF_DIVISION
    assert not Match.objects.filter(waits=True).exists()
    for fixture in Fixture.objects.select_related("game", "match"):
        players = list(fixture.game.seats.order_by("index").values_list("player", flat=True))
        assert players == list(fixture.match.seats.order_by("index").values_list("player", flat=True))
        assert fixture.game.tiles_left == 1
    for game in games:
        told = Notice.objects.filter(game=game, kind=Kind.YOUR_TURN, version=game.turn_version)
        assert told.get().recipient_id == game.seats.get(index=game.awaited).player_id
    assert audit.leagues() == audit.Found([], {"settled": 0, "divisions": 0})
    begun = {game.code: (game.ply, game.turn_version) for game in games}
    assert audit.mails({}, begun).wrong == []


def test_leagues_are_held_against_their_games_and_their_tables_against_an_oracle() -> None:
    people = [make_player(f"Player{number}") for number in range(2 * tables.DIVISION)]
    tables._on_the_way({0: 0}, people, random.Random(3), tables._matches(people))
    fixture = Fixture.objects.select_related("game").earliest("pk")
    assert fixture.game is not None
    play_turns(fixture.game, now=timezone.now())
    play.score(game_id=fixture.game.pk, now=timezone.now())
    assert seasons.record_result(fixture.game.pk, timezone.now())
    assert audit.leagues() == audit.Found([], {"settled": 1, "divisions": 1})
    assert audit.left()["results of leagues"] == 0
    entry = Entry.objects.filter(division=fixture.match.division, rank=1).earliest("pk")
    Entry.objects.filter(pk=entry.pk).update(rank=2)
    assert audit.leagues().wrong, "the table is another one"
    Entry.objects.filter(pk=entry.pk).update(rank=1)
    fixture.refresh_from_db()
    assert fixture.seats is not None
    fixture.seats[0]["score"] += 1
    fixture.save(update_fields=["seats"])
    assert audit.leagues().wrong[0].startswith(f"fixture {fixture.pk} is ")


def test_the_only_division_of_a_season_that_is_closed_is_the_highest_and_the_lowest() -> None:
    people = [make_player(f"Player{number}") for number in range(tables.DIVISION)]
    tables._on_the_way({0: 0}, people, random.Random(3), tables._matches(people))
    for fixture in Fixture.objects.select_related("game"):
        assert fixture.game is not None
        play_turns(fixture.game, now=timezone.now())
        play.score(game_id=fixture.game.pk, now=timezone.now())
        seasons.record_result(fixture.game.pk, timezone.now())
    advance()
    assert Season.objects.earliest("pk").phase == Phase.CLOSED
    assert audit.leagues() == audit.Found([], {"settled": tables.GAMES_OF_DIVISION, "divisions": 1})


def test_a_game_that_is_not_rated_is_left_to_do() -> None:
    game = play_turns(tables._begin([make_player("Anna"), make_player("Bruno")]), now=timezone.now())
    play.score(game_id=game.pk, now=timezone.now())
    assert audit.left()["games to rate"] == 1
    assert rated_games.rate_games(seconds=60)
    assert calibration_months.count_months(seconds=60)
    assert audit.left()["games to rate"] == 0
    assert audit.rated() == audit.Found([], {"rated": 1})
    Rating.objects.update(mu=40)
    assert audit.rated().wrong
