"""Mails with pictures as they go over the wire, and to a mail server.

Django and the email package write the same, line by line and through several objects for each header: of a
mail with a board of 90 kB that was about a quarter of all that it cost.
"""

from __future__ import annotations

import smtplib
from base64 import b64encode
from collections.abc import Iterable, Sequence
from email.base64mime import header_encode
from email.header import Header
from email.mime.base import MIMEBase
from email.utils import formatdate
from functools import lru_cache
from secrets import token_hex

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.core.mail.message import (
    BadHeaderError,
    SafeMIMEText,
    forbid_multi_line_headers,
    sanitize_address,
)

END = b"\r\n"
CODED = 76  # characters to a line of base64
LONGEST = 998  # bytes to a line of a mail
FOLDED_FROM = 78  # characters of a header
UTF8 = "utf-8"
WORDS = 76  # characters to a line with encoded words (RFC 2047, 2)
AROUND_WORD = len(f"=?{UTF8}?b??=")


class Picture(MIMEBase):
    """A PNG that the HTML of a mail shows as ``cid:…``."""

    def __init__(self, content_id: str, png: bytes, filename: str, description: str) -> None:
        super().__init__("image", "png")
        self.set_payload(coded(png))
        self["Content-Transfer-Encoding"] = "base64"
        self["Content-ID"] = f"<{content_id}>"
        self.add_header("Content-Disposition", "inline", filename=filename)
        self["Content-Description"] = encoded("Content-Description", description)


def coded(data: bytes) -> str:
    """*data* in base64, in lines as mails have them."""
    text = b64encode(data).decode("ascii")
    return "\n".join([text[at : at + CODED] for at in range(0, len(text), CODED)])


def send(connection: smtplib.SMTP, mail: EmailMultiAlternatives) -> None:
    """Give *mail* to the server at the other end of *connection*; when this returns the server has taken it.
    When it doesn't, the connection is of no more use.

    :raises smtplib.SMTPException: the server hasn't
    """
    sender, recipients, data = address(mail.from_email), list(map(address, mail.recipients())), as_bytes(mail)
    connection.ehlo_or_helo_if_needed()
    if connection.has_extn("pipelining"):
        _send_in_one_go(connection, sender, recipients, data)
    else:
        connection.sendmail(sender, recipients, data)


def _send_in_one_go(connection: smtplib.SMTP, sender: str, recipients: Sequence[str], data: bytes) -> None:
    """As ``sendmail``, but all commands before the mail are sent at once (RFC 2920): the server is waited for
    twice for each mail, not four times.

    :raises smtplib.SMTPException: the server has not taken it
    """
    size = f" SIZE={len(data)}" if connection.has_extn("size") else ""
    commands = [
        f"MAIL FROM:{smtplib.quoteaddr(sender)}{size}",
        *(f"RCPT TO:{smtplib.quoteaddr(recipient)}" for recipient in recipients),
        "DATA",
    ]
    connection.send("".join(f"{command}\r\n" for command in commands).encode("ascii"))
    of_sender, *of_recipients, of_data = [connection.getreply() for _ in commands]
    if of_sender[0] != 250:
        raise smtplib.SMTPSenderRefused(*of_sender, sender)
    refused = {
        recipient: reply
        for recipient, reply in zip(recipients, of_recipients, strict=True)
        if reply[0] not in (250, 251)
    }
    if len(refused) == len(recipients):
        raise smtplib.SMTPRecipientsRefused(refused)
    if of_data[0] != 354:
        raise smtplib.SMTPDataError(*of_data)
    connection.send(data.replace(b"\r\n.", b"\r\n..") + b".\r\n")
    taken = connection.getreply()
    if taken[0] != 250:
        raise smtplib.SMTPDataError(*taken)


def as_bytes(mail: EmailMultiAlternatives) -> bytes:
    """*mail* with its text, its HTML and its :class:`Picture`\\ s: the same parts and headers as in
    ``mail.message()``.

    :raises django.core.mail.BadHeaderError: a header has several lines
    """
    bodies = [
        _text(str(mail.body), "plain"),
        *(_text(str(html), "html") for html, _type in mail.alternatives),
    ]
    content = _multipart("alternative", bodies)
    pictures = [picture for picture in mail.attachments if isinstance(picture, Picture)]
    assert len(pictures) == len(mail.attachments), "nothing else is attached to the mails of games"
    if pictures:
        content = _multipart("related", [content, *map(_picture, pictures)])
    date = formatdate(localtime=settings.EMAIL_USE_LOCALTIME)
    lines = [
        _header("Subject", str(mail.subject)),
        _address_header("From", mail.from_email),
        _address_header("To", ", ".join(mail.to)),
        *(_header(name, str(text)) for name, text in {"Date": date, **mail.extra_headers}.items()),
    ]
    return b"".join([*lines, b"MIME-Version: 1.0", END, content])


@lru_cache(maxsize=1000)
def address(text: str) -> str:
    """The address *text* as mail servers want it."""
    return sanitize_address(text, UTF8)


def _multipart(subtype: str, parts: Iterable[bytes]) -> bytes:
    """*parts* as one, with its own header; each of them begins with its headers."""
    boundary = f"==============={token_hex(16)}==".encode()
    head = b'Content-Type: multipart/%s; boundary="%s"\r\n\r\n' % (subtype.encode(), boundary)
    between = b"--%s\r\n" % boundary
    body = b"".join([piece for part in parts for piece in (between, part, END)])
    return head + body + b"--%s--\r\n" % boundary


def _text(text: str, subtype: str) -> bytes:
    """A part with *text* and its headers."""
    data = text.replace("\r\n", "\n").replace("\r", "\n").encode()
    if max(map(len, data.split(b"\n"))) > LONGEST:
        return SafeMIMEText(text, subtype, UTF8).as_bytes(linesep="\r\n")
    bits = b"7bit" if data.isascii() else b"8bit"
    head = b'Content-Type: text/%s; charset="utf-8"\r\nContent-Transfer-Encoding: %s\r\n\r\n'
    return head % (subtype.encode(), bits) + data.replace(b"\n", END)


def _picture(picture: Picture) -> bytes:
    head = b"".join(_line(name, text) for name, text in picture.items())
    return head + END + str(picture.get_payload()).replace("\n", "\r\n").encode("ascii")


@lru_cache(maxsize=1000)
def _address_header(name: str, text: str) -> bytes:
    return _line(*forbid_multi_line_headers(name, text, UTF8))


def _header(name: str, text: str) -> bytes:
    if "\n" in text or "\r" in text:
        raise BadHeaderError(f"A header has one line, but {name} is {text!r}.")
    return _line(name, encoded(name, text))


def _line(name: str, text: str) -> bytes:
    """A header in ASCII, folded where it is long."""
    if " " in text and "\n" not in text and len(name) + 2 + len(text) > FOLDED_FROM:
        text = Header(text, header_name=name).encode()
    return f"{name}: {text}\n".replace("\n", "\r\n").encode("ascii")


def encoded(name: str, text: str) -> str:
    """*text* as a header of this *name* has it: as it is, or in encoded words of whole characters (RFC 2047).

    The email package looks for the shorter of two encodings, and measures every beginning of the text for it,
    which was a twentieth of what a mail cost.
    """
    if text.isascii():
        return text
    words, word, room = [], b"", _bytes_in(WORDS - len(f"{name}: "))
    for character in text:
        more = character.encode()
        if len(word) + len(more) > room:
            words.append(word)
            word, room = b"", _bytes_in(WORDS - len(" "))
        word += more
    return "\n ".join(header_encode(one, UTF8) for one in [*words, word])


def _bytes_in(characters: int) -> int:
    """How many bytes an encoded word holds that takes so many characters."""
    return (characters - AROUND_WORD) // 4 * 3
