"""What browsers do, for as little processor time as can be: connections that stay open, cookies, headers of
htmx; and reading out of a page what it offers."""

from __future__ import annotations

import gzip
import html
import http.client
import itertools
import re
import threading
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlencode

from benchmarks.load.stack import HOST

SECONDS = 30.0  # that an answer may take
PATIENCE = 90.0  # seconds in which somebody tries again
RETRY = 1.0  # seconds between two tries
LONGEST_WAIT = 10.0  # seconds, whatever the site asks for

LINKS = {
    name: re.compile(rf'<a\b(?=[^>]*\bclass="{name}")[^>]*?\bhref="([^"]+)"'.encode())
    for name in ("mark", "choice", "spot", "turn", "button whole")
}
FORM = re.compile(rb'<form\b[^>]*\baction="([^"]+)"[^>]*>(.*?)</form>', re.DOTALL)
HIDDEN = re.compile(rb'<input type="hidden" name="(\w+)" value="([^"]*)"')
OF_GAME = re.compile(r"/(?:desk/)?g/([^/]+)/")
WATCH = re.compile(rb'<div id="watch"[^>]*\bhx-get="([^"]+)"')


class Form(NamedTuple):
    """Where it is sent, and what stands in it without anybody writing."""

    address: str
    fields: dict[str, str]


class Answer(NamedTuple):
    """What came back. Addresses are as they stand on the page."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def links(self, name: str) -> list[str]:
        """Where the links of a class lead."""
        return [_text(address) for address in LINKS[name].findall(self.body)]

    def form(self, end: str, *, with_field: str = "") -> Form | None:
        """The first form whose address has this *end*, with a hidden field of this name."""
        for address, inside in FORM.findall(self.body):
            if address.endswith(end.encode()):
                fields = {_text(name): _text(value) for name, value in HIDDEN.findall(inside)}
                if not with_field or with_field in fields:
                    return Form(_text(address), fields)
        return None

    def watch(self) -> str | None:
        """Where the page asks for news."""
        found = WATCH.search(self.body)
        return _text(found[1]) if found else None


def _text(raw: bytes) -> str:
    return html.unescape(raw.decode())


class Away(Exception):
    """The site couldn't be reached, or broke off."""


class Stuck(Exception):
    """However often it was tried, the site failed."""


class Mended(NamedTuple):
    """A request that failed at first: what was asked, how it failed each time, and after how many seconds of
    trying again it was answered."""

    kind: str
    failures: tuple[str, ...]
    seconds: float


@dataclass
class Tally:
    """What was asked, and how it went. Threads share it."""

    latencies: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    """Answers of 500 and more, and connections that broke, by what was asked; each was tried again."""
    mended: list[Mended] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    """What went on failing for as long as somebody has patience, or until all was over."""
    strange: list[str] = field(default_factory=list)
    """What no page should have done: a refused legal turn, a page without its form."""

    def requests(self) -> int:
        """How many answers came since it was cleared."""
        return sum(self.statuses.values())

    def clear(self) -> None:
        """Begin to measure anew; what must never happen is not forgotten."""
        self.latencies.clear()
        self.statuses.clear()


class Site:
    """The *ports* on which the site listens; each thread has connections of its own. As the proxies of
    ``deploy/proxy`` do, all that is about one game is asked of the same, anything else of any."""

    def __init__(self, *ports: int) -> None:
        self.ports = ports
        self.tally = Tally()
        self.stopping = threading.Event()
        self._turn = itertools.count()
        self._own = threading.local()

    def port(self, path: str) -> int:
        """Of whom that is asked."""
        of_game = OF_GAME.match(path)
        goes_by = zlib.crc32(of_game[1].encode()) if of_game else next(self._turn)
        return self.ports[goes_by % len(self.ports)]

    def connection(self, port: int, number: int = 0) -> http.client.HTTPConnection:
        """The thread's connection to that port; *number* 1 for what is asked at the same time."""
        kept: dict[str, http.client.HTTPConnection] = self._own.__dict__
        name = f"connection{number} {port}"
        if name not in kept:
            kept[name] = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
        return kept[name]


class Browser:
    """One person's browser: cookies, the address from which it comes, its language, and patience."""

    def __init__(
        self, site: Site, number: int, cookies: Mapping[str, str] | None = None, *, language: str = "en"
    ) -> None:
        self.site, self.language = site, language
        self.cookies = dict(cookies or {})
        self.address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"

    def get(self, kind: str, path: str, *, part: str = "", page: str = "") -> Answer:
        """Ask for a page; with *part* as htmx does, for what goes there, on the *page* that is shown."""
        headers = self._headers(part, page)
        return self._patiently(kind, lambda: self._ask(kind, "GET", path, None, headers))

    def post(self, kind: str, form: Form, *, part: str = "", page: str = "", twice: bool = False) -> Answer:
        """Send a form; *twice* at once, as by a double click. Gives the last answer."""
        body = urlencode(form.fields).encode()
        headers = self._headers(part, page) | {
            "Content-Type": "application/x-www-form-urlencoded",
            "Origin": f"https://{HOST}",
        }
        if twice:
            return self._patiently(kind, lambda: self._ask_twice(kind, form.address, body, headers))
        return self._patiently(kind, lambda: self._ask(kind, "POST", form.address, body, headers))

    def _headers(self, part: str, page: str) -> dict[str, str]:
        headers = {
            "Host": HOST,
            "X-Forwarded-Proto": "https",
            "X-Forwarded-For": self.address,
            "Accept-Encoding": "gzip",
            "Accept-Language": self.language,
            "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
        }
        if part:
            headers |= {"HX-Request": "true", "HX-Target": part, "HX-Current-URL": f"https://{HOST}{page}"}
        return headers

    def _patiently(self, kind: str, ask: Callable[[], Answer]) -> Answer:
        """Try again for as long as the site is away or fails, as people do; when it says so, if it says when.

        :raises Stuck: it went on failing
        """
        began = time.monotonic()
        failures: list[str] = []
        while True:
            wait = RETRY
            try:
                answer = ask()
                failed = str(answer.status) if answer.status >= 500 else ""
                wait = float(answer.headers.get("Retry-After", RETRY)) if failed else RETRY
            except Away as away:
                failed = str(away)
            tried = time.monotonic() - began
            if not failed:
                if failures:
                    self.site.tally.mended.append(Mended(kind, tuple(failures), tried))
                return answer
            failures.append(failed)
            self.site.tally.failures[f"{kind}: {failed}"] += 1
            if tried > PATIENCE or self.site.stopping.is_set():
                self.site.tally.stuck.append(f"{kind}: {failed}")
                raise Stuck(kind)
            time.sleep(min(wait, LONGEST_WAIT))

    def _ask(self, kind: str, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        began = time.perf_counter()
        connection = self.site.connection(self.site.port(path))
        self._send(connection, method, path, body, headers)
        answer = self._receive(connection)
        self._note(kind, answer, began)
        return answer

    def _ask_twice(self, kind: str, path: str, body: bytes, headers: dict[str, str]) -> Answer:
        began = time.perf_counter()
        port = self.site.port(path)
        connections = [self.site.connection(port, number) for number in (0, 1)]
        answers = []
        try:
            for connection in connections:
                self._send(connection, "POST", path, body, headers)
            for connection in connections:
                answers.append(self._receive(connection))
                self._note(kind, answers[-1], began)
        except Away:
            for connection in connections:  # an answer may still be on its way
                connection.close()
            raise
        return max(answers, key=lambda answer: answer.status)  # both must be well

    def _send(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        body: bytes | None,
        headers: dict[str, str],
    ) -> None:
        try:
            connection.request(method, path, body, headers)
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise Away(type(error).__name__) from error

    def _receive(self, connection: http.client.HTTPConnection) -> Answer:
        try:
            response = connection.getresponse()
            body = response.read()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise Away(type(error).__name__) from error
        for cookie in response.headers.get_all("Set-Cookie", ()):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        if response.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        return Answer(response.status, response.headers, body)  # type: ignore[arg-type]

    def _note(self, kind: str, answer: Answer, began: float) -> None:
        tally = self.site.tally
        tally.latencies[kind].append(time.perf_counter() - began)
        tally.statuses[kind, answer.status] += 1
