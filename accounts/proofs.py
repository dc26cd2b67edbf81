"""Addresses that visitors have shown to be theirs before they sign up: they followed a link mailed there.

Accounts know nothing of such mails: whoever sends them adds to ``core.hooks.ADDRESS_PROOFS`` how to look a
link up once more.
"""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from django.http import HttpRequest

from core import hooks

SESSION_KEY = "address_proof"


def remember_proof(request: HttpRequest, kind: str, key: str, address: str) -> None:
    """Note that the visitor has followed the link with this *key*: the sign-up form has *address* in it."""
    get_adapter().stash_verified_email(request, address)
    request.session[SESSION_KEY] = [kind, key]


def find_proved_address(request: HttpRequest, kind: str = "", key: str = "") -> str:
    """Return the address whose mailed link the visitor has followed, as long as that link is unused; empty
    for a link other than the one of this *kind* and *key*, if they are given."""
    followed = tuple(request.session.get(SESSION_KEY, ("", "")))
    if kind and followed != (kind, key):
        return ""
    lookup = hooks.ADDRESS_PROOFS.get(followed[0])
    return lookup(followed[1]).lower() if lookup else ""


def settle_proof(request: HttpRequest, address: str) -> None:
    """Keep what the visitor has shown only if they sign up with that *address* and the link is still unused.

    allauth then takes the address for confirmed.
    """
    if address and find_proved_address(request) == address.lower():
        del request.session[SESSION_KEY]
    else:
        forget_proof(request)


def forget_proof(request: HttpRequest) -> None:
    """Let the visitor have shown nothing."""
    if request.session.pop(SESSION_KEY, None):
        get_adapter().unstash_verified_email(request)
