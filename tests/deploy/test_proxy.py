"""Tests of the examples of proxies, with the proxies that are installed."""

import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.proxy_helpers import DEPLOY, Proxy, RecordingServer

pytestmark = pytest.mark.slow  # it starts proxies and servers, and stops them

GAMES = [f"game{number}" for number in range(30)]


@pytest.fixture(params=["nginx", "caddy"])
def proxy(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Proxy]:
    if shutil.which(request.param) is None or shutil.which("openssl") is None:
        pytest.skip(f"{request.param} is not installed")
    begun = Proxy(request.param, tmp_path)
    yield begun
    begun.stop()


def test_requests_go_to_both_processes(proxy: Proxy) -> None:
    for _ in range(40):
        assert proxy.ask("/lobby/", **{"X-Request-ID": "1"}) == 200
    assert proxy.answered()["/lobby/"] == {0, 1}
    assert proxy.ask("/-/ready/") == 404


def test_where_a_process_is_away_the_other_answers(proxy: Proxy) -> None:
    """And what was sent to play a turn is sent once."""
    proxy.webs[0].stop()
    for game in GAMES:
        assert proxy.ask(f"/g/{game}/") == 200
        assert proxy.ask(f"/g/{game}/play/", "POST") == 200
    played = [path for method, path in proxy.webs[1].asked if method == "POST"]
    assert played == [f"/g/{game}/play/" for game in GAMES]


def test_processes_that_are_restarted_one_after_the_other_are_never_both_away(proxy: Proxy) -> None:
    """The first is asked again by the time that a release restarts the second."""
    waits = re.search(r"^settled=(\d+)$", (DEPLOY / "release").read_text(), re.MULTILINE)
    assert waits, "what the release waits after each"
    first, second = proxy.webs
    first.stop()
    for game in GAMES:
        assert proxy.ask(f"/g/{game}/") == 200
    time.sleep(3)  # Caddy asks every two seconds who is ready
    proxy.webs[0] = RecordingServer(first.server_port)
    time.sleep(int(waits[1]))
    second.stop()
    for game in GAMES:
        assert proxy.ask(f"/g/{game}/") == 200
