"""Response time of the lobby while many sign in at once: ``python -m benchmarks.signing_in``.

Starts a site of its own as ``make run`` does, posts passwords on CONNECTIONS connections without a pause,
each from a network of its own so that no limit stops them, and reads the lobby meanwhile from another one.
"""

from __future__ import annotations

import argparse
import http.client
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from threading import Event, Thread
from urllib.parse import urlencode

HERE = Path(__file__).parents[1]
CONNECTIONS = 16
CEILING = 2.0  # seconds for the slowest lobby page


def main(arguments: list[str]) -> bool:
    """Measure and print; return whether the slowest page stayed under the ceiling."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=CONNECTIONS)
    parser.add_argument("--seconds", type=float, default=20.0)
    asked = parser.parse_args(arguments)
    with _site() as port:
        alone, _statuses = _measure(port, 0, 3.0)
        beside, statuses = _measure(port, asked.connections, asked.seconds)
    _say("alone", alone)
    _say(f"beside {asked.connections} that sign in", beside)
    print(f"signing in {dict(sorted(statuses.items()))} answers by status in {asked.seconds:.0f} s")
    return max(beside) <= CEILING


def _say(name: str, seconds: list[float]) -> None:
    print(
        f"lobby {name}: {median(seconds) * 1000:.0f} ms in the middle, {max(seconds) * 1000:.0f} ms"
        f" at worst, {len(seconds)} pages (ceiling {CEILING:.0f} s)"
    )


def _measure(port: int, connections: int, seconds: float) -> tuple[list[float], Counter[int]]:
    """Return the seconds of each lobby page while so many sign in, and the statuses of the sign-ins."""
    over, statuses, took = Event(), Counter[int](), list[float]()
    crowd = [Thread(target=_sign_in, args=(port, number, over, statuses)) for number in range(connections)]
    for one in crowd:
        one.start()
    time.sleep(2.0 if crowd else 0.0)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.monotonic()
        status, _headers, _body = _ask(port, "GET", "/", "198.51.100.9")
        assert status == 200, status
        took.append(time.monotonic() - began)
        time.sleep(0.1)
    over.set()
    for one in crowd:
        one.join()
    return took, statuses


def _sign_in(port: int, number: int, over: Event, statuses: Counter[int]) -> None:
    network = f"203.0.{number}.7"
    _status, headers, body = _ask(port, "GET", "/account/login/", network)
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', body)
    assert token is not None
    cookie = headers["Set-Cookie"].split(";")[0]
    at = 0
    while not over.is_set():
        at += 1
        form = {
            "csrfmiddlewaretoken": token[1],
            "login": f"{number}.{at}@example.org",
            "password": "seven tiles",
        }
        network = f"203.{at % 250}.{number}.7"
        statuses[_ask(port, "POST", "/account/login/", network, urlencode(form), cookie)[0]] += 1


def _ask(
    port: int, method: str, path: str, network: str, body: str | None = None, cookie: str = ""
) -> tuple[int, http.client.HTTPMessage, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    headers = {"X-Forwarded-For": network, "Cookie": cookie}
    if body is not None:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, answer.headers, text


@contextmanager
def _site() -> Iterator[int]:
    """Run a temporary site; yields its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="carcassonne-signing-in-") as folder:
        environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
        environment |= {"DATA_DIR": folder, "DEBUG": "1", "TRUSTED_PROXIES": "1", "LOG_LEVEL": "ERROR"}
        environment |= {"DATABASE_URL": f"sqlite:///{folder}/carcassonne.sqlite3", "REDIS_URL": ""}
        serve = [sys.executable, "manage.py", "serve", "--without-demo", "--port", str(port)]
        server = subprocess.Popen(serve, cwd=HERE, env=environment, stdout=subprocess.DEVNULL)
        try:
            _wait_for(port)
            yield port
        finally:
            server.terminate()
            server.wait()


def _wait_for(port: int) -> None:
    until = time.monotonic() + 300
    while time.monotonic() < until:
        with suppress(OSError):
            if _ask(port, "GET", "/-/live/", "127.0.0.1")[0] == 200:
                return
        time.sleep(0.2)
    raise TimeoutError("The site did not start")


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
