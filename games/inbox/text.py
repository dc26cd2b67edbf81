"""The text of a message: the parts that are read, and their conversion to lines (REPLY-5, 6, 8)."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass

from games.inbox.html_text import read_html, strip_data
from games.inbox.lines import MailLine, clean_line
from games.inbox.messages import MailPart

MAX_TEXT = 256 * 1024
MAX_HTML = 512 * 1024
MAX_TAGS = 15_000
MAX_HTML_BYTES = 4 * 1024 * 1024
"""Maximum size of HTML as transferred, with the pictures in it, which don't count as text."""

MAX_LINES = 5_000
_ENCRYPTED = {"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"}
_NO_CHARSETS = {"unicode_escape", "raw_unicode_escape", "idna", "punycode", "undefined", "utf-7"}
"""Codecs of Python that no mail program means, or that read ASCII as something else."""

_WIDE = ("utf-16", "utf-32")
_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
_PGP_MESSAGE = "-----BEGIN PGP MESSAGE-----"


@dataclass(frozen=True, slots=True)
class MailText:
    """All lines of a message that are read."""

    lines: tuple[MailLine, ...] = ()
    cut: bool = False  # whether there was more, which is not read
    encrypted: bool = False


def read_text(message: MailPart) -> MailText:
    """Return the text of *message*; empty if it has none."""
    if message.kind in _ENCRYPTED:
        return MailText(encrypted=True)
    text = _TextReader().read(message)
    lines = _strip_armour(text.lines)
    if lines is None:
        return MailText(encrypted=True)
    return MailText(lines, text.cut)


class _TextReader:
    """Reads the parts of a message; the limits apply to all of them together."""

    def __init__(self) -> None:
        self.text, self.html, self.tags = MAX_TEXT, MAX_HTML, MAX_TAGS

    def read(self, part: MailPart) -> MailText:
        kind, _, form = part.kind.partition("/")
        if part.attached:
            return MailText()
        if part.kind == "text/plain":
            return self._read_plain(part)
        if part.kind == "text/html":
            return self._read_html(part)
        if kind != "multipart" or form in ("encrypted", "digest"):
            return MailText()
        if form in ("related", "signed"):
            return self.read(part.parts[0]) if part.parts else MailText()
        if form == "alternative":
            return self._choose(part.parts)
        return self._join(part.parts)

    def _choose(self, parts: Iterable[MailPart]) -> MailText:
        """Choose the plain text among alternatives, unless it is empty (REPLY-5)."""
        for part in sorted(parts, key=lambda candidate: candidate.kind != "text/plain"):
            text = self.read(part)
            if text.cut or any(line.text for line in text.lines):
                return text
        return MailText()

    def _join(self, parts: Iterable[MailPart]) -> MailText:
        lines: list[MailLine] = []
        cut = False
        for text in map(self.read, parts):
            if lines and text.lines:
                lines.append(MailLine("", whole=True))
            lines.extend(text.lines)
            cut |= text.cut
        return MailText(tuple(lines[:MAX_LINES]), cut or len(lines) > MAX_LINES)

    def _read_plain(self, part: MailPart) -> MailText:
        data, cut = part.decode(self.text)
        self.text -= len(data)
        text = decode_text(data, part.parameter("charset")).replace("\r\n", "\n").replace("\r", "\n")
        lines = text.split("\n")
        if len(lines) > MAX_LINES:
            lines, cut = lines[:MAX_LINES], True
        if part.parameter("format").lower() == "flowed":
            return MailText(tuple(_unflow(lines, part.parameter("delsp").lower() == "yes")), cut)
        return MailText(tuple(MailLine(clean_line(line)) for line in lines), cut)

    def _read_html(self, part: MailPart) -> MailText:
        data, cut = part.decode(MAX_HTML_BYTES)
        source = strip_data(decode_text(data, part.parameter("charset")))
        cut |= len(source) > self.html
        source = source[: self.html]
        lines, has_more = read_html(source, self.tags)
        self.html -= len(source)
        self.tags = max(0, self.tags - source.count("<"))
        return MailText(tuple(lines[:MAX_LINES]), cut or has_more or len(lines) > MAX_LINES)


def decode_text(data: bytes, charset: str) -> str:
    """Decode *data*, whatever *charset* claims (REPLY-6).

    >>> decode_text("borgin við ána".encode(), "us-ascii"), decode_text(b"pass", "x-unknown")
    ('borgin við ána', 'pass')
    """
    try:
        name = codecs.lookup(charset.strip(" \"'")).name
    except (LookupError, ValueError):
        name = "utf-8"
    if name.replace("_", "-") in {charset.replace("_", "-") for charset in _NO_CHARSETS}:
        name = "utf-8"
    if name.startswith(_WIDE) and b"\0" not in data:
        name = "utf-8"  # not a single Latin letter or line end
    for attempt in (name, "utf-8"):
        try:
            return data.decode(attempt)
        except (LookupError, ValueError):  # the first also for what is no charset, such as base64
            continue
    try:
        return data.decode(name, "replace")
    except (LookupError, ValueError):
        return data.decode("utf-8", "replace")


def _unflow(lines: Iterable[str], delete_space: bool) -> list[MailLine]:
    """Undo format=flowed (RFC 3676): a line that ends with a space goes on in the next of the same depth."""
    unflowed: list[MailLine] = []
    begun: list[str] = []
    begun_depth = 0

    def end_paragraph() -> None:
        if begun:
            unflowed.append(MailLine(clean_line("".join(begun)), quoted=begun_depth > 0, whole=True))
            begun.clear()

    for line in lines:
        text = line.lstrip(">")
        depth = len(line) - len(text)
        text = text.removeprefix(" ")
        # An empty line and the line above a signature end a paragraph, whatever stands at the end of it.
        if depth != begun_depth or not text.strip() or text == "-- ":
            end_paragraph()
        begun_depth = depth
        soft = text.endswith(" ") and text != "-- " and bool(text.strip())
        begun.append(text[:-1] if soft and delete_space else text)
        if not soft:
            end_paragraph()
    end_paragraph()
    return unflowed


def _strip_armour(lines: tuple[MailLine, ...]) -> tuple[MailLine, ...] | None:
    """Remove the armour of PGP and all from its signature on; return ``None`` if the lines are encrypted.

    Within the armour, "- " is put before each line that begins with a hyphen (RFC 4880, 7.1).
    """
    kept: list[MailLine] = []
    signed = in_headers = False
    for line in lines:
        if line.quoted or not line.text.startswith("-"):
            if in_headers:
                in_headers = bool(line.text)
            else:
                kept.append(line)
            continue
        if line.text == _PGP_MESSAGE:
            return None
        if line.text == _SIGNATURE:
            break
        if line.text == _SIGNED:
            signed = in_headers = True
        elif signed and line.text.startswith("- "):
            kept.append(_unescape_dash(line))
        else:
            kept.append(line)
    return tuple(kept)


def _unescape_dash(line: MailLine) -> MailLine:
    return MailLine(re.sub("^- +", "", line.text), line.quoted, line.rest, line.signature, line.whole)
