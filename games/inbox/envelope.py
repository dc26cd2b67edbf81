"""The identity of a message, and the senders that it names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256

from games.inbox.machines import list_addresses
from games.inbox.messages import parse_head

_MESSAGE_ID = re.compile(r"<[^<>\s\x00-\x20\x7f-\uffff]+@[^<>\s\x00-\x20\x7f-\uffff]+>")
LONGEST_ID = 250


@dataclass(frozen=True, slots=True)
class MailEnvelope:
    """The identity of a message. *message_id* is empty if it is missing or invalid, and *key* is then the
    hash of all bytes; *senders* and *recipients* are the addresses in ``From``, and in ``To`` and ``Cc``, in
    lower case."""

    key: str
    message_id: str = ""
    senders: frozenset[str] = frozenset()
    recipients: tuple[str, ...] = ()


def read_envelope(raw: bytes) -> MailEnvelope:
    """Read the headers of the message *raw*. Never raises.

    >>> read_envelope(b"From: Ann <Ann@example.net>\\nMessage-ID: <4@x>\\n\\nHello").senders
    frozenset({'ann@example.net'})
    >>> len(read_envelope(b"").key)
    64
    """
    message = parse_head(raw)
    named = _MESSAGE_ID.search(" ".join(message.texts("Message-ID")[:1]))
    message_id = named[0] if named is not None and len(named[0]) <= LONGEST_ID else ""
    return MailEnvelope(
        key=_hash(message_id.encode() or raw),
        message_id=message_id,
        senders=frozenset(list_addresses(message, "From")),
        recipients=tuple(list_addresses(message, "To", "Cc")),
    )


def _hash(text: bytes) -> str:
    return sha256(text).hexdigest()
