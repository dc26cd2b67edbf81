"""Tests that suspended players are not admitted to a season."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from accounts.models import Player
from games.clocks import DAY
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.schedules.team_rules import TeamRules
from leagues.standings import Rules
from tests.games.factories import NOW, make_player
from tests.leagues.ladder_helpers import begin_ladder
from tests.leagues.season_helpers import BEGINS, begin_season, make_league
from tests.moderation.sanctioning import suspend

pytestmark = pytest.mark.django_db


def refused(act: Callable[..., Any], **asked: Any) -> None:
    with transaction.atomic(), pytest.raises(LeagueRefused) as why:
        act(**asked)
    assert why.value.code == "suspended"
    assert "March 2026" in why.value.message


@pytest.fixture
def emma() -> Player:
    player = make_player("Emma")
    suspend(player)
    return player


def test_registers_and_waits_for_none(emma: Player) -> None:
    season = make_league().seasons.get()
    refused(seasons.register, season_id=season.pk, player=emma, now=NOW)
    refused(seasons.wait, season_id=season.pk, player=emma, now=NOW)
    seasons.register(season_id=season.pk, player=emma, now=NOW + timedelta(days=7))


def test_joins_none_that_runs_and_replaces_nobody() -> None:
    season = begin_season(4, division_size=8, late_until=50, length=40 * DAY)
    emma, gone = make_player("Emma"), Player.objects.get(username="Player00")
    suspend(emma, BEGINS - 6 * DAY)
    refused(seasons.join, season_id=season.pk, player=emma, now=BEGINS)
    organiser = Player.objects.get(username="Founder")
    refused(
        seasons.ask_substitute,
        season_id=season.pk,
        leaving=gone,
        substitute=emma,
        who=organiser,
        reason="Away.",
        now=BEGINS,
    )


def test_challenges_nobody() -> None:
    season = begin_ladder(4)
    last, first = Player.objects.get(username="Player03"), Player.objects.get(username="Player02")
    suspend(last)
    refused(seasons.challenge, season_id=season.pk, player=last, challenged=first, now=NOW)


def test_founds_and_joins_no_team(emma: Player) -> None:
    season = make_league(rules=Rules.usual(2), teams=TeamRules(boards=1, least=1, most=3)).seasons.get()
    refused(seasons.found_team, season_id=season.pk, captain=emma, name="Alpha", now=NOW)
    team = seasons.found_team(
        season_id=season.pk, captain=Player.objects.get(username="Founder"), name="Beta", now=NOW
    )
    refused(seasons.join_team, team_id=team.pk, player=emma, token=team.token, now=NOW)
