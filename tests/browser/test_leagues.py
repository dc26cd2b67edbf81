"""Tests of a league on a phone: the next game is one tap away, and tables fit."""

from decimal import Decimal

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import Game
from leagues import seasons
from tests.browser.accessibility_helpers import find_violations
from tests.browser.game_helpers import build_game_url, get_awaited_player
from tests.browser.sign_in_helpers import sign_in
from tests.games.factories import heart_beats
from tests.leagues.organising_helpers import get_organiser
from tests.leagues.season_helpers import begin_season, get_numbered_player
from tests.leagues.views.league_page_helpers import LEAGUE_URL

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_next_game_is_one_tap_from_the_league(page: Page, live_server: LiveServer) -> None:
    begin_season(8, division_size=8)
    heart_beats(timezone.now())
    player = get_awaited_player(Game.objects.order_by("pk")[0])
    sign_in(page, live_server, player)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(live_server.url + LEAGUE_URL)
    following = page.locator(".you .turns a").first
    box = following.bounding_box()
    assert box is not None and box["y"] + box["height"] <= 740, "the next game is in sight without scrolling"
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    following.click()
    game = next(
        game
        for game in Game.objects.filter(seats__player=player)
        if build_game_url(live_server, game) == page.url
    )
    assert get_awaited_player(game) == player
    expect(page.get_by_role("heading", name="Your tile")).to_be_visible()


def test_penalty_points_are_beside_the_points_and_can_be_set(page: Page, live_server: LiveServer) -> None:
    season = begin_season(4, division_size=4)
    heart_beats(timezone.now())
    entry, who = season.entries.get(player=get_numbered_player(0)), get_organiser()
    reason = "Didn't answer for two weeks, and then played three turns in an hour"
    seasons.set_penalty(contender=entry, points=Decimal("12.5"), who=who, reason=reason, now=timezone.now())
    sign_in(page, live_server, who)
    page.goto(f"{live_server.url}{LEAGUE_URL}1/1/")
    assert list(find_violations(page, "A table with a penalty")) == []
    row = page.locator(".standings tbody tr", has=page.locator(".penalty"))
    expect(row.locator(".points")).to_contain_text("−12½")
    scrolled = page.locator(".scroll").first
    assert scrolled.evaluate("one => one.scrollWidth - one.clientWidth") == 0, "the table fits on a phone"
    row.get_by_role("link", name="Penalty points: 12½").click()
    expect(page.locator(".log li:target")).to_contain_text(reason)
    page.goto(f"{live_server.url}{LEAGUE_URL}desk/penalty/")
    assert list(find_violations(page, "Setting penalty points")) == []
