"""Players by correspondence as Locust users: some visit now and then, others come when a mail calls them.

They only use what the pages offer: whose turn it is, where the tile may lie, what may stand on it. ``swarm``
starts Locust with a folder that names the players, calls users by lines on standard input, and reads from the
folder the turns that were sent, and Locust's statistics. A failed request is retried; the time until it was
answered is in the statistics as AGAIN.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import time
from contextlib import suppress
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path
from typing import Any

import gevent
from gevent.fileobject import FileObject
from gevent.queue import Empty, Queue
from locust import FastHttpUser, events, task
from locust.contrib.fasthttp import FastResponse
from requests.cookies import create_cookie

from benchmarks.load.page_parser import OfferedForm, find_form, find_links, find_thumbnails, find_watch
from benchmarks.load.stack import HOST

PATIENCE = 90.0  # seconds until a user gives up
RETRY, LONGEST_WAIT = 1.0, 10.0  # seconds between two tries: unless the site asks for others, and at most
TO_BOARD, TO_CHOICE, TO_SEND = 8.0, 15.0, 20.0  # median seconds that people take, before they are scaled
SPREAD = 0.8  # of their logarithm
STEPS = 8  # maximum number of steps to a decision
FOLDER = Path(os.environ["LOAD_FOLDER"])
SETUP = json.loads((FOLDER / "setup").read_text())
LEDGER = (FOLDER / "ledger").open("a", buffering=1)
PEOPLE = SETUP["people"]
COMING = iter(enumerate(PEOPLE))
CALLS: dict[str, Queue[str]] = {person["name"]: Queue() for person in PEOPLE}
CALLS |= {person["email"]: CALLS[person["name"]] for person in PEOPLE}
THINK = SETUP["think"]  # times are multiplied by it
PAUSE = 60.0  # mean seconds from one visit to the next
DOUBLE_CLICKS, OLD_PAGES = 0.05, 0.02  # shares of turns sent
TALK, NEWS = 0.05, 0.5  # of visits; news also where there is nothing to do, as somebody stays for a moment
WITHOUT_SCRIPTS = 0.1  # of people


@events.init.add_listener
def listen_to_standard_input(**_: Any) -> None:
    gevent.spawn(follow_orders)


def follow_orders() -> None:
    """Call users to boards, by a line of JSON each; quit when standard input is closed."""
    for line in FileObject(0, "r"):
        person, board = json.loads(line)
        if person in CALLS:
            CALLS[person].put(board)
    os.kill(os.getpid(), signal.SIGTERM)


@events.spawning_complete.add_listener
def tell_of_users(**_: Any) -> None:
    (FOLDER / "spawned").touch()


@events.quitting.add_listener
def keep_statistics(environment: Any, **_: Any) -> None:
    """Save the statistics at the very end: users may take a while to finish."""
    events.quit.add_listener(lambda **_: write_statistics(environment))


def write_statistics(environment: Any) -> None:
    failures = [*environment.stats.serialize_errors().values()]
    raised = environment.runner.exceptions.values()
    exceptions = [f"{one['msg']} ({one['count']} times)\n{one['traceback']}" for one in raised]
    (FOLDER / "statistics").write_text(json.dumps({"failures": failures, "exceptions": exceptions}))


class Stuck(Exception):
    """The site failed at each retry."""


class SimulatedBrowser(FastHttpUser):
    """Browser with cookies, an IP address, a language, and retries."""

    abstract = True
    host = f"https://{HOST}"
    network_timeout = connection_timeout = 30.0

    def enter(self, number: int, cookies: dict[str, str]) -> None:
        """Begin to browse from the IP address with this *number*, with these *cookies*."""
        self.headers = {
            "Host": HOST,
            "Origin": f"https://{HOST}",
            "X-Forwarded-Proto": "https",
            "X-Forwarded-For": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}",
            "Accept-Encoding": "gzip",
            "Accept-Language": "en",
            "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
        }
        self.client.cookiejar.clear()
        # A proxy would speak HTTPS.
        self.client.cookiejar.set_policy(DefaultCookiePolicy(secure_protocols=("http",)))
        for name, value in cookies.items():
            self.client.cookiejar.set_cookie(create_cookie(name, value, domain="127.0.0.1"))

    def ask(
        self, kind: str, path: str, data: dict[str, str] | None = None, *, part: str = "", page: str = ""
    ) -> FastResponse:
        """Send a request, with retries; with *part* as htmx does for that target on the *page* shown.

        :raises Stuck: it kept failing
        """
        method = "POST" if data else "GET"
        more = {"HX-Request": "true", "HX-Target": part, "HX-Current-URL": f"https://{HOST}{page}"}
        began = time.monotonic()
        for tries in itertools.count():
            with self.client.request(
                method,
                f"http://127.0.0.1:{SETUP['port']}{path}",
                name=kind,
                data=data,
                headers=self.headers | more if part else self.headers,
                allow_redirects=False,
                catch_response=True,
            ) as answer:
                answered = 0 < answer.status_code < 500
                if method == "POST" and answered:
                    answer.success()  # turns may be refused
            seconds = time.monotonic() - began
            if answered:
                if tries:
                    self.environment.events.request.fire(
                        request_type="AGAIN",
                        name=kind,
                        response_time=1000 * seconds,
                        response_length=0,
                        exception=None,
                        context={},
                    )
                return answer
            if seconds > PATIENCE:
                raise Stuck(f"{kind}: {answer.status_code}")
            wait = float((answer.headers or {}).get("Retry-After", RETRY))
            gevent.sleep(min(wait, LONGEST_WAIT))
        raise AssertionError


class SimulatedPlayer(SimulatedBrowser):
    """Signed-in player who visits at random or waits to be called."""

    def on_start(self) -> None:
        window, known = next(COMING)
        self.name, self.by_mail = known["name"], known["by_mail"]
        self.chance = random.Random(f"{self.name} {window}")
        self.scripts = self.chance.random() >= WITHOUT_SCRIPTS
        self.old: dict[str, OfferedForm] = {}  # by game: a turn that was sent before
        self.seen: set[str] = set()  # pictures that the browser keeps
        self.enter(known["number"], known["cookies"])
        if not self.by_mail:
            gevent.sleep(self.chance.random() * PAUSE * THINK)

    def wait_time(self) -> float:
        return 0.0 if self.by_mail else self.chance.expovariate(1 / PAUSE) * THINK

    def take_time(self, median: float) -> None:
        gevent.sleep(self.chance.lognormvariate(0, SPREAD) * median * THINK)

    # ------------------------------------------------------------------------------------ visits

    @task
    def visit(self) -> None:
        if self.by_mail:
            self.answer_calls()
        else:
            self.look_in()

    def answer_calls(self) -> None:
        """Follow links of mails until none came for a second, so that Locust can stop waiting users."""
        with suppress(Empty):
            while True:
                board = CALLS[self.name].get(timeout=1)
                self.take_time(TO_BOARD)
                self.play(board)

    def look_in(self) -> None:
        """Open one's games, and play where it is one's turn."""
        mine = self.ask("my games", "/games/").content
        for picture in find_thumbnails(mine):
            if picture not in self.seen:
                self.seen.add(picture)
                self.ask("small picture", picture)
        boards = [link for link in find_links(mine, "button whole") if link.startswith("/g/")]
        if boards:
            self.take_time(TO_BOARD)
            self.play(self.chance.choice(boards))

    def play(self, board: str) -> None:
        """Open the board, and if it is one's turn there, compose a turn and send it."""
        form = self.compose(board)
        if form is None:
            return
        self.take_time(TO_SEND)
        old = self.old.get(board)
        is_old = old is not None and old.fields["version"] != form.fields["version"]
        if old is not None and is_old and self.chance.random() < OLD_PAGES:
            self.send_old(board, old, form)
        self.send(board, form)
        self.old[board] = form

    def compose(self, board: str) -> OfferedForm | None:
        """Compose a turn by following the page's links; ``None`` if it isn't one's turn."""
        page = self.ask("board", board).content
        if self.chance.random() < TALK:
            self.say(board, page)
        marks = find_links(page, "mark")
        if not marks:
            self.look_for_news(board, page)
            return None
        self.take_time(TO_CHOICE)
        step = self.step(board, self.chance.choice(marks))
        form, ways = find_form(step, "/play/", with_field="line"), self.find_ways(step)
        for _ in range(STEPS):
            if not ways or (form is not None and self.chance.random() < 0.8):
                break
            self.take_time(TO_CHOICE / 3)
            step = self.step(board, self.chance.choice(ways))
            form, ways = find_form(step, "/play/", with_field="line"), self.find_ways(step)
        return form  # none if it was played in another window, or left for another time

    def find_ways(self, step: bytes) -> list[str]:
        """The next steps: figures and places on the tile, or another rotation of it."""
        placed = find_links(step, "spot") + find_links(step, "choice")[:1]
        return placed + (find_links(step, "turn") if self.chance.random() < 0.2 else [])

    def step(self, board: str, address: str) -> bytes:
        """Load the next step of a turn: with scripts only its part of the page."""
        address = board + address if address.startswith("?") else address
        return self.ask("step", address, part="turn" if self.scripts else "", page=board).content

    # ------------------------------------------------------------------------------------ sending

    def send(self, board: str, form: OfferedForm) -> None:
        """Send a turn, perhaps by a double click, and load the page after it."""
        part = "table" if self.scripts else ""
        clicks = [
            gevent.spawn(self.ask, "turn", form.address, form.fields, part=part, page=board)
            for _click in range(2 if self.chance.random() < DOUBLE_CLICKS else 1)
        ]
        said = "unknown"  # if it fails, or if Locust stops its user
        try:
            gevent.joinall(clicks, raise_error=True)
            answer = max((click.value for click in clicks), key=lambda one: one.status_code)
            said = "accepted" if is_played(answer) else "refused"
        finally:
            one = (board.split("/")[2], self.name, int(form.fields["version"]), form.fields["line"], said)
            print(json.dumps(one), file=LEDGER)
        if said == "refused":
            return
        if answer.status_code == 302:
            answer = self.ask("board after", answer.headers["Location"])
        self.look_for_news(board, answer.content)

    def send_old(self, board: str, old: OfferedForm, present: OfferedForm) -> None:
        """Send the present turn with the version of an old page, which must be refused."""
        fields = present.fields | {"version": old.fields["version"]}
        if is_played(self.ask("old turn", present.address, fields, part="table", page=board)):
            raise AssertionError(f"{fields}: an old page was accepted")

    def look_for_news(self, board: str, page: bytes) -> None:
        """Poll for news once, as the page does every minute, if one stays for a moment."""
        address = find_watch(page)
        if address is not None and self.chance.random() < NEWS:
            self.ask("news", address, part="table", page=board)

    def say(self, board: str, page: bytes) -> None:
        form = find_form(page, "/talk/")
        if form is not None:
            text = self.chance.choice(("Good luck!", "Well played.", "I am away on Sunday."))
            self.ask("talk", form.address, form.fields | {"text": text}, part="talk-lines", page=board)


def is_played(answer: FastResponse) -> bool:
    """Return whether a turn was accepted: only then htmx gets another URL."""
    return answer.status_code == 302 or (answer.status_code == 200 and "HX-Push-Url" in answer.headers)
