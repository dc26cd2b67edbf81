"""The receiver: an SMTP or LMTP server that only takes mail for our reply addresses.

A message is in the inbox before its sender gets 250. If the database is away it gets 451, and tries again.
Addresses without our signature are refused before any data is sent, so nobody else can fill the inbox. There
is no TLS: a public receiver needs a mail server in front (``docs/mail.md``).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings
from django.db import InterfaceError, OperationalError, close_old_connections
from django.utils import timezone

from games.mail_in.receiving import store_mail
from games.models.inbound_mail import MAX_BYTES
from games.notices.reply_address import read_reply_address

MOST_CONNECTIONS = 100
SECONDS_OF_SILENCE = 60.0
THREADS = 2  # threads that write rows; each has a connection to the database

TAKEN = "250 2.0.0 Taken"
ONE_AT_A_TIME = "452 4.5.3 One recipient at a time"
UNKNOWN = "550 5.1.1 No such address"
LATER = "451 4.3.0 Try again later"
BUSY = b"421 4.3.2 Too many connections\r\n"

logger = logging.getLogger(__name__)


class MailReceiver:
    """Handler of aiosmtpd for the commands of a sender."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="inbox")

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if read_reply_address(address) is None:
            return UNKNOWN
        if envelope.rcpt_tos:
            return ONE_AT_A_TIME
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        store = partial(_store, envelope.content, envelope.mail_from or "", envelope.rcpt_tos[0])
        return await asyncio.get_running_loop().run_in_executor(self._threads, store)

    async def handle_exception(self, error: Exception) -> str:
        logger.error("The receiver of mail has failed", exc_info=error)
        return LATER


def _store(raw: bytes, sender: str, recipient: str) -> str:
    """Store a message, and return the response for its sender."""
    close_old_connections()
    try:
        store_mail(raw, sender=sender, recipient=recipient, now=timezone.now())
    except (OperationalError, InterfaceError) as error:
        logger.warning("The database is away, so a mail was not taken: %s", error)
        return LATER
    except Exception:
        logger.exception("A mail could not be taken")
        return LATER
    finally:
        close_old_connections()
    return TAKEN


class _Counted(SMTP):
    """A connection that counts towards the limit."""

    open_connections = 0

    def connection_made(self, transport: Any) -> None:
        if _Counted.open_connections >= MOST_CONNECTIONS:
            transport.write(BUSY)
            transport.close()
            return
        _Counted.open_connections += 1
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        if self.session is not None:
            _Counted.open_connections -= 1
            super().connection_lost(error)


class _SmtpConnection(_Counted):
    pass


class _LmtpConnection(_Counted, LMTP):
    pass


async def receive(
    host: str,
    port: int,
    *,
    lmtp: bool = False,
    stop: asyncio.Event | None = None,
    listening: Callable[[int], None] | None = None,
) -> None:
    """Take mail at *port* of *host* until *stop* is set; *listening* is called with the actual port.

    :raises OSError: the port is not available
    """
    loop = asyncio.get_running_loop()
    build = partial(
        _LmtpConnection if lmtp else _SmtpConnection,
        MailReceiver(),
        data_size_limit=MAX_BYTES,
        enable_SMTPUTF8=True,
        hostname=settings.REPLY_DOMAIN,
        ident="Carcassonne",
        timeout=SECONDS_OF_SILENCE,
        loop=loop,
    )
    server = await loop.create_server(build, host, port)
    async with server:
        if listening is not None:
            listening(server.sockets[0].getsockname()[1])
        await (stop or asyncio.Event()).wait()
