"""Tests of malformed messages: they are read quickly, and never raise."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.inbox.replies import read_reply
from tests.cases import count_calls, for_each
from tests.games.inbox.mails import FLOWED, HTML, PLAIN, mail

SIZE = 1 << 18  # bytes


def repeat(piece: str, size: int = SIZE) -> str:
    return (piece * (size // len(piece) + 1))[:size]


LINES = [
    *(">", "> ", ">\n", "\n", "\r", "a\n", "8d\n", "talk a\n", "-----\n", "--- a", "-", "____\n", " "),
    *("1", "1.", "a@b"),
    *("On 1.1.2026 10:00 a@b.c\n", "10:00\n", "a: b\n", "a@b.c: 2\n", "On Mon, a wrote\n", "wrote "),
    "Von mail ",
    *("Von Mail\n", "iPhone ", "1. de ", "2026 ", "- ", "-----BEGIN PGP SIGNED MESSAGE-----\n", "\u00a0"),
    "3,-1 r90 a ",
]  # fmt: skip
TAGS = [
    *("<b>", "<!--", "<!", "</", "<?", "<a ", '<a "', "<a b=", "<a b='", "<", "</a ", "<script>"),
    *("<![CDATA[", "&", "&#9"),
    *("<div>", "<p>", "<blockquote>", "<b></i>", "<div></b>", "<div><b></div>", "<br>", "<b><div></b>"),
    *("<td>", "data:"),
    *("<p class='x_x_x_x_'>", "<pre>\n", "<!-- -- ", f"<p id={'x_' * 2000}>", f"<p class={'m_1' * 1000}>"),
    "</p>",
    *(f"<div style='{'border-color:' * 300}'>", f"<a {' ' * 5000}", f"<p {'a=1 ' * 1000}>"),
    "<table><tr><td>",
]  # fmt: skip
IN_HEADERS = [
    "(",
    "<",
    "a@b.c,",
    "=?utf-8?q?a?= ",
    "=?utf-8?b?",
    ";",
    '";',
    ";a*0=",
    '"',
    "\\",
    "<game.",
    " ",
    "\n ",
    ":",
    "[",
]
NESTED = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(3000))
MIXED = "multipart/mixed; boundary=b"
PART = "--b\nContent-Type: {}\n\n"

MESSAGES: dict[str, Callable[[], bytes]] = {
    **{f"plain {piece!r}": lambda piece=piece: mail(repeat(piece)) for piece in LINES},
    **{f"flowed {piece!r}": lambda piece=piece: mail(repeat(piece), FLOWED) for piece in LINES},
    **{f"html {piece[:20]!r}": lambda piece=piece: mail(repeat(piece), HTML) for piece in TAGS},
    **{
        f"{name} {piece!r}": lambda name=name, piece=piece: mail("8d", **{name: "a/b" + repeat(piece, 99999)})
        for name in ("From", "To", "Subject", "Content-Type", "Content-Disposition", "References")
        for piece in IN_HEADERS
    },
    **{
        f"parts {piece!r}": lambda piece=piece: mail(
            (PART.format("text/plain; charset=" + repeat(piece, 8000)) + "8d\n") * 49, MIXED
        )
        for piece in IN_HEADERS
    },
    "headers": lambda: mail("8d", **{f"X-{n}": "y" for n in range(50_000)}),
    "nested": lambda: mail(NESTED[NESTED.index("--") :] + "\n8d\n", "multipart/mixed; boundary=b0"),
    "nested lines": lambda: mail("--b0\n" + NESTED[:2000] + "\n" * SIZE, "multipart/mixed; boundary=b0"),
    "boundaries": lambda: mail("--b\n" * 300_000, MIXED),
    "boundaries of spaces": lambda: mail(("--b" + " " * 1000 + "x\n") * 1000, MIXED),
    "same boundary": lambda: mail(repeat(PART.format(MIXED)), MIXED),
    "pages": lambda: mail((PART.format(HTML) + repeat("<b>", 200_000)) * 49, MIXED),
    "texts": lambda: mail((PART.format(PLAIN) + repeat("10:00\n", 200_000)) * 49, MIXED),
    "page of digits": lambda: mail("&#" + "9" * SIZE, HTML),
    "pictures": lambda: mail(repeat(f"data:{'a' * 199} "), HTML),
    **{
        f"{encoding} {piece!r}": lambda encoding=encoding, piece=piece: mail(
            repeat(piece, 8 * SIZE), Content_Transfer_Encoding=encoding
        )
        for encoding in ("base64", "quoted-printable", "x-uuencode")
        for piece in ("A", "= ", "=\n", "Pgo+", "=", "begin 644 a\n")
    },
    **{
        f"charset {name}": lambda name=name: mail(repeat("+a-8d\u00e9 \n"), f"text/plain; charset={name}")
        for name in ("utf-7", "idna", "punycode", "unicode_escape", "hz", "iso-2022-jp", "zlib", "a" * 3000)
    },
}  # fmt: skip


@for_each("name", MESSAGES)
def test_a_hostile_message_takes_few_calls(name: str) -> None:
    raw = MESSAGES[name]()
    assert count_calls(lambda: read_reply(raw)) < 12 * SIZE


@pytest.mark.parametrize(
    "head",
    [
        "Content-Transfer-Encoding: 8bb k",  # the end of the headers was lost with the line above the turn
        "Content-Transfer-Encoding: 8bitb k",
        "Content-Transfer-Encodb k",
        "Content-Type: text/plain; charset=\0\nContent-Transfer-Encodb k\xff",
        "Content-Transfer-Encoding: x-uuencode",
        "\n5a b\nMessage-ID: <1@example.org>\nMIME-Version: 1.0",  # the head ended early
        "Subject: Re:\n5a b",  # a line among the headers is none: the body may begin there, or not
    ],
)
def test_what_a_broken_head_has_swallowed_is_not_taken_for_nothing(head: str) -> None:
    """The first line of the words stands in the headers: the next one is not the first."""
    raw = f"From: anna@example.org\nContent-Type: text/plain; charset=utf-8\n{head}\n\n14b k\n"
    assert read_reply(raw.encode()).kind == "explain"


@pytest.mark.parametrize("encoding", ["7bit", "8BIT", " binary ", "quoted-printable"])
def test_encodings_that_mails_use_are_read(encoding: str) -> None:
    raw = f"From: anna@example.org\nContent-Transfer-Encoding: {encoding}\n\n14b k\n"
    assert read_reply(raw.encode()).kind == "play"
