"""Cost of the page of a game, beside a view that reads one row and renders one line.

Both are requested through the site's own middleware, with SQLite in the responding thread. Bounds are of
calls of Python functions, which are the same on a busy machine; processor time is shown, too.
"""

from __future__ import annotations

import gzip
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
from statistics import median
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.template import Context, Template
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import include, path

from benchmarks import site
from benchmarks.calls import count_calls
from carcassonne import gc_tuning
from games.models import Game
from games.pages.parts.chat import find_last_heard
from tests.games.factories import new_process

ROUNDS = 60
WARM = 3  # rounds that fill what a running site has in memory
TIMES = 4.3  # as many calls as the one-row view
COLD = 6.0  # the same after another's turn, in a process that has not seen the game
COLD_ROUNDS = 20
TRANSFER = 25_000  # bytes, compressed: all that a warm cache leaves to be sent
PAGE = 250_000  # bytes before compression, with every set
NEWS = 4  # queries of a look for news when nothing happened

LINE = Template("<p>{{ game.name }}</p>")


def one_row(request: HttpRequest, code: str) -> HttpResponse:
    return HttpResponse(LINE.render(Context({"game": Game.objects.get(code=code)})))


urlpatterns = [path("one-row/<slug:code>/", one_row), path("", include("carcassonne.urls"))]


def main() -> bool:
    """Measure and print; return whether all bounds hold."""
    site.open_site()
    with override_settings(ROOT_URLCONF=__name__):
        standard, everything = site.standard(), site.everything()
        gc_tuning.tune_collector()  # as web workers do
        held = [_time(standard), _transfer(standard), _size(everything), _news(standard)]
        return all([*held, _cold()])


def _time(game: Game) -> bool:
    mover, other = site.visitor(site.awaited(game)), site.visitor(site.waiting(game))
    views: list[tuple[str, Callable[[], Any]]] = [
        ("one row", lambda: mover.get(f"/one-row/{game.code}/")),
        ("your turn", lambda: mover.get(site.address(game))),
        ("waiting", lambda: other.get(site.address(game))),
        ("history", lambda: mover.get(site.address(game, "ply", 40))),
    ]
    times: dict[str, list[float]] = {name: [] for name, _ in views}
    for turn in range(ROUNDS + WARM):
        for name, ask in views:
            start = time.thread_time()
            response = ask()
            took = time.thread_time() - start
            assert response.status_code == 200, name
            if turn >= WARM:
                times[name].append(took)
    calls = {name: count_calls(ask) for name, ask in views}
    base, fewest = median(times["one row"]), calls["one row"]
    print(
        f"page      {fewest:7d} calls and {base * 1000:.2f} ms for the view of one row; a 72-tile game takes"
    )
    held = True
    for name, _ in views[1:]:
        ratio = calls[name] / fewest
        held = held and ratio <= TIMES
        took = median(times[name])
        print(
            f"          {ratio:7.2f} times as many, {calls[name]} (ceiling {TIMES});"
            f" {took * 1000:.1f} ms, {took / base:.2f} times as long: {name}"
        )
    return held


def _cold() -> bool:
    """Measure the first view of a game after another player's turn, with nothing of the game in memory:
    its board is built from its moves. The process has served other games before: one to a player on turn,
    and one to another player."""
    game, other = site.middle(), site.middle()
    clients = {player.pk: site.visitor(player) for player in (site.awaited(game), site.waiting(game))}
    base: list[float] = []
    times: list[float] = []
    calls: list[int] = []
    for turn in range(COLD_ROUNDS + WARM):
        game = site.play_on(game)
        client = clients[site.awaited(game).pk]
        _serve_another(clients.values(), other)
        for address, kept in ((f"/one-row/{game.code}/", base), (site.address(game), times)):
            start = time.thread_time()
            response = client.get(address)
            took = time.thread_time() - start
            assert response.status_code == 200, address
            if turn >= WARM:
                kept.append(took)
        _serve_another(clients.values(), other)
        calls.append(count_calls(partial(client.get, site.address(game))))
    fewest = count_calls(partial(client.get, f"/one-row/{game.code}/"))
    ratio = median(calls) / fewest
    print(
        f"          {ratio:7.2f} times as many, {median(calls):.0f} (ceiling {COLD}); "
        f"{median(times) * 1000:.1f} ms,"
        f" {median(times) / median(base):.2f} times as long: nothing of the game in memory, {game.ply} plies"
    )
    return ratio <= COLD


def _serve_another(clients: Iterable[Client], game: Game) -> None:
    """Serve *game* in a new process."""
    new_process()
    for client in clients:
        assert client.get(site.address(game)).status_code == 200


def _transfer(game: Game) -> bool:
    response = site.visitor(site.awaited(game)).get(site.address(game))
    assert response["Content-Encoding"] == "gzip"
    sent = len(response.content) + sum(len(name) + len(value) + 4 for name, value in response.items())
    print(f"transfer  {sent:7d} bytes with a warm cache, compressed (ceiling {TRANSFER})")
    return sent <= TRANSFER


def _size(game: Game) -> bool:
    page = gzip.decompress(site.visitor(site.awaited(game)).get(site.address(game)).content)
    print(f"size      {len(page):7d} bytes, 6 seats and every set, {game.ply} plies (ceiling {PAGE})")
    return len(page) <= PAGE


def _news(game: Game) -> bool:
    client = site.visitor(site.waiting(game))
    look = f"{site.address(game)}?since={game.version}.{find_last_heard(game, site.waiting(game))}"
    with CaptureQueriesContext(connection) as asked:
        response = client.get(look, headers={"HX-Request": "true"})
    assert response.status_code == 204
    print(f"news      {len(asked):7d} queries to say that nothing happened (ceiling {NEWS})")
    return len(asked) <= NEWS


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
