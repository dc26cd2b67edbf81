"""Mails of a megabyte that are as dear to read as possible: in their lines, parts, boundaries, nesting,
encodings, headers and HTML. ``MAKERS`` has a function for each, of the size in bytes."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator

MEGABYTE = 1_000_000
PARTS = 49  # one fewer than the reader takes
DEPTH = 9
HEAD = "From: anna@example.org\r\nMessage-ID: <{name}@example.org>\r\n"
MIXED = "Content-Type: multipart/mixed; boundary=b\r\n\r\n"


def repeat(piece: str, size: int) -> str:
    return (piece * (size // len(piece) + 1))[:size]


def _body(piece: str, kind: str = "text/plain", encoding: str = "7bit") -> Callable[[int], str]:
    head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    return lambda size: head + repeat(piece, size)


def _encoded(piece: str, kind: str = "text/plain") -> Callable[[int], str]:
    head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\n\r\n"

    def write(size: int) -> str:
        packed = b64encode(repeat(piece, 3 * size // 4).encode()).decode()
        return head + "\r\n".join(packed[at : at + 76] for at in range(0, size, 76))

    return write


def _header(name: str, piece: str) -> Callable[[int], str]:
    return lambda size: f"{name}: a/b {repeat(piece, size)}\r\n\r\n8d\r\n"


def _many(line: str) -> Callable[[int], str]:
    return lambda size: repeat(line, size) + "\r\n\r\n8d\r\n"


def _parts(kind: str, piece: str, number: int = PARTS) -> Callable[[int], str]:
    def write(size: int) -> str:
        part = f"--b\r\nContent-Type: {kind}\r\n\r\n{repeat(piece, size // number)}\r\n"
        return MIXED + part * number

    return write


def _heads_of_parts(line: str) -> Callable[[int], str]:
    return lambda size: MIXED + f"--b\r\n{repeat(line, size // PARTS)}\r\n\r\n8d\r\n" * PARTS


def _nested(levels: int, piece: str) -> Callable[[int], str]:
    begun = "".join(
        f"Content-Type: multipart/mixed; boundary=b{level}\r\n\r\n--b{level}\r\n" for level in range(levels)
    )
    return lambda size: begun + "\r\n" + repeat(piece, size)


def _siblings(size: int) -> str:
    """Five levels of multiparts, each of ten parts with long boundaries that differ in their last letter."""
    mark = "b" * 60
    inner = "".join(
        f"--{mark}0\r\nContent-Type: multipart/mixed; boundary={mark}{number}\r\n\r\n"
        + repeat(f"--{mark}\r\n", size // 48)
        + f"--{mark}{number}--\r\n"
        for number in range(1, 48)
    )
    return f"Content-Type: multipart/mixed; boundary={mark}0\r\n\r\n{inner}"


MAKERS: dict[str, Callable[[int], str]] = {
    "lines of two bytes": _body("\r\n"),
    "lines of a letter": _body("a\r\n"),
    "lines of a turn": _body("8d\r\n"),
    "lines that end with a dot": _body("a.\r\n"),
    "lines of dots": _body("..\r\n"),
    "quoted lines": _body(">\r\n"),
    "introductions": _body("On 1.1.2026 10:00 a@b.c\r\n"),
    "header blocks": _body("a@b.c: 2\r\n"),
    "flowed lines": _body("a \r\n", "text/plain; format=flowed"),
    "one line": _body("3,-1 r90 a "),
    "spaces": _body("\u00a0 \r\n", "text/plain; charset=utf-8", "8bit"),
    "pages of tags": _body("<b>", "text/html"),
    "pages of blocks": _body("<div><b></div>", "text/html"),
    "pages of quotes": _body("<blockquote>", "text/html"),
    "pages of attributes": _body(f"<p {'a=1 ' * 1000}>", "text/html"),
    "pages of styles": _body(f"<div style='{'border-color:' * 300}'>", "text/html"),
    "pages of open tags": _body("<a ", "text/html"),
    "pages of entities": _body("&#9", "text/html"),
    "pages of rows": _body("<table><tr><td>", "text/html"),
    "pages of pictures": _body(f"data:{'a' * 199} ", "text/html"),
    "base64 lines": _encoded("8d\n"),
    "base64 page": _encoded("<p><b>a", "text/html"),
    "quoted-printable": _body("=20=\r\n", encoding="quoted-printable"),
    "quoted-printable spaces": _body("= ", encoding="quoted-printable"),
    "utf-7": _body("+a-8d \r\n", "text/plain; charset=utf-7"),
    "iso-2022-jp": _body("\x1b$B8d\x1b(B\r\n", "text/plain; charset=iso-2022-jp"),
    "hz": _body("~{8d~}\r\n", "text/plain; charset=hz"),
    "headers": _many("X-A: y\r\n"),
    "short headers": _many("a:\r\n"),
    "headers of words": _many("Subject: =?utf-8?q?a?= =?utf-8?b?YQ==?=\r\n"),
    "headers of addresses": _many("To: a@b.c, (c) <d@e.f>\r\n"),
    "results": _many("Authentication-Results: mx.example.org; dmarc=pass; spf=pass (a) dkim=none\r\n"),
    "folded header": _header("Subject", "\r\n a"),
    "subject of words": _header("Subject", "=?utf-8?q?a?= "),
    "addresses": _header("To", "a@b.c,"),
    "comments": _header("From", "("),
    "references": _header("References", "<game.a@b> "),
    "parameters": _header("Content-Type", ";a*0="),
    "parts of text": _parts("text/plain", "10:00\r\n"),
    "parts of HTML": _parts("text/html", "<b>"),
    "parts of attachments": _parts('text/plain; name="a"', "a\r\n"),
    "hundreds of parts": _parts("text/plain", "a\r\n", 400),
    "thousands of parts": _parts("text/plain", "a", 20_000),
    "headers of parts": _heads_of_parts("a:\r\n"),
    "types of parts": _heads_of_parts("Content-Type: text/plain; charset=a\r\n"),
    "boundaries": lambda size: MIXED + repeat("--b\r\n", size),
    "boundaries of spaces": lambda size: MIXED + repeat("--b" + " " * 1000 + "x\r\n", size),
    "like boundaries": lambda size: MIXED + "--b\r\n\r\n" + repeat("--c\r\n", size),
    "siblings": _siblings,
    "nested": _nested(DEPTH, "a\r\n"),
    "nested lines": _nested(DEPTH, "\r\n"),
    "nested boundaries": _nested(DEPTH, f"--b{DEPTH}\r\n"),
    "sixty levels": _nested(60, "a\r\n"),
    "two hundred levels": _nested(200, "--b\r\n"),
    "forwarded": lambda size: "Content-Type: message/rfc822\r\n\r\n" + repeat(MIXED + "--b\r\n", size),
}


def make_mail(name: str, size: int = MEGABYTE) -> bytes:
    """Write the mail of this *name*, of about *size* bytes and no more than a megabyte."""
    head = HEAD.format(name=name.replace(" ", "-"))
    return (head + MAKERS[name](size)).encode("utf-8")[:MEGABYTE]


def list_mails(size: int = MEGABYTE) -> Iterator[tuple[str, bytes]]:
    """Yield all mails, by name."""
    return ((name, make_mail(name, size)) for name in MAKERS)
