"""Messages as mail programs write them, built from parts."""

from __future__ import annotations

from games.inbox.replies import MailReply, read_reply

LETTER = """Hello Megan,

It is your turn in Bram.
Please play by 24 November 2026, 18:00 (CET).

To play, answer this mail with one line:

14b k
    3,-1 r90 city N
    pass

The board, where you take your turn:
https://carcassonne.example/g/k7m2q/

--
You get this mail because you play in Bram and it is your turn."""
MARKED = "\n".join(f"> {line}".rstrip() for line in LETTER.split("\n"))
LETTER_HTML = "".join(f"<p>{'<br>'.join(part.splitlines())}</p>\n" for part in LETTER.split("\n\n"))

PLAIN = "text/plain; charset=utf-8"
FLOWED = "text/plain; charset=utf-8; format=flowed"
HTML = "text/html; charset=utf-8"


def mail(text: str | bytes, kind: str = PLAIN, **headers: str) -> bytes:
    """Build a message with *text* as its body. Headers have ``_`` for ``-``; ``""`` leaves one out."""
    all_headers = {
        "Return-Path": "<megan@example.net>",
        "From": "Megan Hall <megan@example.net>",
        "To": "Carcassonne by correspondence <token@reply.example.org>",
        "Subject": "Re: Your turn in Bram",
        "Message-ID": "<4bd9@example.net>",
        "In-Reply-To": "<your_turn.k7m2q.61.3@carcassonne.example>",
        "References": "<game.k7m2q@carcassonne.example> <your_turn.k7m2q.61.3@carcassonne.example>",
        "MIME-Version": "1.0",
        "Content-Type": kind,
    }
    all_headers |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\n" for name, value in all_headers.items() if value)
    body = text.encode() if isinstance(text, str) else text
    return head.encode() + b"\n" + body


def part(text: str, kind: str = PLAIN, **headers: str) -> str:
    """Build a part of a multipart message."""
    more = "".join(f"{name.replace('_', '-')}: {value}\n" for name, value in headers.items())
    return f"Content-Type: {kind}\n{more}\n{text}"


def several(kind: str, *parts: str, boundary: str = "=_b1") -> str:
    """Parts as one part, ``multipart/`` *kind*."""
    body = "".join(f"--{boundary}\n{part}\n" for part in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n{body}--{boundary}--\n'


def whole(parts: str) -> bytes:
    """Build a message from the result of :func:`several`."""
    kind, _, body = parts.removeprefix("Content-Type: ").partition("\n\n")
    return mail(body, kind)


def read(text: str | bytes, kind: str = PLAIN, **headers: str) -> MailReply:
    return read_reply(mail(text, kind, **headers))


def outcome(reply: MailReply) -> str:
    """The outcome in a word or a line: ``14b k``, ``talk Well played!``, ``explain``."""
    if reply.kind == "play":
        return reply.line
    if reply.kind == "command":
        return f"{reply.name} {reply.text}".strip()
    return reply.kind


def says(text: str | bytes, kind: str = PLAIN, **headers: str) -> str:
    return outcome(read(text, kind, **headers))
