"""Sessions for a browser, made without the sign-in page."""

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from accounts.models import Player
from tests.accounts.signing_in import METHODS, WHOSE, just_now


def create_session(player: Player) -> str:
    """The key of a session in which *player* is signed in."""
    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session[METHODS], session[WHOSE] = just_now(player, "password")
    session.create()
    return str(session.session_key)


def sign_in(page: Page, site: LiveServer, player: Player) -> None:
    page.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": create_session(player), "url": site.url}]
    )
