"""Tests of founding a league: the calendar follows the chosen values, with and without JavaScript."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from leagues.models import League
from tests.browser.sign_in_helpers import sign_in
from tests.leagues.season_helpers import make_founder

pytestmark = pytest.mark.django_db(transaction=True)


def open_form(page: Page, site: LiveServer) -> None:
    sign_in(page, site, make_founder())
    page.goto(f"{site.url}/leagues/new/")


def test_calendar_and_fields_follow_the_format(page: Page, live_server: LiveServer) -> None:
    open_form(page, live_server)
    expect(page.get_by_label("Players who move up")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Cup of Foix")
    page.get_by_label("Format").select_option("knock-out")
    expect(page.locator(".calendar-rounds").get_by_text("Semi-finals")).to_be_visible()
    expect(page.get_by_label("Players who move up")).to_have_count(0)
    page.get_by_label("Games in a match").select_option("7")
    page.get_by_label("Days of a season at most").fill("28")
    page.get_by_label("Players you expect").fill("16")
    page.get_by_label("Players you expect").press("Tab")
    expect(page.locator(".calendar-rounds").get_by_text("Round of 16")).to_be_visible()
    expect(page.get_by_text("That's too short")).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Cup of Foix")
    page.get_by_label("Start it anyway").check()
    page.get_by_role("button", name="Start the league").click()
    expect(page.get_by_role("heading", name="Cup of Foix")).to_be_visible()
    assert not League.objects.get().settings.again


def test_without_javascript_a_button_shows_the_calendar(browser: Browser, live_server: LiveServer) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    open_form(page, live_server)
    page.get_by_label("Format").select_option("swiss")
    page.get_by_label("Players you expect").fill("20")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator(".calendar-rounds").get_by_text("Round 6")).to_be_visible()
    assert not League.objects.exists()
