"""ASGI entry point: reads a whole request in the event loop, then runs the WSGI application in a thread.

With a WSGI entry granian reads bodies in the worker threads, without a time limit, and sends streamed
responses from there; its maintainers leave limits to the application (granian's issue 728). Four clients that
sent a few bytes and stopped blocked a site with four threads. (waitress reads whole requests, too, but
answered 300 to 700 light requests a second where this answers 700 to 2,300.) Here slow senders and readers
wait in the event loop, which can hold thousands of them. Django's own ASGI handler would switch between event
loop and threads at every middleware, all of which are synchronous.
"""

from __future__ import annotations

import asyncio
import ctypes
import io
import logging
import multiprocessing
import signal
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from asgiref.wsgi import WsgiToAsgiInstance
from django.conf import settings

from carcassonne.wsgi import application as django
from core.request_slots import slots

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

logger = logging.getLogger("carcassonne.requests")

_PR_SET_PDEATHSIG = 1


class ThreadedEntry:
    """ASGI application that runs *wsgi* in one of *threads* threads, once the body has arrived.

    A body that takes longer than *seconds* gets a 408. Of a body longer than *most* bytes, only enough is
    read to exceed the limit: *wsgi* must refuse it.
    """

    def __init__(self, wsgi: WSGIApplication, *, threads: int, seconds: float, most: int) -> None:
        self.wsgi, self.seconds, self.most = wsgi, seconds, most
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix="web")

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        # Behind a proxy, X_Forwarded_For would pass for the header that the proxy alone may set.
        scope["headers"] = [pair for pair in scope["headers"] if b"_" not in pair[0]]
        try:
            async with asyncio.timeout(self.seconds):
                body = await self._read_body(scope, receive)
        except TimeoutError:
            logger.warning("A request was not sent within %g s", self.seconds)
            await _refuse(send, HTTPStatus.REQUEST_TIMEOUT)
            return
        if body is None:
            return
        try:
            entry = WsgiToAsgiInstance(self.wsgi)
            entry.scope = scope
            environ = entry.build_environ(scope, io.BytesIO(body))
        except ValueError:  # a query that is not ASCII, or a hundred headers of one name
            await _refuse(send, HTTPStatus.BAD_REQUEST)
            return
        if body:
            environ.setdefault("CONTENT_LENGTH", str(len(body)))  # chunked requests have none
        loop = asyncio.get_running_loop()
        status, headers, content = await loop.run_in_executor(self.threads, self._answer, environ)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    async def _read_body(self, scope: Message, receive: Receive) -> bytes | None:
        """Return the body, or ``None`` if the client has gone."""
        length = dict(scope["headers"]).get(b"content-length", b"0")
        body = bytearray()
        more = scope["method"] not in ("GET", "HEAD") and not (length.isdigit() and int(length) > self.most)
        while more and len(body) <= self.most:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
            more = message.get("more_body", False)
        return bytes(body)

    def _answer(self, environ: Message) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        """Return status, headers and the whole content, so that no thread waits for a slow reader."""
        started: list[tuple[str, list[tuple[str, str]]]] = []

        def start_response(status: str, headers: list[tuple[str, str]], *more: object) -> Callable[..., None]:
            started[:] = [(status, headers)]
            return _write_nothing

        with slots.hold():
            chunks = self.wsgi(environ, start_response)
            try:
                content = b"".join(chunks)
            finally:
                if close := getattr(chunks, "close", None):
                    close()
        status, headers = started[0]
        encoded = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return int(status.split(" ", 1)[0]), encoded, content


def _write_nothing(data: bytes) -> None:
    raise NotImplementedError("Django returns its answers")


async def _refuse(send: Send, status: HTTPStatus) -> None:
    headers = [(b"content-type", b"text/plain"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status.value, "headers": headers})
    await send({"type": "http.response.body", "body": status.phrase.encode()})


def _stop_with_parent() -> None:
    """On Linux, have the kernel send SIGTERM to this process when its parent ends, even if killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


if multiprocessing.parent_process() is not None:
    # granian's worker would outlive a main process that was killed, and go on answering with an old release.
    _stop_with_parent()

application = ThreadedEntry(
    django,
    # Besides one for each slot (``core.request_slots``), one for each that waits for a password to be hashed.
    threads=settings.WEB_THREADS + 2 * settings.PASSWORD_HASHES_WAITING,
    seconds=settings.BODY_SECONDS,
    most=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
)
