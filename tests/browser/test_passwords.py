"""Tests of choosing a password: the meter, and the button that shows it."""

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser import axe
from tests.browser.faults import note_faults

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(360, 740), (1366, 768)])
def test_the_meter_and_the_button(
    browser: Browser, live_server: LiveServer, scheme: str, size: tuple[int, int]
) -> None:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, locale="en-GB"
    )
    page = context.new_page()
    faults: list[str] = []
    note_faults(page, faults)
    page.goto(f"{live_server.url}{reverse('account_signup')}")
    field, strength = page.locator("#id_password1"), page.locator(".strength")
    expect(page.get_by_role("meter")).to_have_count(0)

    field.press_sequentially("wearethechampions", delay=10)
    expect(strength).to_contain_text("on a list of stolen ones")
    field.fill("seven tiles of road")
    expect(strength).to_contain_text("Very strong.")
    assert page.get_by_role("meter", name="Strength").evaluate("meter => meter.value") == 4

    button = page.get_by_role("button", name="Show password")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(field).to_have_attribute("type", "text")
    wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wider <= 0
    assert axe.run(page).violations_count == 0
    button.press(" ")
    expect(field).to_have_attribute("type", "password")

    button.click()
    field.press("Enter")  # the name and the address are missing, so the form stays here
    assert faults == []
    context.close()


def test_a_shown_password_is_sent_as_a_password(browser: Browser, live_server: LiveServer) -> None:
    page = browser.new_context().new_page()
    page.goto(f"{live_server.url}{reverse('account_login')}")
    page.evaluate(
        "addEventListener('submit', event => {"
        " event.preventDefault(); document.title = document.querySelector('#id_password').type; })"
    )
    page.get_by_label("Email address").fill("anna@example.org")
    page.get_by_label("Password").fill("seven tiles of road")
    page.get_by_role("button", name="Show password").click()
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page).to_have_title("password")
    page.context.close()


def test_without_scripts_there_is_no_button(browser: Browser, live_server: LiveServer) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{live_server.url}{reverse('account_signup')}")
    expect(page.locator("#id_password1")).to_be_visible()
    expect(page.get_by_role("button", name="Show password")).to_have_count(0)
    page.context.close()
