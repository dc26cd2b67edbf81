"""Encryption of secrets in rows, so that the database alone does not give them away.

The key comes from ``SECRET_KEY`` and the purpose; ``SECRET_KEY_FALLBACKS`` still decrypt.
"""

from __future__ import annotations

import base64
from functools import lru_cache
from hashlib import sha256

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

__all__ = ["InvalidToken", "decrypt", "encrypt"]


def encrypt(text: str, *, purpose: str) -> str:
    return _get_keys(purpose).encrypt(text.encode()).decode()


def decrypt(encrypted_text: str, *, purpose: str) -> str:
    """:raises InvalidToken: the text was encrypted with an unknown key, or for another purpose"""
    return _get_keys(purpose).decrypt(encrypted_text.encode()).decode()


def _get_keys(purpose: str) -> MultiFernet:
    return _build_keys(purpose, (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))


@lru_cache(maxsize=8)
def _build_keys(purpose: str, secrets: tuple[str, ...]) -> MultiFernet:
    digests = (sha256(purpose.encode() + secret.encode()).digest() for secret in secrets)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
