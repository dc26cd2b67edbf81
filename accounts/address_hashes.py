"""Keyed hashes of addresses of people without an account.

Limits and preferences that depend on an address are stored by its hash, so they outlive the address.
"""

from __future__ import annotations

from django.utils.crypto import salted_hmac

OF_GUESTS = "accounts.guest_address"


def hash_address(address: str, purpose: str = OF_GUESTS) -> str:
    """The keyed hash of *address*, ignoring case; empty if there is none. It changes with ``SECRET_KEY``."""
    known = address.strip().lower()
    return salted_hmac(purpose, known, algorithm="sha256").hexdigest() if known else ""


def mask_address(address: str) -> str:
    """The first letter and the domain of *address*: enough to recognise it for those who know it.

    >>> mask_address("kim@example.org"), mask_address("")
    ('k…@example.org', '')
    """
    name, at, domain = address.partition("@")
    return f"{name[:1]}…{at}{domain}" if address else ""
