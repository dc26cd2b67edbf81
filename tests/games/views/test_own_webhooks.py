"""Tests of the page of one's own webhooks: adding, testing, removing, and secrecy."""

from __future__ import annotations

import json
import logging
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.models import Player
from accounts.notice_preferences import Channel, NoticeEvent, Timing, choose_timing, set_timings
from accounts.services import close_account
from core import outgoing_http
from core.outgoing_urls import HostFault, parse_target
from games.models import Contact, Notice, Webhook, WebhookShape
from games.notices import delivery, own_webhooks
from games.pages import own_data
from tests.games.factories import NOW, make_game, make_player
from tests.games.notices.webhook_helpers import DISCORD, MATTERMOST, SLACK, Services, make_webhook
from tests.html import Page
from tests.moderation.limiting import set_limit

pytestmark = pytest.mark.django_db
PAGE = "/settings/webhooks/"


@pytest.fixture(autouse=True)
def services(monkeypatch: pytest.MonkeyPatch) -> Services:
    services = Services()
    monkeypatch.setattr(outgoing_http, "post_json", services.post)
    return services


@pytest.fixture
def anna() -> Player:
    return make_player("Anna")


@pytest.fixture
def client(anna: Player) -> Client:
    client = Client()
    client.force_login(anna)
    return client


def add(client: Client, url: str = DISCORD, shape: str = "") -> Any:
    return client.post(f"{PAGE}add/", {"url": url, "shape": shape}, follow=True)


def act(client: Client, webhook: Webhook, what: str) -> Page:
    return Page(client.post(f"{PAGE}{webhook.pk}/{what}/", follow=True))


class TestAdding:
    @pytest.mark.parametrize(
        ("url", "shape"),
        [(DISCORD, "discord"), (SLACK, "slack"), (MATTERMOST, "mattermost")],
    )
    def test_knows_the_service_by_the_address(self, client: Client, url: str, shape: str) -> None:
        page = Page(add(client, url))
        assert Webhook.objects.get().shape == shape
        assert "Send a test message to see whether it works." in page.texts("#messages .message")[0]

    def test_takes_the_service_that_is_chosen(self, client: Client) -> None:
        add(client, MATTERMOST, "slack")
        assert Webhook.objects.get().shape == "slack"

    @pytest.mark.parametrize(
        ("url", "shape"),
        [(DISCORD, "slack"), (SLACK, "discord"), (SLACK, "mattermost"), (MATTERMOST, "discord")],
    )
    def test_takes_no_service_that_does_not_fit(self, client: Client, url: str, shape: str) -> None:
        page = Page(add(client, url, shape))
        assert "The address doesn't match the service." in page.text("main")
        assert not Webhook.objects.exists()

    @pytest.mark.parametrize(
        ("url", "fault"),
        [
            ("http://hooks.example.com/a", "The address has to begin with https://."),
            ("https://a:b@hooks.example.com/a", "The address can't contain a user name or a password."),
            ("https://hooks.example.com:8080/a", "The address can't name a port other than 443."),
            ("https://127.0.0.1/a", "This doesn't look like the address of a webhook."),
            ("https://carcassonne.example/a", "This is an address of this site."),
            (f"https://hooks.example.com/{'a' * 600}", "at most 500 characters"),
            ("", "required"),
        ],
    )
    def test_takes_no_address_that_leads_elsewhere(self, client: Client, url: str, fault: str) -> None:
        assert fault in Page(add(client, url)).text("main")
        assert not Webhook.objects.exists()

    def test_the_first_switches_on_what_is_usually_told(self, client: Client, anna: Player) -> None:
        add(client)
        anna.refresh_from_db()
        assert choose_timing(anna, NoticeEvent.YOUR_TURN, Channel.WEBHOOK) == Timing.AT_ONCE
        assert choose_timing(anna, NoticeEvent.LEAGUE, Channel.WEBHOOK) == Timing.NEVER
        set_timings(anna, {(NoticeEvent.YOUR_TURN, Channel.WEBHOOK): Timing.NEVER})
        anna.save()
        add(client, SLACK)
        anna.refresh_from_db()
        assert choose_timing(anna, NoticeEvent.YOUR_TURN, Channel.WEBHOOK) == Timing.NEVER

    def test_takes_three(self, client: Client) -> None:
        for number in range(3):
            add(client, f"{DISCORD}{number}")
        page = Page(client.get(PAGE))
        assert "You can have up to 3 webhooks." in page.text("main")
        assert not page.all("input[name=url]")
        add(client, SLACK)
        assert Webhook.objects.count() == 3

    def test_takes_each_once(self, client: Client) -> None:
        add(client)
        assert "You've already added this webhook." in Page(add(client)).text("main")
        assert Webhook.objects.count() == 1

    def test_so_many_a_day(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        set_limit(monkeypatch, "webhooks_added", 2)
        for _ in range(2):
            add(client)
            Webhook.objects.all().delete()
        answer = add(client)
        assert (answer.status_code, Webhook.objects.count()) == (429, 0)
        Contact.objects.update(at=timezone.now() - timedelta(days=1, hours=1))
        assert add(client).status_code == 200

    def test_needs_a_confirmed_address(self, client: Client) -> None:
        EmailAddress.objects.update(verified=False)
        add(client)
        assert not Webhook.objects.exists()


class TestSecret:
    def test_is_shown_nowhere_again(self, client: Client, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.DEBUG)
        answer = add(client)
        shown = Page(answer)
        assert "discord-secret" not in answer.content.decode()
        assert "discord.com/…cret" in shown.text("main")
        act(client, Webhook.objects.get(), "test")
        assert "discord-secret" not in caplog.text
        assert "discord-secret" not in client.get(PAGE).content.decode()

    def test_is_not_in_the_file_of_ones_data(self, anna: Player) -> None:
        make_webhook(anna)
        files = dict(own_data.export_files(anna))
        (row,) = files["webhooks.json"]
        assert row["shape"] == "discord"
        assert "secret" not in json.dumps(files, default=str)

    def test_goes_with_the_account(self, anna: Player) -> None:
        make_webhook(anna)
        make_webhook(make_player("Bruno"))
        close_account(player=anna, now=NOW)
        assert [webhook.player.username for webhook in Webhook.objects.all()] == ["Bruno"]


class TestTestMessage:
    def test_is_sent_at_once(self, client: Client, anna: Player, services: Services) -> None:
        page = act(client, make_webhook(anna), "test")
        assert page.texts("#messages .message") == ["The test message is sent."]
        assert services.posted[0].payload["embeds"][0]["title"].startswith("Test message from")

    def test_says_why_it_did_not_arrive(self, client: Client, anna: Player, services: Services) -> None:
        services.answers["discord.com"] = HostFault.CERTIFICATE
        page = act(client, make_webhook(anna), "test")
        (said,) = page.texts("#messages .message")
        assert said.endswith("didn't arrive: its server has no valid certificate.")
        services.answers["discord.com"] = 403
        Webhook.objects.update(rests_until=None)
        page = act(client, Webhook.objects.get(), "test")
        assert page.texts("#messages .message")[0].endswith(
            "its server didn't accept the message (error 403)."
        )

    def test_switches_on_again_what_works_again(self, client: Client, anna: Player) -> None:
        webhook = make_webhook(
            anna, off=NOW, why_off="failing", last_error="timeout", failed=NOW, failures=10
        )
        page = Page(client.get(PAGE))
        (said,) = page.texts(".card .warning")
        assert said.startswith("Switched off on") and "it failed too often in a row" in said
        act(client, webhook, "test")
        webhook.refresh_from_db()
        assert (webhook.off, webhook.why_off, webhook.failures) == (None, "", 0)

    def test_ten_a_day(self, client: Client, anna: Player, services: Services) -> None:
        webhook = make_webhook(anna)
        for _ in range(10):
            act(client, webhook, "test")
        page = act(client, webhook, "test")
        assert "You've done this a lot today" in page.texts("#messages .message")[0]
        assert len(services.posted) == 10


class TestOthers:
    @pytest.mark.parametrize("what", ["test", "remove"])
    def test_have_none_of_mine(self, client: Client, services: Services, what: str) -> None:
        webhook = make_webhook(make_player("Bruno"))
        assert client.post(f"{PAGE}{webhook.pk}/{what}/").status_code == 404
        assert Webhook.objects.exists() and services.posted == []

    def test_sign_in_first(self) -> None:
        assert Client().get(PAGE).headers["Location"].startswith("/account/login/")


def test_removing_the_last_switches_the_channel_off(client: Client, anna: Player) -> None:
    add(client)
    act(client, Webhook.objects.get(), "remove")
    anna.refresh_from_db()
    assert {choose_timing(anna, event, Channel.WEBHOOK) for event in NoticeEvent} == {Timing.NEVER}
    make_game(now=timezone.now())
    assert not Notice.objects.filter(channel=Channel.WEBHOOK).exists()


def test_a_turn_is_posted_from_the_moment_that_one_is_added(
    client: Client, anna: Player, services: Services
) -> None:
    add(client)
    make_game(now=timezone.now())
    delivery.deliver_due(seconds=5)
    assert [request.path for request in services.posted] == ["/api/webhooks/123/discord-secret"]


def test_removing_one(client: Client, anna: Player) -> None:
    gone, stays = make_webhook(anna), make_webhook(anna, WebhookShape.SLACK)
    page = act(client, gone, "remove")
    assert page.texts("section h2") == ["Slack"]
    assert list(Webhook.objects.all()) == [stays]


class TestSiteWithoutWebhooks:
    @pytest.fixture(autouse=True)
    def off(self, settings: Settings) -> None:
        settings.WEBHOOKS = False

    def test_has_no_page(self, client: Client, anna: Player) -> None:
        assert client.get(PAGE).status_code == 404
        assert add(client).status_code == 404
        assert client.post(f"{PAGE}{make_webhook(anna).pk}/test/").status_code == 404

    def test_links_none(self, client: Client) -> None:
        assert PAGE not in Page(client.get(reverse("accounts:settings"))).links("a")


def test_the_settings_lead_here(client: Client) -> None:
    assert PAGE in Page(client.get(reverse("accounts:settings"))).links("a")


def test_nobody_else_may_be_behind_a_name_of_discords() -> None:
    for url in ("https://discord.com.evil.example/api", "https://evildiscord.com/api"):
        assert own_webhooks.guess_shape(parse_target(url)) == WebhookShape.MATTERMOST
