"""Tests of the end of a game: all of the board in sight, and what is read first without scrolling."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from games import play, rated_games
from games.bots.house import choose
from games.models import Game, Status
from games.play import positions
from tests.browser import axe
from tests.browser.frame_helpers import measure_box, read_view
from tests.browser.game_helpers import build_game_url
from tests.browser.sign_in_helpers import sign_in
from tests.games.factories import heart_beats, make_game, play_turns

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

SIZES = ((360, 740), (320, 640), (740, 360), (1366, 768))
LEAST_TILE = 16

LOST_TILES = """(cells) => {
  const over = document.querySelector(".over");
  const frame = document.getElementById("frame");
  const board = document.querySelector(".map .board");
  const boxOf = ([x, y]) => {
    const matrix = board.getScreenCTM();
    const start = new DOMPoint(100 * x, 100 * y).matrixTransform(matrix);
    return { left: start.x, top: start.y, size: 100 * matrix.a };
  };
  const lost = [];
  for (const cell of cells) {
    over.scrollTop += boxOf(cell).top - innerHeight / 3; // as one would scroll to it
    const { left, top, size } = boxOf(cell);
    const box = frame.getBoundingClientRect();
    if (size < LEAST) {
      lost.push(`${cell} has ${size} px`);
    }
    if (left < box.left || top < box.top || left + size > box.right || top + size > box.bottom) {
      lost.push(`${cell} lies outside the board`);
    }
    for (const [x, y] of [[0.5, 0.5], [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]]) {
      const hit = document.elementFromPoint(left + x * size, top + y * size);
      if (!hit?.closest(".ground") || hit.closest(".axis")) {
        lost.push(`${cell} lies under ${hit?.outerHTML.slice(0, 60)}`);
      }
    }
  }
  over.scrollTop = 0;
  return lost;
}""".replace("LEAST", str(LEAST_TILE))
"""Script that lists faults of the tiles in cells: too small, cut off, or covered."""

FLOATING = """() => [...document.querySelectorAll("#table :is(a, button, input)")].filter((one) => {
  const floats = ["fixed", "absolute", "sticky"];
  let at = one;
  while (at && at.id !== "table" && !floats.includes(getComputedStyle(at).position)) {
    at = at.parentElement;
  }
  const { width, height } = one.getBoundingClientRect();
  return at?.id !== "table" && !one.closest("svg, .by-keys")
    && width > 1 && height > 1 && one.checkVisibility();
}).map((one) => one.textContent.trim())"""
"""Script that lists the controls that float over the page."""

SEEN = """(selector) => {
  const foot = document.querySelector(".ways-on");
  const lies = getComputedStyle(foot).position === "fixed";
  const end = lies ? foot.getBoundingClientRect().top : innerHeight;
  return [...document.querySelectorAll(selector)].every((one) => {
    const { left, top, right, bottom, width, height } = one.getBoundingClientRect();
    const limit = one.closest(".ways-on") ? innerHeight : end;
    return width > 0 && height > 0 && left >= 0 && top >= 0 && right <= innerWidth && bottom <= limit + 0.5;
  });
}"""
"""Script that tells whether all of what is selected is in sight without scrolling."""

FIRST = (".podium", "h2#outcome", ".rating", ".turning-point", ".ways-on > *")
READ_AT_A_DESK = (*FIRST, ".final-scores", ".chart")
READ_ON_A_PHONE = (*FIRST, ".last-board", ".final-scores tbody tr:first-child")


def play_by_the_bot(seats: int) -> Game:
    """A rated game that ended, played by the house bot at every seat."""
    now = timezone.now()
    heart_beats(now)
    game = make_game(seats=seats, now=now)
    while game.status == Status.PLAYING:
        action = choose(positions.load_position(game).state)
        assert game.awaited is not None
        game = play.play(
            game_id=game.pk,
            seat=game.awaited,
            action=action,
            expected_version=game.version,
            now=now,
            how="web",
        )
    play.score(game_id=game.pk, now=now)
    Game.objects.filter(pk=game.pk).update(rated=True)
    rated_games.rate_games(seconds=60)
    game.refresh_from_db()
    return game


def list_cells(game: Game) -> list[tuple[int, int]]:
    return [(one.x, one.y) for one in positions.load_position(game).state.placed]


def test_the_end_is_a_moment_at_any_size(page: Page, live_server: LiveServer) -> None:
    game = play_by_the_bot(3)
    cells = list_cells(game)
    sign_in(page, live_server, game.host)
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(build_game_url(live_server, game))
    faults: list[Any] = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        read_view(page)
        faults += [f"{width}x{height}: {fault}" for fault in page.evaluate(LOST_TILES, cells)]
        read = {(360, 740): READ_ON_A_PHONE, (1366, 768): READ_AT_A_DESK}.get((width, height), ())
        faults += [f"{width}x{height}: {one} is out of sight" for one in read if not page.evaluate(SEEN, one)]
        if width < 960:
            floating = page.evaluate(FLOATING)
            if floating != ["Rematch", "Lobby"]:
                faults.append(f"{width}x{height}: {floating} float")
            high = {measure_box(page, f".ways-on :is(button, .button) >> nth={n}")["height"] for n in (0, 1)}
            if high != {48}:
                faults.append(f"{width}x{height}: the buttons are {high} high")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        faults += [
            f"{width}x{height}: {one} is cut"
            for one in ("h2#outcome", ".turning-point", ".ways-on", ".final-scores")
            if page.locator(one).evaluate("one => one.scrollWidth > one.clientWidth + 1")
        ]
    assert not faults, "\n".join(faults)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = axe.run(page)
        assert found.violations_count == 0, f"{scheme}: {found.generate_report()}"

    # Zoomed in, Fit brings all of it back.
    page.locator("#frame").hover()
    expect(page.locator(".zoom")).to_be_hidden()
    page.mouse.wheel(0, -300)
    fit = page.get_by_role("button", name="Fit")
    expect(fit).to_be_visible()
    fit.click()
    expect(fit).to_be_hidden()
    read_view(page)
    assert page.evaluate(LOST_TILES, cells) == []

    # A tap on the tile, or on its place in the sentence, steps to that turn.
    turn = page.locator(".turning-point a").get_attribute("href")
    page.locator("#turning a").click()
    expect(page).to_have_url(live_server.url + str(turn))
    page.go_back()
    page.locator(".turning-point a").click()
    expect(page).to_have_url(live_server.url + str(turn))


def test_what_belongs_to_the_game_follows_below(page: Page, live_server: LiveServer) -> None:
    """Of a game without a turning point, too."""
    heart_beats(timezone.now())
    game = play_turns(make_game(now=timezone.now()), 12, now=timezone.now())
    play.resign(game_id=game.pk, seat=1, now=timezone.now())
    sign_in(page, live_server, game.host)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(build_game_url(live_server, game))
    read_view(page)
    expect(page.locator("h2#outcome")).to_have_text("You won")
    expect(page.locator(".turning-point, #turning a")).to_have_count(0)
    page.get_by_role("link", name="Talk").first.click()
    field = page.locator("#tab-talk textarea").first
    expect(field).to_be_in_viewport()
    field.fill("Well played!")
    page.locator("#tab-talk form button").first.click()
    expect(page.locator("#talk-lines")).to_contain_text("Well played!")
    page.keyboard.press("Tab")
    page.locator("#step-prev").evaluate("one => one.click()")
    expect(page.locator(".slider output")).to_have_text("11 / 12")


@pytest.fixture
def bare(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740})
    yield context.new_page()
    context.close()


def test_without_scripts_all_is_read_and_done(bare: Page, live_server: LiveServer) -> None:
    heart_beats(timezone.now())
    game = play_turns(make_game(now=timezone.now()), 12, now=timezone.now())
    play.resign(game_id=game.pk, seat=1, now=timezone.now())
    sign_in(bare, live_server, game.host)
    bare.goto(build_game_url(live_server, game))
    for part in ("h2#outcome", ".podium", "#board-map", ".final-scores", "#tab-talk textarea >> nth=0"):
        expect(bare.locator(part)).to_be_visible()
    bare.get_by_role("button", name="Rematch").click()
    expect(bare).not_to_have_url(build_game_url(live_server, game))
    assert game.rematches.count() == 1
