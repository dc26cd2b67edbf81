"""Tests of sign-up and sign-in in a browser, by password and code, at phone size and without JavaScript."""

import re

import pytest
from django.core import mail
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Player

pytestmark = pytest.mark.django_db(transaction=True)

SETTINGS = "/account/settings/"


def code_mailed() -> str:
    match = re.search(r"^    (\S+)$", mail.outbox[-1].body, re.MULTILINE)
    assert match, mail.outbox[-1].body
    return match[1]


def sign_up(page: Page, site: str, name: str, password: str) -> None:
    page.goto(f"{site}{reverse('account_signup')}?next={SETTINGS}")
    page.get_by_label("Email address").fill(f"{name}@example.org")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Confirm your email")
    page.get_by_label("Code").fill(code_mailed())
    page.get_by_role("button", name="Confirm").click()
    expect(page).to_have_url(f"{site}{SETTINGS}")


def sign_out(page: Page) -> None:
    page.locator(".menu > button").click()
    page.get_by_role("button", name="Sign out").click()
    own = page.get_by_role("navigation", name="Your account")
    expect(own.get_by_role("link", name="Sign in")).to_be_visible()


@pytest.mark.parametrize("javascript", [True, False])
def test_sign_up_and_sign_in_both_ways(browser: Browser, live_server: LiveServer, javascript: bool) -> None:
    context = browser.new_context(
        java_script_enabled=javascript,
        viewport={"width": 320, "height": 640},
        locale="en-GB",
        timezone_id="Europe/Warsaw",
    )
    page = context.new_page()

    sign_up(page, live_server.url, "anna", "seven tiles of road")
    player = Player.objects.get(username="anna")
    assert player.time_zone == ("Europe/Warsaw" if javascript else "UTC")
    sign_out(page)

    page.goto(f"{live_server.url}{SETTINGS}")
    page.get_by_label("Email address").fill("anna@example.org")
    page.get_by_label("Password").fill("seven tiles of road")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page).to_have_url(f"{live_server.url}{SETTINGS}")
    sign_out(page)

    page.goto(f"{live_server.url}{SETTINGS}")
    page.get_by_role("link", name="Email me a code").click()
    page.get_by_label("Email address").fill("anna@example.org")
    page.get_by_role("button", name="Email me a code").click()
    page.get_by_label("Code").fill(code_mailed())
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page).to_have_url(f"{live_server.url}{SETTINGS}")

    if javascript:
        width = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert width <= 0, "the page is wider than a small phone"
    context.close()
