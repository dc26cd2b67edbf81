"""The meaning of a reply to a turn mail (REPLY-1, 14 to 18)."""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from games.inbox.machines import is_machine, is_perhaps_machine
from games.inbox.messages import MailPart, TooManyParts, parse_message
from games.inbox.quotes import OwnWords, find_own_words
from games.inbox.text import MailText, read_text
from games.inbox.vocabulary import WITH_TEXT, read_command, read_turn

logger = logging.getLogger(__name__)

OF_THE_HEAD = re.compile(r"(content-[a-z-]+|mime-version|message-id|in-reply-to) ?:", re.IGNORECASE)
"""Headers that no player writes."""


@dataclass(frozen=True, slots=True)
class MailReply:
    """The outcome of a message (REPLY-1)."""

    kind: Literal["play", "command", "explain", "ignore"]
    line: str = ""  # the turn as ``notation.write`` spells it; of an explanation the line that was read
    name: str = ""  # of a command
    text: str = ""  # of talk and note


def read_reply(raw: bytes, *, our_addresses: Collection[str] = ()) -> MailReply:
    """Return what the message *raw* asks for. Never raises, and runs in linear time.

    *our_addresses* are senders whose mail is our own (:func:`is_machine`).
    """
    try:
        return _read_reply(raw, our_addresses)
    except TooManyParts:
        return MailReply("explain")
    except Exception:  # in doubt nothing is played (REPLY-2), and one message must not stop those behind it
        logger.exception("A reply could not be read")
        return MailReply("explain")


def read_confirmation(raw: bytes) -> bool:
    """Return whether the message *raw* answers "yes" to a question, and asks for nothing else (REPLY-17).
    Only whoever has asked one calls this: elsewhere it is no command (REPLY-16). Never raises."""
    try:
        message = parse_message(raw)
        text = read_text(message)
        words = find_own_words(text.lines)
        if text.encrypted or _holds_headers(message, text) or (text.cut and not words.to_the_end):
            return False
    except TooManyParts:
        return False
    except Exception:
        logger.exception("A confirmation could not be read")
        return False
    others = (*_lines_after_first(words.counted), *words.others)
    yes = _first_line(words.counted).removesuffix(".").casefold() == "yes"
    return yes and not any(_contradicts(line, "yes") for line in others)


def describe_reply(reply: MailReply) -> dict[str, str]:
    """Return the outcome in the specification's format.

    >>> describe_reply(MailReply("command", name="talk", text="Well played!"))
    {'kind': 'command', 'name': 'talk', 'text': 'Well played!'}
    """
    if reply.kind == "play":
        return {"kind": reply.kind, "line": reply.line}
    if reply.kind == "command":
        text = {"text": reply.text} if reply.text else {}
        return {"kind": reply.kind, "name": reply.name, **text}
    return {"kind": reply.kind}


def _read_reply(raw: bytes, our_addresses: Collection[str]) -> MailReply:
    message = parse_message(raw)
    if is_machine(message, our_addresses):
        return MailReply("ignore")
    reply = _read_text(message)
    if reply.kind == "explain" and is_perhaps_machine(message):
        return MailReply("ignore")
    return reply


def _read_text(message: MailPart) -> MailReply:
    text = read_text(message)
    words = find_own_words(text.lines)
    if text.encrypted or _holds_headers(message, text) or (text.cut and not words.to_the_end):
        return MailReply("explain", line=_first_line(words.counted))
    return decide(words)


def decide(words: OwnWords) -> MailReply:
    """Return the outcome for the player's own *words*.

    >>> decide(OwnWords(("8D", "", "See you at 5")))
    MailReply(kind='play', line='8d', name='', text='')
    >>> decide(OwnWords(("8d", "or", "9d")))
    MailReply(kind='explain', line='8d', name='', text='')
    """
    first = _first_line(words.counted)
    following = _lines_after_first(words.counted)
    turn, command = read_turn(first), read_command(first)
    if turn is not None:
        reply, same = MailReply("play", line=turn), turn
    elif command is not None:
        name, text = command
        if name in WITH_TEXT:
            paragraph = following[: following.index("")] if "" in following else following
            text = " ".join((text, *paragraph))
        reply, same = MailReply("command", name=name, text=text), name
    else:
        return MailReply("explain", line=first)
    if any(_contradicts(line, same) for line in (*following, *words.others)):
        return MailReply("explain", line=first)
    return reply


def _holds_headers(message: MailPart, text: MailText) -> bool:
    """Return whether *text* contains headers that *message* lacks: its head ended early, so that the first
    line is not known."""
    matches = (OF_THE_HEAD.match(line.text) for line in text.lines)
    return any(header is not None and not message.texts(header[1]) for header in matches)


def _first_line(lines: Iterable[str]) -> str:
    return next((line for line in lines if line), "")


def _lines_after_first(lines: tuple[str, ...]) -> tuple[str, ...]:
    place = next((place for place, line in enumerate(lines) if line), len(lines))
    return lines[place + 1 :]


def _contradicts(line: str, same: str) -> bool:
    """Return whether *line* is another answer than *same* (REPLY-17)."""
    if not line:
        return False
    turn, command = read_turn(line), read_command(line)
    if turn is not None:
        return turn != same
    return command is not None and command[0] in ("resign", "undo") and command[0] != same
