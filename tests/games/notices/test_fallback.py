"""Tests of the fallback to another channel if a mail about a turn can't be delivered."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from accounts.models import Player
from accounts.notice_preferences import Channel, NoticeEvent, Timing, set_timings
from games import tasks
from games.models import Kind, MailFate, Notice
from games.notices import email, tracking
from tests.games.factories import make_game
from tests.games.notices.webhook_helpers import Services, make_webhook

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def reader(services: Services) -> Player:
    """A player on turn, with a webhook that their preferences never use."""
    game = make_game(now=timezone.now())
    assert game.awaited is not None
    player = game.seats.get(index=game.awaited).player
    assert player is not None
    make_webhook(player)
    set_timings(player, {(event, Channel.WEBHOOK): Timing.NEVER for event in NoticeEvent})
    player.save()
    Notice.objects.exclude(kind=Kind.YOUR_TURN).delete()
    return player


@pytest.fixture(autouse=True)
def services(monkeypatch: Any) -> Services:
    stub = Services()
    monkeypatch.setattr("core.outgoing_http.post_json", stub.post)
    return stub


def deliver() -> list[tuple[str, bool]]:
    """Deliver notices, and return each one's channel and whether it was sent."""
    tasks.deliver_notices()
    tasks.deliver_outgoing()
    return [(notice.channel, notice.sent is not None) for notice in Notice.objects.order_by("pk")]


def test_of_a_paused_address(reader: Player, services: Services) -> None:
    Player.objects.filter(pk=reader.pk).update(mail_paused=timezone.now(), mail_pause_cause="bounced")
    assert deliver() == [("email", False), ("webhook", True)]
    assert len(services.posted) == 1 and mail.outbox == []


def test_of_an_address_that_is_refused(reader: Player, services: Services, monkeypatch: Any) -> None:
    def refuse(_connection: Any, _mail: Any) -> str:
        raise email.AddressRefused("no such user")

    monkeypatch.setattr(email.Connection, "send", refuse)
    assert deliver() == [("email", False), ("webhook", True)]
    assert len(services.posted) == 1


def test_of_a_mail_that_bounces_later(reader: Player, services: Services) -> None:
    assert deliver() == [("email", True)]
    Notice.objects.update(provider_id="7")
    for _twice in range(2):
        tracking.note_fate("7", MailFate.BOUNCED, None)
    assert deliver() == [("email", True), ("webhook", True)]
    assert len(services.posted) == 1


def test_not_by_a_channel_that_told_it_already(reader: Player, services: Services) -> None:
    Notice.objects.all().delete()
    set_timings(reader, {(NoticeEvent.YOUR_TURN, Channel.WEBHOOK): Timing.AT_ONCE})
    reader.mail_paused, reader.mail_pause_cause = timezone.now(), "bounced"
    reader.save()
    make_game(now=timezone.now())
    Notice.objects.exclude(kind=Kind.YOUR_TURN).delete()
    deliver()
    assert len(services.posted) == Notice.objects.filter(channel=Channel.WEBHOOK).count() <= 1


def test_not_where_there_is_no_other_channel(reader: Player, services: Services) -> None:
    reader.webhooks.all().delete()
    Player.objects.filter(pk=reader.pk).update(mail_paused=timezone.now(), mail_pause_cause="bounced")
    assert deliver() == [("email", False)]


def test_nothing_but_what_is_about_a_turn(reader: Player, services: Services) -> None:
    Player.objects.filter(pk=reader.pk).update(mail_paused=timezone.now(), mail_pause_cause="bounced")
    Notice.objects.update(kind=Kind.STARTED)
    deliver()
    assert not Notice.objects.filter(channel=Channel.WEBHOOK).exists() and services.posted == []
