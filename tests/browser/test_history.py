"""Tests of a game's history: playback, single steps, accessibility."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games import play
from games.models import Game
from tests.browser import axe
from tests.browser.game_helpers import build_game_url
from tests.browser.polling_helpers import wait_until
from tests.games.factories import heart_beats, make_game, play_turns

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ended() -> Game:
    heart_beats(timezone.now())
    game = play_turns(make_game(seats=3, now=timezone.now()), now=timezone.now())
    play.score(game_id=game.pk, now=timezone.now())
    game.refresh_from_db()
    return game


def test_a_game_is_played_back_and_paused(page: Page, live_server: LiveServer, ended: Game) -> None:
    start = build_game_url(live_server, ended, "ply", 10)
    page.goto(f"{start}?until=12#play")
    button = page.locator("#playing")
    expect(button).to_contain_text("Pause")
    expect(page.locator(".slider output")).to_have_text("12 / 71")
    expect(button).to_contain_text("Play back")
    assert page.url == build_game_url(live_server, ended, "ply", 12) + "?until=12", (
        "it stops, and the address says where"
    )
    page.locator("#pace").select_option("400")
    button.click()
    expect(page.locator(".slider output")).to_have_text(re.compile(r"1[4-9] / 71"))
    page.keyboard.press("ArrowLeft")
    expect(button).to_contain_text("Play back")
    expect(page.locator("#pace")).to_have_value("400")
    page.keyboard.press("End")
    expect(page.locator(".slider output")).to_have_text("71 / 71")
    page.emulate_media(reduced_motion="reduce")
    page.goto(build_game_url(live_server, ended, "ply", 0) + "#play")
    page.locator("#pace").select_option("2000")
    expect(button).to_contain_text("Play back")
    page.keyboard.press("p")
    expect(page.locator(".slider output")).to_have_text("1 / 71")

    page.goto(build_game_url(live_server, ended, "end"))
    every = page.locator(".gain").count()
    page.locator(".gain-line").first.click()
    expect(page.locator('.gain-line[aria-current="true"]').first).to_be_visible()
    assert 0 < page.locator(".gain").count() < every
    page.keyboard.press("Home")
    expect(page.locator(".gain")).to_have_count(every)


def test_each_final_point_comes_into_the_frame(page: Page, live_server: LiveServer, ended: Game) -> None:
    page.set_viewport_size({"width": 360, "height": 700})
    page.emulate_media(reduced_motion="reduce")
    page.goto(build_game_url(live_server, ended, "end"))
    for step in range(1, int(page.locator("#to").get_attribute("max") or 0) + 1):
        page.locator("#step-next").click()
        expect(page.locator(".slider output")).to_have_text(re.compile(f"^{step} /"))
        wait_until(page, "!document.querySelector('.htmx-request, .htmx-settling')")
        frame, gain = page.locator("#frame").bounding_box(), page.locator(".gain").first.bounding_box()
        assert frame and gain
        x, y = gain["x"] + gain["width"] / 2, gain["y"] + gain["height"] / 2
        assert frame["x"] < x < frame["x"] + frame["width"], step
        assert frame["y"] < y < frame["y"] + frame["height"], step


def test_going_back_from_any_turn_leads_to_where_one_came_from(
    page: Page, live_server: LiveServer, ended: Game
) -> None:
    slider = page.locator(".slider output")
    page.goto(build_game_url(live_server, ended))
    entries = page.evaluate("history.length")
    page.locator("#step-prev").click()
    expect(slider).to_have_text("70 / 71")
    wait_until(page, "Boolean(window.htmx) && document.readyState === 'complete'")
    page.locator("#step-prev").click()
    expect(slider).to_have_text("69 / 71")
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_text("68 / 71")
    page.locator("#to").fill("30")
    expect(slider).to_have_text("30 / 71")
    expect(page).to_have_url(build_game_url(live_server, ended, "ply", 30))
    page.keyboard.press("Home")
    expect(page).to_have_url(build_game_url(live_server, ended, "ply", 0))
    assert page.evaluate("history.length") == entries + 1
    page.reload()
    expect(slider).to_have_text("0 / 71")
    page.go_back()
    expect(page).to_have_url(build_game_url(live_server, ended))
    expect(page.locator("#table")).to_be_visible()
    page.go_forward()
    expect(page).to_have_url(build_game_url(live_server, ended, "ply", 0))
    expect(slider).to_have_text("0 / 71")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_are_accessible(page: Page, live_server: LiveServer, ended: Game, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for name, args in (("ply", (40,)), ("end", ()), ("end_step", (1,)), ("scores", ()), ("files", ())):
        page.goto(build_game_url(live_server, ended, name, *args))
        for opened in page.locator("summary").all():
            opened.click()
        results = axe.run(page)
        assert results.violations_count == 0, f"{name}, {scheme}: {results.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]


@pytest.mark.parametrize("height", [600, 620, 640])
def test_the_scores_after_each_turn_are_cut_in_the_middle_of_a_row(
    page: Page, live_server: LiveServer, ended: Game, height: int
) -> None:
    """So one sees that the list goes on."""
    page.set_viewport_size({"width": 700, "height": height})
    page.goto(build_game_url(live_server, ended, "scores"))
    cut = page.locator(".running").evaluate("""box => {
        const one = box.querySelector("tbody tr");
        one.after(...Array.from({ length: 30 }, () => one.cloneNode(true))); // as in a game of many points
        const end = box.getBoundingClientRect().bottom;
        const rows = [...box.querySelectorAll("tr")].map(row => row.getBoundingClientRect());
        const row = rows.find(row => row.top < end && end <= row.bottom);
        return row && (end - row.top) / row.height;
    }""")
    assert 0.3 < cut < 0.7
