"""Tests of notifications: messages about this browser, requests to the site, and what the worker shows.

No headless browser can subscribe to a push service, so a script in the page stands in for it.
"""

from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Worker, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from accounts.models import Player
from games.models import PushSubscription
from tests.browser.sign_in_helpers import sign_in
from tests.games.factories import heart_beats, make_player
from tests.games.push_service import SubscribedBrowser
from tests.post_service import PostService

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.provokes("push service is away")]

STUB = """
(keys) => {
  window.asked = 0;
  let subscription = JSON.parse(sessionStorage.subscription ?? "null");
  const give = () => subscription && {
    toJSON: () => subscription,
    unsubscribe: async () => { subscription = null; sessionStorage.removeItem("subscription"); },
  };
  Notification.requestPermission = async () => { window.asked += 1; return "granted"; };
  PushManager.prototype.getSubscription = async () => give();
  PushManager.prototype.subscribe = async (options) => {
    if (sessionStorage.away) { throw new Error("push service is away"); }
    sessionStorage.options = JSON.stringify(options);
    subscription = keys;
    sessionStorage.subscription = JSON.stringify(keys);
    return give();
  };
}
"""


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "service_workers": "allow"}


@pytest.fixture
def subscribed(settings: Settings) -> SubscribedBrowser:
    """The browser's subscription at a push service that is never called."""
    service = PostService()
    settings.PUSH_HOSTS = [service.host]
    return SubscribedBrowser(service)


@pytest.fixture
def anna() -> Player:
    heart_beats(timezone.now())
    return make_player("Anna")


def open_devices(page: Page, site: LiveServer, anna: Player, browser: SubscribedBrowser) -> None:
    """The page of devices in a browser that can subscribe as *browser*."""
    keys = browser.keys
    given = {"endpoint": keys.endpoint, "keys": {"p256dh": keys.p256dh, "auth": keys.auth}}
    page.add_init_script(f"({STUB.strip()})({given!r})")
    sign_in(page, site, anna)
    page.goto(f"{site.url}/settings/devices/")


def find_state(page: Page) -> str:
    shown = page.locator("#push [data-state]:not([hidden])")
    shown.wait_for()
    return str(shown.get_attribute("data-state"))


def test_is_switched_on_and_off_at_a_press(
    page: Page, live_server: LiveServer, anna: Player, subscribed: SubscribedBrowser
) -> None:
    open_devices(page, live_server, anna, subscribed)
    assert find_state(page) == "off"
    assert page.evaluate("window.asked") == 0
    page.get_by_role("button", name="Switch on").click()
    expect(page.locator("#messages")).to_contain_text("Notifications are on.")
    assert find_state(page) == "on"
    row = PushSubscription.objects.get()
    assert (row.player, row.endpoint, row.p256dh, row.auth) == (anna, *subscribed.keys)
    options = page.evaluate("JSON.parse(sessionStorage.options)")
    assert options == {
        "userVisibleOnly": True,
        "applicationServerKey": page.locator("#push").get_attribute("data-key"),
    }
    page.get_by_role("button", name="Switch off").click()
    expect(page.locator("#messages")).to_contain_text("Notifications are off there.")
    assert find_state(page) == "off"
    assert page.evaluate("sessionStorage.subscription") is None
    assert not PushSubscription.objects.exists()


def test_says_so_where_the_browser_can_not_subscribe(
    page: Page, live_server: LiveServer, anna: Player, subscribed: SubscribedBrowser
) -> None:
    open_devices(page, live_server, anna, subscribed)
    page.evaluate("sessionStorage.away = 'yes'")
    page.get_by_role("button", name="Switch on").click()
    expect(page.get_by_role("alert")).to_contain_text("Your browser couldn't switch them on.")
    assert find_state(page) == "off"
    page.evaluate("sessionStorage.removeItem('away')")
    page.get_by_role("button", name="Switch on").click()
    expect(page.locator("#messages")).to_contain_text("Notifications are on.")


@pytest.mark.parametrize(
    ("script", "state"),
    [
        ("Object.defineProperty(Notification, 'permission', { get: () => 'denied' })", "blocked"),
        ("delete window.PushManager", "unsupported"),
        (
            "delete window.PushManager;"
            "Object.defineProperty(navigator, 'userAgent', { get: () => 'Mozilla/5.0 (iPhone; Mac OS X)' })",
            "home",
        ),
    ],
)
def test_says_what_stands_in_the_way(
    page: Page, live_server: LiveServer, anna: Player, script: str, state: str
) -> None:
    page.add_init_script(script)
    sign_in(page, live_server, anna)
    page.goto(f"{live_server.url}/settings/devices/")
    assert find_state(page) == state


NOTIFICATIONS = """() => {
  self.shown = [];
  self.closed = 0;
  self.badges = [];
  registration.showNotification = async (title, options) => { self.shown.push({ title, ...options }); };
  registration.getNotifications = async () => [{ close: () => { self.closed += 1; } }];
  navigator.setAppBadge = async (number) => { self.badges.push(number); };
  navigator.clearAppBadge = async () => { self.badges.push(0); };
}"""


def get_worker(page: Page) -> Worker:
    """Return the worker of *page*, with its notifications redirected to the test."""
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    (worker,) = page.context.service_workers
    worker.evaluate(NOTIFICATIONS)
    return worker


def wait_for_worker(page: Page, worker: Worker, script: str) -> None:
    for _ in range(100):
        if worker.evaluate(script):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"never: {script}")


def test_the_worker_shows_what_is_sent(page: Page, live_server: LiveServer, anna: Player) -> None:
    sign_in(page, live_server, anna)
    page.goto(f"{live_server.url}/rules/")
    worker = get_worker(page)
    url = f"{live_server.url}/games/"
    message = {
        "title": "Your turn",
        "text": "Toulouse",
        "url": url,
        "tag": "game.a",
        "lang": "en",
        "badge": 3,
    }
    worker.evaluate(
        "(message) => dispatchEvent(new PushEvent('push', { data: JSON.stringify(message) }))", message
    )
    wait_for_worker(page, worker, "badges.length === 1")
    (shown,) = worker.evaluate("shown")
    assert (shown["title"], shown["body"], shown["data"], shown["tag"]) == (
        "Your turn",
        "Toulouse",
        url,
        "game.a",
    )
    assert shown["renotify"] is True and shown["icon"].endswith(".png")
    assert worker.evaluate("badges") == [3]


@pytest.mark.parametrize(
    ("url", "opened"),
    [
        ("/lobby/", "/lobby/"),
        ("https://evil.example/g/", "/games/"),
        ("javascript:alert(1)", "/games/"),
        ("//evil.example/", "/games/"),
    ],
)
def test_a_press_opens_pages_of_this_site_alone(
    page: Page, live_server: LiveServer, anna: Player, url: str, opened: str
) -> None:
    sign_in(page, live_server, anna)
    page.goto(f"{live_server.url}/rules/")
    worker = get_worker(page)
    result = worker.evaluate(
        "async (url) => { clients.openWindow = async (href) => href; return openPage(url); }", url
    )
    assert result == f"{live_server.url}{opened}"


def test_a_press_goes_to_the_page_that_is_open(page: Page, live_server: LiveServer, anna: Player) -> None:
    sign_in(page, live_server, anna)
    page.goto(f"{live_server.url}/rules/")
    worker = get_worker(page)
    result = worker.evaluate(
        """async (url) => {
          clients.openWindow = async (href) => "opened";
          WindowClient.prototype.focus = async function focus() { return `focused ${this.url}`; };
          return openPage(url);
        }""",
        f"{live_server.url}/rules/",
    )
    assert result == f"focused {live_server.url}/rules/"


def test_the_worker_subscribes_anew_where_notifications_were_on(
    page: Page, live_server: LiveServer, anna: Player, subscribed: SubscribedBrowser
) -> None:
    open_devices(page, live_server, anna, subscribed)
    worker = get_worker(page)
    page.get_by_role("button", name="Switch on").click()
    expect(page.locator("#messages")).to_contain_text("Notifications are on.")
    new = SubscribedBrowser(PostService(), "new")
    keys = {"endpoint": f"{subscribed.endpoint}/anew", "keys": {"p256dh": new.keys.p256dh}}
    keys["keys"]["auth"] = new.keys.auth  # type: ignore[index]
    worker.evaluate(
        """async (keys) => {
          PushManager.prototype.subscribe = async () => ({ toJSON: () => keys });
          await subscribeAnew();
        }""",
        keys,
    )
    assert [row.endpoint for row in PushSubscription.objects.all()] == [keys["endpoint"]]


def test_nothing_of_a_player_is_left_after_signing_out(
    page: Page, live_server: LiveServer, anna: Player, subscribed: SubscribedBrowser
) -> None:
    open_devices(page, live_server, anna, subscribed)
    worker = get_worker(page)
    page.get_by_role("button", name="Switch on").click()
    expect(page.locator("#messages")).to_contain_text("Notifications are on.")
    worker.evaluate(
        """() => {
          self.ended = 0;
          const subscription = { unsubscribe: async () => { self.ended += 1; } };
          PushManager.prototype.getSubscription = async () => subscription;
        }"""
    )
    page.goto(f"{live_server.url}/account/logout/")
    page.locator("main").get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{live_server.url}/")
    assert not PushSubscription.objects.exists()
    wait_for_worker(page, worker, "ended === 1 && closed === 1 && badges.at(-1) === 0")
