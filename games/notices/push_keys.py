"""The key by which push services know this site (VAPID, RFC 8292)."""

from __future__ import annotations

import base64
from functools import lru_cache
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

if TYPE_CHECKING:
    from py_vapid import Vapid02


def is_push_offered() -> bool:
    """Return whether this site has a key, without which no push service takes anything from it."""
    return bool(settings.VAPID_PRIVATE_KEY)


def make_private_key() -> str:
    """Return a new private key as the setting has it: 32 bytes in base64url."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return encode(number.to_bytes(32, "big"))


def get_public_key() -> str:
    """Return the public key, which browsers are given when they subscribe."""
    return _build_public_key(settings.VAPID_PRIVATE_KEY)


def load_signer() -> Vapid02:
    """Return what signs requests to push services."""
    from py_vapid import Vapid02  # with the rest of pywebpush: only where something is sent

    return Vapid02.from_raw(settings.VAPID_PRIVATE_KEY.encode())


def encode(data: bytes) -> str:
    """*data* in base64url without padding, as JavaScript and JWT have it."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode(text: str) -> bytes:
    """Undo :func:`encode`.

    :raises ValueError: *text* is something else
    """
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


@lru_cache(maxsize=2)
def _build_public_key(private_key: str) -> str:
    key = ec.derive_private_key(int.from_bytes(decode(private_key), "big"), ec.SECP256R1())
    return encode(key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
