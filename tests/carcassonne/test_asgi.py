"""Tests of the ASGI entry point: requests before Django sees them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from carcassonne.asgi import ThreadedEntry

MOST = 100


def ask(
    *pieces: bytes,
    headers: dict[bytes, bytes] | None = None,
    method: str = "POST",
    query: bytes = b"",
    seconds: float = 5,
    ends: bool = True,
) -> tuple[int, dict[str, Any], list[dict[str, Any]]]:
    """Send a request whose body comes in *pieces*; return status, WSGI environ and messages."""
    asked: dict[str, Any] = {}

    def wsgi(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        asked.update(environ, body=environ["wsgi.input"].read())
        start_response("200 OK", [("X-One", "é")])
        return [b"o", b"k"]

    entry = ThreadedEntry(wsgi, threads=1, seconds=seconds, most=MOST)
    scope = {
        "type": "http", "method": method, "path": "/é", "query_string": query, "http_version": "1.1",
        "headers": list((headers or {}).items()), "client": ("10.0.0.1", 1), "server": ("localhost", 80),
    }  # fmt: skip
    waiting = list(pieces)
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if waiting:
            more = len(waiting) > 1 or not ends
            return {"type": "http.request", "body": waiting.pop(0), "more_body": more}
        await asyncio.sleep(60)
        raise AssertionError

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(entry(scope, receive, send))
    return sent[0]["status"], asked, sent


def test_a_body_is_read_whole_and_an_answer_is_sent_whole() -> None:
    status, asked, sent = ask(b"ab", b"c", headers={b"content-length": b"3"})
    assert (status, asked["body"], asked["CONTENT_LENGTH"]) == (200, b"abc", "3")
    assert (asked["PATH_INFO"], asked["REMOTE_ADDR"]) == ("/é".encode().decode("latin-1"), "10.0.0.1")
    assert [message.get("body") for message in sent] == [None, b"ok"]
    assert sent[0]["headers"] == [(b"x-one", "é".encode("latin-1"))]


def test_a_body_in_chunks_has_the_length_that_came() -> None:
    _status, asked, _sent = ask(b"ab", b"c")
    assert (asked["body"], asked["CONTENT_LENGTH"]) == (b"abc", "3")


def test_of_a_body_that_is_too_large_no_more_is_read_than_shows_it() -> None:
    """The application refuses it by its length."""
    status, asked, _sent = ask(b"never read", headers={b"content-length": b"101"}, ends=False)
    assert (status, asked["body"], asked["CONTENT_LENGTH"]) == (200, b"", "101")
    status, asked, _sent = ask(*[b"x" * 30] * 50, ends=False)
    assert status == 200 and MOST < int(asked["CONTENT_LENGTH"]) <= MOST + 30


def test_a_body_that_stays_away_is_given_up() -> None:
    status, asked, _sent = ask(b"a", headers={b"content-length": b"3"}, seconds=0.05, ends=False)
    assert (status, asked) == (408, {})


def test_who_has_gone_is_not_answered() -> None:
    async def gone() -> None:
        async def receive() -> dict[str, Any]:
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            raise AssertionError(message)

        def wsgi(environ: dict[str, Any], start_response: Any) -> list[bytes]:
            raise AssertionError(environ)

        entry = ThreadedEntry(wsgi, threads=1, seconds=1, most=MOST)
        await entry({"method": "POST", "path": "/", "headers": []}, receive, send)

    asyncio.run(gone())


def test_no_header_passes_for_one_that_the_proxy_sets() -> None:
    _status, asked, _sent = ask(
        b"", headers={b"x-forwarded-for": b"10.0.0.2", b"x_forwarded_for": b"1.1.1.1", b"a_b": b"c"}
    )
    assert asked["HTTP_X_FORWARDED_FOR"] == "10.0.0.2" and "HTTP_A_B" not in asked


@pytest.mark.parametrize("query", [b"a=\xff", "a=é".encode()])
def test_a_query_that_is_no_query_is_refused(query: bytes) -> None:
    assert ask(method="GET", query=query)[:2] == (400, {})
