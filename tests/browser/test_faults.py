"""Tests of what counts as a page's fault, and what is only a request that the reader aborted."""

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.setting_up_helpers import open_setup_form

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_request_that_fails_is_a_fault_and_one_that_is_given_up_for_the_next_is_none(
    browser: Browser, live_server: LiveServer, faults: list[str]
) -> None:
    page = open_setup_form(browser, live_server.url)
    asked = f"{live_server.url}{reverse('games:spread_out')}"

    held: list[Route] = []
    page.route(asked, lambda route: route.continue_() if held else held.append(route))
    with page.expect_request(asked):
        page.get_by_role("checkbox", name="The Count of Carcassonne").check()
    with page.expect_event("requestfailed"):
        page.get_by_role("checkbox", name="The River II").check()
    expect(page.locator(".sum")).to_contain_text("The River II, The Count of Carcassonne")
    assert faults == []

    page.route(asked, lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.get_by_role("checkbox", name="The River II").uncheck()
    expect(page.get_by_role("checkbox", name="The River II")).not_to_be_checked()
    assert any("htmx:sendError" in fault for fault in faults)
    page.context.close()
    faults.clear()


def test_an_exception_of_a_script_is_a_fault(page: Page, faults: list[str]) -> None:
    with page.context.expect_event("weberror"):
        page.evaluate("() => { setTimeout(() => { throw new Error('broken'); }); }")
    assert [fault for fault in faults if "broken" in fault]
    faults.clear()
