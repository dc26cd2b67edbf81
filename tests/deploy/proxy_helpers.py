"""Example configurations of proxies, run in front of web processes that record requests."""

import http.client
import re
import ssl
import subprocess
import threading
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from benchmarks.load.stack import answers, free_port, until

DEPLOY = Path(__file__).parents[2] / "deploy"
PROXIES = DEPLOY / "proxy"
HOST = "carcassonne.example"


class RecordingServer(ThreadingHTTPServer):
    """Web process that records the requests of a proxy."""

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), RecordingHandler)
        self.asked: list[tuple[str, str]] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.shutdown()
        self.server_close()


class RecordingHandler(BaseHTTPRequestHandler):
    server: RecordingServer

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.asked.append((self.command, self.path))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_GET

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: requests are recorded."""


class Proxy:
    """A proxy with the example of its kind, before two web processes: stand-ins, or those at *ports*."""

    def __init__(self, kind: str, folder: Path, ports: Sequence[int] = (), host: str = HOST) -> None:
        self.webs = [] if ports else [RecordingServer(), RecordingServer()]
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
        """Send a request, and return the status."""
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
        """Return which web processes served visitors, by path; Caddy's own health checks are left out."""
        answers = defaultdict(set)
        for number, web in enumerate(self.webs):
            for _method, path in web.asked:
                if not path.startswith("/-/"):
                    answers[path].add(number)
        return answers

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(10)
        for web in self.webs:
            web.stop()
