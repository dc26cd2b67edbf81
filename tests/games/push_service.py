"""Browsers that have subscribed at a push service on this machine, and decrypt its messages."""

from __future__ import annotations

import base64
import json
from typing import Any

import http_ece
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from games.notices.push_keys import decode, encode
from games.notices.push_subscriptions import BrowserKeys
from tests.post_service import PostedRequest, PostService


class SubscribedBrowser:
    """Browser with a subscription at *service* under a name."""

    def __init__(self, service: PostService, name: str = "browser") -> None:
        self.path = f"/send/{name}"
        self.endpoint = f"https://{service.host}{self.path}"
        self.secret = name.encode().ljust(16, b"-")[:16]
        self.key = ec.generate_private_key(ec.SECP256R1())

    @property
    def keys(self) -> BrowserKeys:
        public = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return BrowserKeys(self.endpoint, encode(public), encode(self.secret))

    def read(self, request: PostedRequest) -> dict[str, Any]:
        """Return the message that only this browser can read."""
        said = http_ece.decrypt(
            request.body, private_key=self.key, auth_secret=self.secret, version="aes128gcm"
        )
        payload: dict[str, Any] = json.loads(said)
        return payload


def read_token(request: PostedRequest, public_key: str) -> dict[str, Any]:
    """Return the claims of the JWT of *request*, which must be signed by the owner of *public_key*."""
    scheme, rest = request.headers["authorization"].split(" ", 1)
    parts = dict(part.split("=", 1) for part in rest.split(","))
    assert (scheme, parts["k"]) == ("vapid", public_key)
    head, claims, signature = parts["t"].split(".")
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(public_key))
    raw = decode(signature)
    numbers = (int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    signed = f"{head}.{claims}".encode()
    point.verify(encode_dss_signature(*numbers), signed, ec.ECDSA(hashes.SHA256()))
    token_claims: dict[str, Any] = json.loads(base64.urlsafe_b64decode(claims + "=="))
    return token_claims
