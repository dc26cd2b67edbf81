"""Tests that the site responds while fifty unfinished requests of each kind are open, alone and behind
proxies.

The web processes are started as the unit of systemd starts them.
"""

from __future__ import annotations

import http.client
import os
import re
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from benchmarks.load.stack import answers, free_port, until
from tests.carcassonne.local.processes import processes
from tests.deploy.proxy_helpers import Proxy

pytestmark = pytest.mark.slow  # it starts sites and proxies, and waits for time limits
ROOT = Path(__file__).parents[2]
UNIT = ROOT / "deploy" / "systemd" / "carcassonne-web@.service"
SLOW = 50
BODY_SECONDS = 10  # a held site answers only when the slow ones have given up
PAGE = "/account/login/"
FORM = "Content-Type: application/x-www-form-urlencoded"
LARGE = max((ROOT / "static").rglob("*.svg"), key=lambda file: file.stat().st_size)

HEADERS = f"GET {PAGE} HTTP/1.1\r\nHost: localhost\r\nX-Unfinished: "
BODY = f"POST {PAGE} HTTP/1.1\r\nHost: localhost\r\n{FORM}\r\nContent-Length: 4000\r\n\r\nlogin=a"
READER = f"GET /static/{LARGE.relative_to(ROOT / 'static')} HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Site(NamedTuple):
    port: int
    tls: bool

    def connect(self, *, reads_slowly: bool = False) -> socket.socket:
        connection = socket.socket()
        if reads_slowly:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.settimeout(20)
        connection.connect(("127.0.0.1", self.port))
        if self.tls:
            return ssl._create_unverified_context().wrap_socket(connection)
        return connection

    def ask(self) -> int:
        """Load a page; return its status."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.sock = self.connect()
        connection.request("GET", PAGE, headers={"Host": "localhost"})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status


@contextmanager
def web(folder: Path) -> Iterator[int]:
    """Run a web process with a database of its own; yields its port."""
    port = free_port()
    (line,) = re.findall(r"^ExecStart=\S+/granian (.+)$", UNIT.read_text(), re.MULTILINE)
    options = shlex.split(line.replace("${WEB_HOST}", "127.0.0.1").replace("%i", str(port)))
    env = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(folder / "data"),
        "PORT": str(port),
        "SITE_URL": f"http://localhost:{port}",
        "BODY_SECONDS": str(BODY_SECONDS),
        "LOG_LEVEL": "ERROR",
    }
    for step in ("migrate", "createcachetable"):
        subprocess.run([sys.executable, "manage.py", step, "-v0"], cwd=ROOT, env=env, check=True)
    command = [sys.executable, "-m", "granian", *options]
    process = subprocess.Popen(command, cwd=ROOT, env=env, start_new_session=True)
    try:
        until(lambda: answers(port), 60, "the web process")
        yield port
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with web(tmp_path_factory.mktemp("web")) as port:
        site = Site(port, tls=False)
        assert site.ask() == 200
        yield site


@pytest.fixture(params=["alone", "nginx", "caddy"])
def site(request: pytest.FixtureRequest, alone: Site, tmp_path: Path) -> Iterator[Site]:
    if request.param == "alone":
        yield alone
        return
    if shutil.which(request.param) is None or shutil.which("openssl") is None:
        pytest.skip(f"{request.param} is not installed")
    proxy = Proxy(request.param, tmp_path, ports=(alone.port, alone.port), host="localhost")
    yield Site(proxy.port, proxy.tls)
    proxy.stop()


def waits_for_more(connection: socket.socket) -> bool:
    """Return whether nothing has come on *connection*, nor its end."""
    connection.setblocking(False)
    try:
        connection.recv(1)
    except (BlockingIOError, ssl.SSLWantReadError):
        return True
    return False


KINDS = {"headers": (HEADERS, False), "bodies": (BODY, False), "readers": (READER, True)}


@pytest.mark.parametrize("kind", [*KINDS, "all together"])
def test_the_site_answers_while_fifty_requests_are_unfinished(site: Site, kind: str) -> None:
    """The answer waits for none of them: they are still unfinished after it."""
    kinds = list(KINDS.values()) if kind == "all together" else [KINDS[kind]]
    unfinished: list[socket.socket] = []
    with ExitStack() as held:
        for number in range(SLOW):
            text, reads_slowly = kinds[number % len(kinds)]
            connection = held.enter_context(site.connect(reads_slowly=reads_slowly))
            connection.sendall(text.encode())
            if not reads_slowly:
                unfinished.append(connection)
        time.sleep(0.5)
        assert [site.ask() for _ in range(10)] == [200] * 10
        assert all(map(waits_for_more, unfinished))


def test_a_body_that_does_not_come_is_answered_408_and_the_connection_closed(alone: Site) -> None:
    with alone.connect() as connection:
        connection.sendall(BODY.encode())
        answer = b""
        while more := connection.recv(4096):
            answer += more
        assert answer.startswith(b"HTTP/1.1 408 ")


def test_drops_of_a_body_do_not_prolong_its_time(alone: Site) -> None:
    with alone.connect() as connection:
        begun = time.monotonic()
        connection.sendall(BODY.encode())
        connection.settimeout(0.5)
        answer = b""
        while not answer and time.monotonic() - begun < 3 * BODY_SECONDS:
            connection.send(b"b")
            try:
                answer = connection.recv(4096)
            except TimeoutError:
                continue
        assert answer.startswith(b"HTTP/1.1 408 ")


def test_headers_that_do_not_end_are_cut_off(alone: Site) -> None:
    with alone.connect() as connection:
        connection.sendall(HEADERS.encode())
        assert connection.recv(4096) == b""


def test_a_worker_ends_with_the_main_process_that_was_killed(tmp_path: Path) -> None:
    """It would go on listening, beside the one that is started next."""
    with web(tmp_path) as port:
        ours = [process for process in processes() if f"--port {port} " in process.command]
        (main,) = [process.pid for process in ours if process.pid == process.group]
        os.kill(main, signal.SIGKILL)
        until(lambda: not answers(port), 15, "the worker")


def test_a_body_that_comes_in_pieces_is_read_whole(alone: Site) -> None:
    form = b"language=sk&next=/"
    with alone.connect() as connection:
        head = f"POST /language/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(form)}\r\n"
        connection.sendall(f"{head}{FORM}\r\n\r\n".encode())
        for at in range(len(form)):
            connection.sendall(form[at : at + 1])
            time.sleep(0.02)
        answer = connection.recv(65536)
        assert b" 403 " in answer.split(b"\r\n")[0]  # whole, but without the token of a form of ours
