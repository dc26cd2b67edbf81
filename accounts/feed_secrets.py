"""Secrets in the addresses of a player's private feeds: 128 bits, which the player can replace or delete.

There is none until the player asks for it. ``accounts`` doesn't know which feeds there are.
"""

from __future__ import annotations

import secrets
from datetime import datetime

from django.core import signing

from accounts.models import FeedSecret, Player
from accounts.security import log_security_event

SALT = "accounts.feed_secrets"
BYTES = 16


def make_secret(player: Player, *, now: datetime) -> FeedSecret:
    """Give the feeds of *player* new addresses; earlier ones stop working."""
    made, _new = FeedSecret.objects.update_or_create(
        player=player, defaults={"secret": secrets.token_urlsafe(BYTES), "made": now}
    )
    log_security_event("feeds-addressed", player=player)
    return made


def delete_secret(player: Player) -> bool:
    """Disable the addresses of *player*'s feeds. Return whether there were any."""
    deleted, _by_model = FeedSecret.objects.filter(player=player).delete()
    if deleted:
        log_security_event("feeds-switched-off", player=player)
    return bool(deleted)


def find_secret(player: Player) -> FeedSecret | None:
    """Return the secret of *player*, if they have asked for one."""
    return FeedSecret.objects.filter(player=player).first()


def build_token(secret: FeedSecret) -> str:
    """Return the signed token that stands in the feeds' addresses."""
    return _signer().sign(secret.secret)


def find_by_token(token: str) -> FeedSecret | None:
    """Return the secret in *token*, with its player; ``None`` if the token is invalid or replaced, or the
    account may not sign in. One query; none if the signature is wrong."""
    try:
        secret = _signer().unsign(token)
    except signing.BadSignature:
        return None
    valid = FeedSecret.objects.filter(secret=secret, player__is_active=True, player__closed=None)
    return valid.select_related("player").first()


def _signer() -> signing.Signer:
    return signing.Signer(sep=".", salt=SALT)
