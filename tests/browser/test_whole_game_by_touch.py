"""Test of a whole game with the Count of Carcassonne on a phone, by taps on highlighted things alone.

The house bot has the other seat; the table has edges, which keeps the game short.
``PICTURES=/some/folder`` keeps screenshots of questions and answers.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Iterator, Set
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from games import play
from games.models import Game, Status
from games.play import positions
from games.rules import Game as Position
from games.rules import Place, action_from_json
from games.rules.notation import read_any
from games.rules.records.record import replay
from games.tasks import play_bot
from tests.browser.game_helpers import build_game_url
from tests.browser.rest import wait_for_rest
from tests.browser.sign_in_helpers import sign_in
from tests.games.factories import heart_beats, make_game

pytestmark = pytest.mark.django_db(transaction=True)

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
SETS = ("base", "count")
OPTIONS = {"first_player": "creator", "count_final": "all_quarters", "board_limit": "fixed 9x9"}
SEED = 2  # with which a figure enters the city, and is asked to leave it
QUESTIONS = {"enter", "transfer", "transfer_at_end"}
SECONDS = 400  # usually a quarter of it
MOST_TAPS = 40  # for a turn or an answer; no more than four are needed, but chance goes back and forth

LIT = """() => {
  const kinds = {
    space: "#turn-map a.mark", ring: "#turn-map a.spot", target: "#turn-map a.target:not([aria-current])",
    turn: "#turn-map a.turn-button, #turn-map a.turn", figure: ".strip a:not([aria-current])",
    offer: ".strips > a", decline: "#decline", send: "#send:not(:disabled)", arrow: ".arrow:not([hidden])",
  };
  const steps = [0.5, 0.375, 0.625, 0.25, 0.75, 0.125, 0.875];
  const near = steps.flatMap((across) => steps.map((down) => [across, down]));
  const parts = (one) => {
    const drawn = [...one.querySelectorAll(".coming .ring, .ring, .name rect, .ground, .way, rect, circle")];
    return [...drawn, one];
  };
  const point = (one) => {
    for (const part of parts(one)) {
      const { x, y, width, height } = part.getBoundingClientRect();
      for (const [across, down] of near) {
        const [left, top] = [x + width * across, y + height * down];
        if (one.contains(document.elementFromPoint(left, top))) {
          return [left, top];
        }
      }
    }
  };
  const found = [];
  for (const [kind, selector] of Object.entries(kinds)) {
    for (const one of document.querySelectorAll(selector)) {
      const name = one.id || one.dataset.at || one.className.baseVal || one.className;
      found.push({ kind, name, point: point(one) ?? null });
    }
  }
  return found;
}"""
"""Script that lists what can be tapped for a turn or an answer, each with a visible, uncovered point."""


class Lit(NamedTuple):
    """Highlighted thing to tap."""

    kind: str
    name: str
    point: tuple[float, float]


class Tapper:
    """Player with a phone, who taps highlighted things on *page* at random."""

    def __init__(self, page: Page, pictures: Path | None) -> None:
        self.page, self.pictures = page, pictures
        self.chance = random.Random(SEED)
        self.asked: Counter[str] = Counter()
        self.moved: Counter[str] = Counter()  # number of taps by kind
        self.pictured: Counter[str] = Counter()

    def lit(self) -> list[Lit]:
        spots = self.page.evaluate(LIT)
        return [Lit(spot["kind"], spot["name"], tuple(spot["point"])) for spot in spots if spot["point"]]

    def tap(self, one: Lit) -> None:
        """Tap *one*, and wait until the page has responded and is still."""
        self.moved[one.kind] += 1
        if one.kind == "arrow":
            self.page.touchscreen.tap(*one.point)
        else:
            with self.page.expect_response(lambda response: response.request.resource_type == "xhr"):
                self.page.touchscreen.tap(*one.point)
        wait_for_rest(self.page)

    def choose(self, lit: list[Lit], *kinds: str) -> Lit | None:
        candidates = [one for one in lit if one.kind in kinds]
        return self.chance.choice(candidates) if candidates else None

    def next_for_tile(self, promising: Set[str]) -> Lit:
        """Choose the next tap of a turn: a space, preferably one of those that are *promising*; there a
        ring, or more often no meeple, which keeps figures in hand for the city; then Send, or sometimes
        another choice."""
        lit = self.lit()
        candidate = self.page.locator("#turn-map .candidate")
        here = candidate.get_attribute("data-at") if candidate.count() else None
        if here is None or self.chance.random() < 0.1:
            good = [one for one in lit if one.kind == "space" and one.name in promising]
            space = (
                self.chance.choice(good) if good else self.choose(lit, "space") or self.choose(lit, "arrow")
            )
            if space is not None:
                return space
        wanted = self.choose(lit, "send")
        if wanted is None:
            deploys = here not in promising and self.chance.random() < 0.25
            wanted = self.choose(lit, "ring" if deploys else "figure") or self.choose(lit, "ring", "figure")
        elif here not in promising and self.chance.random() < 0.2:
            wanted = self.choose(lit, "turn", "ring", "figure") or wanted
        assert wanted is not None, "nothing can be tapped"
        return wanted

    def next_for_answer(self, kind: str) -> Lit:
        """Choose the next tap of an answer: what is missing, sometimes what is optional, at last Send."""
        lit = self.lit()
        declines = kind == "transfer" and self.chance.random() < 0.3
        if declines and (stay := self.choose(lit, "decline")):
            return stay
        wanted = self.choose(lit, "send")
        if wanted is None or self.chance.random() < 0.4:
            wanted = self.choose(lit, "target", "offer", "figure", "arrow") or wanted
        assert wanted is not None, "nothing can be tapped"
        return wanted

    def keep(self, name: str) -> None:
        if self.pictures:
            self.pictures.mkdir(parents=True, exist_ok=True)
            self.pictured[name] += 1
            self.page.screenshot(path=self.pictures / f"{name}-{self.pictured[name]:02}.png")


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A page on a phone."""
    context = browser.new_context(**PHONE, service_workers="block", reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(15_000)
    yield page
    context.close()


def look_again(page: Page) -> None:
    """Make the page visible again, so that it polls for news at once."""
    with page.expect_response(lambda response: "since=" in response.url):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")


def line_to_send(page: Page) -> str:
    """The action that the button would send, in notation."""
    return page.locator("form:has(#send) [name=line]").input_value()


def promising(position: Position) -> set[str]:
    """The spaces where a tile without a figure makes the rules ask a question."""
    places: dict[str, Place] = {}
    for action in position.legal_actions():
        if isinstance(action, Place) and action.figure is None:
            places.setdefault(f"{action.x},{action.y}", action)  # as the tile comes to lie there first
    return {at for at, one in places.items() if position.play(one).decision.kind in QUESTIONS}


def answer(tapper: Tapper, game: Game) -> None:
    """Tap until the question of *game* is answered, and check that the stored action is the form's."""
    position = positions.load_position(game)
    kind = position.decision.kind
    tapper.asked[kind] += 1
    tapper.keep(f"{kind}-asked")
    good = promising(position) if kind == "place" else set()
    for _tap in range(MOST_TAPS):
        one = tapper.next_for_tile(good) if kind == "place" else tapper.next_for_answer(kind)
        if one.kind == "send":
            tapper.keep(f"{kind}-sent")
            line = line_to_send(tapper.page)
        elif one.kind == "decline":
            line = "pass"
        tapper.tap(one)
        if one.kind in ("send", "decline"):
            move = game.moves.filter(version__gt=game.version, seat__isnull=False).earliest("version")
            assert action_from_json(move.action) == read_any(line, tile=position.state.drawn)
            return
    raise AssertionError(f"{MOST_TAPS} taps are not enough")


@pytest.mark.slow
def test_a_whole_game_with_the_count_by_taps_alone(phone: Page, live_server: LiveServer) -> None:
    heart_beats(timezone.now())
    game = make_game(seats=2, bots=1, sets=SETS, options=OPTIONS, now=timezone.now())
    pictures = os.environ.get("PICTURES")
    tapper = Tapper(phone, Path(pictures) if pictures else None)
    sign_in(phone, live_server, game.host)
    phone.goto(build_game_url(live_server, game))
    start = time.monotonic()
    while True:
        game.refresh_from_db()
        if game.status != Status.PLAYING:
            break
        assert time.monotonic() < start + SECONDS, f"the game takes too long: {tapper.asked}"
        if game.seats.get(index=game.awaited).bot:
            play_bot(game.pk)
            continue
        look_again(phone)
        wait_for_rest(tapper.page)
        answer(tapper, game)
    assert {"enter", "transfer"} <= set(tapper.asked), "with another seed more is asked"
    play.score(game_id=game.pk, now=timezone.now())
    look_again(phone)
    expect(phone.locator("#outcome")).to_be_in_viewport()
    tapper.keep("over")
    record = phone.context.request.get(f"{build_game_url(live_server, game)}record.json").json()
    shown = [int(score) for score in phone.locator(".final-scores tbody .total").all_inner_texts()]
    assert shown == sorted(replay(record).game.state.scores, reverse=True)
