"""Layout faults of a game's page, and games with many choices for a meeple."""

from typing import Any

from django.utils import timezone
from playwright.sync_api import Page, expect

from games.models import Game
from games.play import positions
from tests.browser.polling_helpers import becomes_true
from tests.games.factories import heart_beats, make_game, play_turns

CLICK = "one => one.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))"
FIND_FAULTS = """(phone) => {
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
"""Script that finds controls that lie over others, are too small for a finger or are cut."""


def make_full_game(**settings: Any) -> Game:
    """Make a game with all kinds of figures, after 16 turns."""
    heart_beats(timezone.now())
    sets = ["base", "river1", "abbot", "inns-and-cathedrals", "traders-and-builders"]
    game = make_game(seats=4, edition="C2", sets=sets, now=timezone.now(), **settings)
    return play_turns(game, 16, now=timezone.now())


def find_placements_by_choices(game: Game) -> dict[int, str]:
    """Return queries of placements by the number of actions that they allow with a meeple."""
    placements: dict[int, str] = {}
    legal = positions.load_position(game).legal_actions()
    for place in legal.placements_of(legal.tiles[0]):
        placements[len(legal.figures(place, legal.tiles[0])) - 1] = (
            f"?at={place.x},{place.y}&r={place.rotation}"
        )
    return placements


def make_game_with_choices(wanted: int) -> tuple[Game, str]:
    """Make a game with about *wanted* choices for a meeple somewhere, and return it with the query."""
    game = make_full_game()
    for _turn in range(40):
        if positions.load_position(game).state.decision.kind == "place":
            choices = find_placements_by_choices(game)
            best = min(choices, key=lambda number: abs(number - wanted))
            if abs(best - wanted) <= (2 if wanted else 0):
                return game, choices[best]
        game = play_turns(game, 1, now=timezone.now())
    raise AssertionError(wanted)


def choose_place(page: Page) -> None:
    """Choose the first place for a meeple, if there is one."""
    ring = page.locator("#turn-map .spot")
    if page.locator("#send").count() == 0:
        if ring.count():
            ring.first.evaluate(CLICK)
        expect(page.locator("#send")).to_be_visible()


def is_in_sight(page: Page, selector: str) -> bool:
    """Return whether all of the element is in the viewport, under nothing, once animations have ended."""
    lies_free = """selector => {
      const one = document.querySelector(selector);
      const { left, top, right, bottom } = one.getBoundingClientRect();
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && one.contains(hit);
    }"""
    return becomes_true(page, lies_free, selector, seconds=3)
