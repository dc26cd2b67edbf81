"""Tests that players of one season count as meeting there, for signals of fair play."""

import pytest
from django.contrib.auth.models import Group

from games.clocks import DAY
from games.rules import RuleSet
from leagues import seasons
from leagues.settings import LeagueSettings
from leagues.standings import Rules
from moderation.fair_play import search
from tests.games.factories import NOW, heart_beats, make_player, make_players

pytestmark = pytest.mark.django_db


def test_players_of_one_season_play_in_one_contest() -> None:
    heart_beats(NOW)
    anna, bruno, clara = make_players(3)
    felix = make_player("Felix")
    anna.groups.set(Group.objects.filter(name="organiser"))
    agreed = LeagueSettings(rules=RuleSet.of(seats=2), standings=Rules.usual(2, up=1, down=1))
    league = seasons.found_league(founder=anna, name="Cup", settings=agreed, now=NOW)
    pairs = [(anna.pk, bruno.pk), (bruno.pk, clara.pk), (clara.pk, felix.pk)]
    for player in (anna, bruno, clara):
        seasons.register(season_id=league.seasons.get().pk, player=player, now=NOW)
    assert search.find_pairs_in_one_contest(pairs) == set()
    seasons.advance(NOW + 8 * DAY, seconds=60)
    assert search.find_pairs_in_one_contest(pairs) == set(pairs[:2])
