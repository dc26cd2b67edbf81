"""The reply address of a player: a signed token with the player, the game and its version.

``play+<token>@<REPLY_DOMAIN>``. Mail programs and servers may change the case of an address, so the token is
in base32, read in any case. It is short: a local part has 64 characters (RFC 5321, 4.5.3.1.1).
"""

from __future__ import annotations

import hmac
from base64 import b32decode, b32encode
from binascii import Error
from collections.abc import Iterator
from typing import NamedTuple

from django.conf import settings
from django.utils.crypto import salted_hmac

MAILBOX = "play"
SALT = "games.notices.reply_address"
SIGNATURE = 12
"""Length of the signature in bytes: 96 bits can't be guessed through a mail server."""

FORMAT = 1  # in the upper half of the first byte
CONFIRMS_RESIGNING = 0x80
CONFIRMS_MAIL = 0x40
MOST_DIGITS = 5  # digits of a number, seven bits each: 2**35


class ReplyToken(NamedTuple):
    """The contents of a reply address. *confirms_resigning*: it is in the mail that asks to confirm a
    resignation. *confirms_mail*: it is in the one that asks whether the mail in the inbox with this primary
    key is the player's; 0 in all others."""

    player: int
    game: int
    version: int
    confirms_resigning: bool = False
    confirms_mail: int = 0


def build_reply_address(token: ReplyToken) -> str:
    """Return the address with *token*; empty if the site takes no replies."""
    if not settings.REPLY_DOMAIN:
        return ""
    return f"{MAILBOX}+{encode_token(token)}@{settings.REPLY_DOMAIN}"


def read_reply_address(address: str) -> ReplyToken | None:
    """Return the token in *address*; ``None`` if this site has not issued it."""
    local, _at, domain = address.strip().strip("<>").lower().rpartition("@")
    mailbox, _plus, token = local.partition("+")
    if not settings.REPLY_DOMAIN or domain != settings.REPLY_DOMAIN.lower() or mailbox != MAILBOX:
        return None
    return decode_token(token)


def encode_token(token: ReplyToken) -> str:
    """Return *token* signed and encoded in lower-case letters and digits."""
    first = FORMAT | (CONFIRMS_RESIGNING if token.confirms_resigning else 0)
    numbers = list(token[:3])
    if token.confirms_mail:
        first |= CONFIRMS_MAIL
        numbers.append(token.confirms_mail)
    said = bytes([first]) + b"".join(map(_pack, numbers))
    signed = said + _sign(said, settings.SECRET_KEY)
    return b32encode(signed).decode("ascii").rstrip("=").lower()


def decode_token(text: str) -> ReplyToken | None:
    """Return the token in *text*; ``None`` if it was not signed with one of our keys."""
    try:
        signed = b32decode(text.upper() + "=" * (-len(text) % 8))
    except (Error, ValueError):
        return None
    said, signature = signed[:-SIGNATURE], signed[-SIGNATURE:]
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    if not any([hmac.compare_digest(_sign(said, key), signature) for key in keys]):
        return None
    if said[0] & ~(CONFIRMS_RESIGNING | CONFIRMS_MAIL) != FORMAT:
        return None
    player, game, version, *mail = _unpack(said[1:])
    return ReplyToken(player, game, version, bool(said[0] & CONFIRMS_RESIGNING), *mail)


def _sign(said: bytes, key: str) -> bytes:
    return salted_hmac(SALT, said, secret=key, algorithm="sha256").digest()[:SIGNATURE]


def _pack(number: int) -> bytes:
    """Encode *number* as a varint: seven bits in each byte, the lowest first."""
    if not 0 <= number < 1 << 7 * MOST_DIGITS:
        raise ValueError(number)
    digits = []
    while number > 0x7F:
        digits.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*digits, number])


def _unpack(packed: bytes) -> Iterator[int]:
    """Yield the numbers encoded by :func:`_pack`."""
    number = shift = 0
    for byte in packed:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield number
            number = shift = 0
