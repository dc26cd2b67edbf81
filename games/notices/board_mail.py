"""A mail whose HTML shows attached pictures (RFC 2387)."""

from __future__ import annotations

from email.header import Header
from email.mime.image import MIMEImage
from email.policy import compat32
from typing import Any

from django.core.mail import EmailMultiAlternatives
from django.core.mail.message import SafeMIMEMultipart, utf8_charset_qp

ONE_LINE = compat32.clone(max_line_length=998)
"""Python folds at 78 characters, before a long word, too. Some mail programs don't read a Message-ID or the
address of List-Unsubscribe on the line after its name."""


class BoardMail(EmailMultiAlternatives):
    """A mail with text, HTML and pictures; the latter are attached."""

    mixed_subtype = "related"
    encoding = utf8_charset_qp  # servers without 8BITMIME take it, too
    anymail_status: Any = None  # set by Anymail: the provider's answer

    def message(self) -> SafeMIMEMultipart:  # type: ignore[override]
        """
        :raises ValueError: a header has several lines
        """
        message: Any = super().message()
        message.policy = ONE_LINE
        # Django leaves no room for the name of the header on its first line.
        message.replace_header("Subject", _encode(str(self.subject), "Subject"))
        return message


def build_picture(content_id: str, png: bytes, filename: str, description: str) -> MIMEImage:
    """Build the attachment that the HTML shows as ``cid:…``."""
    part = MIMEImage(png, "png")
    part["Content-ID"] = f"<{content_id}>"
    part["Content-Description"] = _encode(description, "Content-Description")
    part.add_header("Content-Disposition", "inline", filename=filename)
    return part


def _encode(text: str, name: str) -> str:
    """Write *text* for the header called *name*, in lines of at most 76 characters (RFC 2047)."""
    return Header(text, None if text.isascii() else "utf-8", maxlinelen=75, header_name=name).encode()
