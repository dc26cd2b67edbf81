"""Cost of a turn: ``python -m benchmarks.turns [ROUNDS]``; ``SHOW=1`` prints its queries.

A turn is what its player waits for: the composed turn is posted as the page of a game does, and the board
after it is the response. It is compared, in the same run and through the same middleware, with a view that
inserts one row and renders one line: in calls of Python functions, which are the same on a busy machine and
bounded, and in processor time of the responding thread. On the database that
``DATABASE_URL`` names (in a test database of its own), else on SQLite.

Every turn is another one, so no page is ever cached; the games are real ones, in their middle.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median

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
from benchmarks.calls import count_calls
from carcassonne import gc_tuning
from games import rules
from games.models import Game, Message, Room, Seat, Status
from games.rules.notation import write
from tests.games.factories import heart_beats, make_game, make_players, new_process, play_turns

ROUNDS = 40
WARM = 4  # turns that fill what a running site has in memory about all games
TIMES = {2: 6.0, 3: 6.3}  # as many calls as the bare view, by seats; six would be right for three, too
QUERIES = 20
TURNS_BEFORE = 16  # leaves enough of the 72 tiles for all rounds
ENDS = ("BEGIN", "COMMIT")  # of a transaction
BY_SCRIPT = {"HX-Request": "true", "HX-Target": "table"}
LINE = Template("<p>{{ message.text }}</p>")

Ask = Callable[[], HttpResponse]


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
        return all([_measured(seats, rounds) for seats in TIMES])


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

    def prepare_turn(self) -> Ask:
        """Return the request that sends some legal turn. To prepare it neither uses nor fills the process's
        caches."""
        self.game.refresh_from_db()
        if self.game.status != Status.PLAYING or self.game.tiles_left < 4:
            self.game = self._new()
        stored = self.game.moves.in_force().order_by("version").values_list("events", flat=True)
        position = rules.Game.rebuild(self.game.rules, stored)
        line = write(self.chance.choice(list(position.legal_actions())), with_tile=True)
        url, data = reverse("games:play", args=[self.game.code]), {"version": self.game.version, "line": line}
        return partial(self._next_player().post, url, data, headers=BY_SCRIPT)

    def look(self) -> HttpResponse:
        """Show the next player the page of the game."""
        self.game.refresh_from_db(fields=["awaited"])
        return self._next_player().get(reverse("games:table", args=[self.game.code]))

    def _next_player(self) -> Client:
        seats = Seat.objects.values_list("player", flat=True)
        return self.clients[seats.get(game=self.game, index=self.game.awaited)]

    def prepare_bare(self) -> Ask:
        [author, *_others] = self.clients
        data = {"author": author, "line": "a line"}
        return partial(self.clients[author].post, f"/bare/{self.aside.pk}/", data)


def _client(player: Player) -> Client:
    client = Client(headers={"Accept-Encoding": "gzip"})
    client.force_login(player)
    return client


def _measured(seats: int, rounds: int) -> bool:
    table = Table(seats)
    took: dict[str, list[float]] = {"bare": [], "turn": []}
    calls: dict[str, list[int]] = {"bare": [], "turn": []}
    asked: list[int] = []
    for turn in range(rounds + WARM):
        if turn == WARM:
            gc_tuning.tune_collector()  # as web workers do
            for kept in (*took.values(), *calls.values(), asked):
                kept.clear()
        for name, prepare in (("bare", table.prepare_bare), ("turn", table.prepare_turn)):
            ask, began = prepare(), time.thread_time()
            assert ask().status_code == 200, name
            took[name].append(time.thread_time() - began)
        new_process()  # it has shown the game once, and taken a turn of it, before calls are counted
        assert table.look().status_code == 200
        ask = table.prepare_turn()
        with CaptureQueriesContext(connection) as queries:
            assert ask().status_code == 200
        asked.append(sum(not query["sql"].startswith(ENDS) for query in queries))
        calls["bare"].append(count_calls(table.prepare_bare()))
        calls["turn"].append(count_calls(table.prepare_turn()))
    base, spent = median(took["bare"]), median(took["turn"])
    ratio = median(calls["turn"]) / median(calls["bare"])
    print(
        f"turn      {ratio:7.2f} times as many calls as one row and one line (ceiling {TIMES[seats]}),"
        f" {median(calls['turn']):.0f} to {median(calls['bare']):.0f}; {spent * 1000:.1f} ms,"
        f" {spent / base:.2f} times as long, on {connection.vendor}: {seats} seats"
    )
    print(
        f"          {median(asked):7.0f} queries (ceiling {QUERIES}), and the transaction's two ends;"
        f" {max(asked)} in a player's first turn of a game"
    )
    if os.environ.get("SHOW"):
        for query in queries:
            print(f"          {query['sql'].strip()[:100]}")
    return ratio <= TIMES[seats] and median(asked) <= QUERIES


if __name__ == "__main__":
    sys.exit(0 if main(*map(int, sys.argv[1:])) else 1)
