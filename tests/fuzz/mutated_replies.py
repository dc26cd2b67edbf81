"""Generator of mutated replies: the player's own words stand among turns that they did not write.

The same seed makes the same replies. A reply is a list of pieces: those with the player's own words, which
stay as they are, and others, which noise may change in any way.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import Message
from random import Random

PREFIXES = (*[""] * 30, "\n", "   ", "\t", "\u00a0", "Hello!\n", "- ", "* ", "1. ", '"', "(", "Re: ", "play ")
SUFFIXES = (*[""] * 30, " ", "\t", ".", "!", "?", " please", "\n\nThanks,\nAnna", "\nSee you!", ",", ";")
NOISE = (
    *(
        b"\n",
        b"\n\n",
        b"\r",
        b"\0",
        b"\xff",
        b"\xc3\x28",
        b"=",
        b"=3D",
        b"<",
        b"</div>",
        b"<!--",
        b"&#0;",
        b'"',
    ),
    *(b"Content-Type: text/html\n", b"Content-Transfer-Encoding: base64\n", b"; charset=utf-16", b"--", b"("),
    *(b"Auto-Submitted: auto-replied\n", b"List-Id: <x>\n", b"Content-Type: multipart/mixed; boundary=x\n"),
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a message: the player's *own* words, or other text."""

    raw: bytes
    own: bool = False


def write_own_words(chance: Random, line: str, other: str) -> str:
    """Write *line* as a hurried player might, and sometimes *other* below it."""
    text = chance.choice((*[line] * 5, line.upper(), line.replace(" ", "  "), line[:-1], line[1:]))
    text = f"{chance.choice(PREFIXES)}{text}{chance.choice(SUFFIXES)}"
    if chance.random() < 0.1:
        place = chance.randrange(len(text) + 1)
        text = text[:place] + chr(chance.randrange(33, 127)) + text[place + chance.randrange(2) :]
    if chance.random() < 0.15:
        text += f"{chance.choice((chr(10), chr(10) * 2, chr(10) + 'or' + chr(10)))}{other}"
    return text


def write_mutated_reply(chance: Random, headers: Message, words: str, decoys: Sequence[str]) -> bytes:
    """Write a reply that says *words*, with *decoys* wherever a mail program puts something."""
    kind = chance.choice(
        (_write_plain, _write_plain, _write_flowed, _write_html, _write_mixed, _write_base64)
    )
    pieces = kind(chance, words, decoys)
    head = Piece("".join(f"{name}: {value}\n" for name, value in headers.items()).encode())
    most = chance.randrange(4)
    return b"".join(
        piece.raw if piece.own else _disturb(chance, piece.raw, most) for piece in (head, *pieces)
    )


def _disturb(chance: Random, raw: bytes, most: int) -> bytes:
    """*raw* with some bytes lost, changed, put in or repeated."""
    for _ in range(chance.randint(0, most)):
        place = chance.randrange(len(raw) + 1)
        end = place + chance.randint(0, 20)
        change = chance.randrange(4)
        if change == 0:
            raw = raw[:place] + raw[end:]
        elif change == 1:
            raw = raw[:place] + bytes([chance.randrange(256)]) + raw[place + 1 :]
        elif change == 2:
            raw = raw[:place] + chance.choice(NOISE) + raw[place:]
        else:
            raw = raw[:end] + raw[place:]
    return raw


def _write_quote(chance: Random, decoys: Sequence[str]) -> str:
    """The text below the player's words: sometimes a signature, and the quoted mail."""
    lines = [chance.choice(decoys) for _ in range(3)]
    signature = f"-- \nAnna\n{chance.choice(decoys)}\n\n" if chance.random() < 0.3 else ""
    marked = "".join(f"> {line}\n" for line in lines)
    introduction = "On Sunday, 1 March 2026 at 12:00, Carcassonne <games@carcassonne.example> wrote:\n"
    block = "From: Carcassonne <games@carcassonne.example>\nSent: 1 March 2026 12:00\nTo: Anna\nSubject: Hi\n"
    unmarked = "\n".join(lines) + "\n"
    return signature + chance.choice(
        (
            "",
            introduction + marked,
            marked,
            f"-----Original Message-----\n{block}\n{unmarked}",
            f"________________________________\n{block}\n{unmarked}",
            f"{introduction}\n{unmarked}",
        )
    )


def _write_plain(chance: Random, words: str, decoys: Sequence[str]) -> list[Piece]:
    head = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
    quote = _write_quote(chance, decoys)
    return [Piece(head.encode()), Piece(f"{words}\n\n".encode(), own=True), Piece(quote.encode())]


def _write_flowed(chance: Random, words: str, decoys: Sequence[str]) -> list[Piece]:
    head = "Content-Type: text/plain; charset=utf-8; format=flowed\nContent-Transfer-Encoding: 8bit\n\n"
    hard = "\n".join(line.rstrip(" ") for line in words.split("\n"))
    quote = _write_quote(chance, decoys)
    return [Piece(head.encode()), Piece(f"{hard}\n\n".encode(), own=True), Piece(quote.encode())]


def _write_html(chance: Random, words: str, decoys: Sequence[str]) -> list[Piece]:
    escaped = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    own = "".join(f"<div>{line or '<br>'}</div>\n" for line in escaped.split("\n"))
    quoted = "".join(f"<p>{chance.choice(decoys)}</p>" for _ in range(3))
    hidden = f'<div style="display:none">{chance.choice(decoys)}</div><!-- {chance.choice(decoys)} -->'
    head = "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
    around = f'<div class="gmail_quote"><div>Carcassonne wrote:</div><blockquote>{quoted}</blockquote></div>'
    signature = f'<div class="gmail_signature">{chance.choice(decoys)}</div>'
    return [
        Piece(f"{head}<html><body>\n".encode()),
        Piece(own.encode(), own=True),
        Piece(f"{hidden}{signature}{around}</body></html>\n".encode()),
    ]


def _write_mixed(chance: Random, words: str, decoys: Sequence[str]) -> list[Piece]:
    """The words, with turns in an attachment, a forwarded message and a meeting invitation."""
    edge = f"edge{chance.randrange(10**9)}"
    parts = [
        "Content-Type: text/plain; name=turn.txt\nContent-Disposition: attachment; filename=turn.txt\n\n{}\n",
        "Content-Type: message/rfc822\n\nFrom: anna@example.org\nTo: play@carcassonne.example\n\n{}\n",
        "Content-Type: text/calendar; method=REQUEST\n\nBEGIN:VCALENDAR\nSUMMARY:{}\n{}\nEND:VCALENDAR\n",
        "Content-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n{}\n",
    ]
    chosen = chance.sample(parts, chance.randint(1, 3))
    rest = "".join(f"\n--{edge}\n{part.replace('{}', chance.choice(decoys))}" for part in chosen)
    head = f"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary={edge}\n\n"
    text = f"--{edge}\nContent-Type: text/plain; charset=utf-8\n\n{words}\n"
    return [Piece(head.encode()), Piece(text.encode(), own=True), Piece(f"{rest}\n--{edge}--\n".encode())]


def _write_base64(chance: Random, words: str, decoys: Sequence[str]) -> list[Piece]:
    """The whole message in one block, which stays as it is: noise would change the words."""
    packed = base64.encodebytes(f"{words}\n\n{_write_quote(chance, decoys)}".encode())
    head = "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
    return [Piece(head.encode()), Piece(packed, own=True)]
