"""Validation of the URLs that ``core.outgoing_http`` sends to, and its errors.

Separate from it, as code that only reads URLs need not load what sends requests: five megabytes.
"""

from __future__ import annotations

import re
from enum import StrEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import NamedTuple

from django.conf import settings

PORT = 443
LONGEST_URL = 500

HOST = r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?"
PATH = r"/(?!/)[\w.~!$&'()*+,;=:@%/?-]+"
TARGET = re.compile(rf"https://({HOST})(?::{PORT})?({PATH})", re.ASCII | re.IGNORECASE)
"""Accepted part of RFC 3986: a host name with a dot, and no numeric address. All readers of addresses agree
on the host of such a URL."""

USABLE_V6 = IPv6Network("2000::/3")  # all that IANA has given out; IPv4 in IPv6, NAT64 and others lie outside
SPECIAL: tuple[IPv4Network | IPv6Network, ...] = (
    IPv4Network("192.0.0.0/24"),  # protocol assignments, some of which Python calls global
    IPv4Network("192.31.196.0/24"),  # AS112
    IPv4Network("192.52.193.0/24"),  # AMT
    IPv4Network("192.88.99.0/24"),  # relays of 6to4
    IPv4Network("192.175.48.0/24"),  # AS112
    IPv4Network("168.63.129.16/32"),  # Azure's own services, as its virtual machines see them
    IPv6Network("2001::/23"),  # protocol assignments: Teredo, ORCHID, benchmarks
    IPv6Network("2001:db8::/32"),  # documentation
    IPv6Network("2002::/16"),  # 6to4, which holds an IPv4 address
    IPv6Network("2620:4f:8000::/48"),  # AS112
    IPv6Network("3fff::/20"),  # documentation
)
"""Address blocks that are not public, besides those that ``ipaddress`` knows."""


class UrlFault(StrEnum):
    """Reason why no request is sent to a URL."""

    NOT_HTTPS = "not_https"
    CREDENTIALS = "credentials"
    PORT = "port"
    MALFORMED = "malformed"
    OWN_SITE = "own_site"


class UnusableUrl(ValueError):
    """Refusal of a URL by its form alone, without looking up its host."""

    def __init__(self, fault: UrlFault) -> None:
        super().__init__(fault.value)
        self.fault = fault


class HostFault(StrEnum):
    """Reason why a host gave no response."""

    UNKNOWN = "unknown_host"
    LOOKUP = "lookup"  # no answer about the name, which may be the fault of our resolver
    NOT_PUBLIC = "not_public"
    CONNECTION = "connection"
    CERTIFICATE = "certificate"
    TIMEOUT = "timeout"


class HostFailed(Exception):
    """Failed request to a host. The message is the fault alone: a URL may be a secret."""

    def __init__(self, fault: HostFault) -> None:
        super().__init__(fault.value)
        self.fault = fault


class HttpsTarget(NamedTuple):
    """Host, and path with query, of an HTTPS URL."""

    host: str
    path: str


def parse_target(url: str) -> HttpsTarget:
    """Parse *url*, which a user has typed.

    >>> parse_target("https://Hooks.example.com:443/T0/secret?thread=1")
    HttpsTarget(host='hooks.example.com', path='/T0/secret?thread=1')

    :raises UnusableUrl: no request may go there
    """
    if not url[:8].lower() == "https://":
        raise UnusableUrl(UrlFault.NOT_HTTPS)
    match = TARGET.fullmatch(url)
    if len(url) > LONGEST_URL or match is None:
        raise UnusableUrl(_find_fault(url))
    host, path = match[1].lower(), match[2]
    if len(host) > 253:
        raise UnusableUrl(UrlFault.MALFORMED)
    if host in {settings.SITE_HOST, *settings.ALLOWED_HOSTS}:
        raise UnusableUrl(UrlFault.OWN_SITE)
    return HttpsTarget(host, path)


def _find_fault(url: str) -> UrlFault:
    authority = re.split(r"[/?#\\]", url[8:], maxsplit=1)[0]
    if "@" in authority:
        return UrlFault.CREDENTIALS
    port = re.search(r":(\d+)$", authority)
    return UrlFault.PORT if port and port[1] != str(PORT) else UrlFault.MALFORMED


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether *address* is a unicast address of the public internet.

    >>> is_public(IPv4Address("93.184.215.14")), is_public(IPv6Address("::ffff:127.0.0.1"))
    (True, False)
    """
    if address.version == 6 and address not in USABLE_V6:
        return False
    if not address.is_global or address.is_multicast or address.is_reserved:
        return False
    return not any(address.version == block.version and address in block for block in SPECIAL)
