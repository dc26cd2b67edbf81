"""Tests of the page of devices with notifications, which end in a browser when somebody signs out there."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from accounts.notice_preferences import Channel, NoticeEvent, Timing, read_timing, set_timings
from accounts.services import close_account
from accounts.sessions import end_all
from games.models import PushSubscription
from games.notices import push_keys, push_subscriptions
from games.pages import own_data
from games.upkeep_tasks import prune_notices
from tests.accounts.signing_in import sign_in
from tests.games.factories import make_player
from tests.games.push_service import SubscribedBrowser
from tests.html import Page
from tests.post_service import CERTIFICATE, PostService, serve

pytestmark = pytest.mark.django_db
FIREFOX = "Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
PASSWORD = "a long password of Anna's"


@pytest.fixture
def service(settings: Any) -> PostService:
    """A push service that is never called, with its browsers' endpoints."""
    service = PostService()
    settings.PUSH_HOSTS = [service.host]
    return service


@pytest.fixture
def listening(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[PostService]:
    with serve(tmp_path) as service:
        settings.PUSH_HOSTS = [service.host]
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(tmp_path / CERTIFICATE))
        yield service


@pytest.fixture
def anna() -> Player:
    player = make_player("Anna")
    player.set_password(PASSWORD)
    player.save()
    return player


def visit(player: Player) -> Client:
    return sign_in(Client(headers={"user-agent": FIREFOX}), player)


def switch_on(client: Client, browser: SubscribedBrowser, **other: str) -> Any:
    return client.post(reverse("games:switch_on_device"), {**browser.keys._asdict(), **other})


def read_messages(client: Client) -> list[str]:
    return Page(client.get(reverse("games:devices"))).texts("#messages p")


def list_endpoints() -> list[str]:
    return list(PushSubscription.objects.order_by("pk").values_list("endpoint", flat=True))


class TestPage:
    def test_is_its_owners(self) -> None:
        assert Client().get("/settings/devices/").url == "/account/login/?next=/settings/devices/"

    def test_is_linked_from_the_settings(self, anna: Player) -> None:
        page = Page(visit(anna).get(reverse("accounts:settings")))
        assert page.link("Notifications on your devices") == "/settings/devices/"

    def test_is_not_there_without_a_key(self, anna: Player, settings: Any, service: PostService) -> None:
        settings.VAPID_PRIVATE_KEY = ""
        client = visit(anna)
        assert client.get("/settings/devices/").status_code == 404
        assert switch_on(client, SubscribedBrowser(service)).status_code == 404
        assert client.get(reverse("games:push_key")).status_code == 404
        assert client.post(reverse("games:try_device"), {"device": 1}).status_code == 404
        assert not PushSubscription.objects.exists()
        assert "/settings/devices/" not in Page(client.get(reverse("accounts:settings"))).links("main a")

    def test_gives_the_script_the_public_key(self, anna: Player) -> None:
        (panel,) = Page(visit(anna).get("/settings/devices/")).all("#push")
        assert panel.attrs["data-key"] == push_keys.get_public_key()
        assert "data-on" not in panel.attrs

    def test_says_what_it_needs_where_no_script_runs(self, anna: Player) -> None:
        page = Page(visit(anna).get("/settings/devices/"))
        assert page.texts("#push noscript") == ["Switching notifications on needs JavaScript."]
        assert all("hidden" in part.attrs for part in page.all("#push [data-state]"))

    def test_lists_where_they_are_on(self, anna: Player, service: PostService) -> None:
        here, there = visit(anna), visit(anna)
        switch_on(there, SubscribedBrowser(service, "there"))
        switch_on(here, SubscribedBrowser(service, "here"))
        switch_on(visit(make_player("Bruno")), SubscribedBrowser(service, "of another"))
        page = Page(here.get("/settings/devices/"))
        assert page.texts("main h3") == ["Firefox on Android"] * 2
        assert page.texts("main .card strong") == ["This browser."]
        assert "data-on" in page.all("#push")[0].attrs
        assert len(page.all("form[data-here]")) == 1

    def test_costs_the_same_with_many(
        self, anna: Player, service: PostService, django_assert_max_num_queries: Any
    ) -> None:
        client = visit(anna)
        for number in range(5):
            switch_on(visit(anna), SubscribedBrowser(service, f"{number}"))
        client.get("/settings/devices/")
        with django_assert_max_num_queries(7):
            client.get("/settings/devices/")


class TestSwitchingOn:
    def test_keeps_what_the_browser_gives(self, anna: Player, service: PostService) -> None:
        browser = SubscribedBrowser(service)
        client = visit(anna)
        answer = switch_on(client, browser)
        assert (answer.status_code, answer.url) == (302, "/settings/devices/")
        row = PushSubscription.objects.get()
        assert (row.player, row.endpoint, row.p256dh, row.auth) == (anna, *browser.keys)
        assert (row.browser, row.device, row.session_key) == (
            "Firefox",
            "Android",
            client.session.session_key,
        )
        assert read_messages(client) == ["Notifications are on. Send a test to see what they look like."]

    def test_takes_keys_with_padding(self, anna: Player, service: PostService) -> None:
        browser = SubscribedBrowser(service)
        switch_on(visit(anna), browser, auth=f"{browser.keys.auth}==", p256dh=f"{browser.keys.p256dh}=")
        assert PushSubscription.objects.get().auth == browser.keys.auth

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("endpoint", ""),
            ("endpoint", "https://169.254.169.254/latest/meta-data/"),
            ("endpoint", "http://127.0.0.1:6379/"),
            ("endpoint", "https://fcm.googleapis.com/ abc"),
            ("endpoint", f"https://web.push.apple.com/{'x' * 5000}"),
            ("p256dh", ""),
            ("p256dh", "x" * 87),
            ("p256dh", "<script>"),
            ("auth", "short"),
            ("auth", "x y " * 6),
        ],
    )
    def test_refuses_what_is_nothing_to_send_to(
        self, anna: Player, service: PostService, field: str, value: str
    ) -> None:
        client = visit(anna)
        assert switch_on(client, SubscribedBrowser(service), **{field: value}).url == "/settings/devices/"
        assert not PushSubscription.objects.exists()
        (said,) = read_messages(client)
        assert "browser" in said

    def test_again_replaces_what_this_browser_had(self, anna: Player, service: PostService) -> None:
        client = visit(anna)
        for name in ("old", "new", "new"):
            browser = SubscribedBrowser(service, name)
            switch_on(client, browser)
        assert list_endpoints() == [browser.endpoint]

    def test_keeps_ten_devices_at_most(self, anna: Player, service: PostService) -> None:
        browsers = [SubscribedBrowser(service, f"{number}") for number in range(12)]
        for browser in browsers:
            switch_on(visit(anna), browser)
        assert list_endpoints() == [browser.endpoint for browser in browsers[2:]]

    def test_the_first_one_switches_the_channel_on(self, anna: Player, service: PostService) -> None:
        switch_on(visit(anna), SubscribedBrowser(service, "first"))
        anna.refresh_from_db()
        assert read_timing(anna, NoticeEvent.YOUR_TURN, Channel.PUSH) == Timing.AT_ONCE
        assert read_timing(anna, NoticeEvent.YOUR_TURN, Channel.EMAIL) == Timing.AT_ONCE
        set_timings(anna, {(event, Channel.PUSH): Timing.NEVER for event in NoticeEvent})
        anna.save()
        switch_on(visit(anna), SubscribedBrowser(service, "second"))
        anna.refresh_from_db()
        assert read_timing(anna, NoticeEvent.YOUR_TURN, Channel.PUSH) == Timing.NEVER

    def test_a_browser_goes_on_with_whoever_uses_it_now(self, anna: Player, service: PostService) -> None:
        browser = SubscribedBrowser(service)
        switch_on(visit(anna), browser)
        bruno = make_player("Bruno")
        switch_on(visit(bruno), browser)
        assert PushSubscription.objects.get().player == bruno

    def test_who_knows_an_address_alone_silences_nobody(self, anna: Player, service: PostService) -> None:
        browser = SubscribedBrowser(service)
        switch_on(visit(anna), browser)
        other = SubscribedBrowser(service)  # the same address, with keys of its own
        client = visit(make_player("Bruno"))
        switch_on(client, other)
        assert PushSubscription.objects.get().player == anna
        (said,) = read_messages(client)
        assert said.startswith("This browser's push service isn't one that we know")

    def test_thirty_an_hour(self, anna: Player, service: PostService) -> None:
        client = visit(anna)
        browser = SubscribedBrowser(service)
        answers = [switch_on(client, browser).status_code for _ in range(31)]
        assert answers == [302] * 30 + [429]


class TestSwitchingOff:
    def test_ends_it_there_alone(self, anna: Player, service: PostService) -> None:
        here, there = visit(anna), visit(anna)
        for client, name in ((here, "here"), (there, "there")):
            switch_on(client, SubscribedBrowser(service, name))
            client.get("/settings/devices/")
        pk = PushSubscription.objects.get(session_key=there.session.session_key).pk
        assert here.post(reverse("games:switch_off_device"), {"device": pk}).url == "/settings/devices/"
        assert list_endpoints() == [SubscribedBrowser(service, "here").endpoint]
        assert read_messages(here) == ["Notifications are off there."]

    @pytest.mark.parametrize("device", ["", "0", "-1", "x", "9" * 30])
    def test_of_nothing_is_not_found(self, anna: Player, device: str) -> None:
        for name in ("games:switch_off_device", "games:try_device"):
            assert visit(anna).post(reverse(name), {"device": device}).status_code == 404

    def test_of_somebody_else_is_not_found(self, anna: Player, service: PostService) -> None:
        switch_on(visit(anna), SubscribedBrowser(service))
        pk = PushSubscription.objects.get().pk
        client = visit(make_player("Bruno"))
        for name in ("games:switch_off_device", "games:try_device"):
            assert client.post(reverse(name), {"device": pk}).status_code == 404
        assert PushSubscription.objects.get().tested is None


class TestTrying:
    def test_sends_a_notification(self, anna: Player, listening: PostService) -> None:
        browser = SubscribedBrowser(listening)
        client = visit(anna)
        switch_on(client, browser)
        client.get("/settings/devices/")
        pk = PushSubscription.objects.get().pk
        assert client.post(reverse("games:try_device"), {"device": pk}).url == "/settings/devices/"
        (request,) = listening.requests
        message = browser.read(request)
        assert message["text"] == "It works: this is how we'll tell you."
        assert message["url"] == "https://carcassonne.example/settings/devices/"
        assert read_messages(client) == ["Sent. It should be there in a moment."]

    def test_once_a_minute(self, anna: Player, listening: PostService) -> None:
        client = visit(anna)
        switch_on(client, SubscribedBrowser(listening))
        row = PushSubscription.objects.get()
        answers = [client.post(reverse("games:try_device"), {"device": row.pk}).status_code for _ in range(2)]
        assert answers == [302, 429]
        assert len(listening.requests) == 1
        PushSubscription.objects.update(tested=timezone.now() - timedelta(seconds=61))
        assert client.post(reverse("games:try_device"), {"device": row.pk}).status_code == 302

    @pytest.mark.parametrize(
        ("status", "said", "left"), [(410, "has switched notifications off", 0), (503, "didn't take it", 1)]
    )
    def test_says_what_the_push_service_answers(
        self, anna: Player, listening: PostService, status: int, said: str, left: int
    ) -> None:
        browser = SubscribedBrowser(listening)
        listening.answers[browser.path] = status
        client = visit(anna)
        switch_on(client, browser)
        client.get("/settings/devices/")
        client.post(reverse("games:try_device"), {"device": PushSubscription.objects.get().pk})
        (message,) = read_messages(client)
        assert said in message
        assert PushSubscription.objects.count() == left


class TestWorker:
    def test_gets_the_key_where_notifications_were_on(self, anna: Player, service: PostService) -> None:
        client = visit(anna)
        assert client.get(reverse("games:push_key")).status_code == 404
        switch_on(client, SubscribedBrowser(service))
        key = client.get(reverse("games:push_key")).json()
        assert key["key"] == push_keys.get_public_key()
        guarded = Client(enforce_csrf_checks=True)
        guarded.cookies = client.cookies
        new = SubscribedBrowser(service, "new")
        assert switch_on(guarded, new).status_code == 403
        answer = guarded.post(
            reverse("games:switch_on_device"), new.keys._asdict(), headers={"x-csrftoken": key["token"]}
        )
        assert answer.status_code == 302
        assert list_endpoints() == [new.endpoint]


class TestSignedOut:
    @pytest.fixture
    def client(self, anna: Player, service: PostService) -> Client:
        client = Client(headers={"user-agent": FIREFOX})
        answers = {"login": anna.email, "password": PASSWORD}
        assert client.post(reverse("account_login"), answers).status_code == 302
        switch_on(client, SubscribedBrowser(service))
        assert PushSubscription.objects.count() == 1
        return client

    def live(self, anna: Player) -> int:
        return len(push_subscriptions.load_live_subscriptions(Player.objects.get(pk=anna.pk), timezone.now()))

    def test_here(self, anna: Player, client: Client) -> None:
        client.post(reverse("account_logout"))
        assert not PushSubscription.objects.exists()

    def test_from_another_browser(self, anna: Player, client: Client) -> None:
        (session,) = anna.usersession_set.all()
        visit(anna).post(reverse("accounts:end_session"), {"session": session.pk})
        assert self.live(anna) == 0 and not PushSubscription.objects.exists()

    def test_everywhere_else(self, anna: Player, client: Client, service: PostService) -> None:
        other = visit(anna)
        switch_on(other, SubscribedBrowser(service, "other"))
        client.post(reverse("accounts:end_session"))
        assert self.live(anna) == 1
        assert list_endpoints() == [SubscribedBrowser(service).endpoint]

    def test_everywhere(self, anna: Player, client: Client) -> None:
        end_all(anna)
        assert self.live(anna) == 0 and not PushSubscription.objects.exists()

    def test_by_a_new_password_but_here(self, anna: Player, client: Client, service: PostService) -> None:
        switch_on(visit(anna), SubscribedBrowser(service, "other"))
        new = "quite another, quite as long"
        answers = {"oldpassword": PASSWORD, "password1": new, "password2": new}
        assert client.post(reverse("account_change_password"), answers).status_code == 302
        assert self.live(anna) == 1
        assert list_endpoints() == [SubscribedBrowser(service).endpoint]

    def test_by_closing_the_account(self, anna: Player, client: Client) -> None:
        close_account(player=anna, now=timezone.now())
        assert not PushSubscription.objects.exists()

    def test_and_nothing_is_left_a_day_later(self, anna: Player, client: Client) -> None:
        prune_notices()
        assert PushSubscription.objects.count() == 1
        Session.objects.all().delete()
        prune_notices()
        assert not PushSubscription.objects.exists()


def test_the_file_of_own_data_lists_devices_without_their_secrets(anna: Player, service: PostService) -> None:
    browser = SubscribedBrowser(service)
    switch_on(visit(anna), browser)
    devices = dict(own_data.export_files(anna))["devices.json"]
    assert [(device["endpoint"], device["browser"], device["device"]) for device in devices] == [
        (browser.endpoint, "Firefox", "Android")
    ]
    assert {"auth", "p256dh", "session_key"}.isdisjoint(devices[0])
