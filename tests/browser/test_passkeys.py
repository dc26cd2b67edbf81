"""Tests of passkeys, from creation to sign-in, with Chromium's virtual authenticator."""

import pytest
from allauth.mfa.models import Authenticator
from django.conf import LazySettings
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.sign_in_helpers import sign_in
from tests.games.factories import make_player

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def phone(page: Page) -> None:
    """A virtual authenticator that confirms every request at once."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def test_a_passkey_is_added_signs_in_and_confirms(
    page: Page, live_server: LiveServer, settings: LazySettings, phone: None
) -> None:
    settings.SITE_HOST = "localhost"
    settings.MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True
    anna = make_player("Anna")
    sign_in(page, live_server, anna)
    page.goto(live_server.url + reverse("mfa_add_webauthn"))
    page.get_by_label("Name of the key").fill("My phone")
    page.get_by_role("button", name="Add").click()
    page.wait_for_url("**/recovery-codes/")
    key = Authenticator.objects.get(type=Authenticator.Type.WEBAUTHN)
    assert key.wrap().is_passwordless and str(key) == "My phone"

    page.context.clear_cookies()
    page.goto(live_server.url + reverse("account_login"))
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url("**/games/")
    expect(page.locator("nav.self")).to_contain_text("Anna")

    page.goto(live_server.url + reverse("mfa_reauthenticate_webauthn"))
    page.get_by_role("button", name="Use a key").click()
    page.wait_for_url("**/games/")


def test_without_an_answer_nothing_changes_and_the_page_says_so(
    page: Page, live_server: LiveServer, settings: LazySettings
) -> None:
    settings.SITE_HOST = "elsewhere.example"  # for which no browser makes a key here
    sign_in(page, live_server, make_player("Anna"))
    page.goto(live_server.url + reverse("mfa_add_webauthn"))
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("alert")).to_have_text(
        "That didn't work. Nothing has changed; you can try again."
    )
    assert not Authenticator.objects.exists()
