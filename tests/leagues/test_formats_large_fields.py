"""Tests of tournaments of 400 players in one division: founding, the first round, and its pages."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.rules import RuleSet
from leagues import seasons
from leagues.models import Entry, Fixture, Match, Season
from leagues.settings import LeagueSettings, Schedule
from leagues.standings import Rules
from tests.games.factories import NOW
from tests.leagues.league_rows import people
from tests.leagues.season_helpers import BEGINS, advance_seasons, make_founder
from tests.leagues.views.founding_helpers import found_with_second_yes

pytestmark = pytest.mark.django_db

MANY, FEW = 400, 20


def begin(schedule: Schedule, number: int, name: str) -> Season:
    agreed = LeagueSettings(schedule=schedule, rules=RuleSet.of(seats=2), standings=Rules.usual(2))
    if schedule == Schedule.SWISS:
        agreed = replace(agreed, rounds=9, division_size=MANY)
    founder = Season.objects.first()
    founded = seasons.found_league(
        founder=founder.league.founder if founder else make_founder(), name=name, settings=agreed, now=NOW
    )
    season = founded.seasons.get()
    Entry.objects.bulk_create(
        Entry(season=season, player=player, registered=NOW) for player in people(number, name.split()[0])
    )
    return season


@pytest.mark.slow
@pytest.mark.parametrize("schedule", [Schedule.SWISS, Schedule.KNOCK_OUT])
def test_four_hundred_play_in_one_division(client: Client, schedule: Schedule) -> None:
    few, many = begin(schedule, FEW, "Few players"), begin(schedule, MANY, "Many players")
    advance_seasons(BEGINS)
    division = many.divisions.get()
    matches = Match.objects.filter(division=division, round=1)
    assert matches.count() == (MANY // 2 if schedule == Schedule.SWISS else MANY - 256)
    assert Fixture.objects.filter(match__in=matches, game__isnull=False).count() == matches.count()
    for path in ("", "1/", "1/1/"):
        queries = []
        for season in (few, many):
            with CaptureQueriesContext(
                connection,
            ) as asked:
                assert client.get(f"{season.league.get_absolute_url()}{path}").status_code == 200
            queries.append(len(asked))
        assert queries[1] <= queries[0], path


def test_a_swiss_system_of_two_hundred_is_founded(client: Client) -> None:
    client.force_login(make_founder())
    found_with_second_yes(client, schedule="swiss", expected=200, division_size="", rounds="", length="")
    season = Season.objects.get()
    assert (season.settings.schedule, season.settings.division_size) == ("swiss", 200)
