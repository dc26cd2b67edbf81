"""Memory of `make run`: ``python -m benchmarks.memory``.

Starts ``manage.py serve`` in a folder of its own, signs in, plays against the bot, opens pages, and adds up
the memory of its processes: proportional (PSS, which counts shared pages once) and resident (RSS, which
counts them in each process). Both must stay under 400 MB.

Needs Linux (``/proc``). For the growth of a web worker's memory see ``benchmarks/load/memory.py``.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from http.cookiejar import CookieJar
from pathlib import Path
from random import Random
from urllib.parse import urlencode, urljoin, urlsplit
from urllib.request import HTTPCookieProcessor, Request, build_opener

BOUND = 400  # MB, of all processes
TURNS = 12
PAGES = ("/", "/rules/", "/games/", "/lobby/", "/archive/", "/players/", "/players/anna/", "/new/", "/time/")
PAGES += ("/leagues/", "/ratings/", "/conduct/", "/account/settings/")
HERE = Path(__file__).resolve().parents[1]
PERSON = {"login": "anna@example.org", "password": "carcassonne"}  # of the demo


class Page(HTMLParser):
    """Links of a board that compose a turn, and forms with their fields."""

    def __init__(self, address: str, html: str) -> None:
        super().__init__()
        self.address, self.html = address, html
        self.steps: list[str] = []
        self.forms: list[tuple[str, dict[str, str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append((urljoin(self.address, of.get("action", "")), {}))
        elif tag in ("input", "button") and self.forms and of.get("name"):
            self.forms[-1][1].setdefault(of["name"], of.get("value", ""))
        elif {"mark", "choice", "turn"} & set(of.get("class", "").split()):
            self.steps.append(urljoin(self.address, of.get("href") or of.get("xlink:href") or "#"))

    def form(self, ending: str) -> tuple[str, dict[str, str]] | None:
        """Return the first form whose path has this *ending*."""
        return next((form for form in self.forms if urlsplit(form[0]).path.endswith(ending)), None)


class Visitor:
    """A browser without scripts."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.opener = build_opener(HTTPCookieProcessor(CookieJar()))
        self.requests = 0

    def open(self, address: str, data: dict[str, str] | None = None) -> Page:
        """Open the page at *address*, following redirects; with *data*, send a form.

        :raises HTTPError: the response is an error
        """
        self.requests += 1
        body = None if data is None else urlencode(data).encode()
        address = urljoin(self.site, address)
        with self.opener.open(Request(address, body, {"Referer": address}), timeout=60) as answer:
            return Page(answer.url, answer.read().decode(errors="replace"))

    def sign_in(self) -> None:
        address = "/account/login/"
        form = self.open(address).form(address)
        assert form is not None
        self.open(address, {**form[1], **PERSON})

    def play(self, game: str, chance: Random) -> bool:
        """Compose a turn by following links, and send it. Return whether there was one."""
        page = self.open(game)
        for _ in range(8):
            form = page.form("/play/")
            if form is not None and form[1].get("line"):
                self.open(*form)
                return True
            if not page.steps:
                return False
            page = self.open(chance.choice(page.steps))
        return False


def main() -> bool:
    """Measure and print; return whether the bound holds."""
    with tempfile.TemporaryDirectory(prefix="carcassonne-memory-") as folder:
        port = _free_port()
        site = _start(Path(folder), port)
        try:
            visitor = Visitor(f"http://localhost:{port}")
            _wait_for(visitor)
            _play(visitor)
            time.sleep(5)  # mails are written, the beat ticks
            return _total(site.pid) <= BOUND
        finally:
            site.send_signal(signal.SIGINT)
            site.wait(30)


def _start(folder: Path, port: int) -> subprocess.Popen[bytes]:
    """Start ``manage.py serve`` with default settings, whatever the environment sets."""
    of_ours = r"DATABASE_URL|REDIS_URL|SITE_URL|EMAIL_URL|ALLOWED_HOSTS|STATIC_ROOT|SECRET_KEY|DJANGO_.*"
    environment = {name: value for name, value in os.environ.items() if not re.fullmatch(of_ours, name)}
    environment |= {"DATA_DIR": str(folder), "DEBUG": "1", "NOTICE_PAUSE_SECONDS": "1", "SWEEP_SECONDS": "2"}
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    return subprocess.Popen(command, cwd=HERE, env=environment, stdout=subprocess.DEVNULL)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(visitor: Visitor) -> None:
    end = time.monotonic() + 120
    while True:
        try:
            visitor.open("/")
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.5)


def _play(visitor: Visitor) -> None:
    visitor.sign_in()
    chance = Random(7)
    game = re.search(r'href="(/g/[^/"]+/)', visitor.open("/games/").html)
    assert game is not None
    played, end = 0, time.monotonic() + 120
    while played < TURNS and time.monotonic() < end:
        if visitor.play(game[1], chance):
            played += 1
        else:
            time.sleep(0.2)  # the bot thinks
    assert played == TURNS, f"only {played} turns: the bot does not answer"
    for page in PAGES:
        visitor.open(page)


def _total(root: int) -> float:
    """Print the memory of each process; return the sum in MB, by the larger of both counts."""
    shares = []
    for pid in _tree(root):
        rss, pss = _memory(pid)
        shares.append((rss, pss))
        command = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
        print(f"memory    {pss:6.0f} MB PSS {rss:6.0f} MB RSS  {_name(command)}")
    rss, pss = (sum(values) for values in zip(*shares, strict=True))
    print(f"memory    {pss:6.0f} MB PSS {rss:6.0f} MB RSS  in all, at most {BOUND}")
    return max(pss, rss)


def _name(command: str) -> str:
    return next((name for name in ("processes", "granian", "local.worker") if name in command), command[:60])


def _tree(root: int) -> Iterator[int]:
    yield root
    for children in Path(f"/proc/{root}/task").glob("*/children"):
        for child in children.read_text().split():
            yield from _tree(int(child))


def _memory(pid: int) -> tuple[float, float]:
    """RSS and PSS in MB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text()
    kilobytes = dict(re.findall(r"^(Rss|Pss):\s+(\d+)", lines, re.M))
    return int(kilobytes["Rss"]) / 1024, int(kilobytes["Pss"]) / 1024


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
