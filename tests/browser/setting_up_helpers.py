"""The form that sets up a table, open in a browser."""

from django.test import Client
from playwright.sync_api import Browser, Page

from tests.games.factories import make_players

PHONE, DESK = (360, 740), (1366, 768)


def open_setup_form(
    browser: Browser,
    site: str,
    *,
    javascript: bool = True,
    size: tuple[int, int] = PHONE,
    language: str = "en",
) -> Page:
    """Open the form in a browser in which Anna is signed in."""
    (anna,) = make_players(1)
    anna.language = language
    anna.save(update_fields=["language"])
    client = Client()
    client.force_login(anna)
    context = browser.new_context(
        java_script_enabled=javascript,
        viewport={"width": size[0], "height": size[1]},
        is_mobile=size[0] < 500,
        has_touch=size[0] < 500,
    )
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site}])
    page = context.new_page()
    page.goto(f"{site}/new/")
    return page
