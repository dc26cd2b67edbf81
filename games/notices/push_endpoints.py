"""Validation of push endpoints and keys that a player's browser sends.

A player can submit any address, and we post to it from within our network. So only HTTPS addresses at known
push services are accepted; no request is made, and no name resolved.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings

from games.exceptions import Refused
from games.models.push import LONGEST_ENDPOINT
from games.notices import push_keys

SERVICES = (
    "fcm.googleapis.com",  # Chrome, Edge on Android, Opera, Samsung Internet, Brave
    "*.push.services.mozilla.com",
    "*.notify.windows.com",  # Edge on Windows
    "*.push.apple.com",
)
"""Hosts of the push services of browsers. A star at the beginning, and only there, stands for any names."""

SECRET_BYTES = 16  # RFC 8291, section 3.2


def check_endpoint(endpoint: str) -> None:
    """Check that *endpoint* is an address at a push service.

    :raises Refused: it is none that we know
    """
    if not is_at_push_service(endpoint):
        raise Refused("push_service_unknown")


def is_at_push_service(endpoint: str) -> bool:
    """Return whether *endpoint* is an https address at one of the known services."""
    if len(endpoint) > LONGEST_ENDPOINT or not endpoint.isascii() or not endpoint.isprintable():
        return False
    if set(endpoint) & set(" \\"):  # which some programs that read addresses take for a slash
        return False
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        return False
    if parts.scheme != "https" or parts.fragment or "@" in parts.netloc:
        return False
    host = (parts.hostname or "").lower()
    at = host if port in (None, 443) else f"{host}:{port}"
    return any(_matches(at, pattern.lower()) for pattern in (*SERVICES, *settings.PUSH_HOSTS))


def _matches(host: str, pattern: str) -> bool:
    if pattern.startswith("*."):
        name = host.removesuffix(pattern[1:])
        return name not in ("", host) and ":" not in name
    return host == pattern


def check_keys(p256dh: str, auth: str) -> None:
    """Check that the keys can be used for encryption.

    :raises Refused: they can't
    """
    try:
        # Decode the point as the browser wrote it: one that is not on the curve may give away our key.
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), push_keys.decode(p256dh))
        secret = push_keys.decode(auth)
    except ValueError as error:
        raise Refused("push_keys") from error
    if len(secret) != SECRET_BYTES:
        raise Refused("push_keys")
