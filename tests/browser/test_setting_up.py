"""Choosing the rules of a table with a browser, at phone size, with and without JavaScript."""

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import Game
from tests.games.factories import make_players

pytestmark = pytest.mark.django_db(transaction=True)


def signed_in(browser: Browser, site: str, *, javascript: bool) -> Page:
    """The form, open in a browser in which Anna is signed in."""
    client = Client()
    client.force_login(make_players(1)[0])
    context = browser.new_context(java_script_enabled=javascript, viewport={"width": 360, "height": 740})
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site}])
    page = context.new_page()
    page.goto(f"{site}/new/")
    return page


def test_a_preset_spreads_out_and_a_warning_is_heeded(browser: Browser, live_server: LiveServer) -> None:
    page = signed_in(browser, live_server.url, javascript=True)
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.get_by_label("Name of the table").fill("Albi")
    page.get_by_label("Count of Carcassonne", exact=True).check()
    expect(page.locator("#notes")).to_contain_text("The Count of Carcassonne")
    expect(page.get_by_label("Count of Carcassonne", exact=True)).to_be_focused()
    expect(page.get_by_label("How the Count moves")).to_be_visible()
    expect(page.get_by_label("What King and Robber Baron bring")).to_be_hidden()
    page.get_by_label("How the Count moves").select_option(label="always to the next quarter clockwise")
    page.get_by_label("The River II", exact=True).check()
    expect(page.locator("#notes")).to_contain_text("The rules advise against the Count")
    page.get_by_role("button", name="Set up the table").click()
    page.get_by_role("button", name="Create all the same").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Albi")
    rules = Game.objects.get().rules
    assert rules.sets == ("base", "river2", "count")
    assert rules.options["count_move"] == "clockwise"
    assert faults == []


def test_everything_works_without_javascript(browser: Browser, live_server: LiveServer) -> None:
    page = signed_in(browser, live_server.url, javascript=False)
    page.get_by_label("River and Abbot").check()
    page.get_by_role("button", name="Show its rules below").click()
    expect(page.get_by_label("The Abbot", exact=True)).to_be_checked()
    page.get_by_label("The River", exact=True).uncheck()
    page.get_by_label("Edition", exact=True).select_option(label="First edition")
    page.get_by_role("button", name="Set up the table").click()
    expect(page.locator(".errorlist")).to_contain_text("The abbot needs an edition with gardens")
    page.get_by_label("Abbot in an edition without gardens").select_option(label="yes")
    page.get_by_role("button", name="Set up the table").click()
    expect(page.get_by_role("heading", name="Who sits here")).to_be_visible()
    rules = Game.objects.get().rules
    assert (rules.sets, rules.edition) == (("base", "abbot"), "C1")
