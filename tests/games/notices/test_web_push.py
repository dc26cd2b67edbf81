"""Tests of push notifications: requests to the service, decrypted content, and failures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Player
from accounts.notice_preferences import switch_on_channel
from games import tasks
from games.models import Channel, Game, Kind, Notice, PushSubscription
from games.notices import delivery, push_keys, push_subscriptions, web_push
from games.notices.email import AddressRefused, MailRefused, ServerAway
from tests.accounts.signing_in import create_session
from tests.games.factories import make_game, make_player, make_table
from tests.games.push_service import SubscribedBrowser, read_token
from tests.post_service import CERTIFICATE, PostService, serve

pytestmark = pytest.mark.django_db
FIREFOX = "Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"


@pytest.fixture
def service(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[PostService]:
    with serve(tmp_path) as service:
        settings.PUSH_HOSTS = [service.host]
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(tmp_path / CERTIFICATE))
        yield service


@pytest.fixture
def game() -> Game:
    return make_game(now=timezone.now(), name="Toulouse")


def anna() -> Player:
    return Player.objects.get(username="Anna")


def subscribe(browser: SubscribedBrowser, player: Player | None = None) -> PushSubscription:
    player = player or anna()
    return push_subscriptions.switch_on(
        player=player,
        keys=browser.keys,
        session_key=create_session(player),
        user_agent=FIREFOX,
        now=timezone.now(),
    )


def owe(game: Game, kind: Kind = Kind.YOUR_TURN) -> Notice:
    now = timezone.now()
    return Notice.objects.create(
        key=f"test.{kind}.push",
        kind=kind,
        channel=Channel.PUSH,
        game=game,
        version=game.turn_version,
        recipient=anna(),
        created=now,
        due=now,
        next_try=now,
    )


def test_tells_every_device_what_only_it_can_read(service: PostService, game: Game) -> None:
    phone, desk = SubscribedBrowser(service, "phone"), SubscribedBrowser(service, "desk")
    row = subscribe(phone)
    subscribe(desk)
    assert web_push.send(owe(game)) == ""
    assert sorted(request.path for request in service.requests) == ["/send/desk", "/send/phone"]
    (request,) = [request for request in service.requests if request.path == phone.path]
    message = phone.read(request)
    assert "Toulouse" in message["title"]
    assert message["url"] == f"https://carcassonne.example/g/{game.code}/"
    assert (message["tag"], message["badge"], message["lang"]) == (f"game.{game.code}", 1, "en")
    row.refresh_from_db()
    assert row.last_success is not None and row.failures == 0
    assert b"Toulouse" not in request.body


def test_signs_for_the_push_service_and_names_the_contact(
    service: PostService, game: Game, settings: Any
) -> None:
    browser = SubscribedBrowser(service)
    subscribe(browser)
    web_push.send(owe(game))
    claims = read_token(service.requests[0], push_keys.get_public_key())
    assert claims["aud"] == f"https://{service.host}"
    assert claims["sub"] == settings.VAPID_CONTACT == "mailto:security@carcassonne.example"
    assert 0 < claims["exp"] - timezone.now().timestamp() <= 24 * 60 * 60


def test_speaks_the_language_of_the_reader(service: PostService, game: Game) -> None:
    Player.objects.filter(username="Anna").update(language="pl")
    browser = SubscribedBrowser(service)
    subscribe(browser)
    web_push.send(owe(game))
    message = browser.read(service.requests[0])
    assert message["lang"] == "pl" and "Your turn" not in message["title"]


def test_a_newer_one_replaces_an_older_one_of_the_same_game_alone(service: PostService, game: Game) -> None:
    browser = SubscribedBrowser(service)
    subscribe(browser)
    other = make_table(host=anna(), now=timezone.now())
    for notice in (owe(game), owe(game, Kind.GAME_OVER), owe(other, Kind.NUDGE)):
        web_push.send(notice)
    topics = [request.headers["topic"] for request in service.requests]
    assert topics[0] == topics[1] != topics[2]
    assert all(len(topic) == 32 for topic in topics)
    tags = [browser.read(request)["tag"] for request in service.requests]
    assert tags == [f"game.{game.code}"] * 2 + [f"game.{other.code}"]


class TestDelivery:
    def test_waits_for_a_device_until_the_deadline(self, game: Game) -> None:
        now = timezone.now()
        game.deadline = now + timedelta(hours=5)
        notice = owe(game)
        assert web_push.plan_delivery(notice, now) == web_push.PushDelivery(5 * 60 * 60, urgent=False)
        game.deadline = now + timedelta(days=20)
        assert web_push.plan_delivery(notice, now).seconds == 3 * 24 * 60 * 60
        game.deadline = now - timedelta(days=20)
        assert web_push.plan_delivery(notice, now).seconds == 10 * 60

    def test_a_reminder_may_wake_a_device(self, service: PostService, game: Game) -> None:
        subscribe(SubscribedBrowser(service))
        web_push.send(owe(game))
        web_push.send(owe(game, Kind.REMINDER))
        assert [request.headers["urgency"] for request in service.requests] == ["normal", "high"]
        assert all(0 < int(request.headers["ttl"]) <= 3 * 24 * 60 * 60 for request in service.requests)

    def test_asks_as_much_for_many_devices_as_for_one(self, service: PostService, game: Game) -> None:
        notice = owe(game)
        counted = []
        for name in ("first", "a", "b", "c"):  # the first one finds the caches cold
            subscribe(SubscribedBrowser(service, name))
            with CaptureQueriesContext(connection) as queries:
                web_push.send(Notice.objects.get(pk=notice.pk))
            counted.append(len(queries) - PushSubscription.objects.count())  # which notes each success
        assert counted[1] == counted[2] == counted[3] <= 10


class TestRefusals:
    def test_a_device_that_is_gone_is_forgotten(self, service: PostService, game: Game) -> None:
        for name, status in (("old", 410), ("older", 404), ("new", 201)):
            browser = SubscribedBrowser(service, name)
            service.answers[browser.path] = status
            subscribe(browser)
        web_push.send(owe(game))
        assert [subscription.endpoint for subscription in PushSubscription.objects.all()] == [
            browser.endpoint
        ]

    def test_without_a_device_the_address_is_refused(self, service: PostService, game: Game) -> None:
        notice = owe(game)
        with pytest.raises(AddressRefused):
            web_push.send(notice)
        browser = SubscribedBrowser(service)
        service.answers[browser.path] = 410
        subscribe(browser)
        with pytest.raises(AddressRefused):
            web_push.send(notice)
        assert not PushSubscription.objects.exists()

    @pytest.mark.parametrize(
        ("status", "error"),
        [
            (400, MailRefused),
            (403, MailRefused),
            (413, MailRefused),
            (429, ServerAway),
            (500, ServerAway),
            (503, ServerAway),
        ],
    )
    def test_an_answer_says_whether_to_try_again(
        self, service: PostService, game: Game, status: int, error: type[Exception]
    ) -> None:
        browser = SubscribedBrowser(service)
        service.answers[browser.path] = status
        row = subscribe(browser)
        with pytest.raises(error) as raised:
            web_push.send(owe(game))
        assert browser.path not in str(raised.value)  # the log and the outbox have no address of a browser
        row.refresh_from_db()
        assert (row.failures, row.last_success) == (1, None)

    def test_a_service_that_is_away_is_tried_again(self, service: PostService, game: Game) -> None:
        subscribe(SubscribedBrowser(service))
        endpoint = "https://127.0.0.1:1/send/browser"
        PushSubscription.objects.update(endpoint=endpoint)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("games.notices.push_endpoints.is_at_push_service", lambda endpoint: True)
            with pytest.raises(ServerAway) as raised:
                web_push.send(owe(game))
        assert "127.0.0.1:1" in str(raised.value) and "/send" not in str(raised.value)

    def test_one_that_takes_it_is_enough(self, service: PostService, game: Game) -> None:
        for name, status in (("away", 503), ("there", 201)):
            browser = SubscribedBrowser(service, name)
            service.answers[browser.path] = status
            subscribe(browser)
        assert web_push.send(owe(game)) == ""
        assert sorted(PushSubscription.objects.values_list("failures", flat=True)) == [0, 1]

    def test_after_many_failures_in_a_row_a_device_counts_no_more(
        self, service: PostService, game: Game
    ) -> None:
        browser = SubscribedBrowser(service)
        service.answers[browser.path] = 403
        subscribe(browser)
        PushSubscription.objects.update(failures=push_subscriptions.GIVEN_UP_AFTER)
        notice = owe(game)
        with pytest.raises(MailRefused):
            web_push.send(notice)
        row = PushSubscription.objects.get()  # we may have been offline
        assert row.failures == push_subscriptions.GIVEN_UP_AFTER
        PushSubscription.objects.update(since=timezone.now() - timedelta(days=8))
        with pytest.raises(MailRefused):
            web_push.send(notice)
        assert not PushSubscription.objects.exists()

    def test_nothing_is_sent_on_to_another_address(self, service: PostService, game: Game) -> None:
        browser = SubscribedBrowser(service)
        service.answers[browser.path] = 307
        subscribe(browser)
        with pytest.raises(MailRefused):
            web_push.send(owe(game))
        assert [request.path for request in service.requests] == [browser.path]

    def test_a_host_that_is_no_push_service_any_more_gets_nothing(
        self, service: PostService, game: Game, settings: Any
    ) -> None:
        subscribe(SubscribedBrowser(service))
        settings.PUSH_HOSTS = []
        with pytest.raises(AddressRefused):
            web_push.send(owe(game))
        assert service.requests == [] and not PushSubscription.objects.exists()

    def test_a_service_that_dawdles_holds_up_nobody_for_long(
        self, service: PostService, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("a", "b", "c"):
            subscribe(SubscribedBrowser(service, name))
        monkeypatch.setattr(web_push, "SECONDS_FOR_ALL", -1.0)
        with pytest.raises(ServerAway, match="too long"):
            web_push.send(owe(game))
        assert service.requests == []


class TestSessions:
    def test_nobody_is_told_where_the_session_is_over(self, service: PostService, game: Game) -> None:
        row = subscribe(SubscribedBrowser(service))
        Session.objects.filter(session_key=row.session_key).delete()
        with pytest.raises(AddressRefused):
            web_push.send(owe(game))
        assert service.requests == [] and not PushSubscription.objects.exists()

    def test_nor_after_its_time_has_run_out(self, service: PostService, game: Game) -> None:
        subscribe(SubscribedBrowser(service))
        notice = owe(game)
        with time_machine.travel(timezone.now() + timedelta(days=91)), pytest.raises(AddressRefused):
            web_push.send(notice)

    def test_nor_where_the_password_has_changed_since(self, service: PostService, game: Game) -> None:
        subscribe(SubscribedBrowser(service))
        player = anna()
        player.set_password("another one, chosen elsewhere")
        player.save()
        with pytest.raises(AddressRefused):
            web_push.send(owe(game))
        assert service.requests == []

    def test_a_key_that_is_replaced_ends_none(self, service: PostService, game: Game, settings: Any) -> None:
        subscribe(SubscribedBrowser(service))
        settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
        settings.SECRET_KEY = "another key of the tests, as long as it has to be 0123456789"
        with pytest.MonkeyPatch.context() as patch:
            # Rows of sessions are signed, too; Django reads those of the old key.
            patch.setattr("games.notices.web_push.count_waiting_games", lambda player: 1)
            web_push.send(owe(game))
        assert len(service.requests) == 1


class TestOutbox:
    def test_what_is_due_goes_to_the_devices(self, service: PostService, game: Game) -> None:
        subscribe(SubscribedBrowser(service))
        notice = owe(game)
        tasks.deliver_outgoing()
        notice.refresh_from_db()
        assert notice.sent is not None and len(service.requests) == 1

    def test_a_push_service_that_is_away_holds_up_no_mail(self, service: PostService, game: Game) -> None:
        browser = SubscribedBrowser(service)
        service.answers[browser.path] = 503
        subscribe(browser)
        notice = owe(game)
        Notice.objects.filter(pk=notice.pk).update(next_try=timezone.now() - timedelta(minutes=1))
        delivery.deliver_due(seconds=60)
        notice.refresh_from_db()
        assert (notice.sent, notice.dropped, notice.attempts) == (None, None, 1)
        assert notice.last_error == f"{service.host} answers 503"
        assert mail.outbox and not Notice.objects.filter(channel=Channel.EMAIL, sent=None).exists()

    def test_a_device_that_is_gone_says_nothing_of_the_address(
        self, service: PostService, game: Game
    ) -> None:
        switch_on_channel(anna(), Channel.PUSH)
        for number in range(2):
            notice = owe(game)
            tasks.deliver_outgoing()
            notice.refresh_from_db()
            assert notice.why_dropped == "refused"
            Notice.objects.filter(pk=notice.pk).update(key=f"earlier.{number}")
        assert (anna().mail_paused, anna().address_refused) == (None, None)


class TestSize:
    def test_stays_below_3000_bytes_whatever_names_are(self, service: PostService) -> None:
        host = make_player("Ś" * 30)
        game = make_table(host=host, name="\U0001f3f0" * 60, now=timezone.now())
        now = timezone.now()
        notice = Notice.objects.create(
            key="test.push",
            kind=Kind.NUDGE,
            channel=Channel.PUSH,
            game=game,
            recipient=host,
            created=now,
            due=now,
            next_try=now,
        )
        assert len(json.dumps(asdict(web_push.compose(notice)), ensure_ascii=False).encode()) < 3000
        longest = web_push.PushMessage(
            title=web_push.cut('"\x01\U0001f3f0' * 2000, web_push.LONGEST_TITLE),
            text=web_push.cut('"\\\n' * 2000, web_push.LONGEST_TEXT),
            url="x" * web_push.LONGEST_URL,
            tag="game." + "x" * 20,
            lang="en",
            badge=10**6,
        )
        assert len(json.dumps(asdict(longest), ensure_ascii=False).encode()) < 3000

    def test_a_text_is_cut_between_letters(self) -> None:
        assert web_push.cut("Zażółć gęślą jaźń", 12) == "Zażół…"
        assert web_push.cut("short", 5) == "short"


def test_a_key_that_is_not_base64url_is_refused() -> None:
    assert push_keys.decode(push_keys.encode(b"\xfb\xff")) == b"\xfb\xff"
    for broken in ("ab cd", "ab*d"):
        with pytest.raises(ValueError, match="base64"):
            push_keys.decode(broken)
