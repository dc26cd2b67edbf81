"""Players who only use mail, and the mail servers between them and the site's receiver.

A mail server keeps a reply until the receiver has confirmed it, and sends it again if it was killed before:
so a reply may come twice, with the same Message-ID.
"""

from __future__ import annotations

import random
import re
import smtplib
import threading
import time
from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid, parseaddr
from queue import Empty, SimpleQueue

SPACE = re.compile(r"^  (\d+): .* \(((?:[a-d](?:, )?)+)\)$", re.MULTILINE)
RETRY = 0.5  # seconds
TWICE = 0.1
"""Probability that a mail server sends a confirmed reply again, as after a lost confirmation."""


class MailPrograms:
    """All players of these addresses: each mail that offers spaces for a tile is answered by one of them."""

    def __init__(self, port: int, addresses: Collection[str], seed: int) -> None:
        self.addresses = frozenset(addresses)
        self.confirmed: set[str] = set()  # Message-IDs that the receiver took
        self.sent: Counter[str] = Counter()  # attempts, by Message-ID
        self.refused: list[str] = []
        self._port = port
        self._chance = random.Random(seed)
        self._mails: SimpleQueue[bytes] = SimpleQueue()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def read(self, mail: bytes) -> None:
        """Put *mail* into the players' mailbox."""
        self._mails.put(mail)

    def stop(self, seconds: float) -> None:
        """Read no further mails, and wait until the last reply is delivered.

        :raises TimeoutError: it is not within so many *seconds*
        """
        self._stopping.set()
        self._thread.join(seconds)
        if self._thread.is_alive():
            raise TimeoutError("A reply can't be delivered")

    def _work(self) -> None:
        while not self._stopping.is_set():
            with suppress(Empty):
                reply = self._write_reply(self._mails.get(timeout=RETRY))
                if reply is not None:
                    self._deliver(reply)

    def _write_reply(self, raw: bytes) -> EmailMessage | None:
        """Answer a mail with a random space that it offers, as a mail program does."""
        mail = message_from_bytes(raw, policy=SMTP)
        body = mail.get_body(("plain",))
        text = "" if body is None else body.get_content().replace("\r\n", "\n")
        spaces = SPACE.findall(text)
        if not spaces:
            return None
        number, letters = self._chance.choice(spaces)
        reply = EmailMessage(SMTP)
        reply["From"] = str(mail["To"])
        reply["To"] = str(mail["Reply-To"])
        reply["Subject"] = f"Re: {mail['Subject']}"
        reply["Message-ID"] = make_msgid(domain="example.org")
        reply["In-Reply-To"] = str(mail["Message-ID"])
        quoted = "".join(f"> {line}\n" for line in text.splitlines())
        line = number + self._chance.choice(letters.split(", "))
        reply.set_content(f"{line}\n\nOn Sunday, 1 March 2026 at 12:00, Carcassonne wrote:\n{quoted}")
        return reply

    def _deliver(self, reply: EmailMessage) -> None:
        known = str(reply["Message-ID"])
        while known not in self.confirmed or self._chance.random() < TWICE:
            self.sent[known] += 1
            try:
                with smtplib.LMTP("127.0.0.1", self._port, timeout=20) as connection:
                    connection.send_message(reply, parseaddr(str(reply["From"]))[1])
            except smtplib.SMTPRecipientsRefused as error:
                code, said = next(iter(error.recipients.values()))
                if code >= 500:
                    self.refused.append(f"{known}: {code} {said!r}")
                    return
                time.sleep(RETRY)
            except smtplib.SMTPResponseException as error:
                if error.smtp_code >= 500:
                    self.refused.append(f"{known}: {error.smtp_code} {error.smtp_error!r}")
                    return
                time.sleep(RETRY)
            except (OSError, smtplib.SMTPException):
                time.sleep(RETRY)
            else:
                self.confirmed.add(known)
