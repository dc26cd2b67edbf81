"""Normal form of an e-mail address, equal for all spellings that arrive in the same mailbox.

Nobody is refused because of it: there can be good reasons for two accounts with such addresses. Mail always
goes to the address as it was given.

Sources: what the providers say of their own addresses. Gmail: support.google.com/mail/answer/7436150 (dots)
and /10313 (googlemail.com); Proton: proton.me/support/addresses-and-aliases; tags after "+": RFC 5233.
"""

from __future__ import annotations

import unicodedata

SAME_DOMAIN = {
    "googlemail.com": "gmail.com",
    "proton.me": "protonmail.com",
    "pm.me": "protonmail.com",
    "me.com": "icloud.com",
    "mac.com": "icloud.com",
    "ya.ru": "yandex.ru",
    "yandex.com": "yandex.ru",
}
"""Domains whose mailboxes are those of another domain, with that domain."""

IGNORED = {"gmail.com": ".", "protonmail.com": ".-_"}
"""Characters ignored in the local part, by domain."""


def normalize_address(address: str) -> str:
    """The normal form of *address*; empty if it is no address.

    >>> normalize_address("An.Na+chess@GoogleMail.com")
    'anna@gmail.com'
    >>> normalize_address("anna@bücher.example") == normalize_address("ANNA@xn--bcher-kva.example")
    True
    """
    local, at, domain = unicodedata.normalize("NFKC", address.strip()).casefold().rpartition("@")
    if not at or not local or not domain:
        return ""
    domain = _in_ascii(domain.rstrip("."))
    domain = SAME_DOMAIN.get(domain, domain)
    bare = local.partition("+")[0] or local  # "+@example.org" is an address, too
    kept = "".join(letter for letter in bare if letter not in IGNORED.get(domain, ""))
    return f"{kept or bare}@{domain}"


def _in_ascii(domain: str) -> str:
    try:
        return domain.encode("idna").decode()
    except UnicodeError:  # a name that is longer than names may be
        return domain
