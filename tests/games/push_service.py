"""Push service on this machine that keeps messages, and browsers that decrypt them."""

from __future__ import annotations

import base64
import ipaddress
import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import http_ece
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from cryptography.x509.oid import NameOID

from games.notices.push_keys import decode, encode
from games.notices.push_subscriptions import BrowserKeys


class PushRequest(NamedTuple):
    """Posted request: its path, headers in lower case, and body."""

    path: str
    headers: dict[str, str]
    body: bytes


class PushService:
    """Handler that accepts all messages; ``answers`` sets another status for a path."""

    def __init__(self) -> None:
        self.requests: list[PushRequest] = []
        self.answers: dict[str, int] = {}
        self.port = 0

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def take(self, request: PushRequest) -> int:
        self.requests.append(request)
        return self.answers.get(request.path, 201)


class SubscribedBrowser:
    """Browser with a subscription at *service* under a name."""

    def __init__(self, service: PushService, name: str = "browser") -> None:
        self.path = f"/send/{name}"
        self.endpoint = f"https://{service.host}{self.path}"
        self.secret = name.encode().ljust(16, b"-")[:16]
        self.key = ec.generate_private_key(ec.SECP256R1())

    @property
    def keys(self) -> BrowserKeys:
        public = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return BrowserKeys(self.endpoint, encode(public), encode(self.secret))

    def read(self, request: PushRequest) -> dict[str, Any]:
        """Return the message that only this browser can read."""
        said = http_ece.decrypt(
            request.body, private_key=self.key, auth_secret=self.secret, version="aes128gcm"
        )
        found: dict[str, Any] = json.loads(said)
        return found


def read_token(request: PushRequest, public_key: str) -> dict[str, Any]:
    """Return the claims of the JWT of *request*, which must be signed by the owner of *public_key*."""
    scheme, rest = request.headers["authorization"].split(" ", 1)
    parts = dict(one.split("=", 1) for one in rest.split(","))
    assert (scheme, parts["k"]) == ("vapid", public_key)
    head, claims, signature = parts["t"].split(".")
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(public_key))
    raw = decode(signature)
    numbers = (int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    signed = f"{head}.{claims}".encode()
    point.verify(encode_dss_signature(*numbers), signed, ec.ECDSA(hashes.SHA256()))
    found: dict[str, Any] = json.loads(base64.urlsafe_b64decode(claims + "=="))
    return found


@contextmanager
def serve(folder: Path) -> Iterator[PushService]:
    """Let a push service listen by HTTPS, with a certificate of its own in *folder*."""
    service = PushService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status = service.take(PushRequest(self.path, headers, body))
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", f"https://{service.host}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(write_certificate(folder))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    service.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def write_certificate(folder: Path) -> Path:
    """Write a self-signed certificate of 127.0.0.1 with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "push service of the tests")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "push.pem"
    written = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(written + certificate.public_bytes(Encoding.PEM))
    return file
