"""Sign-in with authentication records, which ``force_login`` leaves out."""

import time
from typing import Any

from allauth.account.internal.flows.login import (
    _AUTHENTICATION_METHODS_USER_SESSION_KEY as WHOSE,
)
from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY as METHODS
from allauth.account.internal.userkit import user_id_to_str
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client

from accounts.models import Player


def just_now(player: Player, method: str, ago: float = 0) -> tuple[list[dict[str, Any]], str]:
    """The session data of *player*, who has signed in by *method* so many seconds *ago*."""
    return [{"method": method, "at": time.time() - ago}], user_id_to_str(player)


def sign_in(client: Client, player: Player, method: str = "password", *, ago: float = 0) -> Client:
    """Sign *player* in as if by *method* so many seconds *ago*, and return *client*."""
    client.force_login(player)
    session = client.session
    session[METHODS], session[WHOSE] = just_now(player, method, ago)
    session.save()
    return client


def create_session(player: Player) -> str:
    """Create a session in which *player* is signed in, and return its key."""
    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session[METHODS], session[WHOSE] = just_now(player, "password")
    session.create()
    return str(session.session_key)
