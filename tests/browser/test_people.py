"""Tests of players' pages, on a desk and on the smallest phone, in every language."""

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from accounts.models import Player
from games import play
from games.tables import follows
from tests.browser.sign_in_helpers import sign_in
from tests.games.factories import heart_beats, make_game, make_player, make_players, play_turns

pytestmark = pytest.mark.django_db(transaction=True)

SMALLEST_LETTERS = 12.5  # pixels
DRAWN_LETTERS = """
() => [...document.querySelectorAll(".bars")].flatMap(svg => {
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  return [...svg.querySelectorAll("text")].map(text => parseFloat(getComputedStyle(text).fontSize) * scale);
})
"""
SMALL_TARGETS = """
least => [...document.querySelectorAll("main a, main button, main summary")]
    .filter(one => one.checkVisibility() && getComputedStyle(one).pointerEvents !== "none")
    .filter(one => !one.closest("p, .ranking, table.finished"))  // in running text
    .map(one => [one.textContent.trim(), one.getBoundingClientRect().height])
    .filter(([words, height]) => height < least)
"""


@pytest.fixture
def anna() -> Player:
    """A player with finished games of sets with long names, who follows somebody, and plays."""
    now = timezone.now()
    heart_beats(now)
    long = make_player("Wilhelmina-Charlotte.von_Oben")
    for sets in (["base"], ["base", "king-and-robber", "inns-and-cathedrals"]):
        game = play_turns(make_game(sets=sets, now=now), 4, now=now)
        play.resign(game_id=game.pk, seat=1, now=now)
    make_game(name="Foix", now=now)
    anna = make_players(1)[0]
    follows.follow_player(followed=long, player=anna, now=now)
    return anna


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_nothing_sticks_out_on_the_smallest_phone(
    page: Page, live_server: LiveServer, anna: Player, language: str
) -> None:
    Player.objects.update(language=language)
    page.set_viewport_size({"width": 320, "height": 640})
    sign_in(page, live_server, anna)
    for path in ("/players/", "/players/?q=wil", "/players/Anna/", "/players/Bruno/"):
        page.goto(f"{live_server.url}{path}")
        assert page.locator("html").get_attribute("lang") == language
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert page.evaluate(SMALL_TARGETS, 44) == [], path


@pytest.mark.parametrize("width", [320, 360, 768, 1366, 1600])
def test_charts_can_be_read_at_every_width(
    page: Page, live_server: LiveServer, anna: Player, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{live_server.url}/players/Anna/")
    letters = page.evaluate(DRAWN_LETTERS)
    assert letters and min(letters) >= SMALLEST_LETTERS


def test_players_are_found_while_one_writes_their_name(
    page: Page, live_server: LiveServer, anna: Player
) -> None:
    sign_in(page, live_server, anna)
    page.goto(f"{live_server.url}/players/")
    page.locator("#id_q").press_sequentially("bru")
    page.locator("#found .people a", has_text="Bruno").click()
    page.wait_for_url("**/players/Bruno/")
    page.locator("form.follow button").click()
    page.locator("form.follow button", has_text="Unfollow").wait_for()
