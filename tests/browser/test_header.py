"""The header in every language, on desks and phones: nothing overlaps, wraps or leaves the screen."""

from itertools import pairwise

import pytest
from django.conf import settings
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Player
from tests.browser.game_helpers import build_game_url
from tests.browser.sign_in_helpers import sign_in
from tests.games.factories import make_game, make_player

pytestmark = pytest.mark.django_db(transaction=True)

LANGUAGES = [code for code, _name in settings.LANGUAGES]
PHONES = [(320, 640), (360, 740), (736, 360)]
DESKS = [(740, 360), (1366, 768), (1600, 900)]
LONGEST = "Wladyslaw-Kazimierz.Wojciechow"  # thirty letters
MEASURE = """() => {
  const shown = [...document.querySelectorAll(".top a, .menu > button")].filter((one) => one.checkVisibility()
    && !one.closest(".menu > ul"));
  const box = (one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return { name: one.innerText.trim(), left, top, right, bottom };
  };
  const words = [...document.querySelectorAll(".dock span:not(.hidden-text, .count, #your-turns)")]
    .filter((one) => one.checkVisibility() && one.textContent.trim());
  const lines = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return new Set([...range.getClientRects()].map((rect) => Math.round(rect.top))).size;
  };
  const cut = (one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === "visible"
    && getComputedStyle(one).display !== "inline";
  return {
    boxes: shown.map(box),
    bar: box(document.querySelector(".top")),
    wrapped: words.filter((one) => lines(one) > 1).map((one) => one.textContent),
    spilled: words.filter((one) => {
      const word = one.getBoundingClientRect();
      const around = one.closest("a, button").getBoundingClientRect();
      return cut(one) || word.left < around.left - 0.5 || word.right > around.right + 0.5;
    }).map((one) => one.textContent),
    wide: document.documentElement.scrollWidth,
  };
}"""


def look_at_header(page: Page, size: tuple[int, int]) -> None:
    """Check the header of the open page on a screen of *size*."""
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    measured = page.evaluate(MEASURE)
    boxes = measured["boxes"]
    assert len(boxes) >= 5
    assert (measured["wrapped"], measured["spilled"]) == ([], []), size
    assert measured["wide"] <= width
    assert measured["bar"]["bottom"] - measured["bar"]["top"] == 48
    target = 44 if size in PHONES else 36
    for box in boxes:
        assert box["left"] >= 0 and box["right"] <= width and box["bottom"] <= height, (size, box)
        assert box["bottom"] - box["top"] >= target and box["right"] - box["left"] >= target, (size, box)
    if size in PHONES:  # the bar below is filled from end to end
        below = sorted((box["left"], box["right"]) for box in boxes if box["top"] > height / 2)
        gaps = [right[0] - left[1] for left, right in pairwise(below)]
        assert below[0][0] <= 5 and below[-1][1] >= page.evaluate("document.body.clientWidth") - 5
        assert max(map(abs, gaps)) <= 1, size
    for number, one in enumerate(boxes):
        for other in boxes[:number]:
            beside = one["left"] >= other["right"] - 0.5 or one["right"] <= other["left"] + 0.5
            above = one["top"] >= other["bottom"] - 0.5 or one["bottom"] <= other["top"] + 0.5
            assert beside or above, (size, one, other)


@pytest.fixture
def reader(
    live_server: LiveServer, context: BrowserContext, page: Page, request: pytest.FixtureRequest
) -> Page:
    """A guest who reads the language that the test names."""
    context.add_cookies(
        [{"name": settings.LANGUAGE_COOKIE_NAME, "value": request.param, "url": live_server.url}]
    )
    return page


@pytest.mark.parametrize("reader", LANGUAGES, indirect=True)
def test_nothing_overlaps_or_wraps_for_a_guest(live_server: LiveServer, reader: Page) -> None:
    reader.goto(f"{live_server.url}/lobby/")
    for size in PHONES + DESKS:
        look_at_header(reader, size)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_overlaps_or_wraps_for_a_player_with_a_long_name(
    live_server: LiveServer, page: Page, language: str
) -> None:
    player = make_game().host
    Player.objects.filter(pk=player.pk).update(username=LONGEST, language=language)
    sign_in(page, live_server, player)
    page.goto(f"{live_server.url}/lobby/")
    for size in PHONES + DESKS:
        look_at_header(page, size)


class TestMenu:
    @pytest.fixture
    def signed_in(self, live_server: LiveServer, page: Page) -> Page:
        sign_in(page, live_server, make_player("anna"))
        page.goto(f"{live_server.url}/lobby/")
        return page

    @pytest.mark.parametrize("size", [(360, 740), (1366, 768)])
    def test_opens_and_closes_by_keyboard(self, signed_in: Page, size: tuple[int, int]) -> None:
        page = signed_in
        page.set_viewport_size({"width": size[0], "height": size[1]})
        name, entry = (
            page.locator(".menu > button"),
            page.locator(".menu").get_by_role("link", name="Your profile"),
        )
        name.focus()
        page.keyboard.press("Enter")
        expect(entry).to_be_in_viewport()
        page.keyboard.press("Tab")
        expect(entry).to_be_focused()
        page.keyboard.press("Escape")
        expect(entry).to_be_hidden()
        expect(name).to_be_focused()

    def test_closes_when_something_else_is_pressed(self, signed_in: Page) -> None:
        page = signed_in
        page.locator(".menu > button").click()
        expect(page.locator(".menu > ul")).to_be_visible()
        page.locator("h1").click()
        expect(page.locator(".menu > ul")).to_be_hidden()

    def test_works_without_scripts(self, live_server: LiveServer, signed_in: Page) -> None:
        kept = signed_in.context.storage_state()
        context = signed_in.context.browser.new_context(java_script_enabled=False, storage_state=kept)
        page = context.new_page()
        page.goto(f"{live_server.url}/lobby/")
        page.locator(".menu > button").click()
        page.get_by_role("button", name="Sign out").click()
        expect(page.locator(".dock").get_by_role("link", name="Sign in")).to_be_visible()
        context.close()


def test_on_a_board_phones_have_no_bar_below(live_server: LiveServer, page: Page) -> None:
    game = make_game()
    sign_in(page, live_server, game.host)
    page.goto(build_game_url(live_server, game))
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.locator(".dock")).to_be_hidden()
    page.set_viewport_size({"width": 1366, "height": 768})
    look_at_header(page, (1366, 768))


@pytest.mark.parametrize("size", PHONES)
def test_on_phones_the_name_has_room_for_its_letters(
    live_server: LiveServer, page: Page, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    sign_in(page, live_server, make_player("Anna"))
    page.goto(f"{live_server.url}/games/")
    name = page.locator(".menu > button .name")
    shown, letters = name.evaluate("one => [one.clientHeight, one.scrollHeight]")
    assert shown >= letters > 0
