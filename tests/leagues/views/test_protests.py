"""Tests of protests and corrections on pages, and of settling games by organisers (STAND-17)."""

from __future__ import annotations

from datetime import datetime

import pytest
import time_machine
from django.test import Client

from games.clocks import DAY, HOUR
from games.words.times import format_when
from leagues.models import Fixture, Season
from leagues.selectors.coming_steps import build_steps
from leagues.settings import Schedule
from leagues.standings import Rules
from tests.games.factories import make_player
from tests.html import Page
from tests.leagues.knock_out_helpers import begin_cup, get_bracket, play_round
from tests.leagues.ladder_helpers import begin_ladder, challenge_player, resign_games_of
from tests.leagues.organising_helpers import LATER, confirmed, get_organiser, settle_fixture
from tests.leagues.season_helpers import (
    BEGINS,
    advance_seasons,
    begin_season,
    choose_later_name,
    resign_all_games,
)
from tests.leagues.team_season_helpers import FIRST_ROUND, begin_team_season

pytestmark = pytest.mark.django_db
URL = "/leagues/cup-of-foix/1/"


def read_notes(client: Client, now: datetime, url: str = f"{URL}1/") -> list[str]:
    with time_machine.travel(now, tick=False):
        return Page(client.get(url)).texts(".result-note")


def settling_urls(client: Client, url: str) -> list[str]:
    return Page(client.get(url)).links(".settle")


def act(fixture: Fixture) -> str:
    return f"/leagues/{fixture.match.division.season.league.slug}/desk/settle/?game={fixture.pk}"


def test_a_round_says_until_when_it_can_be_protested(client: Client) -> None:
    begin_cup(4, protest=DAY)
    assert read_notes(client, LATER) == []
    play_round(Season.objects.get())
    until = format_when(LATER + DAY)
    told = (
        "Semi-finals: all matches are over. If a result is wrong, tell the organisers by {}: then the next "
    )
    assert read_notes(client, LATER + HOUR) == [f"{told.format(until)}round is drawn."]
    assert read_notes(client, LATER + DAY) == []
    assert read_notes(client, LATER + HOUR, URL) == [], "the season goes on"


@pytest.mark.parametrize("schedule", [Schedule.ROUND_ROBIN, Schedule.GROUPS])
def test_the_end_of_a_table_says_so_too(client: Client, schedule: Schedule) -> None:
    rules = Rules.usual(2)
    season = begin_season(3, schedule=schedule, rules=rules, division_size=4, protest=DAY)
    resign_all_games(LATER, choose_later_name)
    advance_seasons(LATER)
    follows = "the knock-out isn't drawn" if schedule == Schedule.GROUPS else "the season doesn't close"
    (note,) = read_notes(client, LATER)
    assert f"tell the organisers by {format_when(LATER + DAY)}: {follows} before." in note
    assert len(read_notes(client, LATER, URL)) == (schedule == Schedule.ROUND_ROBIN)
    assert season.running


def test_a_correction_that_came_late_is_told(client: Client) -> None:
    season = begin_cup(4)
    play_round(season)
    fixture = get_bracket(season).matches.get(round=1, number=1).fixtures.get()
    one, other = (seat.player for seat in fixture.match.seats.all())
    settle_fixture(fixture, {one: 2, other: 1}, now=LATER + HOUR)
    for url in (URL, f"{URL}1/"):
        (note,) = read_notes(client, LATER + DAY, url)
        assert note.startswith("A result was corrected on ") and note.endswith("stay as they are.")
    log = Page(client.get("/leagues/cup-of-foix/log/")).texts(".details")[0]
    assert log.endswith(
        "Matches and seasons that have already started because of the old result stay as they are."
    )


def test_what_comes_next_waits_for_protests(client: Client) -> None:
    season = begin_cup(4, protest=DAY)
    play_round(season)
    steps = [" ".join([step.text, *step.waits]) for step in build_steps(season, None)]
    due = f"Knock-out: round 2 of 2, on {format_when(LATER + DAY)}, unless a result is corrected before."
    assert f"The next rounds are drawn: {due}" in steps
    advance_seasons(LATER + DAY)
    play_round(season, days=3)
    closes = {step.text: step.at for step in build_steps(season, None)}
    assert closes["The season closes, unless a result is corrected before."] == BEGINS + 4 * DAY


def check_settle_links(client: Client, url: str, fixtures: list[Fixture]) -> None:
    assert settling_urls(client, url) == []
    client.force_login(make_player("Zoe"))
    assert settling_urls(client, url) == []
    client.force_login(get_organiser())
    assert settling_urls(client, url) == [act(fixture) for fixture in fixtures] != []
    assert client.get(act(fixtures[0])).status_code == 200


def test_organisers_settle_games_of_knock_outs_from_their_page(client: Client) -> None:
    begin_cup(4)
    check_settle_links(client, f"{URL}1/", list(Fixture.objects.order_by("pk")))


def test_organisers_settle_games_of_ladders_while_the_challenge_is_open(client: Client) -> None:
    season = begin_ladder(4)
    challenge_player(season, 1, 0)
    resign_games_of(0, LATER)
    made = challenge_player(season, 3, 2, LATER)
    check_settle_links(client, f"{URL}1/", list(made.match.fixtures.all()))


def test_organisers_settle_games_of_teams_from_the_page_of_the_match(client: Client) -> None:
    begin_team_season("AB")
    advance_seasons(FIRST_ROUND)
    check_settle_links(client, "/leagues/team-cup/1/1/1/1/", list(Fixture.objects.order_by("pk")))


def test_games_of_a_closed_season_are_corrected_from_its_pages(client: Client) -> None:
    season = begin_season(3, division_size=4)
    resign_all_games(LATER, choose_later_name)
    advance_seasons(LATER)
    season.refresh_from_db()
    assert season.closed
    client.force_login(get_organiser())
    (url, *_others) = settling_urls(client, f"{URL}1/?round=1")
    fixture = Fixture.objects.get(pk=url.rpartition("=")[2])
    ranks = {f"rank_{seat.player_id}": "1" for seat in fixture.match.seats.all()}
    sent = {"how": "ranked", "reason": "Both agreed", **ranks}
    shown = Page(client.post(url, sent))
    assert "because of the old result stay as they are" in shown.text(".effects")
    client.post(url, {**sent, **confirmed(shown)})
    fixture.refresh_from_db()
    assert fixture.corrected and fixture.seats is not None
    assert {seat["rank"] for seat in fixture.seats} == {1}
