"""Tests of notices posted to webhooks: targets, retries, and giving up."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
import time_machine
from django.core import mail
from django.db.models import F
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.models import Player
from core import outgoing_http
from core.outgoing_urls import HostFault
from games.models import Kind, Notice, Webhook, WebhookShape
from games.notices import delivery, webhooks
from games.notices.email import AddressRefused, MailRefused, ServerAway
from games.notices.letters import NothingToTell
from games.notices.webhooks import FIRST_REST, LONGEST_REST, MOST_FAILURES, compute_rest
from tests.games.factories import NOW, make_player
from tests.games.notices.webhook_helpers import Services, make_webhook, owe_to_webhooks
from tests.moderation.sanctioning import warned

pytestmark = pytest.mark.django_db
DISCORD_HOST, SLACK_HOST, MATTERMOST_HOST = "discord.com", "hooks.slack.com", "chat.example.com"


@pytest.fixture
def services(monkeypatch: pytest.MonkeyPatch) -> Services:
    services = Services()
    monkeypatch.setattr(outgoing_http, "post_json", services.post)
    return services


@pytest.fixture
def anna() -> Player:
    return make_player("Anna")


@pytest.fixture
def notice(anna: Player) -> Notice:
    return owe_to_webhooks(anna, timezone.now())


def read(webhook: Webhook) -> Webhook:
    return Webhook.objects.get(pk=webhook.pk)


def wake(*which: Webhook) -> None:
    """End the pause of these webhooks."""
    Webhook.objects.filter(pk__in=[one.pk for one in which]).update(rests_until=timezone.now())


def test_each_webhook_gets_it_in_its_own_form(anna: Player, notice: Notice, services: Services) -> None:
    for shape in WebhookShape:
        make_webhook(anna, shape)
    make_webhook(make_player("Zoe"))
    assert webhooks.send(notice) == ""
    discord, slack, mattermost = services.posted
    assert discord.payload["embeds"][0]["title"] == "Your turn in Albi – 3 days to move"
    assert slack.payload["text"].startswith("Your turn in Albi – 3 days to move\nAll seats in Albi are taken")
    assert f"/g/{notice.of_game.code}/" in mattermost.payload["text"]
    assert (discord.path, slack.path) == ("/api/webhooks/123/discord-secret", "/services/T0/B0/slack-secret")
    assert {hook.last_sent is not None for hook in anna.webhooks.all()} == {True}


def test_it_speaks_the_readers_language(notice: Notice, services: Services) -> None:
    player = notice.recipient
    assert player is not None
    player.language = "pl"
    player.save()
    make_webhook(player)
    webhooks.send(Notice.objects.get(pk=notice.pk))
    assert "Your turn" not in str(services.posted[0].payload)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (404, AddressRefused),
        (410, AddressRefused),
        (400, MailRefused),
        (403, MailRefused),
        (302, MailRefused),
        (429, ServerAway),
        (500, ServerAway),
        (HostFault.TIMEOUT, ServerAway),
        (HostFault.NOT_PUBLIC, ServerAway),
    ],
)
def test_what_is_not_taken_is_refused_or_away(
    anna: Player, notice: Notice, services: Services, answer: int | HostFault, error: type[Exception]
) -> None:
    webhook = make_webhook(anna)
    services.answers[DISCORD_HOST] = answer
    with pytest.raises(error) as raised:
        webhooks.send(notice)
    assert "secret" not in str(raised.value)
    webhook = read(webhook)
    assert webhook.failures == 1 and webhook.last_sent is None and webhook.failed is not None
    assert webhook.last_error == (answer.value if isinstance(answer, HostFault) else "status")
    assert webhook.last_status == (None if isinstance(answer, HostFault) else answer)


def test_nobody_is_told_who_has_none(anna: Player, notice: Notice, services: Services) -> None:
    make_webhook(anna, off=NOW, why_off="gone")
    with pytest.raises(NothingToTell):
        webhooks.send(notice)
    assert services.posted == []


def test_nobody_is_told_where_the_site_has_none(
    anna: Player, notice: Notice, services: Services, settings: Settings
) -> None:
    settings.WEBHOOKS = False
    make_webhook(anna)
    with pytest.raises(NothingToTell):
        webhooks.send(notice)


def test_only_where_it_failed_it_is_tried_again(anna: Player, notice: Notice, services: Services) -> None:
    discord, slack = make_webhook(anna), make_webhook(anna, WebhookShape.SLACK)
    services.answers[SLACK_HOST] = 503
    with pytest.raises(ServerAway):
        webhooks.send(notice)
    wake(discord, slack)
    del services.answers[SLACK_HOST]
    assert webhooks.send(notice) == ""
    assert services.hosts == [DISCORD_HOST, SLACK_HOST, SLACK_HOST]
    assert read(slack).failures == 0 and read(slack).last_error == ""


def test_what_one_of_several_refuses_is_not_tried_again(
    anna: Player, notice: Notice, services: Services
) -> None:
    make_webhook(anna)
    slack = make_webhook(anna, WebhookShape.SLACK)
    services.answers[SLACK_HOST] = 400
    assert webhooks.send(notice) == ""
    assert read(slack).failures == 1


@pytest.mark.parametrize("answer", [400, 404])
def test_what_another_has_taken_before_is_sent(
    anna: Player, notice: Notice, services: Services, answer: int
) -> None:
    discord, slack = make_webhook(anna), make_webhook(anna, WebhookShape.SLACK)
    services.answers[SLACK_HOST] = 503
    with pytest.raises(ServerAway):
        webhooks.send(notice)
    wake(discord, slack)
    services.answers[SLACK_HOST] = answer
    assert webhooks.send(notice) == ""
    read(slack).delete()
    assert webhooks.send(notice) == ""
    assert services.hosts == [DISCORD_HOST, SLACK_HOST, SLACK_HOST]


class TestOneThatFails:
    def test_rests_longer_each_time(self, anna: Player, notice: Notice, services: Services) -> None:
        webhook = make_webhook(anna)
        services.answers[DISCORD_HOST] = 500
        for _ in range(2):
            with pytest.raises(ServerAway):
                webhooks.send(notice)
        assert len(services.posted) == 1
        assert [compute_rest(n) // FIRST_REST for n in (0, 1, 2, 9)] == [1, 2, 4, 30]
        wake(webhook)
        with pytest.raises(ServerAway):
            webhooks.send(notice)
        assert len(services.posted) == 2
        rests_until = read(webhook).rests_until
        assert rests_until is not None and rests_until > timezone.now() + FIRST_REST

    def test_is_switched_off_after_ten_in_a_row(
        self, anna: Player, notice: Notice, services: Services
    ) -> None:
        webhook = make_webhook(anna)
        services.answers[DISCORD_HOST] = HostFault.TIMEOUT
        for _ in range(MOST_FAILURES):
            assert read(webhook).off is None
            wake(webhook)
            with pytest.raises(ServerAway):
                webhooks.send(notice)
        assert read(webhook).off is not None and read(webhook).why_off == "failing"
        with pytest.raises(NothingToTell):
            webhooks.send(notice)
        assert len(services.posted) == MOST_FAILURES

    def test_begins_anew_once_it_works(self, anna: Player, notice: Notice, services: Services) -> None:
        webhook = make_webhook(anna, failures=MOST_FAILURES - 1, last_error="timeout", failed=NOW)
        webhooks.send(notice)
        assert (read(webhook).failures, read(webhook).last_error, read(webhook).failed) == (0, "", None)

    @pytest.mark.parametrize("status", [404, 410])
    def test_is_switched_off_at_once_if_it_is_gone(
        self, anna: Player, notice: Notice, services: Services, status: int
    ) -> None:
        webhook = make_webhook(anna)
        services.answers[DISCORD_HOST] = status
        with pytest.raises(AddressRefused):
            webhooks.send(notice)
        assert read(webhook).off is not None and read(webhook).why_off == "gone"

    def test_is_switched_off_if_nobody_can_read_its_address(
        self, anna: Player, notice: Notice, services: Services, settings: Settings
    ) -> None:
        webhook = make_webhook(anna)
        settings.SECRET_KEY = "another key, and none of the ones before"
        with pytest.raises(ServerAway):
            webhooks.send(notice)
        assert services.posted == []
        assert read(webhook).off is not None and read(webhook).last_error == "unreadable"


class TestOneWhoseNameCannotBeLookedUp:
    def test_rests_longer_each_time_and_is_never_switched_off(
        self, anna: Player, notice: Notice, services: Services
    ) -> None:
        webhook = make_webhook(anna, failures=MOST_FAILURES - 1, last_error="timeout", failed=NOW)
        services.answers[DISCORD_HOST] = HostFault.LOOKUP
        rests = []
        for _ in range(MOST_FAILURES):
            with pytest.raises(ServerAway):
                webhooks.send(notice)
            stored = read(webhook)
            assert (stored.failures, stored.off, stored.last_error) == (MOST_FAILURES - 1, None, "lookup")
            assert stored.rests_until is not None and stored.failed is not None
            rests.append((stored.rests_until - stored.failed) // FIRST_REST)
            # It has rested long enough.
            Webhook.objects.update(
                rests_until=F("rests_until") - LONGEST_REST, failed=F("failed") - LONGEST_REST
            )
        assert rests == [1, 2, 4, 8, 16, 30, 30, 30, 30, 30]


class TestOneThatIsSlow:
    def test_rests_though_it_works(
        self, anna: Player, notice: Notice, services: Services, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        webhook = make_webhook(anna)
        clock = iter([0.0, 0.0, 0.0, 3.0])
        monkeypatch.setattr(webhooks.time, "monotonic", lambda: next(clock))
        webhooks.send(notice)
        monkeypatch.setattr(webhooks.time, "monotonic", time.perf_counter)
        assert read(webhook).failures == 0
        with pytest.raises(ServerAway):
            webhooks.send(notice)
        assert len(services.posted) == 1

    def test_leaves_no_time_for_others_of_the_same_player(
        self, anna: Player, notice: Notice, services: Services, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        make_webhook(anna)
        make_webhook(anna, WebhookShape.SLACK)
        now = [0.0]
        monkeypatch.setattr(webhooks.time, "monotonic", lambda: now[0])
        services.before_answering = lambda: now.__setitem__(0, now[0] + 6)
        with pytest.raises(ServerAway):
            webhooks.send(notice)
        assert services.hosts == [DISCORD_HOST]


def test_a_channel_is_not_told_what_moderators_write(anna: Player, services: Services) -> None:
    warned(anna)
    notice = Notice.objects.get(kind=Kind.CONDUCT)
    make_webhook(anna)
    webhooks.send(notice)
    said = str(services.posted[0].payload)
    assert "warning" not in said.lower() and "real table" not in said
    assert "/conduct/" in said


class TestDelivery:
    def test_posts_and_marks(self, anna: Player, notice: Notice, services: Services) -> None:
        make_webhook(anna)
        delivery.deliver_due(seconds=5)
        notice.refresh_from_db()
        assert notice.sent is not None
        assert services.hosts == [DISCORD_HOST]

    def test_a_webhook_that_is_away_holds_up_nobody(
        self, anna: Player, notice: Notice, services: Services
    ) -> None:
        make_webhook(anna)
        services.answers[DISCORD_HOST] = HostFault.CONNECTION
        Notice.objects.exclude(pk=notice.pk).update(next_try=timezone.now())
        Notice.objects.filter(pk=notice.pk).update(next_try=timezone.now() - timedelta(hours=1))
        delivery.deliver_due(seconds=5)
        notice.refresh_from_db()
        assert (notice.sent, notice.attempts) == (None, 1)
        assert notice.next_try > timezone.now()
        assert len(mail.outbox) == 2  # the game has begun

    def test_a_webhook_that_is_gone_says_nothing_of_the_mail_address(
        self, anna: Player, notice: Notice, services: Services
    ) -> None:
        make_webhook(anna)
        services.answers[DISCORD_HOST] = 404
        delivery.deliver_due(seconds=5)
        notice.refresh_from_db()
        anna.refresh_from_db()
        assert notice.dropped is not None
        assert anna.address_refused is None

    def test_no_failure_of_a_webhook_moves_a_clock(self, anna: Player, services: Services) -> None:
        begun = timezone.now()
        notice = owe_to_webhooks(anna, begun)
        webhook = make_webhook(anna)
        Notice.objects.exclude(pk=notice.pk).update(sent=begun)
        services.answers[DISCORD_HOST] = 500
        deadline = notice.of_game.deadline
        delivery.deliver_due(seconds=5)
        del services.answers[DISCORD_HOST]
        with time_machine.travel(begun + timedelta(hours=5), tick=False):
            wake(webhook)
            delivery.deliver_due(seconds=5)
        notice.refresh_from_db()
        assert notice.sent is not None
        game = notice.of_game
        game.refresh_from_db()
        assert game.deadline == deadline


def test_the_row_holds_no_address(anna: Player) -> None:
    make_webhook(anna)
    (row,) = Webhook.objects.values()
    assert "secret" not in str(row) and "discord.com" not in str(row)
    assert "secret" not in str(Webhook.objects.get()) + repr(Webhook.objects.get())


def test_old_keys_still_read_it(anna: Player, settings: Settings) -> None:
    webhook = make_webhook(anna)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key, and none of the ones before"
    assert read(webhook).reveal().endswith("discord-secret")
