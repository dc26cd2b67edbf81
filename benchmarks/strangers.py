"""Cost of the pages open to visitors without an account: ``python -m benchmarks.strangers``.

Every public page of a long game, in processor time of the responding thread: in a new process, and once more.
``accounts.limits.slows_reading`` limits how many of the expensive ones a network reads; each of them may take
:data:`TIMES` views of one row.
"""

from __future__ import annotations

import gc
import sys
import time
from functools import partial
from statistics import median

from benchmarks import site

# isort: split
from django.core.cache import caches
from django.test import Client, override_settings
from django.urls import reverse

from games.models import Game
from games.pages.inspection.layers import SHOWS
from games.pages.parts.thumbnails import build_thumbnail_url
from games.selectors.seats import load_seats_of
from tests.games.factories import new_process

TIMES = 20.0
ROUNDS = 5
OF_A_GAME = {
    "board": ("games:table",),
    "board after a ply": ("games:ply", 30),
    "scores": ("games:scores",),
    "text": ("games:text",),
    "talk": ("games:talk",),
    "spectators": ("games:gallery",),
    "files": ("games:files",),
    "record": ("games:record",),
    "features": ("games:features",),
    "layer": ("games:layer",),
    "moderation": ("moderation:moderation",),
    "SVG": ("games:svg",),
    "SVG after a ply": ("games:ply_svg", 30),
    "PNG": ("games:png",),
    "PNG after a ply": ("games:ply_png", 30),
}


def main() -> bool:
    """Measure and print; return whether all bounds hold."""
    site.open_site()
    with override_settings(ROOT_URLCONF="benchmarks.pages"):
        return _of(site.everything())


def _of(game: Game) -> bool:
    stranger = Client(headers={"Accept-Encoding": "gzip"})
    member = site.visitor(site.awaited(game))
    asked = {name: reverse(way, args=[game.code, *more]) for name, (way, *more) in OF_A_GAME.items()}
    for show in SHOWS:
        asked[f"board with {show}"] = f"{asked['board']}?show={show}"
    asked["small picture"] = build_thumbnail_url(game, load_seats_of(game))
    one_row = partial(member.get, f"/one-row/{game.code}/")
    base = min(_seconds(one_row) for _ in range(ROUNDS))
    print(f"strangers {base * 1000:7.2f} ms for the view of one row; pages of a game of 170 tiles take")
    held = True
    for name, address in asked.items():
        caches["searches"].clear()  # resets the rate limit of reading
        ask = partial(stranger.get, address)
        first = median(_first(ask) for _ in range(3))
        again = min(_seconds(ask) for _ in range(ROUNDS))
        status = ask().status_code
        held &= again <= TIMES * base and status == 200
        print(
            f"          {again / base:7.2f} times that, {again * 1000:.1f} ms (ceiling {TIMES:.0f}),"
            f" {first * 1000:.1f} at first: {name} {status}"
        )
    return held


def _first(ask: partial) -> float:
    new_process()
    gc.collect()
    return _seconds(ask)


def _seconds(ask: partial) -> float:
    began = time.thread_time()
    ask()
    return time.thread_time() - began


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
