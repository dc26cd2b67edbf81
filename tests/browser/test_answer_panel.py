"""Tests of answering questions on the board: by touch, by mouse, by keyboard and without scripts."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import Game
from games.rules import action_from_json
from games.rules.notation import write
from tests.browser.accessibility_helpers import find_violations
from tests.browser.game_helpers import build_game_url, get_awaited_player
from tests.browser.rest import wait_for_rest
from tests.browser.sign_in_helpers import sign_in
from tests.games.asking import ENTERING, LEAVING, QUESTIONS, WALKING, Question
from tests.games.factories import play_lines

pytestmark = pytest.mark.django_db(transaction=True)

PHONE, DESK = {"width": 360, "height": 740}, {"width": 1366, "height": 768}
TAPS = {
    "enter": ("#choose-figure-1", "#at-quarter-1", "#move-count", "#at-count-2"),
    "transfer": ("#at-from-0", "#at-to-0"),
    "transfer_at_end": ("#at-from-0", "#at-from-0", "#at-to-1"),
    "gingerbread": ("#at-city-1",),
}
"""Selectors tapped to answer each kind of question."""
SENTENCES = {
    "enter": "Your large follower goes to the market; the Count moves from the cathedral to the",
    "transfer": "Your follower leaves the",
    "transfer_at_end": "2 × follower of yours leave the blacksmith for the road at column",
    "gingerbread": "The Gingerbread Man walks to the city of",
}
every_question = pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked.kind)
every_size = pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])


def show(page: Page, site: LiveServer, game: Game) -> None:
    """Open the page of *game* for the awaited player."""
    sign_in(page, site, get_awaited_player(game))
    page.goto(build_game_url(site, game))


def point_of(target: Locator) -> tuple[float, float]:
    """A visible point of the target that nothing else covers."""
    point = target.evaluate(
        """target => {
          for (const part of target.querySelectorAll(".coming, .ring, .name, .ground *, path.ground")) {
            const { x, y, width, height } = part.getBoundingClientRect();
            for (const [across, down] of [[.5, .5], [.5, .25], [.25, .5], [.75, .5], [.5, .75], [.3, .3]]) {
              const point = [x + width * across, y + height * down];
              if (document.elementFromPoint(...point)?.closest(".target") === target) {
                return point;
              }
            }
          }
        }"""
    )
    assert point is not None, f"{target} is nowhere to be tapped"
    return point[0], point[1]


def tap(page: Page, selector: str) -> None:
    """Tap something in the panel or on the board, after scrolling to it."""
    one = page.locator(selector)
    expect(one).to_have_count(1)
    asked = urljoin(page.url, one.get_attribute("hx-get") or "")
    on_board = selector.startswith(("#at-", "#move-"))
    if on_board:
        one.evaluate(
            """target => (target.querySelector(".coming, .ring") || target)
                 .scrollIntoView({ block: "center", inline: "center" })"""
        )
    wait_for_rest(page)
    with page.expect_response(lambda response: response.url == asked):
        if on_board:
            page.mouse.click(*point_of(one))
        else:
            one.click()
    wait_for_rest(page)


def stored(game: Game) -> str:
    """The action that was stored after *game* was loaded, as a line."""
    return write(action_from_json(game.moves.get(ply=game.ply + 1).action))


def send(page: Page, game: Game) -> None:
    """Send the answer, and check that the stored action is the form's."""
    line = page.locator("form:has(#send) [name=line]").input_value()
    page.locator("#send").click()
    expect(page.get_by_text("Your answer is played.", exact=True)).to_be_visible()
    assert stored(game) == line


@every_question
@every_size
def test_a_question_is_answered_by_taps_on_the_board(
    page: Page, live_server: LiveServer, asked: Question, size: dict[str, int]
) -> None:
    game = asked.game()
    page.set_viewport_size(size)  # type: ignore[arg-type]
    show(page, live_server, game)
    expect(page.locator("#send")).to_be_disabled()
    for selector in TAPS[asked.kind]:
        tap(page, selector)
    expect(page.locator("#sentence")).to_contain_text(SENTENCES[asked.kind])
    expect(page.locator("#announce")).to_contain_text(SENTENCES[asked.kind])
    send(page, game)


COVERED = """() => [...document.querySelectorAll("#turn-map .target .name rect")].filter((name) => {
  const { left, right, top, bottom } = name.getBoundingClientRect();
  const inside = (x) => document.elementFromPoint(x, (top + bottom) / 2)?.closest(".target");
  return top < 0 || ![left + 8, right - 8].every((x) => inside(x) === name.closest(".target"));
}).map((name) => name.parentElement.textContent)"""
"""Script that lists the names of quarters that are out of sight, or under something."""


@pytest.mark.parametrize(
    "size", [PHONE, DESK, {"width": 740, "height": 360}], ids=["phone", "desk", "sideways"]
)
def test_all_quarters_are_in_sight_when_the_question_comes(
    page: Page, live_server: LiveServer, size: dict[str, int]
) -> None:
    page.set_viewport_size(size)  # type: ignore[arg-type]
    show(page, live_server, ENTERING.game())
    wait_for_rest(page)
    for place in range(4):
        point_of(page.locator(f"#at-quarter-{place}"))
        box = page.locator(f"#at-quarter-{place} path.ground").bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= 44
    assert page.evaluate(COVERED) == []


TOO_SMALL = """() => {
  const frame = document.getElementById("frame").getBoundingClientRect();
  const faults = [];
  let inSight = 0;
  for (const target of document.querySelectorAll("#turn-map a.target")) {
    const parts = [...target.querySelectorAll(".coming .ring, .hit circle, path.ground, g.ground")]
      .filter((part) => part.checkVisibility({ visibilityProperty: true }))
      .map((part) => part.getBoundingClientRect());
    if (!parts.some(({ width, height }) => Math.min(width, height) >= 44)) {
      faults.push(`${target.id}: ${parts.map(({ width, height }) => `${width} x ${height}`)}`);
    }
    inSight += parts.some((part) => part.left >= frame.left && part.right <= frame.right
      && part.top >= frame.top && part.bottom <= frame.bottom);
  }
  return inSight ? faults : [...faults, "nothing is in sight"];
}"""
"""Script that lists choices on the board that are smaller than a finger."""


@every_question
@pytest.mark.parametrize("size", [PHONE, {"width": 320, "height": 640}], ids=["phone", "small"])
def test_what_is_asked_about_is_as_large_as_a_finger_at_each_step(
    page: Page, live_server: LiveServer, asked: Question, size: dict[str, int]
) -> None:
    page.set_viewport_size(size)  # type: ignore[arg-type]
    show(page, live_server, asked.game())
    for selector in TAPS[asked.kind]:
        wait_for_rest(page)
        assert page.evaluate(TOO_SMALL) == [], selector
        tap(page, selector)


def test_rings_of_cities_lie_apart_when_the_question_comes(page: Page, live_server: LiveServer) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    show(page, live_server, WALKING.game())
    wait_for_rest(page)
    nearest = page.evaluate(
        """() => {
          const rings = [...document.querySelectorAll("#turn-map .coming .ring")].map((ring) => {
            const { x, y, width, height } = ring.getBoundingClientRect();
            return [x + width / 2, y + height / 2];
          });
          return Math.min(...rings.flatMap(([x, y], index) =>
            rings.slice(index + 1).map(([left, top]) => Math.hypot(x - left, y - top))));
        }"""
    )
    assert nearest >= 44


def test_a_question_that_comes_by_itself_is_brought_into_sight(page: Page, live_server: LiveServer) -> None:
    """Wherever on the board somebody was who waited."""
    game, last = LEAVING.game_and_last_line()
    player = game.seats.get(index=LEAVING.position.decision.seat).player
    assert player is not None and game.awaited != LEAVING.position.decision.seat
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    sign_in(page, live_server, player)
    page.goto(build_game_url(live_server, game))
    for _zoom in range(4):
        page.keyboard.press("+")
    page.locator("#frame").evaluate("frame => frame.scrollBy(-2000, -2000)")
    play_lines(game, last, now=timezone.now())
    page.evaluate("htmx.trigger('#watch', 'look')")
    expect(page.locator("#at-from-0")).to_be_visible()
    wait_for_rest(page)
    point_of(page.locator("#at-from-0"))


@pytest.mark.parametrize("size", [(740, 360), (360, 740), (1366, 768)])
def test_the_whole_sentence_is_in_sight(page: Page, live_server: LiveServer, size: tuple[int, int]) -> None:
    game = ENTERING.game()
    player = get_awaited_player(game)
    sign_in(page, live_server, player)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for language in ("en", "pl", "sk", "is", "ru"):
        player.language = language
        player.save(update_fields=["language"])
        page.goto(build_game_url(live_server, game) + "?figure=large&quarter=blacksmith&count=market")
        seen = page.evaluate(
            """() => {
              const box = (selector) => document.querySelector(selector).getBoundingClientRect();
              const [sentence, dock, buttons] = ["#sentence", "#turn", ".question .finish"].map(box);
              return [sentence.top - dock.top, buttons.top - sentence.bottom];
            }"""
        )
        assert min(seen) >= 0, (language, seen)


@every_size
def test_names_of_quarters_are_as_large_as_text_however_near_the_board_is(
    page: Page, live_server: LiveServer, size: dict[str, int]
) -> None:
    page.set_viewport_size(size)  # type: ignore[arg-type]
    show(page, live_server, ENTERING.game())
    for _zoom in range(4):
        wait_for_rest(page)
        heights = page.locator(".target .name text").evaluate_all(
            "texts => texts.map((text) => 17 * text.getScreenCTM().a)"
        )
        assert 12.5 <= min(heights) <= max(heights) <= 24, heights
        page.keyboard.press("+")


def test_a_reload_and_a_step_back_lose_nothing(page: Page, live_server: LiveServer) -> None:
    show(page, live_server, ENTERING.game())
    tap(page, "#choose-figure-0")
    tap(page, "#at-quarter-2")
    said = "Your follower goes to the blacksmith; the Count stays."
    expect(page.locator("#sentence")).to_have_text(said)
    page.reload()
    expect(page.locator("#sentence")).to_have_text(said)
    page.go_back()
    expect(page.locator("#sentence")).to_have_text("Choose a quarter on the board.")
    expect(page.locator(".strip [aria-current]")).to_have_text("Follower ×5")


@every_question
def test_a_question_is_answered_by_keyboard_alone(
    page: Page, live_server: LiveServer, asked: Question
) -> None:
    """By Tab through the lists of the panel, which light up what they mean, and Enter."""
    game = asked.game()
    show(page, live_server, game)
    for selector in TAPS[asked.kind]:
        before = page.locator("#turn").get_attribute("data-say")
        selector = in_panel(selector, again=page.locator("#at-from-0.chosen").count() > 0)
        walk_to(page, selector)
        place = page.locator(selector).get_attribute("data-lights")
        if place:
            expect(page.locator(f"#{place}.pointed")).to_have_count(1)
            expect(page.locator(selector)).to_be_visible()
        page.keyboard.press("Enter")
        if selector != "#choose-number-1":  # shown by the board alone
            expect(page.locator("#turn")).not_to_have_attribute("data-say", before or "")
        wait_for_rest(page)
    line = page.locator("form:has(#send) [name=line]").input_value()
    walk_to(page, "#send")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Your answer is played.", exact=True)).to_be_visible()
    assert stored(game) == line != ""


def in_panel(selector: str, *, again: bool) -> str:
    """The panel's selector for *selector* on the board; for a second tap on figures a number."""
    if again and selector == "#at-from-0":
        return "#choose-number-1"
    return selector.replace("#at-", "#choose-").replace("#move-", "#change-")


def walk_to(page: Page, selector: str) -> None:
    """Press Tab until the focus is there."""
    for _ in range(120):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {selector}")


@every_question
def test_a_question_is_answered_without_scripts(
    browser: Browser, live_server: LiveServer, asked: Question
) -> None:
    game = asked.game()
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)  # type: ignore[arg-type]
    page = context.new_page()
    show(page, live_server, game)
    for selector in TAPS[asked.kind]:
        again = page.locator("#at-from-0.chosen").count() > 0
        with page.expect_navigation():
            page.locator(in_panel(selector, again=again)).click()
    expect(page.locator("#sentence")).to_contain_text(SENTENCES[asked.kind])
    send(page, game)
    context.close()


def test_nobody_is_sent_only_by_the_button_that_says_so(page: Page, live_server: LiveServer) -> None:
    game = ENTERING.game()
    show(page, live_server, game)
    tap(page, "#choose-figure-0")
    page.get_by_role("button", name="Send no one").click()
    expect(page.get_by_text("Your answer is played.", exact=True)).to_be_visible()
    assert stored(game) == "pass"


@every_question
def test_axe_finds_nothing_at_a_question(page: Page, live_server: LiveServer, asked: Question) -> None:
    game = asked.game()
    show(page, live_server, game)
    violations = [*find_violations(page, f"{asked.kind}, opened")]
    for selector in TAPS[asked.kind]:
        page.locator(in_panel(selector, again=False)).focus()
        page.keyboard.press("Enter")
        wait_for_rest(page)
    violations += find_violations(page, f"{asked.kind}, answered")
    assert not violations, "\n\n".join(violations)


@pytest.mark.parametrize("language", ["en", "pl", "sk", "is", "ru"])
def test_a_question_fits_a_narrow_phone(page: Page, live_server: LiveServer, language: str) -> None:
    game = ENTERING.game()
    player = get_awaited_player(game)
    player.language = language
    player.save(update_fields=["language"])
    page.set_viewport_size({"width": 320, "height": 640})
    sign_in(page, live_server, player)
    page.goto(build_game_url(live_server, game) + "?figure=large&quarter=blacksmith&count=market")
    for selector in (".question", ".strips", ".finish", "#send", "#sentence"):
        wider = page.locator(selector).evaluate("one => one.scrollWidth - one.clientWidth")
        assert wider <= 0, f"{selector} is {wider} px wider than it may be"
    wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wider <= 0
    expect(page.locator("#send")).to_be_in_viewport(ratio=1)
    for one in page.locator(".question :is(a, button):visible").all():
        box = one.bounding_box()
        assert box is not None and box["height"] >= 44 and box["x"] >= 0 and box["x"] + box["width"] <= 320
