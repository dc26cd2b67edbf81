"""Tests of a table's link, to copy and to share, and of an invitation with a greeting."""

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import Game, Invitation
from tests.games.factories import make_players, make_table

pytestmark = pytest.mark.django_db(transaction=True)

SHARE = "Object.defineProperty(navigator, 'share', {value: async (what) => { window.shared = what; }});"


def at_the_table(browser: Browser, site: str, game: Game, script: str = "") -> Page:
    client = Client()
    client.force_login(game.host)
    context = browser.new_context(viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site}])
    page = context.new_page()
    page.add_init_script(script)
    page.goto(f"{site}/g/{game.code}/")
    return page


def test_the_link_is_copied(browser: Browser, live_server: LiveServer) -> None:
    game = make_table()
    page = at_the_table(browser, live_server.url, game)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{live_server.url}/g/{game.code}/"


def test_the_link_is_shared_where_the_device_can(browser: Browser, live_server: LiveServer) -> None:
    game = make_table(name="Albi")
    page = at_the_table(browser, live_server.url, game, SHARE)
    page.get_by_role("button", name="Share").click()
    assert page.evaluate("shared") == {"url": f"{live_server.url}/g/{game.code}/"}
    page = at_the_table(browser, live_server.url, game, "delete Navigator.prototype.share;")
    expect(page.get_by_role("button", name="Share")).to_be_hidden()


def test_a_line_can_be_written_as_soon_as_somebody_is_invited(
    browser: Browser, live_server: LiveServer
) -> None:
    make_players(2)
    game = make_table()
    page = at_the_table(browser, live_server.url, game)
    page.goto(f"{live_server.url}/new/")
    line = page.get_by_label("Your message to them")
    expect(line).to_be_hidden()
    page.get_by_label("Invite", exact=True).fill("Bruno")
    line.fill("After tea?")
    page.get_by_role("button", name="Set up the table").click()
    expect(page.get_by_role("heading", name="Players")).to_be_visible()
    assert Invitation.objects.get().greeting == "After tea?"
