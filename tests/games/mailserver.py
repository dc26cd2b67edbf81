"""SMTP server on loopback that keeps mails, and can be set to refuse them."""

from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage, Message
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller


class MailServer:
    """SMTP handler that keeps mails; ``refuse_sender``, ``refuse_address`` and ``refuse_mail`` are
    responses to give instead."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.recipients: list[list[str]] = []
        self.refuse_sender = ""
        self.refuse_address = ""
        self.refuse_mail = ""

    async def handle_MAIL(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if self.refuse_sender:
            return self.refuse_sender
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if self.refuse_address:
            return self.refuse_address
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.refuse_mail:
            return self.refuse_mail
        mail: Message = message_from_bytes(envelope.content, policy=default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        self.recipients.append(list(envelope.rcpt_tos))
        return "250 Message accepted for delivery"

    @property
    def ids(self) -> list[str]:
        return [str(mail["Message-ID"]) for mail in self.mails]


@contextmanager
def listening(server: MailServer, port: int = 0) -> Iterator[int]:
    """Run *server*; yields its port."""
    controller = Controller(server, hostname="127.0.0.1", port=port)
    if port == 0:
        controller = _AnyPort(server, hostname="127.0.0.1", port=0)
    controller.start()
    try:
        assert controller.server is not None
        yield controller.server.sockets[0].getsockname()[1]
    finally:
        controller.stop()


class _AnyPort(Controller):
    """Controller that lets the system choose the port, and uses that one to check that it listens."""

    def _trigger_server(self) -> None:
        assert self.server is not None
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()
