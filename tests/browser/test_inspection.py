"""Tests of board inspection: hovering highlights and describes, a click keeps it, turns are unaffected."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from core.numerals import format_minus
from games.models import Game
from tests.browser import axe
from tests.games.factories import heart_beats, make_game, play_lines
from tests.games.visitors import bag

from .frame_helpers import read_view
from .game_helpers import build_game_url, get_awaited_player
from .sign_in_helpers import sign_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game() -> Game:
    """A game in which Anna has a highwayman on a road of two tiles, and Bruno is on turn."""
    heart_beats(timezone.now())
    game = make_game(bag=bag("base.U", "base.U"), now=timezone.now())
    return play_lines(game, "1,0 r0 road W", now=timezone.now())


def middle(page: Page, x: float, y: float) -> tuple[float, float]:
    """The position on the screen of a point in the board's units."""
    at = page.evaluate(
        "([x, y]) => { const p = new DOMPoint(x, y).matrixTransform("
        "document.getElementById('board-map').getScreenCTM()); return [p.x, p.y] }",
        [x, y],
    )
    return at[0], at[1]


def test_pointing_lights_and_tells_and_a_click_keeps_it(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    sign_in(page, live_server, game.host)
    page.goto(build_game_url(live_server, game))
    page.mouse.move(*middle(page, 20, 85))
    expect(page.locator("#features a").first).to_be_attached()
    page.mouse.move(*middle(page, 130, 50))
    expect(page.locator("#hint")).to_have_text(re.compile("Road of 2 tiles.*Only you have meeples on it"))
    lit = page.locator("#features a:hover .light")
    expect(lit).to_have_css("opacity", "1")
    page.mouse.down()
    page.mouse.up()
    expect(page.locator("#facts")).to_contain_text("Only you have meeples on it.")
    expect(page.locator("#lit .light use")).to_have_count(2)
    assert axe.run(page).violations_count == 0
    page.keyboard.press("Escape")
    expect(page.locator("#facts")).to_be_empty()
    expect(page.locator("#lit .light")).to_have_count(0)


def test_the_key_that_leaves_a_past_board_closes_what_is_open_there_first(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    sign_in(page, live_server, game.host)
    page.goto(build_game_url(live_server, game, "ply", 1))
    page.mouse.move(*middle(page, 20, 85))
    expect(page.locator("#features a").first).to_be_attached()
    page.mouse.click(*middle(page, 130, 50))
    expect(page.locator("#facts")).to_contain_text("Road of 2 tiles")
    page.keyboard.press("Escape")
    expect(page.locator("#facts")).to_be_empty()
    expect(page).to_have_url(build_game_url(live_server, game, "ply", 1))
    page.keyboard.press("Escape")
    expect(page).to_have_url(build_game_url(live_server, game))


def test_looking_at_a_past_board_and_a_note_leave_its_address(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    address = build_game_url(live_server, game, "ply", 1)
    sign_in(page, live_server, game.host)
    page.goto(address)
    page.mouse.move(*middle(page, 20, 85))
    expect(page.locator("#features a").first).to_be_attached()
    assert page.url == address
    page.locator("#look-spaces").click()
    expect(page.locator("#look-spaces[aria-current]")).to_be_visible()
    assert page.url == address
    page.locator("#note-text").fill("Watch the road.")
    page.locator(".note-box button").click()
    expect(page.locator(".note-box [role=status]")).to_be_visible()
    assert page.url == address


def test_looking_disturbs_no_turn(page: Page, live_server: LiveServer, game: Game) -> None:
    sign_in(page, live_server, get_awaited_player(game))
    page.goto(build_game_url(live_server, game) + "?at=2,0&r=0")
    page.locator("#look-spaces").click()
    expect(page.locator("#shown .space").first).to_be_attached()
    page.mouse.click(*middle(page, 50, 85))
    expect(page.locator("#facts")).to_contain_text("Field of")
    expect(page.locator(".composer")).to_be_visible()
    assert page.url.endswith("?at=2,0&r=0")
    page.keyboard.press("Escape")
    expect(page.locator("#facts")).to_be_empty()
    page.mouse.click(*middle(page, -50, 50))  # a marked space, with a number below
    expect(page).to_have_url(re.compile("at=-1,0"))
    page.locator("#figure-0").click()
    page.locator("#send").click()
    expect(page.get_by_text("Your turn is played.", exact=True)).to_be_visible()
    expect(page.locator("#shown .space").first).to_be_attached()  # the overlay of the board is still there


def test_what_is_laid_over_the_board_stays_until_it_is_taken_off(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    fields, on = page.locator("#look-fields"), page.locator('#look-fields[aria-current="true"]')
    page.goto(build_game_url(live_server, game))
    expect(page.locator("#looks")).to_be_visible()
    expect(on).to_have_count(0)
    fields.click()
    expect(on).to_be_visible()
    page.reload()
    expect(on).to_be_visible()
    expect(page.locator("#shown .fields")).to_be_attached()
    assert page.url == build_game_url(live_server, game), "the address is that of the board"
    page.goto(build_game_url(live_server, game, "ply", 1))
    expect(on).to_be_visible()
    page.locator("#step-prev").click()
    expect(page.locator(".slider output")).to_have_text("0 / 1")
    expect(on).to_be_visible()
    fields.click()
    expect(on).to_have_count(0)
    page.goto(build_game_url(live_server, game))
    page.wait_for_load_state("networkidle")
    expect(on).to_have_count(0)


def test_by_keyboard_and_by_a_first_tap(browser: Browser, live_server: LiveServer, game: Game) -> None:
    phone = browser.new_context(has_touch=True, viewport={"width": 360, "height": 700})
    page = phone.new_page()
    page.goto(build_game_url(live_server, game))
    page.touchscreen.tap(*middle(page, 130, 50))
    expect(page.locator("#facts")).to_contain_text("Only Anna has meeples on it.")
    page.locator("[data-close]").click()
    page.locator(".handle").click()
    page.get_by_role("button", name="Look at features").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#features a").first).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#features a").nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#facts")).not_to_be_empty()
    phone.close()


@pytest.mark.parametrize("wide", [360, 1300])
def test_what_is_told_of_a_space_lies_beside_it(
    browser: Browser, live_server: LiveServer, game: Game, wide: int
) -> None:
    context = browser.new_context(viewport={"width": wide, "height": 700})
    page = context.new_page()
    page.goto(build_game_url(live_server, game))
    if wide == 360:
        page.locator(".handle").click()
    page.locator("#look-spaces").click()
    expect(page.locator("#look-spaces[aria-current]")).to_be_visible()
    if wide == 360:
        page.locator(".handle").click()
        page.locator(".handle").click()
    for x, y in ((50, -50), (-50, 50), (150, 150)):
        page.mouse.click(*middle(page, x, y))
        expect(page.locator("#facts h2")).to_contain_text(format_minus(f"column {x // 100}, row {y // 100}"))
        card, here = page.locator(".facts-card").bounding_box(), page.locator("#lit .here").bounding_box()
        assert card and here
        assert (
            card["y"] >= here["y"] + here["height"]
            or card["y"] + card["height"] <= here["y"]
            or card["x"] >= here["x"] + here["width"]
            or card["x"] + card["width"] <= here["x"]
        ), (card, here)
        page.keyboard.press("Escape")
        page.keyboard.press("0")  # the board has moved out from under the card
        read_view(page)
    context.close()


def test_without_javascript_every_feature_has_a_link(
    browser: Browser, live_server: LiveServer, game: Game
) -> None:
    plain = browser.new_context(java_script_enabled=False)
    page = plain.new_page()
    page.goto(build_game_url(live_server, game))
    page.get_by_role("link", name="All features").click()
    page.get_by_role("link", name="Road of 2 tiles").click()
    expect(page.locator("#facts")).to_contain_text("Only Anna has meeples on it.")
    expect(page.locator("#lit .light use")).to_have_count(2)
    page.get_by_role("link", name="Open spaces").click()
    page.locator("#shown a.space").first.click()
    expect(page.locator("#facts")).to_contain_text("tiles to come fit here.")
    plain.close()
