"""Tests of the size of a first visit, in bytes as a public site sends them: compressed, with headers, fonts
and what the service worker keeps."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import _lru_cache_wrapper
from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.cache import caches
from django.core.management import call_command
from django.db import connections
from django.http import HttpRequest, HttpResponse
from django.test.testcases import LiveServerThread
from django.utils import timezone
from playwright.sync_api import Browser
from pytest_django.fixtures import Settings

from accounts.models import Player
from games.tables.presets import PRESETS
from tests.accounts.signing_in import create_session
from tests.games.factories import make_game, new_process, play_turns

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PAGE, BOARD, EVERY_SET = 150_000, 150_000, 280_000
"""Maximum bytes of a page without a board, with a board of the base game, and with one of all sets."""
RUSSIAN_BOARD = 162_000  # with two typefaces more: digits and names need those of Latin letters, too
LANGUAGES = [code for code, _name in site.LANGUAGES]


SENT: Counter[str] = Counter()
"""The bytes that the site has sent for each path, heads of responses included."""


def count_bytes(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware before all others, which counts what is sent."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        head = sum(len(f"{name}: {value}\r\n") for name, value in response.items())
        SENT[request.path] += head + int(response["Content-Length"])
        return response

    return respond


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the static files of a public site."""
    return tmp_path_factory.mktemp("static")


def forget_addresses() -> None:
    """Clear the caches of static URLs: on a public site the names have hashes."""
    caches["process"].clear()
    new_process()
    modules = [module for name, module in sys.modules.items() if name.startswith("games.")]
    for module in modules:
        for value in list(vars(module).values()):
            if isinstance(value, _lru_cache_wrapper):
                value.cache_clear()


@pytest.fixture
def public_site(settings: Settings, collected: Path, transactional_db: None) -> Iterator[str]:
    """The URL of a site that serves static files as a public one does, by WhiteNoise."""
    settings.STATIC_ROOT = collected
    backend = {"BACKEND": "carcassonne.static_files.FilesAsSent"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": backend}
    settings.MIDDLEWARE = [f"{__name__}.{count_bytes.__name__}", *settings.MIDDLEWARE]
    forget_addresses()
    if not list(collected.iterdir()):
        call_command("collectstatic", verbosity=0, interactive=False)
    shared = {}
    for connection in connections.all():
        if connection.vendor == "sqlite" and connection.is_in_memory_db():
            connection.inc_thread_sharing()
            shared[connection.alias] = connection
    thread = LiveServerThread("localhost", lambda application: application, connections_override=shared)
    thread.daemon = True
    thread.start()
    thread.is_ready.wait()
    assert thread.error is None
    settings.ALLOWED_PORTS = {thread.port}
    yield f"http://localhost:{thread.port}"
    thread.terminate()
    forget_addresses()
    for connection in shared.values():
        connection.dec_thread_sharing()


def weigh(browser: Browser, address: str, cookies: dict[str, str]) -> Counter[str]:
    """The bytes of each file that the site sends to a browser with an empty cache for the page at *address*,
    its service worker included."""
    SENT.clear()
    context = browser.new_context(service_workers="allow", viewport={"width": 1366, "height": 768})
    context.add_cookies([{"name": name, "value": value, "url": address} for name, value in cookies.items()])
    page = context.new_page()
    page.goto(address, wait_until="networkidle")
    page.evaluate("document.fonts.ready.then(() => navigator.serviceWorker.ready).then(() => true)")
    page.wait_for_load_state("networkidle")
    context.close()
    return SENT.copy()


def assert_weighs(found: dict[str, int], most: int) -> None:
    heaviest = sorted(((size, name) for name, size in found.items()), reverse=True)
    assert len(found) > 10 and any(name.endswith(".woff2") for name in found)
    print(sum(found.values()), "of", most)  # with -s
    assert sum(found.values()) <= most, (sum(found.values()), heaviest[:12])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", ["/", "/lobby/"])
def test_the_first_page_and_the_lobby(browser: Browser, public_site: str, path: str, language: str) -> None:
    weights = weigh(browser, public_site + path, {site.LANGUAGE_COOKIE_NAME: language})
    assert_weighs(weights, PAGE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_board_of_the_base_game(browser: Browser, public_site: str, language: str) -> None:
    game = play_turns(make_game(seats=4, now=timezone.now()), 30)
    Player.objects.update(language=language)
    cookies = {site.SESSION_COOKIE_NAME: create_session(game.host)}
    most = RUSSIAN_BOARD if language == "ru" else BOARD
    assert_weighs(weigh(browser, f"{public_site}/g/{game.code}/", cookies), most)


def test_a_board_with_every_set(browser: Browser, public_site: str) -> None:
    rules = PRESETS["everything"].rules(seats=4)
    game = make_game(
        seats=4, sets=rules.sets, edition=rules.edition, options=dict(rules.options), now=timezone.now()
    )
    play_turns(game, 40)
    Player.objects.update(language="ru")
    cookies = {site.SESSION_COOKIE_NAME: create_session(game.host)}
    weights = weigh(browser, f"{public_site}/g/{game.code}/", cookies)
    assert sum("/games/tiles-" in name for name in weights) >= 4
    assert_weighs(weights, EVERY_SET)
