"""Test of the board's contract: in every state, on every screen and at every size of text, the thing spoken
of is in sight and uncovered, and so is the main action.

Each state is brought about once and opened once; then the window, the text and the sheet change under it.
``PICTURES=/some/folder`` keeps screenshots. The page of a game that is over has no sheet; ``test_end.py``
measures it, too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Player
from games import play
from games.models import Game, Offer, Proposal
from games.play import moderation, positions
from games.rules import Place
from games.rules.notation import write
from tests.browser.frame_helpers import measure_box, read_view
from tests.browser.game_helpers import build_game_url, build_turn_query, get_awaited_player
from tests.browser.rest import wait_for_rest
from tests.browser.sign_in_helpers import sign_in
from tests.browser.surface_helpers import CLICK
from tests.games.asking import LEAVING
from tests.games.factories import heart_beats, make_game, make_player, play_turns
from tests.games.play.moderating import asked

pytestmark = pytest.mark.django_db(transaction=True)

SIZES = ((360, 740), (320, 640), (740, 360), (1366, 768), (1600, 900))
TEXTS = (100, 150, 200)
SHEETS = ("0", "1", "2")
TURNS = 40

MEASURE = """async ([thing, action, texts, sheets]) => {
  const root = document.documentElement;
  const frames = async (number) => {
    for (let drawn = 0; drawn < number; drawn += 1) {
      await new Promise(requestAnimationFrame);
    }
  };
  const box = (one) => one.getBoundingClientRect();
  const shown = (one) => one.checkVisibility({ visibilityProperty: true }) && box(one).width > 1;
  const find = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  const steps = [0.03, 0.25, 0.5, 0.75, 0.97];

  // The share of an element, on the board or beside it, that is in sight and under nothing.
  const seen = (one) => {
    const { x, y, width, height } = box(one);
    const onBoard = one.closest("#frame");
    const frame = onBoard ? box(onBoard) : { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    // They take no taps, and end with the frame, which their boxes do not.
    const axes = onBoard ? find(".axis").map(box) : [];
    const cards = find(".told-of > div > *:not(:empty)").map(box);
    let free = 0;
    for (const across of steps) {
      for (const down of steps) {
        const at = { x: x + width * across, y: y + height * down };
        const within = ({ left, top, right, bottom }) =>
          at.x > left && at.x < right && at.y > top && at.y < bottom;
        const uncovered = within(frame) && ![...axes, ...cards].some(within);
        const hit = uncovered && document.elementFromPoint(at.x, at.y);
        free += hit && (onBoard || one).contains(hit) ? 1 : 0;
      }
    }
    return free / steps.length ** 2;
  };
  const whole = (one) => {
    const { left, top, right, bottom } = box(one);
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const edges = [[x, top + 3], [x, bottom - 3], [left + 3, y], [right - 3, y]]; // corners are round
    return left >= -0.5 && top >= -0.5 && right <= innerWidth + 0.5 && bottom <= innerHeight + 0.5
      && [[x, y], ...edges].every((point) => one.contains(document.elementFromPoint(...point)));
  };
  const nameOf = (one) => `${one.tagName.toLowerCase()}.${one.getAttribute("class") ?? one.id}`;

  // Words that are broken between letters, and texts that reach beyond what holds them.
  const cut = () => {
    const faults = [];
    const parts = ":is(.table-head, .seats-box, .tabs, .turn, .steps, .looks, .zoom, .facts-card, .outcome,"
      + " .ways-on)";
    const walk = document.createTreeWalker(document.querySelector("#table, .table"), NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const text = walk.currentNode;
      const one = text.parentElement;
      const named = one.closest(".name, h1"); // ends in an ellipsis
      const unseen = one.closest("svg, .hidden-text, .seat-tap, .bubble") || !shown(one);
      if (!one.closest(parts) || unseen || named) {
        continue;
      }
      let above = one;
      while (above && getComputedStyle(above).clipPath === "none") {
        above = above.parentElement;
      }
      if (above) {
        continue; // for the ear
      }
      const range = document.createRange();
      for (const { 0: word, index } of text.data.matchAll(/\\p{L}{2,}/gu)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) {
          faults.push(`"${word}" is broken in ${nameOf(one)}`);
        }
        const { left, right } = range.getBoundingClientRect();
        if (!one.closest(".tabs") && (left < -1 || right > innerWidth + 1)) { // tabs can be drawn sideways
          faults.push(`"${word}" is beyond the screen`);
        }
      }
    }
    for (const one of find(":is(.choice, .finish > *, .finish button, .seat, .title)")) {
      if (one.scrollWidth > one.clientWidth + 1 && !one.closest(".hidden-text")) {
        faults.push(`${nameOf(one)} is cut: ${one.textContent.trim().replace(/\\s+/g, " ").slice(0, 40)}`);
      }
    }
    return faults;
  };

  const one_of = (selector) => /mark|target/.test(selector);
  const rows = [];
  for (const text of texts) {
    root.style.fontSize = `${text}%`;
    for (const sheet of sheets) {
      root.dataset.sheet = sheet;
      await frames(4);
      const faults = [];
      const things = find(thing);
      const shares = things.map(seen);
      if (!things.length) {
        faults.push(`${thing} is not there`);
      } else if (one_of(thing) ? Math.max(...shares) < 0.9 : Math.min(...shares) < 0.9) {
        faults.push(`${thing} is seen by ${shares.map((one) => Math.round(100 * one)).join(", ")} %`);
      }
      const [main] = find(action);
      if (!main || !whole(main)) {
        faults.push(`${action} ${main ? "is not whole" : "is not there"}`);
      }
      if (scrollX + scrollY || root.scrollWidth > innerWidth) {
        faults.push(`the page scrolls: ${root.scrollWidth} px wide`);
      }
      const board = box(document.querySelector(".board-box")).height;
      rows.push({ text, sheet, board, faults: [...faults, ...cut()] });
    }
  }
  root.style.fontSize = "";
  root.dataset.sheet = "0";
  await frames(2);
  return rows;
}"""
"""Script that measures the page at every size of text and height of the sheet."""


class State(NamedTuple):
    """How a state is brought about on a page, the thing spoken of, and the main action."""

    open: Callable[[Page, LiveServer], None]
    thing: str
    action: str
    sizes: Sequence[tuple[int, int]] = SIZES


def make_running_game() -> Game:
    heart_beats(timezone.now())
    return play_turns(make_game(seats=3, now=timezone.now()), TURNS, now=timezone.now())


def open_board(page: Page, site: LiveServer, game: Game, player: Player, more: str = "") -> None:
    sign_in(page, site, player)
    page.goto(build_game_url(site, game) + more)


def composing(page: Page, site: LiveServer) -> None:
    game = make_running_game()
    open_board(page, site, game, get_awaited_player(game), build_turn_query(game))


def question(page: Page, site: LiveServer) -> None:
    game = LEAVING.game()
    open_board(page, site, game, get_awaited_player(game))


def undo_window(page: Page, site: LiveServer) -> None:
    game = make_running_game()
    player = get_awaited_player(game)
    Player.objects.filter(pk=player.pk).update(undo_seconds=120)
    open_board(page, site, game, player, build_turn_query(game))
    page.locator("#send").click()
    expect(page.locator("#turn [data-key=u]")).to_be_visible()


def held(page: Page, site: LiveServer) -> None:
    game = make_running_game()
    moderation.pause(asked(game, now=timezone.now()))
    open_board(page, site, game, get_awaited_player(game), build_turn_query(game))
    expect(page.locator(".composer, #turn-map a")).to_have_count(0)


def paused(page: Page, site: LiveServer) -> None:
    game = make_running_game()
    now = timezone.now()
    play.propose(game_id=game.pk, seat=0, kind=Proposal.PAUSE, until=now + timedelta(days=9), now=now)
    offer = Offer.objects.get(game=game)
    for seat in (1, 2):
        play.agree(offer_id=offer.pk, seat=seat, now=now)
    game.refresh_from_db()
    open_board(page, site, game, get_awaited_player(game))
    expect(page.locator(".composer, #turn-map a")).to_have_count(0)


def kept_turn(page: Page, site: LiveServer) -> None:
    game = make_running_game()
    legal = list(positions.load_position(game).legal_actions())
    line = write(next((one for one in legal if isinstance(one, Place) and one.figure), legal[0]))
    open_board(page, site, game, get_awaited_player(game), f"?line={line}&version={game.version}")


def past_ply(page: Page, site: LiveServer) -> None:
    """A turn that was played long ago, reached from one that is being composed."""
    composing(page, site)
    for ply in range(TURNS - 1, TURNS - 7, -1):
        page.locator("#step-prev").click()
        page.wait_for_url(f"**/ply/{ply}/")


def inspected(page: Page, site: LiveServer) -> None:
    game = make_running_game()
    open_board(page, site, game, get_awaited_player(game), "feature/0,0/city/N/")


def ended(page: Page, site: LiveServer) -> None:
    heart_beats(timezone.now())
    game = play_turns(make_game(seats=3, now=timezone.now()), now=timezone.now())
    play.score(game_id=game.pk, now=timezone.now())
    open_board(page, site, game, game.host)


def spectator(page: Page, site: LiveServer) -> None:
    game = make_running_game()
    open_board(page, site, game, make_player("Onlooker"))


def guest(page: Page, site: LiveServer) -> None:
    game = make_running_game()
    player = get_awaited_player(game)
    Player.objects.filter(pk=player.pk).update(provisional=True)
    open_board(page, site, game, player)


def offline(page: Page, site: LiveServer) -> None:
    composing(page, site)
    page.context.set_offline(True)
    expect(page.locator("#turn p.offline")).to_be_visible()


CHOICES = "#turn-map :is(.candidate .frame, .spot .ring, .turn-button circle)"
STATES = {
    "composing": State(composing, CHOICES, "#send"),
    "question": State(question, "#turn-map a.target :is(.ring, .ground)", "#decline"),
    "undo window": State(undo_window, "#lately .last:last-of-type", "#turn [data-key=u]"),
    "held": State(held, "#lately .last:last-of-type", "#turn .urgent"),
    "paused": State(paused, "#lately .last:last-of-type", "#turn form[action$='resume/'] button"),
    "kept turn": State(kept_turn, CHOICES, "#send"),
    "past ply": State(past_ply, "#lately :is(.last, .gain)", "a.back-to-now"),
    "inspected": State(inspected, "#lit .light", ".facts-card .close"),
    "ended": State(ended, "h2#outcome", "form[action$='rematch/'] button"),
    "spectator": State(spectator, "#lately .last:last-of-type", ".table-head .headline"),
    "guest": State(guest, "#turn-map a.mark", ".table-head .headline strong"),
    "offline": State(offline, f"{CHOICES}, #turn p.offline", "#send", sizes=SIZES[:4]),
}


def keep(page: Page, name: str) -> None:
    if folder := os.environ.get("PICTURES"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}.png")


def keep_pictures(page: Page, state: str, size: Sequence[int]) -> None:
    if not os.environ.get("PICTURES"):
        return
    for text, sheet in ((100, "0"), (100, "1"), (100, "2"), (200, "0"), (200, "1")):
        page.evaluate(
            "([text, sheet]) => { document.documentElement.style.fontSize = text + '%';"
            " document.documentElement.dataset.sheet = sheet; }",
            [text, sheet],
        )
        wait_for_rest(page)
        keep(page, f"{state.replace(' ', '-')}-{size[0]}-{text}-{sheet}")
    page.evaluate("document.documentElement.style.fontSize = ''")


@pytest.mark.provokes("ERR_INTERNET_DISCONNECTED", "htmx:sendError")
@pytest.mark.parametrize("state", STATES)
def test_the_thing_spoken_of_and_the_main_action_are_in_sight(
    page: Page, live_server: LiveServer, state: str
) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    STATES[state].open(page, live_server)
    found = []
    for size in STATES[state].sizes:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        read_view(page)
        keep_pictures(page, state, size)
        for row in page.evaluate(MEASURE, [STATES[state].thing, STATES[state].action, TEXTS, SHEETS]):
            place = f"{size[0]}x{size[1]}, text {row['text']} %, sheet {row['sheet']}"
            found += [f"{place}: {fault}" for fault in row["faults"]]
            if size == (360, 740) and row["sheet"] == "0" and state in ("composing", "past ply"):
                least = 0.55 if row["text"] == 100 else 0.4
                if row["board"] < least * size[1]:
                    found.append(f"{place}: the board has {row['board']:.0f} px")
    assert not found, f"{len(found)} faults\n" + "\n".join(found)


@pytest.mark.parametrize("size", SIZES[:3], ids=lambda size: "x".join(map(str, size)))
def test_the_way_back_from_the_past_leads_to_the_turn_that_was_composed(
    page: Page, live_server: LiveServer, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    past_ply(page, live_server)
    page.locator("a.back-to-now").click()
    expect(page.locator("#send")).to_be_visible()
    expect(page.locator("#turn-map .candidate")).to_be_visible()


def test_the_sheet_goes_down_when_a_turn_is_begun(page: Page, live_server: LiveServer) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    guest(page, live_server)
    page.locator(".handle").click()
    read_view(page)
    page.locator("#turn-map a.mark").first.evaluate(CLICK)
    expect(page.locator("#turn-map .candidate")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-sheet", "0")
    read_view(page)
    assert measure_box(page, "#frame")["height"] >= 0.55 * 740
