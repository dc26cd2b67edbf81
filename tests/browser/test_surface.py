"""Tests of the layout of a game's page: Send visible, nothing overlapping, every space within reach."""

from collections import deque
from itertools import cycle
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Player
from core.numerals import format_minus
from games import tables
from games.play import positions
from games.rules import Deploy, Place
from games.words.arrows import format_spaces_beyond
from tests.browser import axe
from tests.browser.accessibility_helpers import VISUAL_RULES
from tests.browser.frame_helpers import measure_box, read_view
from tests.browser.game_helpers import build_game_url, get_awaited_player
from tests.browser.rest import wait_for_rest
from tests.browser.sign_in_helpers import sign_in
from tests.browser.surface_helpers import (
    CLICK,
    FIND_FAULTS,
    choose_place,
    is_in_sight,
    make_full_game,
    make_game_with_choices,
)
from tests.games.factories import heart_beats, make_game, play_turns

pytestmark = pytest.mark.django_db(transaction=True)

SIZES = ((1366, 768), (1280, 720), (1600, 900), (360, 740), (320, 640), (740, 360))
LANGUAGES = ("en", "pl", "sk", "is", "ru")


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    read_view(page)


@pytest.mark.slow
@pytest.mark.parametrize("wanted", [0, 5, 12])
def test_send_is_in_sight_and_nothing_overlaps(page: Page, live_server: LiveServer, wanted: int) -> None:
    game, query = make_game_with_choices(wanted)
    player = get_awaited_player(game)
    sign_in(page, live_server, player)
    sizes = deque(SIZES)
    sizes.rotate(wanted)
    for language in LANGUAGES:
        Player.objects.filter(pk=player.pk).update(language=language)
        sizes.rotate(1)  # every size is the first for another language
        page.set_viewport_size({"width": sizes[0][0], "height": sizes[0][1]})
        page.goto(build_game_url(live_server, game) + query)
        for size in sizes:
            resize(page, size)
            assert page.evaluate(FIND_FAULTS, size[0] < 960) == [], (language, size)
        choose_place(page)
        for size in reversed(sizes):
            resize(page, size)
            assert is_in_sight(page, "#send"), (language, size)
            assert page.evaluate(FIND_FAULTS, size[0] < 960) == [], (language, size)
            assert page.evaluate("scrollY + scrollX") == 0, (language, size)
            if size == (360, 740):
                assert measure_box(page, "#frame")["height"] >= 0.55 * size[1], language


def test_a_tap_moves_nothing_but_the_map(page: Page, live_server: LiveServer) -> None:
    game = make_full_game()
    sign_in(page, live_server, get_awaited_player(game))
    for size in SIZES:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(build_game_url(live_server, game))
        frame = page.locator("#frame").bounding_box()
        assert frame
        if size == (360, 740):
            page.locator("#turn-map .mark").first.evaluate(CLICK)
            expect(page.locator(".composer")).to_be_visible()
            frame = page.locator("#frame").bounding_box()
            assert frame and frame["height"] >= 0.55 * 740
        for _tap in range(3):
            page.locator("#turn-map .mark").first.evaluate(CLICK)
            expect(page.locator("#turn-map .candidate")).to_be_visible()
            assert page.evaluate("scrollY") == 0, size
        read_view(page)
        assert measure_box(page, ".candidate .frame")["width"] >= 112, size


def test_every_legal_space_is_drawn_out_from_under_what_lies_on_the_map(
    page: Page, live_server: LiveServer
) -> None:
    heart_beats(timezone.now())
    game = play_turns(make_game(seats=3, now=timezone.now()), 50, now=timezone.now())
    sign_in(page, live_server, get_awaited_player(game))
    page.emulate_media(reduced_motion="reduce")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(build_game_url(live_server, game))
        read_view(page)
        for key in ("0", "+", "+", "+"):
            page.keyboard.press(key)
            read_view(page)
            covered = page.locator("#turn-map .mark").evaluate_all(
                """marks => {
                  const frame = document.querySelector("#frame");
                  const middle = (one) => {
                    const { x, y, width, height } = one.getBoundingClientRect();
                    return [x + width / 2, y + height / 2];
                  };
                  const [x, y] = middle(frame);
                  return marks.filter((mark) => {
                    const [left, top] = middle(mark);
                    frame.scrollBy(left - x, top - y);
                    return document.elementFromPoint(...middle(mark))?.closest("a") !== mark;
                  }).map((mark) => mark.dataset.at);
                }"""
            )
            assert covered == [], (width, height, key)


@pytest.mark.slow
def test_every_legal_space_is_reached_by_arrows_alone(page: Page, live_server: LiveServer) -> None:
    heart_beats(timezone.now())
    game = play_turns(make_game(seats=3, now=timezone.now()), 50, now=timezone.now())
    sign_in(page, live_server, get_awaited_player(game))
    for size in SIZES:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(build_game_url(live_server, game))
        read_view(page)
        every = set(
            page.locator("#turn-map .mark").evaluate_all("marks => marks.map((one) => one.dataset.at)")
        )
        in_frame = """marks => {
          const frame = document.querySelector("#frame").getBoundingClientRect();
          return marks.filter((one) => {
            const box = one.getBoundingClientRect();
            const x = box.x + box.width / 2, y = box.y + box.height / 2;
            return x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
          }).map((one) => one.dataset.at);
        }"""
        for _ in range(3):  # larger, so that not all of it is in sight
            page.keyboard.press("+")
        spaces: set[str] = set()
        read_view(page)
        assert (
            page.locator("#turn-map .mark").evaluate_all(in_frame) or page.locator(".arrow:visible").count()
        )
        for _step in range(60):
            spaces |= set(page.locator("#turn-map .mark").evaluate_all(in_frame))
            if spaces == every:
                break
            here = read_view(page)
            x, y = (int(number) for number in min(every - spaces).split(","))
            east, south = 100 * x + 50 - here["x"], 100 * y + 50 - here["y"]
            along, beside = ("east" if east > 0 else "west"), ("south" if south > 0 else "north")
            if size[1] * abs(east) < size[0] * abs(south):
                along, beside = beside, along
            arrow = page.locator(f".arrow.{along}")
            if not arrow.is_visible():
                arrow = page.locator(f".arrow.{beside}")
            edge = (arrow.get_attribute("class") or "").split()[1]
            said = format_spaces_beyond(edge, int(arrow.inner_text()))
            expect(arrow).to_have_attribute("aria-label", said)
            arrow.click()
            wait_for_rest(page)
        assert spaces == every, size
        page.emulate_media(reduced_motion="reduce")  # gliding takes time: the first size is enough for it


def test_columns_and_rows_are_those_of_the_moves(page: Page, live_server: LiveServer) -> None:
    game, query = make_game_with_choices(5)
    sign_in(page, live_server, get_awaited_player(game))
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(build_game_url(live_server, game) + query)
    read_view(page)
    x, y = query.removeprefix("?at=").partition("&")[0].split(",")
    for axis, value in ((".columns", x), (".rows", y)):
        expect(page.locator(f"{axis} .here")).to_have_text(value.replace("-", "−"))
    column, tile = measure_box(page, ".columns .here"), measure_box(page, ".candidate .frame")
    assert abs(column["x"] + column["width"] / 2 - tile["x"] - tile["width"] / 2) < 2


def test_moving_the_board_makes_no_element_anew(page: Page, live_server: LiveServer) -> None:
    """Each one that comes or goes lets the browser work out all styles, in every frame of a drag."""
    game, query = make_game_with_choices(5)
    sign_in(page, live_server, get_awaited_player(game))
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(build_game_url(live_server, game) + query)
    read_view(page)
    page.keyboard.press("+")
    read_view(page)
    before = measure_box(page, ".columns .here")
    made = page.evaluate(
        """async () => {
          const changes = [];
          const watch = new MutationObserver((list) => changes.push(...list));
          watch.observe(document.querySelector(".board-box"), { childList: true, subtree: true });
          const frame = document.querySelector("#frame");
          for (let step = 0; step < 20; step += 1) {
            frame.scrollBy(step % 2 ? -60 : 90, step % 2 ? -40 : 60);
            await new Promise(requestAnimationFrame);
          }
          await new Promise(requestAnimationFrame);
          return changes.map(({ target }) => target.className);
        }"""
    )
    assert made == []
    tile, column = measure_box(page, ".candidate .frame"), measure_box(page, ".columns .here")
    assert column["x"] != before["x"]
    assert abs(column["x"] + column["width"] / 2 - tile["x"] - tile["width"] / 2) < 2


def test_with_nothing_to_place_two_taps_make_the_turn(page: Page, live_server: LiveServer) -> None:
    game, query = make_game_with_choices(0)
    sign_in(page, live_server, get_awaited_player(game))
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(build_game_url(live_server, game) + query)
    expect(page.locator(".strip [aria-current]")).to_have_count(1)
    page.locator("#send").click()
    expect(page.get_by_text("Your turn is played.", exact=True)).to_be_visible()
    ply = game.ply
    game.refresh_from_db()
    assert game.ply == ply + 1


def test_the_figure_is_chosen_first_and_the_sentence_is_what_is_sent(
    page: Page, live_server: LiveServer
) -> None:
    game = make_full_game()
    for _turn in range(40):
        legal = positions.load_position(game).legal_actions()
        large = next(
            (
                action
                for action in legal
                if isinstance(action, Place)
                and isinstance(action.figure, Deploy)
                and action.figure.meeple == "large"
            ),
            None,
        )
        if large:
            break
        game = play_turns(game, 1, now=timezone.now())
    assert isinstance(large, Place) and isinstance(large.figure, Deploy)
    sign_in(page, live_server, get_awaited_player(game))
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(build_game_url(live_server, game) + f"?at={large.x},{large.y}&r={large.rotation}")
    expect(page.locator(".sentence")).to_contain_text("choose its place, or no meeple")
    expect(page.locator(".send .online")).to_have_text("Send without a meeple")
    page.locator(".strip").get_by_role("link", name="Large follower").click()
    expect(page.locator(".strip [aria-current]")).to_contain_text("Large follower")
    page.locator("#turn-map .spot").first.click()
    expect(page.locator(".candidate .light")).to_have_count(1)
    said = page.locator(".sentence strong").inner_text()
    page.locator("#send").click()
    expect(page.get_by_text("Your turn is played.", exact=True)).to_be_visible()
    stored = game.moves.filter(seat__isnull=False).latest("version").action
    assert stored["deploy"]["meeple"] == "large"
    assert said.startswith("Large follower")


def test_without_javascript_a_turn_is_a_way_of_links(browser: Any, live_server: LiveServer) -> None:
    game, _query = make_game_with_choices(5)
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740})
    page = context.new_page()
    sign_in(page, live_server, get_awaited_player(game))
    page.goto(build_game_url(live_server, game))
    expect(page.locator(".axes text").first).to_be_visible()
    expect(page.locator("#tab-talk h2").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.locator("#turn-map .mark").first.click(force=True)
    page.wait_for_url("**at=**")
    page.locator(".strip a").first.click()
    page.wait_for_url("**on=none**")
    page.locator("#send").click()
    expect(page.get_by_text("Your turn is played.", exact=True)).to_be_visible()
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize("wanted", [0, 5, 12])
def test_the_turn_is_accessible(page: Page, live_server: LiveServer, wanted: int) -> None:
    """Desks and phones have both schemes; what has no looks is the same for all desks, and for all phones."""
    game, query = make_game_with_choices(wanted)
    sign_in(page, live_server, get_awaited_player(game))
    page.goto(build_game_url(live_server, game) + query)
    for ready in (False, True):
        if ready:
            choose_place(page)
            wait_for_rest(page)  # Send wakes
        for size, scheme in zip(SIZES, cycle(("light", "dark"))):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            resize(page, size)
            only = {} if ready and size in ((1366, 768), (320, 640)) else {"runOnly": VISUAL_RULES}
            results = axe.run(page, **only)
            assert results.violations_count == 0, (size, ready, scheme, results.generate_report())


def test_tabs_have_addresses_of_their_own_and_stay_open(page: Page, live_server: LiveServer) -> None:
    game = make_full_game()
    player = get_awaited_player(game)
    tables.say(game_id=game.pk, player=player, text="Well met", now=timezone.now())
    sign_in(page, live_server, player)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(build_game_url(live_server, game) + "#tab-talk")
    expect(page.get_by_text("Well met")).to_be_in_viewport()
    page.locator(".tabs a", has_text="Features").click()
    expect(page).to_have_url(build_game_url(live_server, game) + "#tab-features")
    expect(page.locator("#tab-features table").first).to_be_visible()
    page.locator("#turn-map .mark").first.evaluate(CLICK)
    expect(page.locator(".composer")).to_be_visible()
    expect(page.locator(".tabs [aria-current]")).to_have_text("Features")
    page.locator("#turn-map .spot, .strip a").first.click()  # the open tab blocks no other control
    expect(page.locator("#send")).to_be_visible()
    handle = page.locator(".handle")
    heights = []
    for _press in range(3):
        handle.click()
        box = page.locator("#frame").bounding_box()
        heights.append(round(box["height"]) if box else 0)
    assert len(set(heights)) == 3


@pytest.mark.provokes("ERR_FAILED", "htmx:sendError")
def test_of_two_quick_taps_the_last_one_counts(page: Page, live_server: LiveServer) -> None:
    """The answer to the first one may come last: it must not undo the second, nor what is tapped next."""
    game = make_full_game()
    sign_in(page, live_server, get_awaited_player(game))
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(build_game_url(live_server, game))
    read_view(page)
    slow: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if slow:
            route.continue_()
        else:
            slow.append(route)

    page.route("**/*at=*", hold_the_first)
    marks = page.locator("#turn-map .mark")
    at = marks.nth(1).get_attribute("data-at")
    marks.nth(0).evaluate(CLICK)
    marks.nth(1).evaluate(CLICK)
    expect(page.locator(".candidate")).to_have_attribute("data-at", at or "")
    slow[0].abort()
    page.unroute("**/*at=*")
    x, y = (at or "").split(",")
    expect(page.locator("#turn h2")).to_have_text(format_minus(f"Column {x}, row {y}"))
    page.locator("#turn-map .mark").first.evaluate(CLICK)
    expect(page.locator(".candidate")).not_to_have_attribute("data-at", at or "")


def test_a_meeple_that_is_on_its_way_is_not_left_behind(page: Page, live_server: LiveServer) -> None:
    """While its answer is awaited, no tap sends the turn without it."""
    game, query = make_game_with_choices(4)
    sign_in(page, live_server, get_awaited_player(game))
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(build_game_url(live_server, game) + query)
    read_view(page)
    held: list[Route] = []
    page.route("**/*on=*", lambda route: held.append(route))
    takes_taps = "one => [one.getAnimations()[0]?.finish(), getComputedStyle(one).pointerEvents][1]"
    bare = page.locator("#send-bare")
    assert bare.evaluate(takes_taps) == "auto"
    page.locator("#turn-map .spot").first.evaluate(CLICK)
    assert bare.evaluate(takes_taps) == "none"
    held[0].continue_()
    expect(page.locator("#send")).to_be_visible()


def test_without_a_meeple_two_taps_make_the_turn(page: Page, live_server: LiveServer) -> None:
    game, query = make_game_with_choices(4)
    sign_in(page, live_server, get_awaited_player(game))
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(build_game_url(live_server, game) + query)
    page.locator("#send-bare").click()
    expect(page.get_by_text("Your turn is played.", exact=True)).to_be_visible()
    move = game.moves.filter(seat__isnull=False).latest("version")
    assert "figure" not in move.action or move.action["figure"] is None
