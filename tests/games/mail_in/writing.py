"""Players who only use their mail programs."""

from __future__ import annotations

from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid
from itertools import count
from typing import Any

from django.core import mail as sent
from django.utils import timezone

from games import tasks
from games.mail_in import answering, receiving
from games.models import Game, InboundMail

DOMAIN = "reply.carcassonne.example"
NUMBERS = count(1)


def deliver() -> list[Any]:
    """Deliver notices, and return all mails that were sent so far."""
    tasks.deliver_notices()
    return sent.outbox


def last_mail_to(name: str) -> Any:
    """The last mail to *name*, as it was sent."""
    mails = [one for one in deliver() if one.to == [f"{name.lower()}@example.org"]]
    return parse_sent(mails[-1])


def parse_sent(mail: Any) -> Any:
    """Return *mail* as the mail program of its recipient reads it."""
    return message_from_bytes(mail.message().as_bytes(), policy=policy.default)


def text_of(mail: Any) -> str:
    return str(mail.get_body(("plain",)).get_content()).replace("\r\n", "\n")


def write_reply(mail: Any, text: str, **headers: str) -> EmailMessage:
    """Write a reply with *text* above the quoted *mail*, as a mail program does; *headers* have ``_``."""
    reply = EmailMessage(SMTP)
    values = {
        "From": str(mail["To"]),
        "To": str(mail["Reply-To"]),
        "Subject": f"Re: {mail['Subject']}",
        "Message-ID": f"<{next(NUMBERS)}.{make_msgid(domain='example.org')[1:]}",
        "In-Reply-To": str(mail["Message-ID"]),
        "References": f"{mail['References']} {mail['Message-ID']}",
    }
    values |= {name.replace("_", "-"): value for name, value in headers.items()}
    for name, value in values.items():
        if value:
            reply[name] = value
    quoted = "".join(f"> {line}\n" for line in text_of(mail).splitlines())
    reply.set_content(f"{text}\n\nOn Sunday, 1 March 2026 at 12:00, Carcassonne wrote:\n{quoted}")
    return reply


def receive(
    message: EmailMessage | bytes, *, sender: str | None = None, to: str = "", now: datetime | None = None
) -> InboundMail | None:
    """Receive *message*, and process it."""
    if isinstance(message, bytes):
        raw, recipient, envelope_sender = message, to, sender or ""
    else:
        raw, recipient = message.as_bytes(), to or str(message["To"])
        envelope_sender = str(message["From"]) if sender is None else sender
    mail = receiving.store_mail(raw, sender=envelope_sender, recipient=recipient, now=now or timezone.now())
    if mail is not None:
        answering.answer_mail(mail_id=mail.pk, now=now or timezone.now())
        mail.refresh_from_db()
    return mail


def answer_last(name: str, text: str, *, now: datetime | None = None, **headers: str) -> InboundMail:
    """Reply as *name* to their last mail."""
    mail = receive(write_reply(last_mail_to(name), text, **headers), now=now)
    assert mail is not None
    return mail


def ply_of(game: Game) -> int:
    game.refresh_from_db()
    return game.ply
