"""Addresses that visitors have shown to be theirs before they sign up: they followed a link mailed there.

Accounts know nothing of such mails: whoever sends them registers here how to look a link up once more.
"""

from __future__ import annotations

from collections.abc import Callable

from allauth.account.adapter import get_adapter
from django.http import HttpRequest

SESSION_KEY = "address_proof"

Lookup = Callable[[str], str]
"""From the key of a link to the address that it was mailed to; empty once the link has been used."""

_lookups: dict[str, Lookup] = {}


def register(kind: str, lookup: Lookup) -> None:
    """Look links of this *kind* up by *lookup*."""
    _lookups[kind] = lookup


def remember_proof(request: HttpRequest, kind: str, key: str, address: str) -> None:
    """Note that the visitor has followed the link with this *key*: the sign-up form has *address* in it."""
    get_adapter().stash_verified_email(request, address)
    request.session[SESSION_KEY] = [kind, key]


def settle_proof(request: HttpRequest, address: str) -> None:
    """Keep what the visitor has shown only if they sign up with that *address* and the link is still unused.

    allauth then takes the address for confirmed.
    """
    kind, key = request.session.get(SESSION_KEY, ("", ""))
    if kind in _lookups and address and _lookups[kind](key).lower() == address.lower():
        del request.session[SESSION_KEY]
    else:
        forget_proof(request)


def forget_proof(request: HttpRequest) -> None:
    """Let the visitor have shown nothing."""
    if request.session.pop(SESSION_KEY, None):
        get_adapter().unstash_verified_email(request)
