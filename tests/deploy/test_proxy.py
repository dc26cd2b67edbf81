"""The examples of proxies, with the proxies themselves where they are installed: where they send what."""

import re
import shutil
import time
from collections import defaultdict
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


def test_all_that_is_about_a_game_goes_to_one_process_and_the_games_to_both(proxy: Proxy) -> None:
    for game in GAMES:
        for path in (f"/g/{game}/", f"/g/{game}/ply/3/", f"/desk/g/{game}/", f"/g/{game}/?since=1.2"):
            assert proxy.ask(path) == 200
        assert proxy.ask(f"/g/{game}/play/", "POST") == 200
    of_games = defaultdict(set)
    for path, processes in proxy.answered().items():
        of_games[path.split("/g/")[1].split("/")[0]] |= processes
    assert of_games.keys() == set(GAMES)
    assert all(len(processes) == 1 for processes in of_games.values())
    assert set.union(*of_games.values()) == {0, 1}


def test_anything_else_goes_to_any_whatever_a_visitor_says(proxy: Proxy) -> None:
    for _ in range(40):
        assert proxy.ask("/lobby/", **{"X-Game": "game1", "X-Request-ID": "1"}) == 200
    assert proxy.answered()["/lobby/"] == {0, 1}
    assert proxy.ask("/-/ready/") == 404


def test_where_a_process_is_away_the_other_answers_for_its_games(proxy: Proxy) -> None:
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
