"""Calls of mail providers, as they make them."""

from __future__ import annotations

import hashlib
import hmac
from base64 import b64encode
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from anymail import signals
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from games.mail_in import webhooks

SECRET = "postmark:a password of twenty letters"
SIGNING_KEY = "key-0123456789"
POSTMARK = "/webhooks/postmark/inbound/"
MAILGUN = "/webhooks/mailgun/inbound_mime/"


@pytest.fixture(autouse=True)
def listens(settings: Settings) -> Iterator[None]:
    settings.ANYMAIL = {"WEBHOOK_SECRET": SECRET, "MAILGUN_WEBHOOK_SIGNING_KEY": SIGNING_KEY}
    webhooks.connect()
    yield
    signals.inbound.disconnect(dispatch_uid="games.take_mail")
    signals.tracking.disconnect(dispatch_uid="games.note_fate")


def authorized(secret: str = SECRET) -> dict[str, str]:
    return {"Authorization": "Basic " + b64encode(secret.encode()).decode()}


def sign_mailgun(
    raw: bytes,
    recipient: str,
    *,
    sender: str = "anna@example.org",
    key: str = SIGNING_KEY,
    age: timedelta = timedelta(),
) -> dict[str, str]:
    """Build the form in which Mailgun posts *raw*, signed with *key*."""
    stamp, token = str(int((timezone.now() - age).timestamp())), "t" * 50
    return {
        "timestamp": stamp,
        "token": token,
        "signature": hmac.new(key.encode(), f"{stamp}{token}".encode(), hashlib.sha256).hexdigest(),
        "recipient": recipient,
        "sender": sender,
        "body-mime": raw.decode("latin-1"),
    }


def post_mailgun(raw: bytes, recipient: str, **signing: Any) -> Any:
    """Post *raw* as Mailgun does."""
    return Client().post(MAILGUN, sign_mailgun(raw, recipient, **signing), headers=authorized())
