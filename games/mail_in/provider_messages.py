"""Messages as mail providers hand them over, for anymail's webhooks, without its parsing.

anymail parses a whole message with the standard library before anybody looks at its recipient: 14 seconds for
a megabyte in 60 parts. Here it stays bytes, of which ``games/inbox`` reads the headers within its bounds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from email.policy import Compat32
from hashlib import sha256
from itertools import islice
from typing import Any

from anymail.inbound import AnymailInboundMessage

from games.inbox.messages import MAX_HEADER, parse_head
from games.models.inbound_mail import MAX_BYTES

MOST_HEADERS = 1000
MOST_ATTACHMENTS = 40  # with the other parts, fewer than the reader takes
OF_THE_BODY = {"mime-version", "content-type", "content-transfer-encoding"}


class _ShortHeaders(Compat32):
    """Policy that keeps the beginnings of headers, as they are: parsing long ones can take minutes."""

    def header_store_parse(self, name: str, value: Any) -> tuple[str, str]:
        return name, str(value)[:MAX_HEADER]

    def header_fetch_parse(self, name: str, value: str) -> str:
        return value


class ProviderMessage(AnymailInboundMessage):
    """A message in the bytes that were sent, or in new ones where a provider has taken it apart.

    It replaces anymail's class in the modules of its views, which know all providers.
    """

    raw = b""
    body = b""

    def __init__(self) -> None:
        super().__init__(policy=_ShortHeaders())

    def as_bytes(self, *args: Any, **options: Any) -> bytes:
        """Return the whole message."""
        head = (_write_header(name, value) for name, value in self.raw_items())
        return b"".join([*head, self.body]) if self.body else self.raw

    @classmethod
    def parse_raw_mime(cls, s: str | bytes) -> ProviderMessage:
        return cls.parse_raw_mime_bytes(s.encode("utf-8", "replace") if isinstance(s, str) else s)

    @classmethod
    def parse_raw_mime_bytes(cls, b: bytes) -> ProviderMessage:
        message = cls()
        message.raw = b
        message._add(parse_head(b).headers.raw_items())
        return message

    @classmethod
    def parse_raw_mime_chunks(cls, chunks: Iterable[bytes]) -> ProviderMessage:
        raw = bytearray()
        for chunk in chunks:
            raw += chunk
            if len(raw) > MAX_BYTES:  # which is too much anyway
                break
        return cls.parse_raw_mime_bytes(bytes(raw))

    @classmethod
    def construct(
        cls,
        raw_headers: str | None = None,
        *,
        headers: Mapping[str, str] | Iterable[tuple[str, str]] | None = None,
        text: str | None = None,
        html: str | None = None,
        attachments: Iterable[ProviderMessage] | None = None,
        text_charset: str = "",
        html_charset: str = "",
        **named: str | None,
    ) -> ProviderMessage:
        """Build a message of its *headers*, of those that are *named* with underscores, and of its texts.
        Attachments, which nobody reads, are named and empty."""
        message = cls()
        message._add(parse_head((raw_headers or "").encode("utf-8", "replace")).headers.raw_items())
        for name, value in named.items():
            if value is not None:
                name = "From" if name == "from_email" else name.title()
                del message[name]
                message[name] = value
        message._add(headers.items() if isinstance(headers, Mapping) else headers or ())
        texts = (("plain", text), ("html", html))
        message.body = _write_body(
            [(f"text/{kind}; charset=utf-8", written) for kind, written in texts if written is not None],
            [attached.get("Content-Type", "") for attached in attachments or ()],
        )
        return message

    @classmethod
    def construct_attachment(cls, content_type: str, *args: Any, **options: Any) -> ProviderMessage:
        part = cls()
        part["Content-Type"] = content_type
        return part

    @classmethod
    def construct_attachment_from_uploaded_file(cls, file: Any, content_id: str = "") -> ProviderMessage:
        return cls.construct_attachment(file.content_type)

    def _add(self, headers: Iterable[tuple[str, str]]) -> None:
        for name, value in islice(headers, MOST_HEADERS):
            self[name] = value


def _write_header(name: str, value: str) -> bytes:
    """Write a header as one line; nothing if it is none, or one of the body that the provider has decoded."""
    if not re.fullmatch(r"[!-9;-~]+", name) or name.lower() in OF_THE_BODY:
        return b""
    return f"{name}: {' '.join(value.split())}\r\n".encode("utf-8", "surrogateescape")


def _write_body(texts: list[tuple[str, str]], attachments: list[str]) -> bytes:
    """Write a body of alternative *texts*, each with its type, and of empty attachments of these types. The
    same texts become the same bytes: a message without an ID is known by them."""
    mark = sha256("".join(text for _type, text in texts).encode("utf-8", "replace")).hexdigest()
    written = [f"Content-Type: multipart/mixed; boundary={mark}\r\n\r\n--{mark}\r\n"]
    written.append(f"Content-Type: multipart/alternative; boundary=in-{mark}\r\n\r\n")
    for kind, text in texts:
        written.append(f"--in-{mark}\r\nContent-Type: {kind}\r\n\r\n{text}\r\n")
    written.append(f"--in-{mark}--\r\n")
    for kind in attachments[:MOST_ATTACHMENTS]:
        kind = " ".join(kind.split())
        written.append(f"--{mark}\r\nContent-Type: {kind}\r\nContent-Disposition: attachment\r\n\r\n\r\n")
    return "".join([*written, f"--{mark}--\r\n"]).encode("utf-8", "replace")
