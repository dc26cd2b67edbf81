"""Addresses that visitors have proved to be theirs before they sign up, by following a link mailed there.

``accounts`` knows nothing of such mails: other applications register in the hook ``ADDRESS_PROOFS`` how to
look a link up again.
"""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from django.http import HttpRequest

from accounts import hooks

SESSION_KEY = "address_proof"


def remember_proof(request: HttpRequest, kind: str, key: str, address: str) -> None:
    """Note that the visitor has followed the link with this *key*; *address* goes into the sign-up form."""
    get_adapter().stash_verified_email(request, address)
    request.session[SESSION_KEY] = [kind, key]


def find_proved_address(request: HttpRequest, kind: str = "", key: str = "") -> str:
    """Return the address whose mailed link the visitor has followed, while that link is unused; empty if
    *kind* and *key* are given and belong to another link."""
    followed = tuple(request.session.get(SESSION_KEY, ("", "")))
    if kind and followed != (kind, key):
        return ""
    lookup = hooks.ADDRESS_PROOFS.get(followed[0])
    return lookup(followed[1]).lower() if lookup else ""


def settle_proof(request: HttpRequest, address: str) -> None:
    """Keep the proof only if the visitor signs up with that *address* and the link is still unused.

    allauth then takes the address for confirmed.
    """
    if address and find_proved_address(request) == address.lower():
        del request.session[SESSION_KEY]
    else:
        forget_proof(request)


def forget_proof(request: HttpRequest) -> None:
    """Delete the visitor's proof."""
    if request.session.pop(SESSION_KEY, None):
        get_adapter().unstash_verified_email(request)
