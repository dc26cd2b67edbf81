"""Tests of the shares of mails, push services and webhooks: what is slow keeps nothing else waiting."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.notice_preferences import switch_on_channel
from core.task_queue import Task
from games import tasks
from games.models import Channel, Notice
from games.notices import delivery, email, web_push, webhooks
from games.notices.email import ServerAway
from tests.games.factories import make_game, make_player

pytestmark = pytest.mark.django_db
GAMES = 6


class Channels:
    """Stand-ins for the channels, which note what is sent; a webhook takes five seconds of a clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sent: list[Channel] = []
        self.now = 0.0
        self.after_a_webhook: Any = lambda: None
        for channel, module in ((Channel.EMAIL, email), (Channel.PUSH, web_push)):
            monkeypatch.setattr(module, "send", lambda notice, _connection, at=channel: self._send(at))
        monkeypatch.setattr(webhooks, "send", self._fail_slowly)
        monkeypatch.setattr(delivery.time, "monotonic", lambda: self.now)

    def _send(self, channel: Channel) -> str:
        self.sent.append(channel)
        return ""

    def _fail_slowly(self, notice: Notice, _connection: object) -> str:
        self._send(Channel.WEBHOOK)
        self.now += webhooks.SECONDS + 0.1
        self.after_a_webhook()
        raise ServerAway("slow")


@pytest.fixture
def channels(monkeypatch: pytest.MonkeyPatch) -> Channels:
    """Owe a player turns by each channel."""
    player = make_player("Anna")
    for channel in delivery.OUTGOING:
        switch_on_channel(player, channel)
    for _game in range(GAMES):
        make_game(now=timezone.now())
    Notice.objects.exclude(kind="your_turn", recipient=player).delete()
    Notice.objects.update(due=timezone.now(), next_try=timezone.now())
    return Channels(monkeypatch)


def owed(channel: Channel) -> int:
    return Notice.objects.filter(channel=channel, sent=None, dropped=None, attempts=0).count()


def test_the_worker_of_mails_posts_to_no_webhook_and_leaves_them_to_their_own(
    channels: Channels, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    queued: list[str] = []
    monkeypatch.setattr(Task, "apply_async", lambda self, **options: queued.append(self.name))
    with django_capture_on_commit_callbacks(execute=True):
        tasks.deliver_notices()
    assert channels.sent == [Channel.EMAIL] * GAMES
    assert queued == ["games.tasks.deliver_outgoing"]
    assert owed(Channel.WEBHOOK) == owed(Channel.PUSH) == GAMES
    tasks.queue_delivery(timezone.now())
    assert queued[1:] == ["games.tasks.deliver_notices", "games.tasks.deliver_outgoing"]


def test_a_notification_waits_for_one_slow_webhook_at_most(channels: Channels) -> None:
    pushes = list(Notice.objects.filter(channel=Channel.PUSH).values_list("pk", flat=True))[1:]
    Notice.objects.exclude(pk__in=pushes).filter(channel=Channel.PUSH).delete()
    Notice.objects.filter(pk__in=pushes).update(next_try=timezone.now() + timedelta(hours=1))

    def owe_one() -> None:
        if pushes:
            Notice.objects.filter(pk=pushes.pop()).update(next_try=timezone.now())

    channels.after_a_webhook = owe_one
    assert delivery.deliver_outgoing(seconds=1000) is False
    assert channels.sent == [*[Channel.WEBHOOK, Channel.PUSH] * (GAMES - 1), Channel.WEBHOOK]
    assert owed(Channel.EMAIL) == GAMES, "mails are left to their own worker"


def test_what_is_left_after_its_time_is_told(channels: Channels) -> None:
    assert delivery.deliver_outgoing(seconds=2 * webhooks.SECONDS) is True
    assert channels.sent == [Channel.PUSH] * GAMES + [Channel.WEBHOOK] * 2
