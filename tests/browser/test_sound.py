"""Tests of the sound that tells players who asked for it of their turn."""

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Player
from games.models import Game
from tests.browser.game_helpers import build_game_url
from tests.browser.polling_helpers import wait_until
from tests.browser.sign_in_helpers import sign_in
from tests.games.factories import heart_beats, make_game, play_turns

pytestmark = pytest.mark.django_db(transaction=True)

COUNT = """
  window.notes = 0;
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (...at) {
    window.notes += this.context.state === "running" ? 1 : 0;
    start.apply(this, at);
  };
"""
"""Script that counts the notes that are heard."""
LOOK = "document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))"


@pytest.fixture
def game() -> Game:
    heart_beats(timezone.now())
    return play_turns(make_game(now=timezone.now()), 6, now=timezone.now())


@pytest.fixture
def listener(page: Page, live_server: LiveServer, game: Game) -> Player:
    """The player who isn't on turn, signed in; with sound."""
    player = game.seats.exclude(index=game.awaited).get().player
    assert player is not None
    Player.objects.filter(pk=player.pk).update(sound=True, undo_seconds=0)
    page.add_init_script(COUNT)
    sign_in(page, live_server, player)
    return player


def take_turn(game: Game) -> None:
    """Let whoever is on turn play."""
    game.refresh_from_db()
    play_turns(game, 1, now=timezone.now())


def look_for_news(page: Page) -> None:
    with page.expect_response(lambda answer: "since=" in answer.url):
        page.evaluate(LOOK)


@pytest.mark.parametrize("on_the_board", [True, False], ids=["board", "my games"])
def test_an_open_page_sounds_once_when_it_learns_of_a_turn(
    page: Page, live_server: LiveServer, game: Game, listener: Player, on_the_board: bool
) -> None:
    page.goto(build_game_url(live_server, game) if on_the_board else f"{live_server.url}/games/")
    page.locator("h1").first.click()
    look_for_news(page)
    assert page.evaluate("window.notes") == 0  # nothing new
    take_turn(game)
    look_for_news(page)
    wait_until(page, "window.notes === 2")
    look_for_news(page)
    page.wait_for_timeout(300)
    assert page.evaluate("window.notes") == 2
    page.reload()  # it is still the listener's turn, which a page says without a sound
    page.locator("h1").first.click()
    look_for_news(page)
    page.wait_for_timeout(300)
    assert page.evaluate("window.notes") == 0


def test_of_two_open_pages_one_sounds(
    page: Page, live_server: LiveServer, game: Game, listener: Player
) -> None:
    page.goto(build_game_url(live_server, game))
    other = page.context.new_page()
    other.add_init_script(COUNT)
    other.goto(f"{live_server.url}/games/")
    for one in (page, other):
        one.locator("h1").first.click()
    take_turn(game)
    look_for_news(page)
    wait_until(page, "window.notes === 2")
    look_for_news(other)
    expect(other).to_have_title(f"(1) My games · {settings.SITE_NAME}")
    other.wait_for_timeout(300)
    assert other.evaluate("window.notes") == 0


def test_a_page_in_which_nobody_has_clicked_stays_silent_for_good(
    page: Page, live_server: LiveServer, game: Game, listener: Player
) -> None:
    page.goto(build_game_url(live_server, game))
    take_turn(game)
    look_for_news(page)
    expect(page.locator(".headline").first).to_contain_text("Your turn")
    page.locator("h1").first.click()
    page.wait_for_timeout(300)
    assert page.evaluate("window.notes") == 0
