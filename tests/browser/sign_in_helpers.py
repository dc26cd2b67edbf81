"""Sessions for a browser, made without the sign-in page."""

from django.conf import settings
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from accounts.models import Player
from tests.accounts.signing_in import create_session


def sign_in(page: Page, site: LiveServer, player: Player) -> None:
    page.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": create_session(player), "url": site.url}]
    )
