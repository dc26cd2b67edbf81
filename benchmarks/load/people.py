"""People who play by correspondence: some look in now and then, others come when a mail calls them.

Nobody knows more than the pages say: whose turn it is, where the tile may lie, what may stand on it. Each
visit is a generator that gives the seconds until it goes on, so that a few threads carry thousands.
"""

from __future__ import annotations

import heapq
import itertools
import random
import re
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from benchmarks.load.browser import Answer, Browser, Form, Site, Stuck

TO_BOARD, TO_CHOICE, TO_SEND = 8.0, 15.0, 20.0  # median seconds that people take, before they are scaled
SPREAD = 0.8  # of their logarithm
STEPS = 8  # after which somebody goes without having decided
THUMBNAIL = re.compile(rb'<img class="thumbnail" src="([^"]+)"')


@dataclass
class Habits:
    """How people behave. Shares are of turns sent, times are multiplied by ``think``."""

    think: float = 1.0
    pause: float = 60.0  # mean seconds from one visit to the next
    double_clicks: float = 0.05
    old_pages: float = 0.02  # sent from a page that was left open
    talk: float = 0.05
    news: float = (
        0.5  # of visits that find nothing to do, and of turns after which somebody stays for a moment
    )
    without_scripts: float = 0.1  # of people


@dataclass(frozen=True)
class Sent:
    """A turn as it was sent, and what the site said: ``accepted``, ``refused``, or nothing (``unknown``)."""

    code: str
    person: str
    version: int
    line: str
    said: str


@dataclass
class Ledger:
    """What everybody sent."""

    sent: list[Sent] = field(default_factory=list)
    accept: Callable[[str, str], None] | None = None
    """Who is told of each accepted turn: the code of its game, and who played it."""

    def note(self, one: Sent) -> None:
        self.sent.append(one)
        if one.said == "accepted" and self.accept is not None:
            self.accept(one.code, one.person)

    def accepted(self) -> int:
        return sum(one.said == "accepted" for one in self.sent)

    def refused(self) -> list[Sent]:
        """Turns that were refused, though nobody had sent another from the same board in a second window."""
        accepted = {(one.code, one.version, one.person) for one in self.sent if one.said == "accepted"}
        refused = [one for one in self.sent if one.said == "refused"]
        return [one for one in refused if (one.code, one.version, one.person) not in accepted]

    def to_json(self) -> list[dict[str, Any]]:
        return [asdict(one) for one in self.sent]


class Person:
    """One player, signed in."""

    def __init__(
        self, site: Site, ledger: Ledger, habits: Habits, number: int, known: Mapping[str, Any]
    ) -> None:
        self.name, self.email, self.by_mail = str(known["name"]), str(known["email"]), bool(known["by_mail"])
        self.site, self.ledger, self.habits = site, ledger, habits
        self.chance = random.Random(f"{self.name} {number}")
        self.browser = Browser(site, number, known["cookies"])
        self.scripts = self.chance.random() >= habits.without_scripts
        self.old: dict[str, Form] = {}  # by game: a turn that was sent before
        self.seen: set[str] = set()  # pictures that the browser keeps

    # ------------------------------------------------------------------------------------ visits

    def life(self) -> Iterator[float]:
        """Visits without end, as long apart as by chance."""
        yield self.chance.random() * self.habits.pause * self.habits.think
        while True:
            yield from self.visit()
            yield self.chance.expovariate(1 / self.habits.pause) * self.habits.think

    def visit(self) -> Iterator[float]:
        """Look at one's games, and play where one's turn is; look for news if it is nowhere."""
        try:
            mine = self.browser.get("my games", "/games/")
            for picture in THUMBNAIL.findall(mine.body):
                if picture.decode() not in self.seen:
                    self.seen.add(picture.decode())
                    self.browser.get("small picture", picture.decode())
            boards = [link for link in mine.links("button whole") if link.startswith("/g/")]
            if boards:
                yield self.takes(TO_BOARD)
                yield from self.play(self.chance.choice(boards))
        except Stuck:
            return

    def called(self, board: str) -> Iterator[float]:
        """A visit by the link of a mail."""
        yield self.takes(TO_BOARD)
        try:
            yield from self.play(board)
        except Stuck:
            return

    def play(self, board: str) -> Iterator[float]:
        """Open the board, and if it is one's turn there, put a turn together and send it."""
        form = yield from self.compose(board)
        if form is None:
            return
        yield self.takes(TO_SEND)
        old = self.old.get(board)
        is_old = old is not None and old.fields["version"] != form.fields["version"]
        if old is not None and is_old and self.chance.random() < self.habits.old_pages:
            self.send_old(board, old, form)
        self.send(board, form)
        self.old[board] = form

    def compose(self, board: str) -> Generator[float, None, Form | None]:
        """Open the board and put a turn together by following what the pages offer. Nothing if it isn't
        one's turn."""
        page = self.browser.get("board", board)
        if self.chance.random() < self.habits.talk:
            self.say(board, page)
        marks = page.links("mark")
        if not marks:
            if self.chance.random() < self.habits.news:
                self.look_for_news(board, page)
            return None
        yield self.takes(TO_CHOICE)
        step = self.step(board, self.chance.choice(marks))
        form, ways = step.form("/play/", with_field="line"), self.ways(step)
        for _ in range(STEPS):
            if not ways or (form is not None and self.chance.random() < 0.8):
                break
            yield self.takes(TO_CHOICE / 3)
            step = self.step(board, self.chance.choice(ways))
            form, ways = step.form("/play/", with_field="line"), self.ways(step)
        return form  # none if it was played in another window, or left for another time

    def ways(self, step: Answer) -> list[str]:
        """Where one may go on: what may stand on the tile and where, or another way for the tile to lie."""
        placed = step.links("spot") + step.links("choice")[:1]
        return placed + (step.links("turn") if self.chance.random() < 0.2 else [])

    def step(self, board: str, address: str) -> Answer:
        """The next step of a turn: with scripts only its part of the page."""
        address = board + address if address.startswith("?") else address
        return self.browser.get("step", address, part="turn" if self.scripts else "", page=board)

    # ------------------------------------------------------------------------------------ sending

    def send(self, board: str, form: Form) -> None:
        """Send a turn; the page after it is the answer, or where that leads."""
        twice = self.chance.random() < self.habits.double_clicks
        part = "table" if self.scripts else ""
        try:
            answer = self.browser.post("turn", form, part=part, page=board, twice=twice)
        except Stuck:
            self.note(board, form, "unknown")
            raise
        if answer.status == 302:
            self.note(board, form, "accepted")
            answer = self.browser.get("board after", answer.headers["Location"])
        elif _took(answer):
            self.note(board, form, "accepted")
        else:
            self.note(board, form, "refused")
            return
        if self.chance.random() < self.habits.news:
            self.look_for_news(board, answer)

    def send_old(self, board: str, old: Form, present: Form) -> None:
        """Send the present turn with the version of an old page, which must be refused."""
        fields = present.fields | {"version": old.fields["version"]}
        answer = self.browser.post("old turn", Form(present.address, fields), part="table", page=board)
        if answer.status == 302 or _took(answer):
            self.site.tally.strange.append(f"{fields}: an old page was answered with {answer.status}")

    def note(self, board: str, form: Form, said: str) -> None:
        version, line = int(form.fields["version"]), form.fields["line"]
        self.ledger.note(Sent(board.split("/")[2], self.name, version, line, said))

    def look_for_news(self, board: str, page: Answer) -> None:
        """What the page asks by itself every minute."""
        address = page.watch()
        if address is not None:
            self.browser.get("news", address, part="table", page=board)

    def say(self, board: str, page: Answer) -> None:
        form = page.form("/talk/")
        if form is not None:
            form.fields["text"] = self.chance.choice(("Good luck!", "Well played.", "I am away on Sunday."))
            self.browser.post("talk", form, part="talk-lines", page=board)

    def takes(self, median: float) -> float:
        """Seconds that somebody takes to think."""
        return self.chance.lognormvariate(0, SPREAD) * median * self.habits.think


def _took(answer: Answer) -> bool:
    """Whether htmx is told that a turn is played: only then the page has another address."""
    return answer.status == 200 and "HX-Push-Url" in answer.headers


class Crowd:
    """Everybody, carried by a few threads."""

    def __init__(self, site: Site, people: Sequence[Person], threads: int) -> None:
        self.site, self.people, self.threads = site, people, threads
        self.by_address = {person.email: person for person in people}
        self._due: list[tuple[float, int, Iterator[float]]] = []
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._quiet = False
        self._carriers: list[threading.Thread] = []

    def begin(self) -> None:
        """Let all begin who look in by themselves."""
        for person in self.people:
            if not person.by_mail:
                self.add(person.life())
        for _ in range(self.threads):
            carrier = threading.Thread(target=self._carry, daemon=True)
            carrier.start()
            self._carriers.append(carrier)

    def mail(self, address: str, board: str) -> None:
        """A mail with a link has come."""
        person = self.by_address.get(address)
        if person is not None and person.by_mail:
            self.add(person.called(board))

    def add(self, visit: Iterator[float], seconds: float = 0.0) -> None:
        with self._changed:
            if not self._quiet:
                heapq.heappush(self._due, (time.monotonic() + seconds, next(self._numbers), visit))
                self._changed.notify()

    def end(self, seconds: float) -> None:
        """Let nobody begin anything more; wait until those are done who wait for an answer."""
        with self._changed:
            self._quiet = True
            self._due.clear()
            self._changed.notify_all()
        for carrier in self._carriers:
            carrier.join(seconds)
        self.site.stopping.set()
        for carrier in self._carriers:
            carrier.join(60)

    def _carry(self) -> None:
        while (visit := self._next()) is not None:
            try:
                wait = next(visit)
            except StopIteration:
                continue
            except Exception:  # a fault of ours: the run goes on, and is told at its end
                self.site.tally.strange.append(traceback.format_exc())
                continue
            self.add(visit, wait)

    def _next(self) -> Iterator[float] | None:
        """What is due next, when it is due; nothing when all is over."""
        with self._changed:
            while not self._quiet:
                wait = self._due[0][0] - time.monotonic() if self._due else None
                if wait is not None and wait <= 0:
                    return heapq.heappop(self._due)[2]
                self._changed.wait(wait)
        return None
