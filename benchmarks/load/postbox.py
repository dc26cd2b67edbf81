"""The people's mail server: takes every mail, remembers what it was, and may take its time."""

from __future__ import annotations

import asyncio
import logging
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller

from benchmarks.load.stack import HOST, free_port

logging.getLogger("mail.log").setLevel(logging.WARNING)  # aiosmtpd's, a dozen lines a mail
MESSAGE_ID = re.compile(rb"^Message-ID:\s*(<[^>]+>)", re.MULTILINE | re.IGNORECASE)
LINK = re.compile(rf"https://{re.escape(HOST)}(/g/[a-z0-9]+/)")


class Pipelining:
    """Takes several commands at once (RFC 2920), as nearly all mail servers do."""

    async def handle_EHLO(
        self, server: Any, session: Any, envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        return [responses[0], "250-PIPELINING", *responses[1:]]


class Sink(Pipelining):
    """Forgets every mail."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        return "250 Message accepted for delivery"


class Postbox(Pipelining):
    """Counts mails by Message-ID; *seconds* is how long it takes for each."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.ids: Counter[str] = Counter()
        self.bytes = 0
        self.reader: Callable[[str, str], None] | None = None
        """Who is told of each mail: to whom it goes, and the board to which its first link leads."""
        self._lock = threading.Lock()

    @property
    def mails(self) -> int:
        return sum(self.ids.values())

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.seconds:
            await asyncio.sleep(self.seconds)
        content: bytes = envelope.content
        found = MESSAGE_ID.search(content)
        with self._lock:
            self.ids[found[1].decode() if found else "none"] += 1
            self.bytes += len(content)
        if self.reader is not None and (board := LINK.search(_text(content))):
            for address in envelope.rcpt_tos:
                self.reader(address, board[1])
        return "250 Message accepted for delivery"


def _text(content: bytes) -> str:
    """The plain text of a mail."""
    mail = message_from_bytes(content, policy=default)
    assert isinstance(mail, EmailMessage)
    body = mail.get_body(("plain",))
    return str(body.get_content()) if body is not None else ""


@contextmanager
def listening(postbox: Postbox) -> Iterator[int]:
    """Let *postbox* listen; gives its port."""
    controller = Controller(postbox, hostname="127.0.0.1", port=free_port())
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()
