"""Authenticator apps as second factors."""

import time

from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value

from accounts.models import Player


def activate_app(player: Player) -> str:
    """Give *player* an authenticator app, and return its secret."""
    secret = generate_totp_secret()
    TOTP.activate(player, secret)
    return secret


def compute_app_code(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))
