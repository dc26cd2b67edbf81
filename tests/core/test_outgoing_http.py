"""Tests of requests to hosts that users name: each way round the check of addresses, against real sockets."""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import certifi
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from urllib3.util import connection as urllib3_connection

from core import outgoing_http
from core.outgoing_http import post_json
from core.outgoing_urls import HostFailed, HostFault, UnusableUrl, UrlFault, is_public, parse_target
from tests.cases import for_each

HOST = "hooks.example.com"
PUBLIC, OTHER_PUBLIC = "93.184.215.14", "93.184.215.15"
NOT_PUBLIC = [
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "224.0.0.1",
    "239.1.1.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:93.184.215.14",
    "::ffff:0:127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::93.184.215.14",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]
TARGET = parse_target(f"https://{HOST}/T0/secret")

Answer = Callable[[ssl.SSLSocket, threading.Event], None]


def make_certificate(folder: Path, *names: str) -> Path:
    """Make a self-signed certificate for *names*, with its key, as one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
    now = datetime.now(UTC)
    alternatives = x509.SubjectAlternativeName([x509.DNSName(name) for name in names])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(alternatives, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = folder / f"{names[0]}.pem"
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return path


def answer(status: str = "204 No Content", *headers: str) -> Answer:
    """Answer each request with *status*."""

    def send(connection: ssl.SSLSocket, _done: threading.Event) -> None:
        connection.sendall("\r\n".join([f"HTTP/1.1 {status}", *headers, "", ""]).encode())

    return send


class HttpsServer:
    """HTTPS server on loopback that replaces all public addresses, and records requests."""

    def __init__(self, certificate: Path) -> None:
        self.answers: Answer = answer()
        self.handshake = True
        self.requests: list[bytes] = []
        self.done = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate)
        self.threads = [threading.Thread(target=self._serve, daemon=True)]
        self.threads[0].start()

    @property
    def port(self) -> int:
        return int(self.listener.getsockname()[1])

    def close(self) -> None:
        self.done.set()
        self.listener.close()

    def _serve(self) -> None:
        while not self.done.is_set():
            try:
                connection, _address = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=[connection], daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            if not self.handshake:
                self.done.wait(10)
                return
            try:
                with self.context.wrap_socket(connection, server_side=True) as secure:
                    self.requests.append(_read_request(secure))
                    self.answers(secure, self.done)
            except OSError:
                return


def _read_request(connection: ssl.SSLSocket) -> bytes:
    read = b""
    while b"\r\n\r\n" not in read:
        read += connection.recv(4096)
    head, _, body = read.partition(b"\r\n\r\n")
    length = next(int(line.split(b":")[1]) for line in head.splitlines() if b"content-length" in line.lower())
    while len(body) < length:
        body += connection.recv(4096)
    return head + b"\r\n\r\n" + body


class Network:
    """Name resolution, with a record of look-ups and connections."""

    def __init__(self) -> None:
        self.answers: list[list[str]] = [[PUBLIC]]
        self.asked: list[str] = []
        self.connected: list[tuple[str, int]] = []


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    return make_certificate(tmp_path, HOST)


@pytest.fixture
def server(certificate: Path) -> Iterator[HttpsServer]:
    server = HttpsServer(certificate)
    yield server
    server.close()


@pytest.fixture
def network(server: HttpsServer, certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Network]:
    network = Network()

    def resolve(host: str, port: int, *_args: Any, **_more: Any) -> list[Any]:
        network.asked.append(host)
        addresses = network.answers[min(len(network.asked), len(network.answers)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    def connect(address: tuple[str, int], *_args: Any, **_more: Any) -> socket.socket:
        network.connected.append(address)
        if address[0] == OTHER_PUBLIC:
            raise ConnectionRefusedError
        opened = socket.socket()
        opened.connect(("127.0.0.1", server.port))
        opened.settimeout(_args[0] if _args else None)
        return opened

    monkeypatch.setattr(outgoing_http.socket, "getaddrinfo", resolve)
    monkeypatch.setattr(urllib3_connection, "create_connection", connect)
    monkeypatch.setattr(certifi, "where", lambda: str(certificate))
    outgoing_http._build_context.cache_clear()
    yield network
    outgoing_http._build_context.cache_clear()


def fault_of(seconds: float = 5) -> HostFault:
    with pytest.raises(HostFailed) as failed:
        post_json(TARGET, {"text": "Hello"}, seconds=seconds)
    assert "secret" not in str(failed.value)
    return failed.value.fault


class TestAddresses:
    @for_each(
        ("url", "fault"),
        [
            ("http://hooks.example.com/a", UrlFault.NOT_HTTPS),
            ("ftp://hooks.example.com/a", UrlFault.NOT_HTTPS),
            ("//hooks.example.com/a", UrlFault.NOT_HTTPS),
            ("file:///etc/passwd", UrlFault.NOT_HTTPS),
            ("https://user:secret@hooks.example.com/a", UrlFault.CREDENTIALS),
            ("https://hooks.example.com@127.0.0.1/a", UrlFault.CREDENTIALS),
            ("https://hooks.example.com:8443/a", UrlFault.PORT),
            ("https://hooks.example.com:22/a", UrlFault.PORT),
            ("https://localhost/a", UrlFault.MALFORMED),
            ("https://127.0.0.1/a", UrlFault.MALFORMED),
            ("https://127.1/a", UrlFault.MALFORMED),
            ("https://2130706433/a", UrlFault.MALFORMED),
            ("https://0x7f.0x0.0x0.0x1/a", UrlFault.MALFORMED),
            ("https://[::1]/a", UrlFault.MALFORMED),
            ("https://hooks.example.com", UrlFault.MALFORMED),
            ("https://hooks.example.com/", UrlFault.MALFORMED),
            ("https://hooks.example.com//evil.example/a", UrlFault.MALFORMED),
            ("https://hooks.example.com\\@evil.example/a", UrlFault.MALFORMED),
            ("https://hooks.example.com./a", UrlFault.MALFORMED),
            ("https://hooks.example.com/a\r\nX: y", UrlFault.MALFORMED),
            ("https://hooks.example.com/a#b", UrlFault.MALFORMED),
            ("https://hooks.example.com/a b", UrlFault.MALFORMED),
            ("https://hööks.example.com/a", UrlFault.MALFORMED),
            (f"https://hooks.example.com/{'a' * 500}", UrlFault.MALFORMED),
            ("https://carcassonne.example/a", UrlFault.OWN_SITE),
        ],
    )
    def test_to_which_nothing_is_sent(self, url: str, fault: UrlFault) -> None:
        with pytest.raises(UnusableUrl) as refused:
            parse_target(url)
        assert refused.value.fault == fault

    def test_keep_their_path_and_query(self) -> None:
        assert parse_target("https://A.example.com:443/b/c?d=e&f") == ("a.example.com", "/b/c?d=e&f")


class TestPublic:
    @for_each("address", NOT_PUBLIC)
    def test_is_none_of_these(self, address: str) -> None:
        assert not is_public(ip_address(address))

    @pytest.mark.parametrize("address", [PUBLIC, "1.1.1.1", "2606:4700:4700::1111", "2a01:4f8::1"])
    def test_are_these(self, address: str) -> None:
        assert is_public(ip_address(address))

    @pytest.mark.parametrize("found", [["127.0.0.1"], ["10.0.0.1"], ["::1"], [PUBLIC, "127.0.0.1"]])
    def test_all_addresses_of_a_host_must_be(self, network: Network, found: list[str]) -> None:
        network.answers = [found]
        assert fault_of() == HostFault.NOT_PUBLIC
        assert network.connected == []


class TestRequest:
    def test_goes_to_the_address_that_was_looked_at(self, network: Network, server: HttpsServer) -> None:
        network.answers = [[PUBLIC], ["127.0.0.1"]]  # a name server that answers otherwise the second time
        assert post_json(TARGET, {"text": "Hello"}, seconds=5) == 204
        assert network.asked == [f"{HOST}."]
        assert network.connected == [(PUBLIC, 443)]
        (request,) = server.requests
        head, _, body = request.partition(b"\r\n\r\n")
        assert head.startswith(b"POST /T0/secret HTTP/1.1\r\n")
        assert b"\r\nHost: hooks.example.com\r\n" in head
        assert json.loads(body) == {"text": "Hello"}

    def test_tries_the_next_address(self, network: Network, server: HttpsServer) -> None:
        network.answers = [[OTHER_PUBLIC, PUBLIC]]
        assert post_json(TARGET, {}, seconds=5) == 204
        assert network.connected == [(OTHER_PUBLIC, 443), (PUBLIC, 443)]

    def test_follows_no_redirect(self, network: Network, server: HttpsServer) -> None:
        server.answers = answer("307 Temporary Redirect", "Location: https://127.0.0.1/", "Content-Length: 0")
        assert post_json(TARGET, {}, seconds=5) == 307
        assert (len(server.requests), len(network.connected), len(network.asked)) == (1, 1, 1)

    def test_asks_no_proxy(
        self, network: Network, server: HttpsServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, "http://127.0.0.1:1")
        assert post_json(TARGET, {}, seconds=5) == 204
        assert network.connected == [(PUBLIC, 443)]

    def test_goes_to_nobody_who_shows_the_certificate_of_another_name(
        self, network: Network, server: HttpsServer
    ) -> None:
        with pytest.raises(HostFailed) as failed:
            post_json(parse_target("https://other.example.com/secret"), {}, seconds=5)
        assert failed.value.fault == HostFault.CERTIFICATE
        assert server.requests == []

    def test_goes_to_nobody_whose_certificate_nobody_vouches_for(
        self, network: Network, server: HttpsServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stranger = make_certificate(tmp_path, "authority.example")
        monkeypatch.setattr(certifi, "where", lambda: str(stranger))
        outgoing_http._build_context.cache_clear()
        assert fault_of() == HostFault.CERTIFICATE
        assert server.requests == []

    def test_reads_no_answer_beyond_its_status(self, network: Network, server: HttpsServer) -> None:
        def send_much(connection: ssl.SSLSocket, done: threading.Event) -> None:
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000000000\r\n\r\n")
            while not done.is_set():
                connection.sendall(b"x" * 65536)

        server.answers = send_much
        assert post_json(TARGET, {}, seconds=5) == 200


class TestTime:
    """Time limits, whatever the other side does: it would go on until the test is over."""

    @pytest.fixture(autouse=True)
    def until_the_end(self, network: Network, server: HttpsServer) -> Iterator[None]:
        yield
        server.done.set()

    def test_a_server_that_says_nothing(self, server: HttpsServer) -> None:
        server.answers = lambda _connection, done: done.wait() and None
        assert fault_of(0.5) == HostFault.TIMEOUT

    def test_a_server_that_does_not_even_speak_tls(self, server: HttpsServer) -> None:
        server.handshake = False
        assert fault_of(0.5) == HostFault.TIMEOUT

    @pytest.mark.parametrize("begin", [b"", b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 200 OK\r\nX: "])
    def test_a_server_that_says_a_little_again_and_again(self, server: HttpsServer, begin: bytes) -> None:
        def trickle(connection: ssl.SSLSocket, done: threading.Event) -> None:
            connection.sendall(begin)
            while not done.wait(0.1):
                connection.sendall(begin if b"100" in begin else b"H")

        server.answers = trickle
        assert fault_of(0.5) in (HostFault.TIMEOUT, HostFault.CONNECTION)

    def test_a_name_server_that_does_not_answer(
        self, server: HttpsServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def wait(*_args: Any, **_more: Any) -> list[Any]:
            server.done.wait()
            return []

        monkeypatch.setattr(outgoing_http.socket, "getaddrinfo", wait)
        lookups = threading.BoundedSemaphore(2)
        monkeypatch.setattr(outgoing_http, "_lookups", lookups)
        monkeypatch.setattr(outgoing_http, "_hanging", {})
        assert [fault_of(0.2) for _ in range(3)] == [HostFault.LOOKUP] * 3
        assert lookups.acquire(blocking=False), "a host takes one lookup, however often it is asked for"
        outgoing_http._hanging.clear()
        assert fault_of(60) == HostFault.LOOKUP, "all lookups hang: nobody waits for one"


def test_a_name_server_of_ours_that_fails(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: Any, **_more: Any) -> list[Any]:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(outgoing_http.socket, "getaddrinfo", fail)
    assert fault_of() == HostFault.LOOKUP


def test_a_name_that_nobody_knows(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: Any, **_more: Any) -> list[Any]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(outgoing_http.socket, "getaddrinfo", fail)
    assert fault_of() == HostFault.UNKNOWN


def test_a_server_that_is_away(network: Network) -> None:
    network.answers = [[OTHER_PUBLIC]]
    assert fault_of() == HostFault.CONNECTION


def test_a_server_that_hangs_up(network: Network, server: HttpsServer) -> None:
    server.answers = lambda connection, _done: connection.close()
    assert fault_of() == HostFault.CONNECTION
