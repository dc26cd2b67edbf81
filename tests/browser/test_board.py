"""Tests of the board's page: on a phone, when others play, when the site does not respond."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games import tables
from games.models import Game
from tests.browser.game_helpers import build_game_url, build_turn_query, get_awaited_player
from tests.browser.sign_in_helpers import sign_in
from tests.games.factories import heart_beats, make_game, play_turns

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game() -> Game:
    heart_beats(timezone.now())
    game = play_turns(make_game(seats=3, now=timezone.now()), 24, now=timezone.now())
    anna = game.seats.get(player__username="Anna").player
    tables.say(game_id=game.pk, player=anna, text="Hello", now=timezone.now())
    return game


def test_who_waits_is_shown_the_new_move(page: Page, live_server: LiveServer, game: Game) -> None:
    waiting = next(
        seat.player for seat in game.seats.order_by("index") if seat.index == (game.awaited + 1) % 3
    )
    sign_in(page, live_server, waiting)
    page.goto(build_game_url(live_server, game))
    page.locator(".tabs a", has_text="Talk").click()
    page.locator("#text").fill("half a sentence")
    play_turns(game, 1, now=timezone.now())
    page.evaluate("htmx.trigger('#watch', 'look')")
    expect(page.locator(".headline").first).to_contain_text("Your turn")
    expect(page.locator("#announce")).to_have_text(re.compile(r"placed a tile at .*\. It's your turn\.$"))
    expect(page.locator("svg.layer a.mark").first).to_be_visible()
    expect(page.locator("#text")).to_have_value("half a sentence")
    expect(page).to_have_title(f"(1) It's your turn. {game.name}")
    expect(page.locator("#icon")).to_have_attribute("href", "/icon/1.svg")


def test_on_a_phone_too_one_sees_that_a_turn_is_played(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    sign_in(page, live_server, get_awaited_player(game))
    page.goto(build_game_url(live_server, game) + build_turn_query(game))
    page.locator("#send").click()
    expect(page.get_by_text("Your turn is played.", exact=True)).to_be_in_viewport()
    expect(page.locator("#board-map")).to_be_in_viewport()


@pytest.mark.provokes("ERR_INTERNET_DISCONNECTED", "htmx:sendError")
def test_a_site_that_does_not_answer_loses_nothing(page: Page, live_server: LiveServer, game: Game) -> None:
    sign_in(page, live_server, get_awaited_player(game))
    page.goto(build_game_url(live_server, game) + build_turn_query(game))
    page.context.set_offline(True)
    page.locator(".strip a").first.click()
    expect(page.locator("#trouble")).to_be_visible()
    page.locator("#send").click()
    expect(page.get_by_text("not played yet")).to_be_visible()
    page.context.set_offline(False)
    page.locator("#send").click()
    expect(page.get_by_text("Your turn is played.", exact=True)).to_be_visible()
    expect(page.locator("#trouble")).to_be_hidden()
    expect(page.get_by_text("not played yet")).to_have_count(0)


@pytest.mark.parametrize("size", [(360, 740), (1366, 768)], ids=["phone", "desk"])
def test_the_clock_says_why_when_it_is_pressed(
    page: Page, live_server: LiveServer, game: Game, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    sign_in(page, live_server, get_awaited_player(game))
    page.goto(build_game_url(live_server, game))
    told = page.get_by_text(re.compile("^3 days from "))
    expect(told).to_be_hidden()
    page.locator("button.clock").click()
    expect(told).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    expect(told).to_be_hidden()
