"""Codes that are mailed: the session holds a keyed hash of each, only the mail has the code itself.

allauth puts the value that its adapter generates into both the session and the mail. So the adapter
generates the hash, and the code replaces it when the mail is sent, in the same request.
"""

from typing import Any

from allauth.core.internal.cryptokit import normalize_user_code
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

SALT = "accounts.codes"


def hash_code(code: str) -> str:
    """The keyed hash of *code*, ignoring spacing; keyed, as all codes of eight letters could be tried."""
    return salted_hmac(SALT, normalize_user_code(code), algorithm="sha256").hexdigest()


def store_code(request: HttpRequest, code: str) -> str:
    """Return the hash of *code* for the session, and keep the code on *request* until the mail is made."""
    hashed = hash_code(code)
    _codes(request)[hashed] = code
    return hashed


def insert_code(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """The *context* of a mail with the code itself in place of its hash."""
    if "code" not in context:
        return context
    return {**context, "code": _codes(request)[context["code"]]}


def _codes(request: HttpRequest) -> dict[str, str]:
    codes: dict[str, str] = request.__dict__.setdefault("mailed_codes", {})
    return codes
