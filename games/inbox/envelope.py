"""The identity of a message, and the senders that it names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256

from games.inbox.machines import list_addresses
from games.inbox.messages import TooManyParts, parse_message

_MESSAGE_ID = re.compile(r"<[^<>\s\x00-\x20\x7f-\uffff]+@[^<>\s\x00-\x20\x7f-\uffff]+>")
LONGEST_ID = 250


@dataclass(frozen=True, slots=True)
class MailEnvelope:
    """The identity of a message. *message_id* is empty if it is missing or invalid; *senders* are the
    addresses in ``From``, in lower case."""

    key: str
    message_id: str = ""
    senders: frozenset[str] = frozenset()


def read_envelope(raw: bytes) -> MailEnvelope:
    """Read the headers of the message *raw*. Never raises.

    >>> read_envelope(b"From: Ann <Ann@example.net>\\nMessage-ID: <4@x>\\n\\nHello").senders
    frozenset({'ann@example.net'})
    >>> len(read_envelope(b"").key)
    64
    """
    try:
        message = parse_message(raw)
    except TooManyParts:
        return MailEnvelope(_hash(raw))
    named = " ".join(message.texts("Message-ID")[:1]).strip()
    found = _MESSAGE_ID.search(named)
    message_id = found[0] if found is not None and len(found[0]) <= LONGEST_ID else ""
    return MailEnvelope(
        key=_hash(named.encode("utf-8", "surrogateescape")) if named else _hash(raw),
        message_id=message_id,
        senders=frozenset(list_addresses(message, "From")),
    )


def _hash(text: bytes) -> str:
    return sha256(text).hexdigest()
