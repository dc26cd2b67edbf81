"""Cost of a turn: ``python -m benchmarks.turns [ROUNDS]``; ``SHOW=1`` prints its queries.

A turn is what its player waits for: the composed turn is posted as the page of a game does, and the board
after it is the response. It is compared, in the same run and through the same middleware, with a view that
inserts one row and renders one line, in processor time of the responding thread. On the database that
``DATABASE_URL`` names (in a test database of its own), else on SQLite.

Every turn is another one, so no page is ever cached; the games are real ones, in their middle. Also measured:
a turn without scripts (a redirect, then the page), the next player's first view, and both in a process
without caches.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

from benchmarks.database import own_database  # first: it chooses the settings

# isort: split
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.template import Context, Template
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import include, path, reverse
from django.utils import timezone

from accounts.models import Player
from carcassonne import gc_tuning
from games import rules
from games.models import Game, Message, Room, Seat, Status
from games.rules.notation import write
from tests.games.factories import heart_beats, make_game, make_players, new_process, play_turns

ROUNDS = 40
WARM = 4  # turns that fill what a running site has in memory about all games
TIMES = 6.0  # as long as the bare view
QUERIES = 20
SEATS = (2, 3)
TURNS_BEFORE = 16  # leaves enough of the 72 tiles for all rounds
ENDS = ("BEGIN", "COMMIT")  # of a transaction
LINE = Template("<p>{{ message.text }}</p>")


def bare(request: HttpRequest, code: str) -> HttpResponse:
    """Insert one row and render one line."""
    message = Message.objects.create(
        game_id=int(code),
        author_id=int(request.POST["author"]),
        room=Room.TABLE,
        text=request.POST["line"],
        at=timezone.now(),
    )
    return HttpResponse(LINE.render(Context({"message": message})))


urlpatterns = [path("bare/<slug:code>/", bare), path("", include("carcassonne.urls"))]


def main(rounds: int = ROUNDS) -> bool:
    """Measure and print; return whether all bounds hold."""
    with own_database(), override_settings(ROOT_URLCONF=__name__):
        heart_beats(timezone.now())
        return all([_measured(seats, rounds) for seats in SEATS])


class Table:
    """Games whose turns are played one by one; when one is through its middle, another begins."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.aside = make_game(seats=2, now=timezone.now())  # game of the bare view
        self.clients = {player.pk: _client(player) for player in make_players(seats)}
        self.chance = random.Random(7)
        self.game = self._new()

    def _new(self) -> Game:
        return play_turns(make_game(seats=self.seats, now=timezone.now()), TURNS_BEFORE, now=timezone.now())

    def turn(self) -> tuple[Client, str, dict[str, Any]]:
        """The client of the player on turn, the URL to post to, and the data of some legal turn. It
        neither uses nor fills the process's caches."""
        self.game.refresh_from_db()
        if self.game.status != Status.PLAYING or self.game.tiles_left < 4:
            self.game = self._new()
        stored = self.game.moves.in_force().order_by("version").values_list("events", flat=True)
        position = rules.Game.rebuild(self.game.rules, stored)
        line = write(self.chance.choice(list(position.legal_actions())), with_tile=True)
        data = {"version": self.game.version, "line": line}
        return self._at(self.game.awaited), reverse("games:play", args=[self.game.code]), data

    def next_player(self) -> Client:
        self.game.refresh_from_db(fields=["awaited"])
        return self._at(self.game.awaited)

    def page(self) -> str:
        return reverse("games:table", args=[self.game.code])

    def ask_bare(self) -> HttpResponse:
        [author, *_others] = self.clients
        data = {"author": author, "line": "a line"}
        return self.clients[author].post(f"/bare/{self.aside.pk}/", data)

    def _at(self, index: int | None) -> Client:
        return self.clients[Seat.objects.values_list("player", flat=True).get(game=self.game, index=index)]


def _client(player: Player) -> Client:
    client = Client(headers={"Accept-Encoding": "gzip"})
    client.force_login(player)
    return client


BY_SCRIPT = {"HX-Request": "true", "HX-Target": "table"}


def _measured(seats: int, rounds: int) -> bool:
    table = Table(seats)
    took: dict[str, list[float]] = {}
    asked: list[int] = []

    def timed(name: str, ask: Callable[[], HttpResponse], status: int = 200) -> None:
        began = time.thread_time()
        response = ask()
        took.setdefault(name, []).append(time.thread_time() - began)
        assert response.status_code == status, (name, response.status_code)

    for turn in range(rounds + WARM):
        if turn == WARM:
            gc_tuning.tune_collector()  # as web workers do
            took.clear()
            asked.clear()
        timed("bare", table.ask_bare)
        client, url, data = table.turn()
        timed("turn", lambda c=client, u=url, d=data: c.post(u, d, headers=BY_SCRIPT))
        timed("first look", partial(table.next_player().get, table.page()))
        client, url, data = table.turn()
        new_process()
        timed("turn, new process", lambda c=client, u=url, d=data: c.post(u, d, headers=BY_SCRIPT))
        timed("first look after that", partial(table.next_player().get, table.page()))
        client, url, data = table.turn()
        timed("redirect", lambda c=client, u=url, d=data: c.post(u, d), 302)
        timed("page after it", lambda c=client: c.get(table.page()))
        new_process()
        timed("first look, new process", partial(table.next_player().get, table.page()))
        client, url, data = table.turn()
        with CaptureQueriesContext(connection) as queries:
            assert client.post(url, data, headers=BY_SCRIPT).status_code == 200
        asked.append(sum(not query["sql"].startswith(ENDS) for query in queries))
    took["redirect and page"] = [
        sum(both) for both in zip(took["redirect"], took["page after it"], strict=True)
    ]
    base = median(took.pop("bare"))
    print(f"turn      {base * 1000:7.2f} ms for one row and one line on {connection.vendor}; {seats} seats:")
    for name, times in took.items():
        held = f" (ceiling {TIMES:.0f})" if name == "turn" else ""
        print(
            f"          {median(times) / base:7.2f} times that, {median(times) * 1000:5.1f} ms: {name}{held}"
        )
    print(
        f"          {median(asked):7.0f} queries (ceiling {QUERIES}), and the transaction's two ends;"
        f" {max(asked)} in a player's first turn of a game"
    )
    if os.environ.get("SHOW"):
        for query in queries:
            print(f"          {query['sql'].strip()[:100]}")
    return median(took["turn"]) <= TIMES * base and median(asked) <= QUERIES


if __name__ == "__main__":
    sys.exit(0 if main(*map(int, sys.argv[1:])) else 1)
