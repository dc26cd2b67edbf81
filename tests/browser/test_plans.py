"""Tests of planning the next turn by touch and keys, on a phone and on a desk, with and without scripts."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Player
from games.models import Game, How, Plan
from tests.browser.game_helpers import build_game_url
from tests.browser.sign_in_helpers import sign_in
from tests.browser.surface_helpers import CLICK, FIND_FAULTS, is_in_sight
from tests.games.factories import heart_beats, make_game, play_lines
from tests.games.visitors import bag

pytestmark = pytest.mark.django_db(transaction=True)
STRAIGHT = re.compile("^road east, west")
SIZES = ((360, 740), (1600, 900))


@pytest.fixture
def game() -> Game:
    heart_beats(timezone.now())
    return make_game(bag=bag("base.U", "base.U", "base.V"), now=timezone.now())


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_turn_is_planned_and_played(
    page: Page, live_server: LiveServer, game: Game, width: int, height: int
) -> None:
    bruno = Player.objects.get(username="Bruno")
    sign_in(page, live_server, bruno)
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(reduced_motion="reduce")
    page.goto(build_game_url(live_server, game))
    page.get_by_role("link", name="Plan your next turn").click()
    expect(page.get_by_role("heading", name="If you draw this tile:")).to_be_visible()
    page.get_by_role("link", name=STRAIGHT).first.click()
    mark = page.locator("#turn-map .mark[data-at='-1,0']")
    expect(mark).to_be_visible()
    mark.evaluate(CLICK)
    page.get_by_role("link", name="No meeple", exact=True).click()
    expect(page.locator("#send")).to_be_visible()
    assert is_in_sight(page, "#send")
    assert page.evaluate(FIND_FAULTS, width < 500) == []
    page.locator("#send").click()
    expect(page.locator(".plan-list li")).to_have_count(1)
    assert "column −1, row 0" in page.locator(".plan-list").inner_text().lower()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    play_lines(game, "1,0 r0", now=timezone.now())
    assert game.moves.get(how=How.PLAN).seat == 1
    page.goto(build_game_url(live_server, game))
    assert "Bruno had planned this turn." in (page.locator(".told").first.text_content() or "")


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_plan_for_after_somebody_has_played_on_a_certain_space(
    page: Page, live_server: LiveServer, game: Game, width: int, height: int
) -> None:
    sign_in(page, live_server, Player.objects.get(username="Bruno"))
    page.set_viewport_size({"width": width, "height": height})
    page.goto(build_game_url(live_server, game) + "plan/")
    page.get_by_role("link", name="Only if someone has played").click()
    page.locator("#turn-map .mark[data-at='1,0']").evaluate(CLICK)
    page.wait_for_url("**/after/1,0/")
    page.get_by_role("link", name=STRAIGHT).first.click()
    page.locator("#turn-map .mark[data-at='2,0']").evaluate(CLICK)
    page.get_by_role("link", name="No meeple", exact=True).click()
    page.locator("#send").click()
    expect(page.locator(".plan-list li")).to_contain_text("Only if someone has played here by then")
    play_lines(game, "1,0 r0", now=timezone.now())
    assert game.moves.filter(how=How.PLAN).count() == 1


def test_without_scripts_and_by_keyboard(browser: Browser, live_server: LiveServer, game: Game) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740})
    page = context.new_page()
    sign_in(page, live_server, Player.objects.get(username="Bruno"))
    page.goto(build_game_url(live_server, game) + "plan/?tile=base.U&at=-1,0")
    page.get_by_role("link", name="No meeple", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**on=none*")
    page.locator("#send").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/plan/")
    assert Plan.objects.count() == 1
    page.get_by_role("button", name="Remove plan").press("Enter")
    page.wait_for_load_state()
    assert not Plan.objects.exists()
    context.close()
