"""Fixtures of tests in Debian's Chromium, driven by Playwright."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from pytest_django.fixtures import Settings

CHROMIUM = Path("/usr/bin/chromium")
QUIET = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync --disable-dev-shm-usage"
)


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    if not CHROMIUM.exists():
        pytest.fail("The browser tests need Debian's chromium: sudo apt install chromium")
    return {**browser_type_launch_args, "executable_path": str(CHROMIUM), "args": QUIET.split()}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Block the service worker, which would load the whole site for every test; its own tests need it."""
    return {**browser_context_args, "service_workers": "block"}


@pytest.fixture(autouse=True)
def port_of_the_live_server(request: pytest.FixtureRequest, settings: Settings) -> None:
    """Allow the live server's port, which is any free one."""
    if "live_server" in request.fixturenames:
        server = request.getfixturevalue("live_server")
        settings.ALLOWED_PORTS = {urlsplit(server.url).port}


@pytest.fixture(autouse=True)
def faults(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Complaints of all pages of a test, which fails if any is left at its end.

    A test that provokes some is marked so.
    """
    # `make test` reads this file where Playwright is not installed.
    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.browser.faults import note_faults

    found: list[str] = []
    make_context = Browser.new_context

    def new_context(browser: Browser, **options: Any) -> BrowserContext:
        context = make_context(browser, **options)
        note_faults(context, found)
        return context

    def new_page(browser: Browser, **options: Any) -> Page:
        return new_context(browser, **options).new_page()

    monkeypatch.setattr(Browser, "new_context", new_context)
    monkeypatch.setattr(Browser, "new_page", new_page)
    yield found
    marker = request.node.get_closest_marker("provokes")
    provoked = marker.args if marker else ()
    assert [fault for fault in found if not any(one in fault for one in provoked)] == []


@pytest.fixture(scope="session", autouse=True)
def rows_beside_the_browser(django_db_setup: None) -> Iterator[None]:
    """Create the database before the event loop starts; then Django would refuse it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        yield
