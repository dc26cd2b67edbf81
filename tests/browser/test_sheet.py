"""Tests of the phone's sheet at each of its heights: nothing overlaps, all that a desk has can be reached.

``PICTURES=/some/folder`` keeps a screenshot of each.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Player
from games import play
from games.models import Game
from games.selectors.seats import list_seat_names
from tests.browser.frame_helpers import measure_box, read_view
from tests.browser.game_helpers import build_game_url, build_turn_query, get_awaited_player
from tests.browser.rest import wait_for_rest
from tests.browser.sign_in_helpers import sign_in
from tests.browser.surface_helpers import choose_place, make_game_with_choices
from tests.games.asking import ENTERING, LEAVING, WALKING, Question
from tests.games.factories import heart_beats, make_game, play_turns

pytestmark = pytest.mark.django_db(transaction=True)

SIZES = ((360, 740), (320, 640), (740, 360))
HEIGHTS = ("low", "half", "full")
LEAST_BOARD = 120  # px that are left of it beside the sheet, however much is asked

CROWDED = """() => {
  const clipOf = (one) => {
    let clip = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (let above = one; above; above = above.parentElement) {
      const style = getComputedStyle(above);
      const box = above.getBoundingClientRect();
      if (style.clipPath !== "none") {
        return null; // for the ear
      }
      if (above !== one && style.overflow !== "visible" && above !== document.documentElement) {
        clip = cut(clip, box);
      }
      const foot = above.matches(".turn") && above.querySelector(".finish"); // it sticks, over what scrolls
      if (foot && !foot.contains(one)) {
        clip = cut(clip, { ...clip, bottom: foot.getBoundingClientRect().top });
      }
    }
    return clip;
  };
  const cut = (one, other) => ({
    left: Math.max(one.left, other.left), top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right), bottom: Math.min(one.bottom, other.bottom),
  });
  const large = (one, least = 2) => one.right - one.left > least && one.bottom - one.top > least;
  const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const seenOf = (one, box = one.getBoundingClientRect()) => {
    const clip = shown(one) ? clipOf(one) : null;
    const part = clip && cut(clip, box);
    return part && large(part) ? part : null;
  };
  const nameOf = (one) =>
    `${one.tagName.toLowerCase()}${one.id && "#" + one.id}.${one.getAttribute("class") ?? ""} `
    + `"${(one.ariaLabel || one.textContent).trim().replace(/\\s+/g, " ").slice(0, 30)}"`;
  const related = (one, other) => one.contains(other) || other.contains(one);

  const outside = ":not(svg *)";
  const tapped = `:is(a, button, input, select, textarea, summary)${outside}`;
  const controls = [...document.querySelectorAll(tapped)]
    .flatMap((one) => [...one.getClientRects()].map((box) => ({ one, part: seenOf(one, box) })))
    .filter(({ part }) => part);
  // A link or a button of mere words is as large as a finger; what is painted of it is the words.
  const bare = (one) => {
    const { backgroundColor, borderTopStyle } = getComputedStyle(one);
    return backgroundColor === "rgba(0, 0, 0, 0)" && borderTopStyle === "none";
  };
  const texts = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const one = walk.currentNode.parentElement;
    if (walk.currentNode.data.trim() && !one.closest("svg, script, .axis, .arrow, select, textarea")) {
      const range = document.createRange();
      range.selectNodeContents(walk.currentNode);
      for (const box of range.getClientRects()) {
        const part = seenOf(one, box);
        if (part) {
          texts.push({ one, part });
        }
      }
    }
  }
  const faults = new Set();
  const over = (part, other) => large(cut(part, other), 1.5);
  for (const [index, { one, part }] of controls.entries()) {
    for (const other of controls.slice(index + 1)) {
      if (!related(one, other.one) && over(part, other.part)) {
        faults.add(`${nameOf(one)} lies over ${nameOf(other.one)}`);
      }
    }
    for (const text of texts) {
      if (!bare(one) && !related(one, text.one) && over(part, text.part)) {
        faults.add(`${nameOf(one)} lies over the text ${nameOf(text.one)}`);
      }
    }
  }
  // What is in sight is hit where it is: sheets, docks and bars may lie over it too.
  for (const { one, part } of [...controls, ...texts]) {
    const x = (part.left + part.right) / 2;
    const hit = document.elementFromPoint(x, (part.top + part.bottom) / 2);
    const dead = getComputedStyle(one).pointerEvents === "none";
    const through = !one.matches(tapped) && hit?.matches("a, button") && bare(hit);
    if (!dead && !through && (!hit || !related(one, hit)) && large(part, 6)) {
      faults.add(`${nameOf(one)} is under ${hit && nameOf(hit)}`);
    }
  }
  return [...faults];
}"""
"""Script that lists visible controls that lie over one another or over text, or are under anything."""

REACHED = """(selector) => {
  const one = [...document.querySelectorAll(selector)].find((found) => found.checkVisibility());
  if (!one) {
    return `${selector} is not there`;
  }
  one.scrollIntoView({ block: "nearest", inline: "nearest" });
  const { left, top, right, bottom } = one.getBoundingClientRect();
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return one.contains(hit) ? "" : `${selector} is not reached`;
}"""

State = Callable[[Page, LiveServer], Game]


def open_board(page: Page, site: LiveServer, game: Game, player: Player, query: str = "") -> Game:
    sign_in(page, site, player)
    page.goto(build_game_url(site, game) + query)
    return game


def choosing(page: Page, site: LiveServer) -> Game:
    game, _query = make_game_with_choices(5)
    return open_board(page, site, game, get_awaited_player(game))


def composing(page: Page, site: LiveServer) -> Game:
    game, query = make_game_with_choices(5)
    open_board(page, site, game, get_awaited_player(game), query)
    choose_place(page)
    return game


def waiting(page: Page, site: LiveServer) -> Game:
    game, _query = make_game_with_choices(5)
    player = next(seat.player for seat in game.seats.order_by("index") if seat.index != game.awaited)
    assert player is not None
    return open_board(page, site, game, player)


def sent(page: Page, site: LiveServer) -> Game:
    heart_beats(timezone.now())
    game = play_turns(make_game(seats=3, now=timezone.now()), 24, now=timezone.now())
    open_board(page, site, game, get_awaited_player(game), build_turn_query(game))
    page.locator("#send").click()
    expect(page.get_by_text("Your turn is played.", exact=True)).to_be_visible()
    return game


def asked(question: Question) -> State:
    def open_question(page: Page, site: LiveServer) -> Game:
        game = question.game()
        return open_board(page, site, game, get_awaited_player(game))

    return open_question


def looking(page: Page, site: LiveServer) -> Game:
    heart_beats(timezone.now())
    game = play_turns(make_game(seats=3, now=timezone.now()), 24, now=timezone.now())
    return open_board(page, site, game, get_awaited_player(game), "feature/0,0/city/N/")


STATES: dict[str, tuple[State, str]] = {
    "choosing": (choosing, ""),
    "composing": (composing, "#send"),
    "waiting": (waiting, "#turn .finish .button"),
    "sent": (sent, "#turn .next-game"),
    "enter": (asked(ENTERING), "#send"),
    "transfer": (asked(LEAVING), "#send"),
    "gingerbread": (asked(WALKING), "#send"),
    "looking": (looking, ".facts-card .close"),
}
"""Function that brings about each state, and the selector of its main action."""
EVERYWHERE = (
    "#look-fields",
    "#look-spaces",
    "#step-prev",
    ".handle",
    ".icon-link[data-tab='talk']",
    ".icon-link[data-tab='game']",
)
TABS = ("moves", "talk", "notes", "features", "tiles")
BESIDE_A_BOARD = (".zoom [data-zoom='1.25']", ".zoom [data-zoom='0.8']", ".zoom [data-zoom='0']")


def keep(page: Page, name: str) -> None:
    if folder := os.environ.get("PICTURES"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}.png")


def faults_of(page: Page, state: str, height: str, size: tuple[int, int]) -> list[str]:
    """The layout faults of the page as it is now."""
    faults: list[Any] = page.evaluate(CROWDED)
    board = height != "full" or size[0] > size[1]
    to_reach = [*EVERYWHERE]
    covered = state == "looking" and height == "half"  # by the card, which is closed first
    to_reach += BESIDE_A_BOARD if board and not (covered and size[0] < size[1]) else []
    to_reach += [] if height == "low" else [f".tabs [data-tab='{tab}']" for tab in TABS]
    main = STATES[state][1]
    to_reach += [main] if main and (board or state != "looking") else []
    for selector in to_reach:
        faults.append(page.evaluate(REACHED, selector))
    handle, frame = measure_box(page, ".handle"), measure_box(page, "#frame")
    if min(handle["width"], handle["height"]) < 44:
        faults.append(f"the handle has {handle['width']} x {handle['height']}")
    if board and frame["height"] < LEAST_BOARD:
        faults.append(f"the board has {frame['height']}")
    if page.evaluate("scrollX + scrollY || document.documentElement.scrollWidth > innerWidth"):
        faults.append("the page scrolls")
    return [f"{height}: {fault}" for fault in faults if fault]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("state", STATES)
def test_nothing_lies_over_anything_at_any_height(
    page: Page, live_server: LiveServer, state: str, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    STATES[state][0](page, live_server)
    faults = []
    for height in HEIGHTS:
        read_view(page)
        keep(page, f"{state}-{size[0]}x{size[1]}-{height}")
        faults += faults_of(page, state, height, size)
        page.locator(".handle").click()
        wait_for_rest(page)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("size", [*SIZES, (1366, 768)], ids=lambda size: "x".join(map(str, size)))
def test_after_send_nothing_pushes_the_board_down(
    page: Page, live_server: LiveServer, size: tuple[int, int]
) -> None:
    heart_beats(timezone.now())
    game = play_turns(make_game(seats=3, now=timezone.now()), 24, now=timezone.now())
    player = get_awaited_player(game)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_board(page, live_server, game, player, build_turn_query(game))
    read_view(page)
    above = (".seats-box", "#frame") if size[0] < size[1] else ("#frame",)  # else the head stands beside it
    before = [measure_box(page, one)["top"] for one in above]
    page.locator("#send").click()
    expect(page.get_by_text("Your turn is played.", exact=True)).to_be_visible()
    read_view(page)
    assert [measure_box(page, one)["top"] for one in above] == before
    expect(page.locator("#turn .next-game")).to_be_in_viewport(ratio=1)


def test_send_looks_asleep_while_it_takes_no_taps(page: Page, live_server: LiveServer) -> None:
    composing(page, live_server)
    looks = page.locator("#send").evaluate(
        """send => {
          send.replaceWith(send.cloneNode(true)); // it wakes once more
          const again = document.getElementById("send");
          const [wake] = again.getAnimations();
          wake.pause();
          return [200, 400].map((time) => {
            wake.currentTime = time;
            const { opacity, pointerEvents } = getComputedStyle(again);
            return [Number(opacity), pointerEvents];
          });
        }"""
    )
    assert looks == [[0.55, "none"], [1, "auto"]]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("where", ["board", "history", "end"])
def test_a_tap_on_a_seat_says_whose_it_is(
    page: Page, live_server: LiveServer, where: str, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    heart_beats(timezone.now())
    game = play_turns(make_game(seats=3, bots=1, now=timezone.now()), *([] if where == "end" else [24]))
    if where == "end":
        play.score(game_id=game.pk, now=timezone.now())
    sign_in(page, live_server, game.host)
    page.goto(build_game_url(live_server, game) + {"board": "", "history": "ply/12/", "end": "end/"}[where])
    read_view(page)
    taps = page.locator(".seat-tap")
    expect(taps).to_have_count(3)
    for index, name in enumerate(list_seat_names(list(game.seats.order_by("index")))):
        assert min(measure_box(page, f".seat-tap >> nth={index}")[side] for side in ("width", "height")) >= 40
        taps.nth(index).click()
        said = page.locator(".bubble:popover-open")
        expect(said).to_contain_text(name)
        expect(said.get_by_text("(you)")).to_have_count(1 if name == game.host.username else 0)
        page.keyboard.press("Escape")
        expect(said).to_have_count(0)
