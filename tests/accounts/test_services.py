"""Closing an account."""

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from accounts.notice_preferences import Channel, NoticeEvent, read_timing
from accounts.services import close_account
from accounts.signals import account_closed

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_nothing_that_points_to_a_person_is_left(anna: Player) -> None:
    close_account(player=anna, now=NOW)
    closed = Player.objects.get(pk=anna.pk)
    assert (closed.username, closed.email, closed.closed) == (f"closed-{anna.pk}", "", NOW)
    assert not closed.has_usable_password()
    assert not closed.is_active
    assert not closed.emailaddress_set.exists()
    assert not any(
        read_timing(closed, event, channel) != "never" for event in NoticeEvent for channel in Channel
    )


def test_sessions_end_everywhere(anna: Player, client: Client) -> None:
    client.force_login(anna)
    assert client.get(reverse("accounts:settings")).status_code == 200
    close_account(player=anna, now=NOW)
    assert client.get(reverse("accounts:settings")).status_code == 302


def test_others_hear_of_it_while_the_name_is_still_known(anna: Player) -> None:
    heard: list[tuple[str, datetime]] = []

    def listen(player: Player, now: datetime, **more: object) -> None:
        heard.append((player.username, now))

    account_closed.connect(listen)
    try:
        close_account(player=anna, now=NOW)
        close_account(player=anna, now=NOW)
    finally:
        account_closed.disconnect(listen)
    assert heard == [("Anna", NOW)]


def test_name_and_address_are_free_again(anna: Player) -> None:
    close_account(player=anna, now=NOW)
    Player.objects.create_user("Anna", "anna@example.org")
    assert Player.objects.count() == 2
