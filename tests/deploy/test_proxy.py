"""The examples of proxies, with the proxies themselves where they are installed: where they send what."""

import http.client
import re
import shutil
import ssl
import subprocess
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from benchmarks.load.stack import answers, free_port, until

DEPLOY = Path(__file__).parents[2] / "deploy"
PROXIES = DEPLOY / "proxy"
HOST = "carcassonne.example"
GAMES = [f"game{number}" for number in range(30)]


class Web(ThreadingHTTPServer):
    """A web process, as a proxy sees it: it notes what it is asked."""

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Answer)
        self.asked: list[tuple[str, str]] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.shutdown()
        self.server_close()


class Answer(BaseHTTPRequestHandler):
    server: Web

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.asked.append((self.command, self.path))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_GET

    def log_message(self, format: str, *args: object) -> None:
        """It has noted it."""


class Proxy:
    """A proxy with the example of its kind, before two web processes: stand-ins, or those at *ports*."""

    def __init__(self, kind: str, folder: Path, ports: Sequence[int] = (), host: str = HOST) -> None:
        self.webs = [] if ports else [Web(), Web()]
        self.port = free_port()
        text = (PROXIES / {"nginx": "nginx.conf", "caddy": "Caddyfile"}[kind]).read_text()
        text = text.replace(HOST, host)
        for port, web in zip((8000, 8001), ports or [web.server_port for web in self.webs], strict=True):
            text = text.replace(f"127.0.0.1:{port}", f"127.0.0.1:{web}")
        self.host = host
        self.tls = kind == "nginx"
        command = self._nginx(text, folder) if kind == "nginx" else self._caddy(text, folder)
        self.process = subprocess.Popen(command)
        try:
            until(lambda: answers(self.port), 10, kind)
        except TimeoutError:
            self.stop()
            raise

    def _nginx(self, text: str, folder: Path) -> list[str]:
        key, certificate = folder / "key.pem", folder / "fullchain.pem"
        make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj"]
        subprocess.run(
            [*make, f"/CN={self.host}", "-keyout", key, "-out", certificate], check=True, capture_output=True
        )
        text = re.sub(r"/etc/letsencrypt/\S+/fullchain.pem", str(certificate), text)
        text = re.sub(r"/etc/letsencrypt/\S+/privkey.pem", str(key), text)
        text = re.sub(r"listen \[::\]:\d+.*;", "", text)
        text = text.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
        text = text.replace("listen 443 ", f"listen 127.0.0.1:{self.port} ")
        kept = " ".join(
            f"{name}_temp_path {folder};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        whole = folder / "nginx.conf"
        (folder / "site.conf").write_text(text)
        whole.write_text(
            f"pid {folder}/pid;\nerror_log stderr;\ndaemon off;\nevents {{}}\n"
            f"http {{ {kept}\ninclude {folder}/site.conf; }}\n"
        )
        return ["nginx", "-p", str(folder), "-c", str(whole)]

    def _caddy(self, text: str, folder: Path) -> list[str]:
        here = f"\nhttp://{self.host}:{self.port} {{\n\tbind 127.0.0.1"
        text = text.replace(f"\n{self.host} {{", here, 1).replace("\n{\n", "\n{\n\tadmin off\n", 1)
        (folder / "Caddyfile").write_text(text)
        return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]

    def ask(self, path: str, method: str = "GET", **headers: str) -> int:
        """The status of what is answered."""
        if self.tls:
            context = ssl._create_unverified_context()
            connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                "127.0.0.1", self.port, context=context, timeout=20
            )
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        with closing(connection):
            body = "line=pass" if method == "POST" else None
            connection.request(method, path, body, {"Host": self.host, **headers})
            return connection.getresponse().status

    def answered(self) -> dict[str, set[int]]:
        """Which of the web processes answered visitors, by path; Caddy by itself asks who is ready."""
        found = defaultdict(set)
        for number, web in enumerate(self.webs):
            for _method, path in web.asked:
                if not path.startswith("/-/"):
                    found[path].add(number)
        return found

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(10)
        for web in self.webs:
            web.stop()


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
    proxy.webs[0] = Web(first.server_port)
    time.sleep(int(waits[1]))
    second.stop()
    for game in GAMES:
        assert proxy.ask(f"/g/{game}/") == 200
