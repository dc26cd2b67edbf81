"""Mail server of the players, which counts mails."""

from __future__ import annotations

import logging
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from aiosmtpd.controller import Controller

from benchmarks.load.mail_programs import MailPrograms
from benchmarks.load.stack import HOST, free_port

logging.getLogger("mail.log").setLevel(logging.WARNING)  # aiosmtpd's, a dozen lines a mail
MESSAGE_ID = re.compile(rb"^Message-ID:\s*(<[^>]+>)", re.MULTILINE | re.IGNORECASE)
LINK = re.compile(rb"https://%s(/g/[a-z0-9]+/)" % re.escape(HOST).encode())


class Postbox:
    """SMTP handler that counts mails by Message-ID."""

    def __init__(self) -> None:
        self.ids: Counter[str] = Counter()
        self.reader: Callable[[str, str], None] | None = None
        """Callback for each mail, with its recipient and the board to which its first link leads."""
        self.programs: MailPrograms | None = None
        """Those who answer their mails by mail."""
        self._lock = threading.Lock()

    @property
    def mails(self) -> int:
        return sum(self.ids.values())

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        content: bytes = envelope.content
        found = MESSAGE_ID.search(content)
        with self._lock:
            self.ids[found[1].decode() if found else "none"] += 1
        programs = self.programs
        if programs is not None and programs.addresses.intersection(envelope.rcpt_tos):
            programs.read(content)
            return "250 Message accepted for delivery"
        # The site codes no text, and the plain one comes first. A parser would keep its worker waiting.
        if self.reader is not None and (board := LINK.search(content)):
            for address in envelope.rcpt_tos:
                self.reader(address, board[1].decode())
        return "250 Message accepted for delivery"


@contextmanager
def listening(postbox: Postbox) -> Iterator[int]:
    """Run a server for *postbox*; yields its port."""
    controller = Controller(postbox, hostname="127.0.0.1", port=free_port())
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()
