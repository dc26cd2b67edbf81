"""The receiver: an SMTP or LMTP server that only takes mail for our reply addresses.

A message is in the inbox before its sender gets 250. If the database is away it gets 451, and tries again.
Addresses without our signature, and whatever is too much, are refused before any data is sent, so nobody can
fill the inbox or this process. There is no TLS: a public receiver needs a mail server in front
(``docs/mail.md``).
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings
from django.db import InterfaceError, OperationalError, close_old_connections
from django.utils import timezone

from games.exceptions import TooMany
from games.mail_in.receiving import MailTooLarge, check_intake, is_account_closed, store_mail
from games.models.inbound_mail import MAX_BYTES, MAX_LINES
from games.notices.reply_address import read_reply_address

MOST_CONNECTIONS = 100
MOST_OF_A_HOST = 50  # more than a mail server in front opens by itself: 20 are Postfix's default
MOST_UNFINISHED = 5  # messages of one sender to one player, and to one address, at the same time
SECONDS = 60.0  # for a command, and for a whole message
THREADS = 2  # threads that write rows; each has a connection to the database
END = b"\r\n.\r\n"
CHUNK = 1 << 20  # more than the stream ever holds

TAKEN = "250 2.0.0 Taken"
ONE_AT_A_TIME = "452 4.5.3 One recipient at a time"
UNKNOWN = "550 5.1.1 No such address"
CLOSED = "550 5.2.1 This account is closed"
LATER = "451 4.3.0 Try again later"
TOO_MUCH = "451 4.7.1 Too much mail; try again later"
TOO_LARGE = "552 5.3.4 Too long, or in too many lines or parts"
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
        refusal = await self._run(_check, envelope.mail_from or "", address)
        if refusal:
            return refusal
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        return await self._run(_store, envelope.content, envelope.mail_from or "", envelope.rcpt_tos[0])

    async def _run(self, function: Callable[..., str], *args: object) -> str:
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *args)

    async def handle_exception(self, error: Exception) -> str:
        logger.error("The receiver of mail has failed", exc_info=error)
        return LATER


def _check(sender: str, recipient: str) -> str:
    """Return the response that refuses a message of this envelope; empty if it may be sent."""

    def check() -> str:
        if is_account_closed(recipient):
            return CLOSED
        check_intake(sender=sender, recipient=recipient, now=timezone.now())
        return ""

    return _answer(check)


def _store(raw: bytes, sender: str, recipient: str) -> str:
    """Store a message, and return the response for its sender."""

    def store() -> str:
        store_mail(raw, sender=sender, recipient=recipient, now=timezone.now())
        return TAKEN

    return _answer(store)


def _answer(act: Callable[[], str]) -> str:
    """Return the response of *act* for the sender, or the one to its failure."""
    close_old_connections()
    try:
        return act()
    except TooMany:
        return TOO_MUCH
    except MailTooLarge:
        return TOO_LARGE
    except (OperationalError, InterfaceError) as error:
        logger.warning("The database is away, so a mail was not taken: %s", error)
        return LATER
    except Exception:
        logger.exception("A mail could not be taken")
        return LATER
    finally:
        close_old_connections()


class _Bounded(SMTP):
    """A connection that counts towards the limits, and takes a message in memory of its size."""

    hosts: Counter[str] = Counter()
    """Open connections, by the host they come from."""

    unfinished: Counter[object] = Counter()
    """Messages that are being sent, by sender and player, and by address, as those that are stored."""

    def connection_made(self, transport: Any) -> None:
        host = str((transport.get_extra_info("peername") or ("",))[0])
        if self.hosts.total() >= MOST_CONNECTIONS or self.hosts[host] >= MOST_OF_A_HOST:
            transport.write(BUSY)
            transport.close()
            return
        self._host = host
        self.hosts[host] += 1
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        if self.session is not None:
            _decrease(self.hosts, self._host)
            super().connection_lost(error)

    async def smtp_DATA(self, arg: str) -> None:
        assert self.envelope is not None
        if await self.check_helo_needed():
            return
        if arg or not self.envelope.rcpt_tos:
            await self.push("501 Syntax: DATA" if arg else "503 Error: need RCPT command")
            return
        token = read_reply_address(self.envelope.rcpt_tos[0])
        counted = ((self.envelope.mail_from, token and token.player), token)
        if any(self.unfinished[network] >= MOST_UNFINISHED for network in counted):
            await self.push(TOO_MUCH)
            return
        self.unfinished.update(counted)
        try:
            await self.push("354 End data with <CR><LF>.<CR><LF>")
            self.envelope.content = await self._read_message()
            taken = self.envelope.content is not None
            status = await self._call_handler_hook("DATA") if taken else TOO_LARGE
        finally:
            for network in counted:
                _decrease(self.unfinished, network)
        self._set_post_data_state()
        await self.push(status)

    async def _read_message(self) -> bytes | None:
        """Read a message to its end; ``None`` if it is too large.

        The method of aiosmtpd keeps an object for each line, which is 60 MB for a megabyte of short ones, and
        all of a line without an end.
        """
        data = bytearray(b"\r\n")  # the end may be the first line
        lines = searched = 0
        refused = False
        while (end := data.find(END, searched)) < 0:
            refused |= len(data) > MAX_BYTES + len(END) or lines > MAX_LINES
            if refused:
                del data[: 1 - len(END)]
            searched = max(0, len(data) - len(END) + 1)
            chunk = await self._reader.read(CHUNK)
            if not chunk:
                raise ConnectionResetError
            lines += chunk.count(b"\n")
            data += chunk
        if rest := bytes(data[end + len(END) :]):
            self._reader.feed_data(rest)  # of a client that doesn't wait for our response
        if refused:
            return None
        return bytes(data[: end + 2]).replace(b"\r\n.", b"\r\n")[2:]


def _decrease(counter: Counter[Any], key: object) -> None:
    counter[key] -= 1
    if not counter[key]:
        del counter[key]


class _SmtpConnection(_Bounded):
    pass


class _LmtpConnection(_Bounded, LMTP):
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
        timeout=SECONDS,
        loop=loop,
    )
    server = await loop.create_server(build, host, port)
    async with server:
        if listening is not None:
            listening(server.sockets[0].getsockname()[1])
        await (stop or asyncio.Event()).wait()
