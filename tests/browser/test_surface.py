"""The page of a game as a surface: Send in sight, nothing over anything else, every space within reach."""

from itertools import product
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect
from playwright.sync_api import TimeoutError as NotInTime
from pytest_django.live_server_helper import LiveServer

from accounts.models import Player
from carcassonne.numerals import with_minus
from games import tables
from games.models import Game
from games.play import positions
from games.rules import Deploy, Place
from games.words.arrows import legal_spaces_beyond
from tests.browser import axe
from tests.browser.rest import wait_for_rest
from tests.browser.test_accessibility import SEEN
from tests.browser.test_board import address, awaited, sign_in
from tests.browser.test_frame import box, seen
from tests.games.factories import heart_beats, make_game, play_turns

pytestmark = pytest.mark.django_db(transaction=True)

SIZES = ((1366, 768), (1280, 720), (1600, 900), (360, 740), (320, 640), (740, 360))
LANGUAGES = ("en", "pl", "sk", "is", "ru")
PRESS = "one => one.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))"

FAULTS = """(phone) => {
  const box = (one) => one.getBoundingClientRect();
  const inSight = (one) => box(one).width > 1 && one.checkVisibility({ visibilityProperty: true });
  const rings = [...document.querySelectorAll(".map :is(.spot .ring, .turn-button circle)")];
  const controls = [...document.querySelectorAll(
    ":is(.table-head, .seats, .arrows, .zoom, .looks, .steps, .tabs, .turn)"
    + " :is(a, button:not(.by-keys), input)")];
  const clipped = (one) => phone && one.closest(".seats"); // names are for the ear there
  const all = [...rings, ...controls].filter((one) => inSight(one) && !clipped(one));
  const name = (one) => one.className.baseVal ?? (one.className || one.id || one.tagName);
  const middle = (one) => ({ x: box(one).x + box(one).width / 2, y: box(one).y + box(one).height / 2 });
  const far = (one, other) => Math.hypot(middle(one).x - middle(other).x, middle(one).y - middle(other).y);
  const crossed = (one, other) =>
    Math.min(box(one).right, box(other).right) - Math.max(box(one).left, box(other).left) > 1
    && Math.min(box(one).bottom, box(other).bottom) - Math.max(box(one).top, box(other).top) > 1;
  const faults = [];
  for (const [index, one] of all.entries()) {
    for (const other of all.slice(index + 1)) {
      const round = rings.includes(one) && rings.includes(other);
      if (round ? far(one, other) < box(one).width - 0.5 : crossed(one, other)) {
        faults.push(`${name(one)} lies over ${name(other)}`);
      }
    }
    const least = phone ? 44 : rings.includes(one) ? 40 : 36;
    if (Math.min(box(one).width, box(one).height) < least - 0.5 && !one.matches("p a")) {
      faults.push(`${name(one)} has ${box(one).width} x ${box(one).height}`);
    }
  }
  for (const one of document.querySelectorAll(".title, .strip .choice, .finish > *, .seat")) {
    if (one.scrollWidth > one.clientWidth + 1) {
      faults.push(`${one.className} is cut: ${one.textContent.trim()}`);
    }
  }
  return faults;
}"""
"""What lies over something else, is too small for a finger or is cut."""


def everything(**settings: Any) -> Game:
    """A game with all figures that there are, some way on."""
    heart_beats(timezone.now())
    sets = ["base", "river1", "abbot", "inns-and-cathedrals", "traders-and-builders"]
    game = make_game(seats=4, edition="C2", sets=sets, now=timezone.now(), **settings)
    return play_turns(game, 16, now=timezone.now())


def by_choices(game: Game) -> dict[int, str]:
    """By how many things may be done with a meeple: the query of a placement that offers so many."""
    found: dict[int, str] = {}
    legal = positions.position(game).legal_actions()
    for place in legal.placements_of(legal.tiles[0]):
        found[len(legal.figures(place, legal.tiles[0])) - 1] = f"?at={place.x},{place.y}&r={place.rotation}"
    return found


def with_choices(wanted: int) -> tuple[Game, str]:
    """A game whose seat may do about *wanted* things with a meeple somewhere, and the query for it."""
    game = everything()
    for _turn in range(40):
        if positions.position(game).state.decision.kind == "place":
            choices = by_choices(game)
            best = min(choices, key=lambda number: abs(number - wanted))
            if abs(best - wanted) <= (2 if wanted else 0):
                return game, choices[best]
        game = play_turns(game, 1, now=timezone.now())
    raise AssertionError(wanted)


def chosen(page: Page) -> None:
    """Choose the first place for a meeple, or none where there is none."""
    ring = page.locator("#turn-map .spot")
    if page.locator("#send").count() == 0:
        if ring.count():
            ring.first.evaluate(PRESS)
        expect(page.locator("#send")).to_be_visible()


def in_sight(page: Page, selector: str) -> bool:
    """Whether the whole of it is in the viewport, under nothing, as soon as what moves has come to rest."""
    lies_free = """selector => {
      const one = document.querySelector(selector);
      const { left, top, right, bottom } = one.getBoundingClientRect();
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && one.contains(hit);
    }"""
    try:
        page.wait_for_function(lies_free, arg=selector, timeout=3000)
    except NotInTime:
        return False
    return True


@pytest.mark.parametrize("wanted", [0, 5, 12])
def test_send_is_in_sight_and_nothing_overlaps(page: Page, live_server: LiveServer, wanted: int) -> None:
    game, query = with_choices(wanted)
    player = awaited(game)
    sign_in(page, live_server, player)
    for language, (width, height) in product(LANGUAGES, SIZES):
        Player.objects.filter(pk=player.pk).update(language=language)
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address(live_server, game) + query)
        seen(page)
        where = language, width, height
        assert page.evaluate(FAULTS, width < 960) == [], where
        chosen(page)
        assert in_sight(page, "#send"), where
        assert page.evaluate(FAULTS, width < 960) == [], where
        assert page.evaluate("scrollY + scrollX") == 0, where
        if (width, height) == (360, 740):
            assert box(page, "#frame")["height"] >= 0.55 * height, where


@pytest.mark.parametrize("size", SIZES)
def test_a_tap_moves_nothing_but_the_map(page: Page, live_server: LiveServer, size: tuple[int, int]) -> None:
    game = everything()
    sign_in(page, live_server, awaited(game))
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(address(live_server, game))
    frame = page.locator("#frame").bounding_box()
    assert frame
    if size == (360, 740):
        page.locator("#turn-map .mark").first.evaluate(PRESS)
        expect(page.locator(".composer")).to_be_visible()
        frame = page.locator("#frame").bounding_box()
        assert frame and frame["height"] >= 0.55 * 740
    for _tap in range(3):
        page.locator("#turn-map .mark").first.evaluate(PRESS)
        expect(page.locator("#turn-map .candidate")).to_be_visible()
        assert page.evaluate("scrollY") == 0
    seen(page)
    assert box(page, ".candidate .frame")["width"] >= 112


def test_every_legal_space_is_drawn_out_from_under_what_lies_on_the_map(
    page: Page, live_server: LiveServer
) -> None:
    heart_beats(timezone.now())
    game = play_turns(make_game(seats=3, now=timezone.now()), 50, now=timezone.now())
    sign_in(page, live_server, awaited(game))
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address(live_server, game))
        seen(page)
        for key in ("0", "+", "+", "+"):
            page.keyboard.press(key)
            seen(page)
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


@pytest.mark.parametrize("size", SIZES)
def test_every_legal_space_is_reached_by_arrows_alone(
    page: Page, live_server: LiveServer, size: tuple[int, int]
) -> None:
    heart_beats(timezone.now())
    game = play_turns(make_game(seats=3, now=timezone.now()), 50, now=timezone.now())
    sign_in(page, live_server, awaited(game))
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(address(live_server, game))
    seen(page)
    every = set(page.locator("#turn-map .mark").evaluate_all("marks => marks.map((one) => one.dataset.at)"))
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
    found: set[str] = set()
    seen(page)
    assert page.locator("#turn-map .mark").evaluate_all(in_frame) or page.locator(".arrow:visible").count()
    for _step in range(60):
        found |= set(page.locator("#turn-map .mark").evaluate_all(in_frame))
        if found == every:
            break
        here = seen(page)
        x, y = (int(number) for number in min(every - found).split(","))
        east, south = 100 * x + 50 - here["x"], 100 * y + 50 - here["y"]
        along, beside = ("east" if east > 0 else "west"), ("south" if south > 0 else "north")
        if size[1] * abs(east) < size[0] * abs(south):
            along, beside = beside, along
        arrow = page.locator(f".arrow.{along}")
        if not arrow.is_visible():
            arrow = page.locator(f".arrow.{beside}")
        edge = (arrow.get_attribute("class") or "").split()[1]
        said = legal_spaces_beyond(edge, int(arrow.inner_text()))
        expect(arrow).to_have_attribute("aria-label", said)
        arrow.click()
        wait_for_rest(page)
    assert found == every


def test_columns_and_rows_are_those_of_the_moves(page: Page, live_server: LiveServer) -> None:
    game, query = with_choices(5)
    sign_in(page, live_server, awaited(game))
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(address(live_server, game) + query)
    seen(page)
    x, y = query.removeprefix("?at=").partition("&")[0].split(",")
    for axis, value in ((".columns", x), (".rows", y)):
        expect(page.locator(f"{axis} .here")).to_have_text(value.replace("-", "−"))
    column, tile = box(page, ".columns .here"), box(page, ".candidate .frame")
    assert abs(column["x"] + column["width"] / 2 - tile["x"] - tile["width"] / 2) < 2


def test_moving_the_board_makes_no_element_anew(page: Page, live_server: LiveServer) -> None:
    """Each one that comes or goes lets the browser work out all styles, in every frame of a drag."""
    game, query = with_choices(5)
    sign_in(page, live_server, awaited(game))
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(address(live_server, game) + query)
    seen(page)
    page.keyboard.press("+")
    seen(page)
    before = box(page, ".columns .here")
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
    tile, column = box(page, ".candidate .frame"), box(page, ".columns .here")
    assert column["x"] != before["x"]
    assert abs(column["x"] + column["width"] / 2 - tile["x"] - tile["width"] / 2) < 2


def test_with_nothing_to_place_two_taps_make_the_turn(page: Page, live_server: LiveServer) -> None:
    game, query = with_choices(0)
    sign_in(page, live_server, awaited(game))
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(address(live_server, game) + query)
    expect(page.locator(".strip [aria-current]")).to_have_count(1)
    page.locator("#send").click()
    expect(page.get_by_text("Your turn is played.", exact=True)).to_be_visible()
    ply = game.ply
    game.refresh_from_db()
    assert game.ply == ply + 1


def test_the_figure_is_chosen_first_and_the_sentence_is_what_is_sent(
    page: Page, live_server: LiveServer
) -> None:
    game = everything()
    for _turn in range(40):
        legal = positions.position(game).legal_actions()
        large = next(
            (
                one
                for one in legal
                if isinstance(one, Place) and isinstance(one.figure, Deploy) and one.figure.meeple == "large"
            ),
            None,
        )
        if large:
            break
        game = play_turns(game, 1, now=timezone.now())
    assert isinstance(large, Place) and isinstance(large.figure, Deploy)
    sign_in(page, live_server, awaited(game))
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(address(live_server, game) + f"?at={large.x},{large.y}&r={large.rotation}")
    expect(page.locator(".sentence")).to_contain_text("choose its place, or no meeple")
    expect(page.locator(".send")).to_be_disabled()
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
    game, _query = with_choices(5)
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740})
    page = context.new_page()
    sign_in(page, live_server, awaited(game))
    page.goto(address(live_server, game))
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


@pytest.mark.parametrize("wanted", [0, 5, 12])
def test_the_turn_is_accessible(page: Page, live_server: LiveServer, wanted: int) -> None:
    game, query = with_choices(wanted)
    sign_in(page, live_server, awaited(game))
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address(live_server, game) + query)
        seen(page)
        for ready, scheme in product((False, True), ("light", "dark")):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            if ready:
                chosen(page)
                wait_for_rest(page)  # Send wakes
            only = {} if ready and scheme == "light" else {"runOnly": SEEN}
            found = axe.run(page, **only)
            assert found.violations_count == 0, (width, height, ready, scheme, found.generate_report())


def test_tabs_have_addresses_of_their_own_and_stay_open(page: Page, live_server: LiveServer) -> None:
    game = everything()
    player = awaited(game)
    tables.say(game_id=game.pk, player=player, text="Well met", now=timezone.now())
    sign_in(page, live_server, player)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(address(live_server, game) + "#tab-talk")
    expect(page.get_by_text("Well met")).to_be_in_viewport()
    page.locator(".tabs a", has_text="Features").click()
    expect(page).to_have_url(address(live_server, game) + "#tab-features")
    expect(page.locator("#tab-features table").first).to_be_visible()
    page.locator("#turn-map .mark").first.evaluate(PRESS)
    expect(page.locator(".composer")).to_be_visible()
    expect(page.locator(".tabs [aria-current]")).to_have_text("Features")
    page.locator("#turn-map .spot, .strip a").first.click()  # what is open stops nothing else
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
    game = everything()
    sign_in(page, live_server, awaited(game))
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(address(live_server, game))
    seen(page)
    slow: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if slow:
            route.continue_()
        else:
            slow.append(route)

    page.route("**/*at=*", hold_the_first)
    marks = page.locator("#turn-map .mark")
    at = marks.nth(1).get_attribute("data-at")
    marks.nth(0).evaluate(PRESS)
    marks.nth(1).evaluate(PRESS)
    expect(page.locator(".candidate")).to_have_attribute("data-at", at or "")
    slow[0].abort()
    page.unroute("**/*at=*")
    x, y = (at or "").split(",")
    expect(page.locator("#turn h2")).to_have_text(with_minus(f"Column {x}, row {y}"))
    page.locator("#turn-map .mark").first.evaluate(PRESS)
    expect(page.locator(".candidate")).not_to_have_attribute("data-at", at or "")
