"""Tests that results, standings and ratings follow any moderator's act at any ply of a league's game.

The game itself stays sound, too, as everywhere:
``MODERATED=50 pytest tests/leagues/seasons/test_results_moderated_anywhere.py`` tries so many.
"""

from __future__ import annotations

import os
from random import Random

import pytest

from games import rated_games
from games.models import Game, Status
from games.rules import RuleSet
from games.rules.playout import pick_random_rules
from leagues import seasons
from leagues.models import Division, Entry, Fixture
from leagues.seasons.tables import update_standings
from leagues.settings import LeagueSettings
from leagues.standings import Rules
from tests.games.factories import NOW, heart_beats
from tests.games.play.moderation_helpers import ModeratedGame
from tests.leagues.season_helpers import BEGINS, advance_seasons, make_founder, register_players

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
GAMES = int(os.environ.get("MODERATED", 0)) or 3


class ModeratedLeagueGame(ModeratedGame):
    """Game of a season with three other games."""

    def must_be_sound(self) -> None:
        super().must_be_sound()
        heart_beats(self.now)
        while not seasons.advance(self.now, seconds=60):
            pass
        rated_games.follow_moderators(self.now)
        assert rated_games.rate_games(seconds=60)
        assert list(rated_games.find_differences()) == []
        self._result_must_be_that_of_the_game()
        self._standings_must_come_again()

    def _result_must_be_that_of_the_game(self) -> None:
        fixture = Fixture.objects.select_related("game").get(game=self.game)
        game = fixture.game
        assert game is not None
        if game.status == Status.FINISHED:
            assert fixture.seats is not None
            told = {one["player"]: (one["rank"], one["score"]) for one in fixture.seats if not one["forfeit"]}
            assert told == {seat.player_id: (seat.rank, seat.score) for seat in game.seats.all()}
        elif not game.ended:
            assert (fixture.seats, fixture.settled) == (None, None)

    def _standings_must_come_again(self) -> None:
        stored = list(Entry.objects.order_by("pk").values())
        for division in Division.objects.all():
            update_standings(division)
        assert list(Entry.objects.order_by("pk").values()) == stored
        assert sum(float(entry["points"]) for entry in stored) == 2 * self._decided()

    def _decided(self) -> int:
        """The number of decided matches: each gives two points, to one or to both."""
        return sum(1 for fixture in Fixture.objects.all() if fixture.seats)


def rules_for_two(seed: int) -> RuleSet:
    """A random valid combination of sets and edition."""
    drawn = pick_random_rules(Random(seed))
    return RuleSet.of(sets=drawn.sets, edition=drawn.edition, seats=2)


def game_of_a_season(seed: int) -> Game:
    agreed = LeagueSettings(rules=rules_for_two(seed), standings=Rules.usual(2, up=1, down=1))
    league = seasons.found_league(founder=make_founder(), name="Cup of Foix", settings=agreed, now=NOW)
    register_players(league.seasons.get(), 3)
    advance_seasons(BEGINS)
    game = Fixture.objects.order_by("pk").select_related("game")[0].game
    assert game is not None
    for division in Division.objects.all():
        update_standings(division)  # as the first result will
    return game


@pytest.mark.parametrize("number", range(GAMES))
def test_any_acts_at_any_plies_of_a_game_of_a_league(number: int) -> None:
    moderated = ModeratedLeagueGame(game_of_a_season(number), seed=number, now=BEGINS)
    while moderated.acts < 5:
        moderated.play(moderated.chance.randrange(1, 6))
        moderated.moderate()
    moderated.go_on()
    moderated.play(400 if number == 0 else 5)
    moderated.must_be_sound()
