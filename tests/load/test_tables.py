"""What is set up for the load generator is what it says, and holds."""

import random

import pytest

from benchmarks.load import audit, tables
from games.models import Game, Kind, Notice
from games.play.audit import differences
from leagues.models import Fixture, Match
from tests.games.factories import make_player

pytestmark = pytest.mark.django_db


def test_games_on_the_way_are_genuine_and_those_with_fewest_tiles_left_are_of_the_league() -> None:
    people = [make_player(f"Player{number}") for number in range(tables.DIVISION)]
    matches = tables._matches(people)
    tables._on_the_way({40: 5, 1: 6}, people, random.Random(3), matches)
    games = Game.objects.all()
    copies = 5 + 6 + tables.GAMES_OF_DIVISION
    assert games.count() == copies + tables.PATTERNS
    assert all(differences(game) == [] for game in games)
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
    begun = {game.code: (game.ply, game.turn_version) for game in games}
    assert audit.mails({}, begun).wrong == []
