"""Addresses of people without an account: kept while they are needed, and as keyed hashes then.

Limits and wishes that rest on an address go by its hash, so they go on when the address is gone.
"""

from __future__ import annotations

from django.utils.crypto import salted_hmac

OF_GUESTS = "accounts.guest_address"


def hash_address(address: str, purpose: str = OF_GUESTS) -> str:
    """The keyed hash of *address*, in any capitals; empty where there is none. With another ``SECRET_KEY`` it
    is another one."""
    known = address.strip().lower()
    return salted_hmac(purpose, known, algorithm="sha256").hexdigest() if known else ""


def mask_address(address: str) -> str:
    """*address* as far as whoever knows it recognises it.

    >>> mask_address("kim@example.org"), mask_address("")
    ('k…@example.org', '')
    """
    name, at, domain = address.partition("@")
    return f"{name[:1]}…{at}{domain}" if address else ""
