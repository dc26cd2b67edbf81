"""Games that their clock leaves to the organisers at their hard end (CLOCK-24)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
import time_machine
from django.test import Client

from games import heartbeat, play
from games.clocks import DAY, HOUR, AtEnd, ClockSettings
from games.models import Ending, Game
from games.play import hard_ends
from games.play.positions import load_position
from leagues.models import Fixture, Phase, Season
from leagues.selectors.desk import list_matters, list_unfinished_games
from tests.games.factories import play_turns
from tests.html import Page
from tests.leagues.organising_helpers import get_organiser, settle_fixture
from tests.leagues.season_helpers import BEGINS, advance_seasons, begin_season
from tests.leagues.views.league_page_helpers import LEAGUE_URL

pytestmark = pytest.mark.django_db


def leave_unfinished(**settings: Any) -> tuple[Season, Game]:
    """Make a season of two whose game has three turns at its hard end."""
    clock = ClockSettings(start=60 * DAY, gain=DAY, cap=60 * DAY, at_end=AtEnd.ORGANISER)
    season = begin_season(2, division_size=4, clock=clock, **settings)
    game = Game.objects.get()
    for number in range(3):
        game = play_turns(game, 1, now=BEGINS + (number + 1) * HOUR)
    close(season.ends + HOUR)
    game.refresh_from_db()
    return season, game


def close(now: datetime) -> None:
    heartbeat.set_beat(now)
    assert play.lose_on_time(game_id=Game.objects.get().pk, now=now)
    advance_seasons(now)


def test_is_closed_as_by_time_and_counts_so_if_nobody_decides_for_seven_days() -> None:
    season, game = leave_unfinished()
    assert (game.ending, game.rated) == (Ending.HARD_END, False)
    by_time = {seat.player_id: seat.rank for seat in game.seats.all()}
    assert game.finished is not None
    advance_seasons(game.finished + 7 * DAY - HOUR)
    assert Fixture.objects.get().settled is None and Season.objects.get().phase == Phase.RUNNING
    advance_seasons(game.finished + 7 * DAY)
    fixture = Fixture.objects.get()
    assert {seat["player"]: seat["rank"] for seat in fixture.seats or ()} == by_time
    advance_seasons(game.finished + 9 * DAY)
    season.refresh_from_db()
    assert season.phase == Phase.CLOSED


def test_the_desk_proposes_both_and_the_game_says_who_decides(client: Client) -> None:
    season, game = leave_unfinished()
    assert game.finished is not None
    fixture = Fixture.objects.get()
    assert f"unfinished {fixture.pk}" in list_matters(season, game.finished)
    first, second = (str(seat.player) for seat in game.seats.order_by("rank"))
    scores = hard_ends.score_as_it_stands(load_position(game))
    with time_machine.travel(game.finished + HOUR, tick=False):
        client.force_login(get_organiser())
        told = Page(client.get(f"{LEAGUE_URL}desk/")).all_text
        form = Page(client.get(f"{LEAGUE_URL}desk/settle/?game={fixture.pk}")).all_text
        verdict = Page(client.get(f"/g/{game.code}/")).all_text
    assert f"By time used: 1. {first}, 2. {second}." in told
    assert all(f"{seat.player} ({scores[seat.index]})" in told for seat in game.seats.all())
    assert f"By time used: 1. {first}, 2. {second}." in form
    assert "The league's organisers have until" in verdict


def test_its_division_says_that_it_has_no_result_yet(client: Client) -> None:
    leave_unfinished()
    told = Page(client.get(f"{LEAGUE_URL}1/1/")).all_text
    assert "no result yet" in told and "in progress" not in told


def test_an_organiser_decides_by_the_board() -> None:
    season, game = leave_unfinished()
    assert game.finished is not None
    first, second = (seat.player for seat in game.seats.order_by("rank"))
    settle_fixture(Fixture.objects.get(), {first: 2, second: 1}, now=game.finished + DAY)
    assert list_unfinished_games(season, game.finished + DAY) == []
    advance_seasons(game.finished + 8 * DAY)
    fixture = Fixture.objects.get()
    assert {seat["player"]: seat["rank"] for seat in fixture.seats or ()} == {first.pk: 2, second.pk: 1}
    assert fixture.settled_by == get_organiser()


def test_the_rule_is_said_before_anybody_joins(client: Client) -> None:
    clock = ClockSettings(start=60 * DAY, gain=DAY, cap=60 * DAY, at_end=AtEnd.ORGANISER)
    begin_season(2, division_size=4, clock=clock)
    assert "organisers decide" in Page(client.get(LEAGUE_URL)).all_text
