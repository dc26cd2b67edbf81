"""HTTPS service on this machine that keeps what is posted to it. It needs no settings."""

from __future__ import annotations

import ipaddress
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

CERTIFICATE = "service.pem"


class PostedRequest(NamedTuple):
    """Posted request: its path, headers in lower case, and body."""

    path: str
    headers: dict[str, str]
    body: bytes


class PostService:
    """Handler that accepts all messages; ``answers`` sets another status for a path."""

    def __init__(self) -> None:
        self.requests: list[PostedRequest] = []
        self.answers: dict[str, int] = {}
        self.port = 0

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def take(self, request: PostedRequest) -> int:
        self.requests.append(request)
        return self.answers.get(request.path, 201)


@contextmanager
def serve(folder: Path, *names: str) -> Iterator[PostService]:
    """Let a service listen by HTTPS, with a certificate of its own in *folder*, also for hosts of these
    *names*."""
    service = PostService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status = service.take(PostedRequest(self.path, headers, body))
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", f"https://{service.host}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(write_certificate(folder, names))
    # Clients that are killed may keep nobody else waiting.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    service.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def write_certificate(folder: Path, names: tuple[str, ...]) -> Path:
    """Write a self-signed certificate of 127.0.0.1 and *names* with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "service of the tests")])
    now = datetime.now(UTC)
    hosts = [x509.IPAddress(ipaddress.ip_address("127.0.0.1")), *map(x509.DNSName, names)]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(hosts), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / CERTIFICATE
    written = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(written + certificate.public_bytes(Encoding.PEM))
    return file
