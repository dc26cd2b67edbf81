"""A mail whose HTML shows attached pictures (RFC 2387), built with Python's email package."""

from __future__ import annotations

from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage, MIMEPart
from email.mime.image import MIMEImage
from email.policy import EmailPolicy
from email.utils import formatdate, parseaddr
from typing import Any, NamedTuple

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.utils.encoding import punycode


class InlinePicture(NamedTuple):
    """A PNG that the HTML shows as ``cid:…``."""

    content_id: str
    png: bytes
    filename: str
    description: str


class MailPolicy(EmailPolicy):
    """Fixes two faults of Python's header folding: one long word, such as the address of List-Unsubscribe,
    became encoded words, which mail programs don't read there; and encoded words were longer than the 75
    characters of RFC 2047."""

    def fold_binary(self, name: str, value: Any) -> bytes:
        if name in ("Subject", "Content-Description"):
            charset = None if value.isascii() and "=?" not in value else "utf-8"
            text = Header(str(value), charset, maxlinelen=75, header_name=name).encode(linesep=self.linesep)
        elif " " not in value and value.isascii():
            text = str(value)
        else:
            return super().fold_binary(name, value)
        return f"{name}: {text}{self.linesep}".encode("ascii")


POLICY = MailPolicy(linesep="\r\n", cte_type="7bit")


class BoardMessage(EmailMessage):
    def as_bytes(self, unixfrom: bool = False, policy: Any = None, linesep: str = "\r\n") -> bytes:
        return super().as_bytes(unixfrom, policy or self.policy.clone(linesep=linesep))


class BoardMail(EmailMultiAlternatives):
    """A mail with text, HTML and :class:`InlinePicture`\\ s."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pictures: list[InlinePicture] = []
        self.anymail_status: Any = None  # set by Anymail: the provider's answer

    def attach_pictures(self) -> None:
        """Attach the pictures for a mail provider's API, which builds the message itself."""
        for picture in self.pictures:
            part = MIMEImage(picture.png, "png")
            part["Content-ID"] = f"<{picture.content_id}>"
            part.add_header("Content-Disposition", "inline", filename=picture.filename)
            self.attachments.append(part)

    def message(self, *, policy: EmailPolicy = POLICY) -> EmailMessage:  # type: ignore[override]
        """
        :raises ValueError: a header has several lines, or an address is none
        """
        message = BoardMessage(policy)
        message["Subject"] = self.subject
        message["From"] = _address(self.from_email)
        message["To"] = [_address(one) for one in self.to]
        message["Date"] = formatdate(localtime=settings.EMAIL_USE_LOCALTIME)
        for name, text in self.extra_headers.items():
            message[name] = text
        message["MIME-Version"] = "1.0"
        texts: MIMEPart = message
        if self.pictures:
            message.make_related()
            texts = MIMEPart(policy)
            message.attach(texts)  # type: ignore[arg-type]
        texts.set_content(self.body)
        for html, _type in self.alternatives:
            texts.add_alternative(html, subtype="html")
        for picture in self.pictures:
            message.add_related(
                picture.png,
                "image",
                "png",
                cid=f"<{picture.content_id}>",
                disposition="inline",
                filename=picture.filename,
                headers=[f"Content-Description: {picture.description}"],
            )
        return message


def _address(text: str) -> Address:
    """Parse the address *text*, with its domain in ASCII (RFC 5890)."""
    if "\n" in text or "\r" in text:
        raise ValueError("An address has no linefeed.")
    name, address = parseaddr(text)
    local, _at, domain = address.rpartition("@")
    return Address(name, local, punycode(domain))
