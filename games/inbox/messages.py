"""A message as a tree of parts, from any bytes.

The standard library parses the headers of each part; bodies are split here, because ``email.parser`` compares
every line with the boundaries of all enclosing parts: 35 seconds for a megabyte in 200 of them.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from email.errors import MissingHeaderBodySeparatorDefect
from email.header import decode_header
from email.message import Message as EmailHeaders
from email.parser import BytesHeaderParser
from email.policy import compat32

from games.inbox.lines import clean_line

MAX_MESSAGE = 32 * 1024 * 1024
MAX_HEADERS = 128 * 1024
MAX_HEADER_LINES = 2000
"""Maximum numbers of bytes and lines of headers, of all parts together."""

MAX_HEADER = 1000
"""Maximum number of characters read of a header: the library needs more than linear time for some."""

_NO_BASE64 = bytes(
    byte for byte in range(256) if not (chr(byte).isascii() and (chr(byte).isalnum() or chr(byte) in "+/"))
)
KNOWN_ENCODINGS = ("", "7bit", "8bit", "binary", "base64", "quoted-printable")
MAX_DEPTH = 10
MAX_PARTS = 50


class TooManyParts(Exception):
    """The message has more parts than any mail program writes."""


@dataclass(frozen=True, slots=True)
class MailPart:
    """A part of a message, or the whole: its headers, and its body or the parts that it consists of."""

    headers: EmailHeaders
    kind: str  # the media type, text/plain where none is named
    body: bytes = b""  # as transferred
    parts: tuple[MailPart, ...] = ()

    def texts(self, name: str) -> list[str]:
        """Return every header *name*, decoded, each as one line."""
        return [_decode_header(value[:MAX_HEADER]) for value in self._values(name)]

    def undecoded(self, name: str, limit: int) -> list[str]:
        """Return every header *name* as it was written, each as one line of *limit* characters at most."""
        return [" ".join(value[:limit].split()) for value in self._values(name)]

    def parameter(self, name: str, header: str = "Content-Type") -> str:
        """Return a parameter of a header; empty if missing."""
        headers = EmailHeaders(compat32)
        headers[header] = " ".join("".join(self._values(header)[:1])[:MAX_HEADER].split())
        value = headers.get_param(name, "", header)
        return str(value[2] if isinstance(value, tuple) else value)

    def _values(self, name: str) -> list[str]:
        return [value for header, value in self.headers.raw_items() if header.lower() == name.lower()]

    @property
    def attached(self) -> bool:
        """Return whether the part is an attached file (REPLY-5)."""
        disposition = " ".join(self.texts("Content-Disposition")).partition(";")[0].strip().lower()
        file = self.parameter("filename", "Content-Disposition") or self.parameter("name")
        return disposition == "attachment" or bool(file)

    def walk(self) -> Iterator[MailPart]:
        """Yield the part and all within it, except those within an attached message."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def decode(self, limit: int) -> tuple[bytes, bool]:
        """Return the body without transfer encoding, about *limit* bytes at most, and whether it was cut."""
        encoding = " ".join(self.texts("Content-Transfer-Encoding")).strip().lower()
        if encoding == "base64":
            packed, cut = _cut(self.body, 4 * limit // 3)
            return _decode_base64(packed), cut
        if encoding == "quoted-printable":
            packed, cut = _cut(self.body, 3 * limit)
            # Spaces at the end of a line were added on the way (RFC 2045, 6.7).
            return binascii.a2b_qp(b"\n".join(map(bytes.rstrip, packed.split(b"\n")))), cut
        return _cut(self.body, limit)


def parse_message(raw: bytes) -> MailPart:
    """The message in *raw*. Raises :class:`TooManyParts`."""
    return _Splitter().split(_unify_line_ends(raw[:MAX_MESSAGE]).lstrip(b"\n"), 0)


def parse_head(raw: bytes) -> MailPart:
    """Parse only the headers of the message *raw*, so the cost does not depend on its body."""
    headers = _unify_line_ends(raw[: 2 * MAX_HEADERS]).lstrip(b"\n")
    return _Splitter().read_head(_split_head(headers)[0])


def _unify_line_ends(raw: bytes) -> bytes:
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _split_head(raw: bytes) -> tuple[bytes, bytes]:
    if raw.startswith(b"\n"):
        return b"", raw[1:]
    head, _, body = raw.partition(b"\n\n")
    return head, body


class _Splitter:
    """Splits a message, and counts its parts and what is left of their headers."""

    def __init__(self) -> None:
        self.parts = 0
        self.headers = MAX_HEADERS
        self.header_lines = MAX_HEADER_LINES

    def split(self, raw: bytes, depth: int) -> MailPart:
        self.parts += 1
        if self.parts > MAX_PARTS:
            raise TooManyParts
        head, body = _split_head(raw)
        if depth and (len(head) > self.headers or head.count(b"\n") >= self.header_lines):
            raise TooManyParts
        part = replace(self.read_head(head), body=body)
        if not part.kind.startswith("multipart/"):
            return part
        boundary = part.parameter("boundary").rstrip().encode("ascii", "replace")
        if not boundary or depth == MAX_DEPTH:
            return replace(part, body=b"")
        bodies = _split_body(body, boundary)
        return replace(part, body=b"", parts=tuple(self.split(body, depth + 1) for body in bodies))

    def read_head(self, head: bytes) -> MailPart:
        lines = head[: self.headers].split(b"\n", self.header_lines)[: self.header_lines]
        head = b"\n".join(lines)
        self.headers -= len(head)
        self.header_lines -= len(lines)
        headers = BytesHeaderParser(policy=compat32).parsebytes(head)
        return MailPart(headers, _kind(headers))


def _kind(headers: EmailHeaders) -> str:
    """Return the media type; the generic one if the body can't be understood: its encoding is unknown (RFC
    2045, 6.4), or a header line is malformed, so that it is not known where the body begins."""
    encoding = str(headers.get("Content-Transfer-Encoding", ""))[:MAX_HEADER].strip().lower()
    broken = any(isinstance(defect, MissingHeaderBodySeparatorDefect) for defect in headers.defects)
    if encoding not in KNOWN_ENCODINGS or broken:
        return "application/octet-stream"
    kind = str(headers.get("Content-Type", ""))[:MAX_HEADER].partition(";")[0].strip().lower()
    return kind if re.fullmatch(r"[^\s/]+/[^\s/]+", kind) else "text/plain"


def _split_body(body: bytes, boundary: bytes) -> list[bytes]:
    """Return the bodies between boundary lines; if the last boundary is missing, up to the end."""
    mark = b"\n--" + boundary
    body = b"\n" + body
    bodies: list[bytes] = []
    begin: int | None = None
    place = body.find(mark)
    while place >= 0:
        end = body.find(b"\n", place + len(mark))
        end = end if end >= 0 else len(body)
        tail = body[place + len(mark) : end].rstrip(b" \t")
        if tail in (b"", b"--"):
            if begin is not None:
                bodies.append(body[begin : max(begin, place)])
            if tail:
                return bodies
            begin = end + 1
            if len(bodies) > MAX_PARTS:
                raise TooManyParts
        place = body.find(mark, end)
    if begin is not None:
        bodies.append(body[begin:])
    return bodies


def _cut(body: bytes, limit: int) -> tuple[bytes, bool]:
    return body[:limit], len(body) > limit


def _decode_base64(packed: bytes) -> bytes:
    letters = packed.translate(None, _NO_BASE64)
    if len(letters) % 4 == 1:
        letters = letters[:-1]  # a lone character holds no whole byte: the rest was lost in transit
    return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))


def _decode_header(value: str) -> str:
    """Decode encoded words in *value*, as one line; what can't be decoded is left unchanged."""
    line = " ".join(value.split())
    try:
        return clean_line("".join(_decode_word(word, charset) for word, charset in decode_header(line)))
    except Exception:  # the library raises errors of many kinds for malformed words
        return clean_line(line)


def _decode_word(word: bytes | str, charset: str | None) -> str:
    if isinstance(word, str):
        word = word.encode("ascii", "surrogateescape")
    try:
        return word.decode(charset or "utf-8", "replace")
    except LookupError:
        return word.decode("utf-8", "replace")
