"""Tests of the form about a seat that a board loads once it is opened."""

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.game_helpers import build_game_url, get_awaited_player
from tests.browser.sign_in_helpers import sign_in
from tests.games.factories import heart_beats, make_game

pytestmark = pytest.mark.django_db(transaction=True)


def test_notifications_are_chosen_on_the_board(page: Page, live_server: LiveServer) -> None:
    heart_beats(timezone.now())
    game = make_game(now=timezone.now())
    player = get_awaited_player(game)
    sign_in(page, live_server, player)
    page.set_viewport_size({"width": 1366, "height": 800})
    page.goto(build_game_url(live_server, game))
    title = page.title()
    assert page.locator("select[name=notice_timing]").count() == 0
    page.get_by_role("link", name="About this game").click()
    page.locator("summary", has_text="Notifications about this game").click()
    page.get_by_label("Tell me about this game").select_option("never")
    assert page.title() == title
    page.locator(".seat-choice button").click()
    expect(page.locator("#messages")).to_contain_text("Your notifications about this game are saved.")
    assert game.seats.get(player=player).is_silent
