"""``make bench-browser``: the page of a game in Chromium on a processor four times as slow.

The layout may not shift while a turn is composed and sent, and every tap must be painted within 200 ms; a
board of some 160 tiles must follow the hand, and load in at most twice the time of one of 30. Exit 1 if a
bound is missed.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.core.wsgi import get_wsgi_application
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from benchmarks import site
from games.models import Game

CHROMIUM = "/usr/bin/chromium"
ARGS = "--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-dev-shm-usage"
SLOWER = 4
PAINT = 200  # ms from a tap to the next paint: "good" by the Interaction to Next Paint of web.dev
LARGER = 2  # times as long for a board of 160 tiles as for one of 30
BLOCKED = 200  # ms: "good" by the Total Blocking Time of web.dev
DRAG = 240  # moves of the mouse
FRAME = 52  # ms, 95 % of the frames of a drag: three of the screen, so that the board follows the hand

WATCH = """() => {
  window.moved = 0; window.slowest = 0; window.what = "";
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) {
      window.moved += entry.value;
      window.shifted = entry.sources.map(({ node }) => node?.id || node?.nodeName).join(" ");
    }
  }).observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (entry.interactionId && entry.duration > window.slowest)
        [window.slowest, window.what] = [entry.duration, entry.name];
  }).observe({ type: "event", buffered: true, durationThreshold: 16 });
}"""
SHOWN = """() => {
  window.largest = 0; window.blocked = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.largest = entry.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.blocked += Math.max(entry.duration - 50, 0);
  }).observe({ type: "longtask", buffered: true });
}"""
"""Script that records the time of the largest paint, and the total blocking time of web.dev, both in ms."""
FRAMES = """() => {
  window.frames_ = []; let last = performance.now();
  const step = (now) => { window.frames_.push(now - last); last = now; requestAnimationFrame(step); };
  requestAnimationFrame(step);
}"""


class Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def serving() -> Iterator[str]:
    """Serve the site on a free port of this machine; yields its URL."""
    server = ThreadedWSGIServer(("127.0.0.1", 0), Quiet)
    settings.ALLOWED_PORTS = {server.server_port}
    server.set_app(StaticFilesHandler(get_wsgi_application()))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()


def visit(
    browser: Browser, url: str, game: Game, session: str, *, watch: str = WATCH, **screen: Any
) -> tuple[Page, CDPSession]:
    """Open the page of *game* on a slow machine, observed from the start by the script *watch*."""
    context = browser.new_context(**screen)
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": url}])
    page = context.new_page()
    page.goto(url + site.address(game))  # fills the cache, as for whoever comes again
    cdp = context.new_cdp_session(page)
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.add_init_script(f"({watch})()")
    page.goto(url + site.address(game))
    page.wait_for_timeout(500)
    return page, cdp


def measure_loading(
    browser: Browser, url: str, boards: Sequence[tuple[Game, str]], name: str, **screen: Any
) -> bool:
    """Measure largest paint and blocking time of boards of some 30 and some 160 tiles, three times each."""
    found = []
    for game, session in boards:
        times = []
        for _ in range(3):
            page, _cdp = visit(browser, url, game, session, watch=SHOWN, **screen)
            page.wait_for_load_state("networkidle")
            page.wait_for_timeout(1000)
            times.append(page.evaluate("[window.largest, window.blocked]"))
            page.context.close()
        largest, blocked = (median(one) for one in zip(*times, strict=True))
        found.append((largest, blocked))
        print(
            f"loading   {largest:7.0f} ms to the largest paint, {blocked:.0f} blocked:"
            f" {name}, {game.ply} plies"
        )
    (few, few_blocked), (many, many_blocked) = found
    print(f"loading   {many / few:7.2f} times as long for the large board: {name} (ceiling {LARGER})")
    return many <= LARGER * few and many_blocked <= max(LARGER * few_blocked, BLOCKED)


def turn(browser: Browser, url: str, game: Game, session: str, name: str, **screen: Any) -> bool:
    """Compose a turn, open panels, send and step back; measure layout shifts and the slowest response."""
    page, _cdp = visit(browser, url, game, session, **screen)
    taps: list[tuple[float, str]] = []
    moved = 0.0

    def done(what: str) -> None:
        nonlocal moved
        page.wait_for_timeout(600)
        slowest, by, shift, things = page.evaluate(
            "[window.slowest, window.what, window.moved, window.shifted]"
        )
        if shift:
            print(f"          {shift:.4g} of layout shift by {what}: {things}")
        taps.append((slowest, f"{what} ({by})"))
        moved += shift
        page.evaluate("() => { window.slowest = 0; window.moved = 0; }")

    done("loading")
    page.locator("svg.layer a.mark").first.click()
    page.locator(".composer").wait_for()
    done("tapping a cell")
    if page.locator(".turn-button").count():
        page.locator(".turn-button").click()
        done("turning the tile")
    page.locator("#turn-map .spot, .strip a").first.click()
    page.locator("#send").wait_for()
    done("choosing a meeple's place")
    page.keyboard.press("+")
    done("zooming")
    if page.locator(".handle").is_visible():
        page.locator(".handle").click()
        done("drawing up the sheet")
    page.locator(".tabs a[data-tab=tiles]").click()
    page.locator("#tab-tiles").wait_for()
    done("opening the tiles to come")
    page.locator("#send").click()
    page.locator(".note.success").wait_for()
    done("sending")
    page.locator("a[rel=prev]").click()
    page.locator("#moment").wait_for()
    done("stepping back")
    page.locator("#moment a[rel=prev]").click()
    page.wait_for_timeout(500)
    done("stepping on")
    page.context.close()
    slowest, what = max(taps)
    print(
        f"turn      {slowest:7.0f} ms from a tap to the paint at most, {what}; layout shift {moved:.4f}:"
        f" {name} (ceilings {PAINT}, 0)"
    )
    return slowest <= PAINT and moved == 0


def pan(browser: Browser, url: str, game: Game, session: str, name: str, **screen: Any) -> bool:
    """Drag a board with every set, measuring the time between frames."""
    page, _cdp = visit(browser, url, game, session, **screen)
    for _ in range(2):
        page.keyboard.press("+")
        page.wait_for_timeout(300)
    frame = page.locator("#frame").bounding_box()
    assert frame is not None
    x, y = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(FRAMES)
    for step in range(DRAG):
        far = abs(step % 120 - 60)  # to and fro
        page.mouse.move(x - 3 * far, y - 2 * far)
    page.mouse.up()
    times = sorted(page.evaluate("window.frames_")[1:])
    page.context.close()
    late = times[int(0.95 * len(times))]
    print(
        f"panning   {median(times):7.1f} ms between frames, 95 % within {late:.1f} ms, {game.ply} plies:"
        f" {name} (ceiling {FRAME})"
    )
    return late <= FRAME


PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1600, "height": 900}}


def main() -> bool:
    """Measure and print; return whether all bounds hold."""
    site.open_site()
    phone, desk, large, small = site.standard(), site.standard(), site.everything(), site.everything(left=115)
    sessions = [site.session_of(site.awaited(game)) for game in (phone, desk, large, small)]
    boards = (small, sessions[3]), (large, sessions[2])
    with serving() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS.split())
        results = [
            turn(browser, url, phone, sessions[0], "phone", **PHONE),
            turn(browser, url, desk, sessions[1], "desk", **DESK),
            measure_loading(browser, url, boards, "phone", **PHONE),
            measure_loading(browser, url, boards, "desk", **DESK),
            pan(browser, url, large, sessions[2], "phone", **PHONE),
            pan(browser, url, large, sessions[2], "desk", **DESK),
        ]
        browser.close()
    return all(results)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
